"""Hands from CSV (RFC 4180, with a header) or lines of JSON: the columns are the fields of `ForeignHand`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import fields

from fairshoe.errors import InputError

from .scheme import ForeignHand

COLUMNS = tuple(field.name for field in fields(ForeignHand))
MAX_BYTES = 1 << 30
"""Bytes of one file; more hands come in several."""


def hands_in(data: bytes) -> list[ForeignHand]:
    """Read every hand of a file; refuse it whole if one cannot be read. Raises InputError with the row, from 1."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", where="FILE", expected="CSV with a header, or lines of JSON") from None
    lines = text.lstrip().startswith("{")
    rows: Iterable[object] = _json_rows(text) if lines else csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        hands = [_hand(number, row) for number, row in enumerate(rows, 1)]
    except csv.Error as error:
        raise InputError(f"is no CSV: {error}", where="FILE", expected="RFC 4180") from None
    if not hands:
        raise InputError("has no hand", where="FILE", expected=f"a header of {', '.join(COLUMNS)}, and a row a hand")
    return hands


def _json_rows(text: str) -> Iterable[object]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield json.loads(line, parse_int=str, parse_float=str)
            except ValueError:
                raise InputError("is no JSON", where=f"row {number}", expected="one object a line") from None


def _hand(number: int, row: object) -> ForeignHand:
    where = f"row {number}"
    if not isinstance(row, dict):
        raise InputError("is no object", where=where, expected=f"an object with {', '.join(COLUMNS)}")
    unknown = [str(name) for name in row if name not in COLUMNS]
    if unknown:
        raise InputError(f"has {unknown[0]!r}", where=where, expected=f"only {', '.join(COLUMNS)}")
    for name, value in row.items():
        if value is not None and not isinstance(value, str):
            raise InputError(f"{name} is no text", where=where, expected="text or a number")
    texts = {name: value or "" for name, value in row.items()}
    return ForeignHand(**{name: value if "seed" in name else value.strip() for name, value in texts.items()})
