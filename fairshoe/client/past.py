"""What the receipts of a seat say so far, and what new ones must not contradict."""

from __future__ import annotations

from typing import Any

from ..ceremony.receipts import BET, CHIPS, OFFERED, STANDS, bets_left
from ..log.canonical import Entry

MOST_OFFERS = 16
"""Rounds whose offered bets are remembered."""


class Past:
    """`stands` is the last note about bets that stand; `last` what the last receipt of a step says."""

    def __init__(self) -> None:
        self.stands = ""
        self._stood = 0
        self.last: Entry = {}
        self._offered: dict[tuple[Any, ...], Entry] = {}
        self._covered: int | None = None

    def remember(self, form: Entry, note: str) -> None:
        """A receipt that was kept."""
        if form["do"] == BET and form["state"] == STANDS:
            self.stands, self._stood = note, form["round"]
            return
        if form["do"] == CHIPS:
            if not self.last and form["op"] == "buy-in" and form["view"]["chips"] == form["amount"]:
                self._covered = 0
            if "leaves" in form:
                self._offered.clear()
        self.last = form
        if form["do"] == BET and form["state"] == OFFERED:
            self._offered[form["shoe"], form["round"]] = form
            for old in list(self._offered)[:-MOST_OFFERS]:
                del self._offered[old]

    def begin(self, answer: dict[str, Any]) -> None:
        """The first look of a file that does not begin with the buy-in: bets on the next round may be older."""
        if self._covered is None:
            self._covered = int(answer["rounds"]) + 2

    def fault(self, form: Entry) -> str | None:
        """What is wrong with the next receipt of a step: the log only grows, and time passes."""
        for name in ("at", "before"):
            least = self.last.get("size" if name == "before" else "at", form[name])
            if form[name] < least:
                return f"it goes back: {name} is {form[name]!r}, after {least!r}"
        return None

    def wanted(self, form: Entry, seat: int) -> list[dict[str, int]] | None:
        """The bets that must stand, by box; None where they may have been offered before this file was begun."""
        offered = self._offered.get((form["shoe"], form["round"]))
        if offered is not None:
            return bets_left(offered["bets"], form["view"]["bets"] + form["view"]["uncovered"], seat)
        return [] if self._covered is not None and form["round"] >= self._covered else None

    def held_back(self, answer: dict[str, Any], seat: int) -> str | None:
        """Whether a round has opened on which this seat has bet on its own place, and no receipt says so."""
        if not self._offered:
            return None
        (shoe, round), offered = next(reversed(self._offered.items()))
        if not any(bet.get("box", seat) == seat for bet in offered["bets"]):
            return None
        live, last = answer.get("shoe") or {}, answer.get("last") or {}
        opened = (live.get("shoe") == shoe and answer["rounds"] >= round) or (
            last.get("shoe") == shoe and last["round"] >= round
        )
        if not opened or self._stood >= round:
            return None
        return f"the house gave no receipt of the bets that stand in round {round}"
