"""What the house signs of each step of a seat: checked, and kept in a file before anything else happens."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..ceremony.receipts import BET, CHIPS, DECISION, OFFERED, STANDS, bets_left, offered_form, says
from ..errors import InputError, VerificationError
from ..log.canonical import Entry
from ..log.note import verifier_of
from ..log.receipts import read_receipt, vouched_key
from .errors import HOUSE

if TYPE_CHECKING:
    from .client import Client, Form

WITH_RECEIPT = {"seats": CHIPS, "chips": CHIPS, "hash": "hash", "seed": "seed", "waiver": "waiver", "bets": BET}
WITH_RECEIPT |= {"decisions": DECISION}
"""The routes that are answered with a receipt, and what it is one of."""


class WrongReceipt(VerificationError):
    """The house gave no receipt, or one that does not say what was sent: what it gave is kept in `note`."""

    fault = HOUSE

    def __init__(self, what: str, note: str, *, expected: str = "") -> None:
        super().__init__(what, where="receipt", expected=expected, remedy="stop playing, and keep what you have")
        self.note = note


class Keeper:
    """The receipts of a seat, a JSON string of a note a line; the first is the house's note about the receipts' key.

    `key`: the house's verifier key; without it the one that the service shows. Raises InputError where the file
    belongs to another house, VerificationError where the house vouches for no key, OSError.
    """

    def __init__(self, path: Path, client: Client, key: str | None = None) -> None:
        vouched = client.receipt_key()
        self._key = vouched_key(vouched, verifier_of(key or client.verifier()))
        self._path = path
        self._kept = ""
        self._offered: Entry = {}
        self._begin(vouched)

    def _begin(self, vouched: str) -> None:
        """Go on with a file that is there: without a line that was not written to its end."""
        first = json.dumps(vouched).encode()
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            data = b""
        whole = data[: data.rfind(b"\n") + 1]
        if whole.split(b"\n")[0] != first if whole else not first.startswith(data):
            what = "receipts of another house, or another file"
            raise InputError(what, where=str(self._path), remedy="name another file")
        if len(whole) < len(data):
            with open(self._path, "r+b") as file:
                file.truncate(len(whole))
        if not whole:
            self._append(vouched)

    def _append(self, note: str) -> None:
        with open(self._path, "ab") as file:
            file.write(json.dumps(note).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def keep(self, place: Form, what: str, sent: Form, answer: Form) -> None:
        """Keep the receipt of what was sent by the route `what`, and say where it is not one. `place` are table, seat
        and player. Raises WrongReceipt."""
        if what in WITH_RECEIPT:
            note = answer.get("receipt")
            if type(note) is not str:
                raise WrongReceipt("the house gave no receipt", "")
            self._append(note)
            form = self._check(note, place | {"do": WITH_RECEIPT[what]} | said(what, sent, place["seat"]))
            self._offered = form if what == "bets" else self._offered
        self.look(place, answer)

    def look(self, place: Form, answer: Form) -> Entry | None:
        """Keep the receipt of the bets that stand, if there is a new one; gives what it says. Raises WrongReceipt."""
        note = answer.get("you", {}).get("receipt")
        if type(note) is not str or note == self._kept:
            return None
        self._append(note)
        self._kept = note
        form = self._check(note, place | {"do": BET, "state": STANDS})
        offered = self._offered
        if all(form[name] == offered.get(name) for name in ("shoe", "round")):
            wanted = bets_left(offered["bets"], form["view"]["bets"] + form["view"]["uncovered"], place["seat"])
            stand = sorted(form["bets"] + form["uncovered"], key=lambda bet: int(bet.get("box", place["seat"])))
            if stand != wanted:
                raise WrongReceipt("other bets stand than were offered", note, expected=repr(wanted)[:200])
        return form

    def _check(self, note: str, sent: Form) -> Entry:
        try:
            form = read_receipt(note, self._key)
        except VerificationError as error:
            raise WrongReceipt(error.what, note, expected=error.expected) from None
        if not says(form, sent):
            wrong = next(name for name in sent if not says(form, {name: sent[name]}))
            what = f"it says another {wrong}: {form.get(wrong)!r}"
            raise WrongReceipt(what[:200], note, expected=repr(sent[wrong])[:200])
        return form


def said(what: str, sent: Form, seat: int) -> dict[str, Any]:
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
