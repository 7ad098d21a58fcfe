"""The notes in a file that a client, a shell or an editor wrote: what its way did to them is undone, where that can be
undone in one way only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from fairshoe.errors import VerificationError
from fairshoe.log.note import signatures_of
from fairshoe.log.receipts import HEADING, KEY_HEADING

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
