"""What the receipts of a seat say so far, and what new ones must not contradict."""

from __future__ import annotations

from typing import Any

from ..ceremony.receipts import BET, CHIPS, OFFERED, STANDS, bets_left
from ..log.canonical import Entry

Form = dict[str, Any]
MOST_OFFERS = 16
"""Rounds whose offered bets are remembered."""


class Past:
    """`stands` is the last note about bets that stand; `note` the last receipt of a step, and `last` what it says."""

    def __init__(self) -> None:
        self.stands = self.note = ""
        self._stood = 0
        self.last: Entry = {}
        self._offered: dict[tuple[Any, ...], Entry] = {}
        self._older: set[tuple[Any, ...]] = set()
        self._unsure: dict[int, list[list[dict[str, int]]]] = {}
        self._covered: int | None = None

    def remember(self, form: Entry, note: str) -> None:
        """A receipt that was kept."""
        if form["do"] == BET and form["state"] == STANDS:
            if form["round"] >= self._stood:
                self.stands, self._stood = note, form["round"]
            return
        if form["do"] == CHIPS and ("leaves" in form or _sits_down(form)):
            self._offered.clear()
            self._covered = None
        self.last, self.note = form, note
        if form["do"] == BET and form["state"] == OFFERED:
            self._offered[form["shoe"], form["round"]] = form
            self._older.discard((form["shoe"], form["round"]))
            for old in list(self._offered)[:-MOST_OFFERS]:
                del self._offered[old]

    def reopen(self) -> None:
        """All so far is from a file: nobody knows what was offered since it was written, or by whom."""
        self._covered, self._older = None, set(self._offered)

    def begin(self, answer: Form, seat: int) -> None:
        """The first look, of a chair or at a file that is gone on with: which bets are known from here on.

        Those of rounds that opened before are not, and those of the next one where the answer shows what the file has.
        """
        if self._covered is not None:
            return
        following = answer["rounds"] + 1
        coming = (answer["shoe"] or {}).get("shoe"), following
        shown = [bet for bet in (answer["bets"] or {"in": []})["in"] if bet["seat"] == seat]
        known = shown == self._offered.get(coming, {"bets": []})["bets"]
        for key in self._older - ({coming} if known else set()):
            self._offered.pop(key, None)
        self._older.clear()
        self._covered = following if known else following + 1

    def fault(self, form: Entry) -> str | None:
        """What is wrong with the next receipt of a step: the log only grows, and time passes. The clock may have been
        set back at a start of the service, which is an entry."""
        if not self.last:
            return None
        before, at = self.last["size"], self.last["at"]
        if form["before"] < before:
            return f"it goes back: before is {form['before']!r}, after {before!r}"
        if form["before"] == before and form["at"] < at:
            return f"it goes back: at is {form['at']!r}, after {at!r}"
        return None

    def unsure(self, round: int, bets: list[dict[str, int]]) -> None:
        """Bets that were sent for a round, and nobody has said whether they were taken."""
        self._unsure = {round: [*self._unsure.get(round, []), bets]}

    def wanted(self, form: Entry, seat: int) -> list[list[dict[str, int]]] | None:
        """The bets that may stand, by box: the offered ones, or others that were sent and not answered; None where
        some may have been offered before this file was begun."""
        offered = self._offered.get((form["shoe"], form["round"]))
        if offered is None and (self._covered is None or form["round"] < self._covered):
            return None
        stand = form["view"]["bets"] + form["view"]["uncovered"]
        sent = [[] if offered is None else offered["bets"], *self._unsure.get(form["round"], [])]
        return [bets_left(bets, stand, seat) for bets in sent]

    def held_back(self, answer: Form, seat: int) -> str | None:
        """Whether the last round that opened is one on which this seat has bet on its own place, and no receipt says
        so. Of a round before it the house shows no receipt any more."""
        if not self._offered:
            return None
        (shoe, round), offered = next(reversed(self._offered.items()))
        if not any(bet.get("box", seat) == seat for bet in offered["bets"]):
            return None
        live, last = answer.get("shoe") or {}, answer.get("last") or {}
        opened = live.get("shoe") == shoe or (last.get("shoe") == shoe and last["round"] == round)
        if answer["rounds"] != round or not opened or self._stood >= round:
            return None
        return f"the house gave no receipt of the bets that stand in round {round}"


def _sits_down(form: Entry) -> bool:
    """Whether a receipt of chips may be a chair's first: it had none before."""
    return bool(form["op"] == "buy-in" and form["view"]["chips"] == form["amount"])
