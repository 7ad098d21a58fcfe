"""A reviewer's signature: the report's JSON as a C2SP note; and the check of a signed report against its logs again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairshoe.errors import VerificationError
from fairshoe.log.note import open_note, verifier_of
from fairshoe.terminal.files import read_utf8

from ..verify.evidence.head import key_text
from .previous import MAX_REPORT_BYTES, report_in


def read_signed(file: Path, key: str) -> dict[str, Any]:
    """Read a report's JSON, signed by the reviewer's key. Raises InputError, VerificationError."""
    note = read_utf8(file, MAX_REPORT_BYTES)
    verifier = verifier_of(key_text(key, "the reviewer's verifier key", "--reviewer"))
    if "\n\n— " not in note:
        remedy = "give what `fairshoe-audit report --sign` wrote"
        raise VerificationError("the report is not signed", where=str(file), expected=str(verifier), remedy=remedy)
    open_note(note, verifier)
    return report_in(note, str(file))


def differing(signed: Mapping[str, Any], remade: Sequence[Any]) -> list[str]:
    """Return the places where a report differs from those of its logs that were made again just now. Exceptions and
    what the last report said come from other files, and are taken as signed."""
    return list(_differing("logs", signed["logs"], json.loads(json.dumps(remade))))


def _differing(place: str, one: Any, other: Any) -> Iterator[str]:
    """Yield where two forms differ, down to the smallest part that both have."""
    if type(one) is type(other) is dict and one.keys() == other.keys():
        for name in one:
            yield from _differing(f"{place}.{name}", one[name], other[name])
    elif type(one) is type(other) is list and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from _differing(f"{place}[{number}]", *pair)
    elif one != other:
        yield place
