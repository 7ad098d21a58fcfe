"""A file of receipts, as a client, a shell or an editor wrote it: which key signs them, what each says, and why one is
refused. What its way did to the notes is undone, where that can be undone in one way only."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
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
    "give the file that the client kept, or put the house's note about the key (GET /v1/log/receipts) into yours; or "
    "give the receipts' own key"
)
BROKEN = "not written to its end, so that nothing is decided by it"
UNVOUCHED = "the house did not vouch for the key"
ELSEWHERE = f"{UNVOUCHED}: another house did, or this house for another log"
"""How the cause begins why a receipt of another log is refused."""
NO_NOTE = "no receipt: a receipt is a signed note of its own, or one as a JSON string on a line of its own"
ANOTHER = "another key signs receipts from here on: the house vouches for this one and for one above it"


class Kept(NamedTuple):
    """What a file holds. `own`: it was read by the receipts' own key, not by the house's."""

    receipts: list[Receipt]
    own: bool


class _Placed(NamedTuple):
    place: int
    note: Note


def receipts_in(path: Path, key: Verifier) -> Kept:
    """The receipts of a file: notes, or JSON strings of notes, and among them the house's about the receipts' key.

    `key` is the house's, or the receipts' own. A note that stands there again, and further ones about the same key, are
    passed over; one about another key is refused. InputError where the file has no notes, or none about the key and
    `key` is the house's.
    """
    placed = list(_once(notes_of(read_utf8(path, MOST_FILE))))
    if not placed:
        raise InputError("no receipts", where=str(path), expected="signed notes, or a JSON string of one a line")
    about = [each for each in placed if each.note.text.startswith(KEY_HEADING) and not each.note.broken]
    own = is_receipt_key(key) and not any(_names(each.note.text, key) for each in about)
    if own:
        return Kept(_by_own_key(placed, about, key), True)
    keys, refused = _vouched(about, key)
    if not keys and not refused:
        raise InputError("no word of which key signs receipts", where=str(path), expected=REMEDY)
    passed_over = {each.place for each in about} - ({each.place for each in refused} if keys else set())
    causes = {each.place: each for each in refused} if keys else {}
    cause = "" if keys else refused[0].refused
    rest = [each for each in placed if each.place not in passed_over]
    return Kept([causes.get(each.place) or _read(each, keys, cause) for each in rest], False)


def _once(notes: Iterable[Note]) -> Iterator[_Placed]:
    """Each note where it stands first: a copy of it says nothing more."""
    seen = set()
    for place, note in enumerate(notes, 1):
        if note not in seen:
            seen.add(note)
            yield _Placed(place, note)


def _names(note: str, key: Verifier) -> bool:
    """Whether a note claims to be signed by a key of this name: a log may be named like a receipts' key."""
    return f"\n— {key.name} " in note


def _by_own_key(placed: Sequence[_Placed], about: Sequence[_Placed], key: Verifier) -> list[Receipt]:
    """Who vouched for the key cannot be checked; notes about it are passed over."""
    heading = f"{KEY_HEADING}\n{key}\n"
    same = {each.place for each in about if each.note.text.startswith(heading)}
    return [_read(each, [key], "") for each in placed if each.place not in same]


def _vouched(about: Sequence[_Placed], house: Verifier) -> tuple[list[Verifier], list[Receipt]]:
    """The keys for which the house vouches, and the notes about keys that are refused."""
    keys: list[Verifier] = []
    refused = []
    for place, note in about:
        try:
            found = vouched_key(note.text, house)
        except VerificationError as error:
            refused.append(Receipt(place, {}, _elsewhere(note.text, house) or f"{UNVOUCHED}: {error}"))
            continue
        if keys and found not in keys:
            refused.append(Receipt(place, {}, ANOTHER))
        if found not in keys:
            keys.append(found)
    return keys, refused


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


def _read(placed: _Placed, keys: Sequence[Verifier], cause: str) -> Receipt:
    """`cause`: why none can be read."""
    place, note = placed
    if note.broken:
        return Receipt(place, {}, BROKEN, True)
    if cause:
        return Receipt(place, {}, cause)
    if "\n\n" not in note.text:
        return Receipt(place, {}, NO_NOTE)
    for key in keys:
        try:
            says = read_receipt(note.text, key)
        except VerificationError as error:
            cause = cause or str(error)
        else:
            fault = fault_of(says)
            return Receipt(place, says, f"{fault}: not as a receipt has it" if fault else "")
    return Receipt(place, {}, cause)


# The notes of a file.

_MARK = "\ufeff"
_SIGNATURE = "— "
_SIGNED = 64
"""Bytes of a signature."""
_HEADINGS = (HEADING, KEY_HEADING)
_NO_ANSWER = "null"
"""What `jq .receipt` writes of an answer that has none."""


class Note(NamedTuple):
    """A note as it was signed, whatever else stands in its place. `broken`: it was not written to its end."""

    text: str
    broken: bool = False


def notes_of(text: str) -> Iterator[Note]:
    """The notes of a file in their order: each by itself, or as a JSON string on a line. A line that begins with a
    quotation mark stands by itself, and it or a heading ends whatever stands above it without a signature.

    Undone are a byte order mark at the beginning of a line, line ends of CR and LF, empty lines and `null` between
    notes, a last line end that is missing, and JSON's escapes, whichever were used.
    """
    held: list[str] = []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        line = line.removeprefix(_MARK).removesuffix("\r")
        last, quoted = number == len(lines) - 1, line.startswith('"')
        if held and (quoted or line in _HEADINGS):
            yield Note(_joined(held))
            held = []
        if not held and line.strip() in ("", _NO_ANSWER):
            continue
        if quoted:
            yield _string(line, last)
        elif not (last and not line):
            held.append(line)
            if line.startswith(_SIGNATURE) and not (last and _is_cut_off(held)):
                yield Note(_joined(held))
                held = []
    if held:
        yield Note(_joined(held), _is_begun(held))


def _string(line: str, last: bool) -> Note:
    """A note as a JSON string; what is none is taken as it stands, and refused as a note."""
    try:
        found = json.loads(line)
        str(found).encode()
    except (ValueError, RecursionError):
        return Note(line, last)
    return Note(found.replace("\r\n", "\n")) if type(found) is str else Note(line)


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _is_cut_off(lines: list[str]) -> bool:
    """Whether the signature with which a file ends, without a line end, is shorter than a signature."""
    try:
        _, (signature, *_) = signatures_of(_joined(lines))
    except VerificationError:
        return True
    return len(signature.bytes) < _SIGNED


def _is_begun(lines: list[str]) -> bool:
    """Whether the lines with which a file ends are how a note begins."""
    first, *rest = lines
    if not rest:
        return any(heading.startswith(first) for heading in _HEADINGS)
    below = rest[2:]
    return first in _HEADINGS and (not below or (len(below) == 1 and below[0][:2] == _SIGNATURE[: len(below[0])]))
