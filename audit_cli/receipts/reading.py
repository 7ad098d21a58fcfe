"""A file of receipts: which key signs them, what each says, and why one is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.canonical import Entry
from fairshoe.log.note import Verifier
from fairshoe.log.receipts import KEY_HEADING, is_receipt_key, read_receipt, vouched_key
from fairshoe.terminal.files import read_utf8

from .shapes import fault_of

MOST_FILE = 1 << 28
"""Bytes of a file of receipts that are read."""
_SIGNATURE = "— "
REMEDY = "give the file that the client kept, whose first note is by the house's key, or the receipts' own key"


class Receipt(NamedTuple):
    """A receipt in its place in the file (from 1): what it `says`, or why it is `refused`."""

    place: int
    says: Entry
    refused: str = ""


class Kept(NamedTuple):
    """What a file holds. `own`: it was read by the receipts' own key, not by the house's."""

    receipts: list[Receipt]
    own: bool


def receipts_in(path: Path, key: Verifier) -> Kept:
    """The receipts of a file: one note, several, or what the client keeps, a JSON string of a note a line.

    `key` is the house's, whose note about the receipts' key stands first, or the receipts' own. InputError where the
    file is none of these, or says nothing of the receipts' key.
    """
    notes = _notes(read_utf8(path, MOST_FILE), str(path))
    first = 1 if notes[0].startswith(KEY_HEADING) else 0
    cause = ""
    own = is_receipt_key(key) and not (first and _names(notes[0], key))
    if not own:
        if not first:
            raise InputError("no word of which key signs receipts", where=str(path), expected=REMEDY)
        try:
            key = vouched_key(notes[0], key)
        except VerificationError as error:
            cause = f"the house did not vouch for the key: {error}"
    rest = enumerate(notes[first:], first + 1)
    return Kept([Receipt(place, {}, cause) if cause else _read(place, note, key) for place, note in rest], own)


def _names(note: str, key: Verifier) -> bool:
    """Whether a note claims to be signed by a key of this name: a log may be named like a receipts' key."""
    return f"\n{_SIGNATURE}{key.name} " in note


def _read(place: int, note: str, key: Verifier) -> Receipt:
    try:
        says = read_receipt(note, key)
    except VerificationError as error:
        return Receipt(place, {}, str(error))
    fault = fault_of(says)
    return Receipt(place, says, f"{fault}: not as a receipt has it" if fault else "")


def _notes(text: str, where: str) -> list[str]:
    """The notes in a file. Raises InputError."""
    notes = _strings(text) if text.startswith('"') else _concatenated(text)
    if not notes:
        raise InputError("no receipts", where=where, expected="signed notes, or a JSON string of one a line")
    return notes


def _strings(text: str) -> list[str]:
    """What is no JSON string is taken as it stands, and refused as a note."""
    return [_string(line) for line in text.split("\n") if line]


def _string(line: str) -> str:
    try:
        found = json.loads(line)
        str(found).encode()
    except (ValueError, RecursionError):
        return line
    return found if type(found) is str and json.dumps(found) == line else line


def _concatenated(text: str) -> list[str]:
    """A note ends with its signature."""
    notes, lines = [], []
    for line in text.splitlines(keepends=True) if "\n\n" in text else ():
        lines.append(line)
        if line.startswith(_SIGNATURE):
            notes.append("".join(lines))
            lines = []
    return [*notes, "".join(lines)] if lines else notes
