"""Receipts of a seat's steps: checked, and stored in a file before anything else happens."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ..ceremony.receipts import BET, STANDS, Link, link_of
from ..errors import InputError, VerificationError
from ..log.canonical import Entry
from ..log.note import verifier_of
from ..receipts import WITH_RECEIPT, answer_fault, expected_statement, read_receipt, standing_bets_fault, vouched_key
from .book import SEATS, append, open_lines, whole_lines
from .errors import Form, NotTheHouses, WrongReceipt
from .service import Service

UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError, InputError)
MAX_STEPS = 64
"""Receipts by which bets that stand are found to be those that were offered."""


class ReceiptFile:
    """A seat's receipts, a JSON string of a note a line; the first vouches for the receipts' key. `key`: the house's,
    default: the one it shows. Raises InputError for another house's file, NotTheHouses, Unreachable, OSError."""

    def __init__(self, path: Path, client: Service, key: str | None = None) -> None:
        vouched = client.receipt_key()
        try:
            self._key = vouched_key(vouched, verifier_of(key) if key else client.key())
        except VerificationError as error:
            remedy = "check the address, and the key"
            raise NotTheHouses(error.what, where=client.address, expected=error.expected, remedy=remedy) from None
        self._path = path
        self._link: Link | None = None
        self._steps: dict[Link, Entry] = {}
        self._lines = self._begin(vouched)

    def _begin(self, first: str) -> set[int]:
        """Go on with a file that is there, without a line that was not written to its end; gives what it has."""
        head = json.dumps(first).encode()
        with open_lines(self._path) as file:
            lines, rest = whole_lines(file)
            if lines[0] != head if lines else not head.startswith(rest):
                what = "receipts of another house, or another file"
                raise InputError(what, where=str(self._path), remedy="name another file")
            append(file, *([] if lines else [first]))
        for line in lines[1:][-MAX_STEPS:]:
            with suppress(*UNREADABLE):
                self._follow(json.loads(json.loads(line).split("\n")[1]))
        return set(map(hash, lines))

    def keep(self, place: Form, what: str, sent: Form, answer: Form, round: Form | None, *, sure: bool) -> None:
        """Keep and check the receipt of what was sent to route `what`. `place`: table, seat, player; `round`: as seen
        before; `sure`: the house forgot nothing. Raises WrongReceipt."""
        if what not in WITH_RECEIPT:
            return
        note = answer.get("receipt")
        if type(note) is not str:
            raise WrongReceipt("the house gave no receipt", "")
        self._append(note)
        form, after = self._read(note), Link() if what == SEATS else self._link
        said = place | expected_statement(what, sent, place["seat"])
        self._link = None
        _find(note, lambda: answer_fault(form, said, answer, {"round": round}, after if sure else None))
        self._link = link_of(form)
        self._follow(form)

    def _follow(self, form: Entry) -> None:
        """Know a step; the first one of a sitting ends those before."""
        if form.get("state") != STANDS:
            before = [] if form["number"] == 1 else self._steps.items()
            self._steps = dict([*before, (link_of(form), form)][-MAX_STEPS:])

    def keep_standing_bets(self, place: Form, answer: Form, *, sure: bool) -> None:
        """Keep a new receipt of standing bets. `sure`: every bet sent was answered. Raises WrongReceipt."""
        note = answer.get("you", {}).get("receipt")
        if note is None and sure and "you" in answer and self._has_bet(answer):
            raise WrongReceipt("the house gave no receipt of the bets that stand", "")
        if type(note) is str and self._append(note):
            form = self._read(note)
            _find(note, lambda: standing_bets_fault(form, place, answer, self._offered(form) if sure else None))

    def _has_bet(self, answer: Form) -> bool:
        """Whether the chair's last word on the round that opened last was a bet, if its receipts go on. False if that
        round came to nothing: `last` is an earlier one."""
        shown: Form = {**(answer.get("shoe") or {}), **(answer.get("round") or answer.get("last") or {})}
        if self._link is None or shown.get("round") != answer["rounds"]:
            return False
        place = shown["shoe"], shown["round"]
        said = [each for each in self._steps.values() if each["do"] == BET and (each["shoe"], each["round"]) == place]
        return bool(said and said[-1]["bets"])

    def _offered(self, form: Entry) -> list[Entry] | None:
        """Return the bets that the chair offered last before these stood; None where a receipt is not known here."""
        link = Link(form["number"], form["before"])
        while (step := self._steps.get(link)) is not None:
            if step["do"] == BET and (step["shoe"], step["round"]) == (form["shoe"], form["round"]):
                return list(step["bets"])
            if step["number"] == 1:
                return []
            link = Link(link.number - 1, step["before"])
        return None

    def _append(self, note: str) -> bool:
        """Whether it is new: an answer that was asked for again may have been kept already."""
        line = hash(json.dumps(note).encode())
        if line in self._lines:
            return False
        with open_lines(self._path) as file:
            append(file, note)
        self._lines.add(line)
        return True

    def _read(self, note: str) -> Entry:
        try:
            return read_receipt(note, self._key)
        except VerificationError as error:
            raise WrongReceipt(error.what, note, expected=error.expected) from None


def _find(note: str, fault: Callable[[], str | None]) -> None:
    """Raise WrongReceipt for a fault; what cannot be read of a receipt or an answer is wrong too."""
    try:
        found = fault()
    except UNREADABLE as error:
        found = f"it or its answer is not whole: {error!r}"
    if found is not None:
        raise WrongReceipt(found[:200], note)
