"""A file of receipts, as a client or a shell wrote it: what each note says, and why one is refused."""

from __future__ import annotations

import json
from pathlib import Path

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.note import Verifier, signatures_of
from fairshoe.receipts import KEY_HEADING, fault_of, is_receipt_key, read_receipt, vouched_key
from fairshoe.terminal.files import read_utf8

from .case import Receipt

MAX_FILE = 1 << 28
"""Bytes of a file of receipts that are read."""
REMEDY = (
    "give the file that the client kept, or put the house's note about the key (GET /v1/log/receipts) into yours; "
    "--key is the house's key"
)
NO_STRING = "no receipt: a receipt is a JSON string of a signed note, on a line of its own"
UNVOUCHED = "the house did not vouch for the key"
OTHER_LOG = f"{UNVOUCHED}: another house did, or this house for another log"
"""How the cause begins why a receipt of another log is refused."""
ANOTHER = "another key signs receipts from here on: the house vouches for this one and for one above it"
_NO_ANSWER = ("", "null")
"""A line without a receipt: `null` is what `jq .receipt` writes of an answer that has none."""


def receipts_in(path: Path, house: Verifier) -> list[Receipt]:
    """The receipts of a file: a JSON string of a note on each line, among them the house's note about the receipts'
    key. A line that stands there again is passed over, and so are notes about the key; one about another key is
    refused. Raises InputError where the file has no notes, or none about the key."""
    text = read_utf8(path, MAX_FILE).removeprefix("\ufeff")
    lines = [line.strip() for line in text.split("\n")]
    placed: dict[str, int] = {}
    for place, line in enumerate(lines, 1):
        if line not in _NO_ANSWER:
            placed.setdefault(line, place)
    if not placed:
        raise InputError("no receipts", where=str(path), expected="a JSON string of a signed note on each line")
    notes = {place: _note(line) for line, place in placed.items()}
    keys: list[Verifier] = []
    about = {place: _vouched(place, note, house, keys) for place, note in notes.items() if note.startswith(KEY_HEADING)}
    refused = [receipt for receipt in about.values() if receipt is not None]
    if not keys and is_receipt_key(house):
        raise InputError("that is the receipts' own key", where="--key", expected="the house's verifier key")
    if not keys and not refused:
        raise InputError("no word of which key signs receipts", where=str(path), expected=REMEDY)
    if not keys:
        return [Receipt(place, {}, refused[0].refused) for place in notes if place not in about]
    last = 0 if text.endswith("\n") else len(lines)
    read = (about[place] if place in about else _read(place, note, keys, last) for place, note in notes.items())
    return [receipt for receipt in read if receipt is not None]


def _note(line: str) -> str:
    """Return the note that a JSON string is; "" of another line."""
    try:
        found = json.loads(line)
        str(found).encode()
    except (ValueError, RecursionError):
        return ""
    return found if type(found) is str else ""


def _vouched(place: int, note: str, house: Verifier, keys: list[Verifier]) -> Receipt | None:
    """Why a note about a key is refused, None where the house vouches for it: then it is among the `keys`."""
    try:
        found = vouched_key(note, house)
    except VerificationError as error:
        return Receipt(place, {}, _elsewhere(note, house) or f"{UNVOUCHED}: {error}")
    if found in keys:
        return None
    keys.append(found)
    return None if len(keys) == 1 else Receipt(place, {}, ANOTHER)


def _elsewhere(note: str, house: Verifier) -> str:
    """Why a note about the key is refused that another key signed; "" where it claims to be signed by this one, or is
    none."""
    try:
        _, signatures = signatures_of(note)
    except VerificationError:
        return ""
    if any(signature[:2] == house[:2] for signature in signatures):
        return ""
    signer = f"{signatures[0].name}+{signatures[0].id.hex()}"
    return f"{OTHER_LOG} ({signer}, not {house.name}+{house.id.hex()}): hold it against that log, with its key"


def _read(place: int, note: str, keys: list[Verifier], last: int) -> Receipt:
    """A receipt by one of the keys. `last`: the place of a line without its end, which may not have been written whole,
    0 where there is none."""
    cause = "" if note else NO_STRING
    for key in keys if note else ():
        try:
            says = read_receipt(note, key)
        except VerificationError as error:
            cause = cause or str(error)
        else:
            fault = fault_of(says)
            return Receipt(place, says, f"{fault}: not as a receipt has it" if fault else "")
    if place == last and not note:
        return Receipt(place, {}, "not written to its end, so that nothing is decided by it", True)
    return Receipt(place, {}, cause)
