"""A file of receipts, as a client or a shell wrote it: what each note says, and why one is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fairshoe.ceremony.receipts import HEADING
from fairshoe.errors import InputError, VerificationError
from fairshoe.log.note import Verifier, signatures_of
from fairshoe.receipts.kept import Receipt, fault_of
from fairshoe.receipts.notes import KEY_HEADING, is_receipt_key, read_receipt, vouched_key
from fairshoe.terminal.files import read_utf8

MOST_FILE = 1 << 28
"""Bytes of a file of receipts that are read."""
REMEDY = (
    "give the file that the client kept, or put the house's note about the key (GET /v1/log/receipts) into yours; "
    "--key is the house's key"
)
BROKEN = "not written to its end, so that nothing is decided by it"
UNVOUCHED = "the house did not vouch for the key"
ELSEWHERE = f"{UNVOUCHED}: another house did, or this house for another log"
"""How the cause begins why a receipt of another log is refused."""
NO_NOTE = "no receipt: a receipt is a signed note of its own, or one as a JSON string on a line of its own"
ANOTHER = "another key signs receipts from here on: the house vouches for this one and for one above it"
_HEADINGS = (HEADING, KEY_HEADING)
_SIGNATURE = "— "
_NO_ANSWER = "null"
"""What `jq .receipt` writes of an answer that has none."""


class Note(NamedTuple):
    """A note, or what stands in the place of one. `last`: the file ends with it, perhaps before it does."""

    text: str
    last: bool = False


def receipts_in(path: Path, house: Verifier) -> list[Receipt]:
    """The receipts of a file: notes, or JSON strings of notes, and among them the house's about the receipts' key.

    A note that stands there again is passed over, and so are notes about the key; one about another key is refused.
    InputError where the file has no notes, or none about the key.
    """
    placed: dict[str, tuple[int, Note]] = {}
    for place, note in enumerate(notes_of(read_utf8(path, MOST_FILE)), 1):
        placed.setdefault(note.text, (place, note))
    if not placed:
        raise InputError("no receipts", where=str(path), expected="signed notes, or a JSON string of one a line")
    keys: list[Verifier] = []
    about: dict[int, Receipt | None] = {}
    for place, note in placed.values():
        if note.text.startswith(KEY_HEADING):
            about[place] = _vouched(place, note, house, keys)
    refused = [each for each in about.values() if each is not None and not each.broken]
    if not keys and is_receipt_key(house):
        raise InputError("that is the receipts' own key", where="--key", expected="the house's verifier key")
    if not keys and not refused:
        raise InputError("no word of which key signs receipts", where=str(path), expected=REMEDY)
    if not keys:
        return [Receipt(place, {}, refused[0].refused) for place, _ in placed.values() if place not in about]
    found = (about[place] if place in about else _read(place, note, keys) for place, note in placed.values())
    return [each for each in found if each is not None]


def _vouched(place: int, note: Note, house: Verifier, keys: list[Verifier]) -> Receipt | None:
    """Why a note about a key is refused, None where the house vouches for it: then it is among the `keys`."""
    try:
        found = vouched_key(note.text, house)
    except VerificationError as error:
        return _refused(place, note, _elsewhere(note.text, house) or f"{UNVOUCHED}: {error}")
    if found in keys:
        return None
    keys.append(found)
    return None if len(keys) == 1 else _refused(place, note, ANOTHER)


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
    return f"{ELSEWHERE} ({signer}, not {house.name}+{house.id.hex()}): hold it against that log, with its key"


def _read(place: int, note: Note, keys: list[Verifier]) -> Receipt:
    cause = "" if "\n\n" in note.text else NO_NOTE
    for key in keys if not cause else ():
        try:
            says = read_receipt(note.text, key)
        except VerificationError as error:
            cause = cause or str(error)
        else:
            fault = fault_of(says)
            return Receipt(place, says, f"{fault}: not as a receipt has it" if fault else "")
    return _refused(place, note, cause)


def _refused(place: int, note: Note, cause: str) -> Receipt:
    return Receipt(place, {}, BROKEN, True) if note.last else Receipt(place, {}, cause)


# The notes of a file.


def notes_of(text: str) -> Iterator[Note]:
    """The notes of a file in their order: each by itself, or as a JSON string on a line. A line that begins with a
    quotation mark stands by itself, and it or a heading ends whatever stands above it without a signature. Byte order
    marks, line ends of CR and LF, empty lines and `null` between notes are passed over."""
    held: list[str] = []
    lines = text.replace("\ufeff", "").replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if held and (line.startswith('"') or line in _HEADINGS):
            yield Note(_joined(held))
            held = []
        if not line or (not held and line.strip() in ("", _NO_ANSWER)):
            held += [line] if held and number < len(lines) else []
        elif line.startswith('"'):
            yield Note(_string(line), number == len(lines))
        else:
            held.append(line)
            if line.startswith(_SIGNATURE):
                yield Note(_joined(held), number == len(lines))
                held = []
    if held:
        yield Note(_joined(held), any(heading.startswith(held[0]) for heading in _HEADINGS))


def _string(line: str) -> str:
    """The note that a JSON string is; what is none is taken as it stands, and refused as a note."""
    try:
        found = json.loads(line)
        str(found).encode()
    except (ValueError, RecursionError):
        return line
    return found.replace("\r\n", "\n") if type(found) is str else line


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
