"""What the house signs of each step of a seat: checked, and kept in a file before anything else happens."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ..ceremony.receipts import BET, CHIPS, DECISION, OFFERED, STANDS, offered_form, says
from ..errors import InputError, VerificationError
from ..log.canonical import Entry
from ..log.note import Verifier, verifier_of
from ..log.receipts import read_receipt, vouched_key
from .errors import Form, NotTheHouses, WrongReceipt
from .lines import append, open_lines, whole_lines
from .log import key_shown
from .receipt_faults import standing_fault, step_fault

if TYPE_CHECKING:
    from .client import Client

WITH_RECEIPT = {"seats": CHIPS, "chips": CHIPS, "hash": "hash", "seed": "seed", "waiver": "waiver", "bets": BET}
WITH_RECEIPT |= {"decisions": DECISION}
"""The routes that are answered with a receipt, and what it is one of."""
UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError, InputError)


class Keeper:
    """The receipts of a seat, a JSON string of a note a line; the first is the house's note about the receipts' key.

    `key`: the house's verifier key; without it the one that the service shows. Raises InputError where the file
    belongs to another house, NotTheHouses where the house vouches for no key, Unreachable, OSError.
    """

    def __init__(self, path: Path, client: Client, key: str | None = None) -> None:
        vouched = client.receipt_key()
        house = verifier_of(key) if key else key_shown(client.verifier(), client.address)
        self._path = path
        self._key = _vouched(vouched, house, client.address)
        self._kept = self._begin(json.dumps(vouched).encode())

    def _begin(self, first: bytes) -> set[int]:
        """Go on with a file that is there, without a line that was not written to its end; gives what it has."""
        with open_lines(self._path) as file:
            lines, rest = whole_lines(file)
            if lines[0] != first if lines else not first.startswith(rest):
                what = "receipts of another house, or another file"
                raise InputError(what, where=str(self._path), remedy="name another file")
            append(file, *([] if lines else [json.loads(first)]))
        return set(map(hash, lines))

    def keep(self, place: Form, what: str, sent: Form, answer: Form) -> None:
        """Keep the receipt of what was sent by the route `what`, and say where it is not one. `place` are table, seat
        and player. Raises WrongReceipt."""
        if what not in WITH_RECEIPT:
            return
        note = answer.get("receipt")
        if type(note) is not str:
            raise WrongReceipt("the house gave no receipt", "")
        self._append(note)
        form = self._read(note, place | {"do": WITH_RECEIPT[what]} | said(what, sent, place["seat"]))
        _find(note, lambda: step_fault(form, what, sent, answer, {}))

    def look(self, place: Form, answer: Form) -> None:
        """Keep the receipt of the bets that stand, if there is a new one. Raises WrongReceipt."""
        note = answer.get("you", {}).get("receipt")
        if type(note) is str and self._append(note):
            form = self._read(note, place | {"do": BET, "state": STANDS})
            _find(note, lambda: standing_fault(form, place["seat"], answer))

    def _append(self, note: str) -> bool:
        """Whether it is new: an answer that was asked for again may have been kept already."""
        line = hash(json.dumps(note).encode())
        if line in self._kept:
            return False
        with open_lines(self._path) as file:
            append(file, note)
        self._kept.add(line)
        return True

    def _read(self, note: str, sent: Form) -> Entry:
        """What it says, where it is signed and says what was sent."""
        try:
            form = read_receipt(note, self._key)
        except VerificationError as error:
            raise WrongReceipt(error.what, note, expected=error.expected) from None
        wrong = next((name for name in sent if not says(form, {name: sent[name]})), None)
        if wrong is not None:
            what = f"it says another {wrong}: {form.get(wrong)!r}"
            raise WrongReceipt(what[:200], note, expected=repr(sent[wrong])[:200])
        return form


def said(what: str, sent: Form, seat: int) -> Form:
    """What a receipt must say of what was sent by a route."""
    if what == "bets":
        bets = [(bet["amount"], bet.get("box", seat)) for bet in sent["bets"]]
        return {"state": OFFERED, "round": sent["round"], "bets": offered_form(bets, seat)}
    if what == "seats":
        return {"op": "buy-in", "amount": sent["amount"]}
    if what == "chips":
        kept = {name: sent[name] for name in ("op", "amount", "to") if name in sent}
        return kept | ({"leaves": True} if sent.get("leave") else {})
    names = {"hash": ("hash", "cut"), "seed": ("seed", "cut"), "decisions": ("round", "step", "move")}
    optional = ("amount", "chosen") if what == "decisions" else ()
    fields = {name: sent[name] for name in names.get(what, ()) if name in sent}
    return fields | {name: sent[name] for name in optional if sent.get(name)}


def _find(note: str, fault: Callable[[], str | None]) -> None:
    """Raise WrongReceipt for a fault; what cannot be read of a receipt or an answer is wrong too."""
    try:
        found = fault()
    except UNREADABLE as error:
        found = f"it or its answer is not whole: {error!r}"
    if found is not None:
        raise WrongReceipt(found[:200], note)


def _vouched(note: str, house: Verifier, address: str) -> Verifier:
    """The receipts' key that the house vouches for in the note that the service shows."""
    try:
        return vouched_key(note, house)
    except VerificationError as error:
        remedy = "check the address, and the key"
        raise NotTheHouses(error.what, where=address, expected=error.expected, remedy=remedy) from None
