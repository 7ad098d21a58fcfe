"""The textual forms of `fairshoe/1`, ids, hexadecimal, decimals; and what a caller gave, in the words of an error."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from ..errors import InputError

BYTES_LIKE = (bytes, bytearray, memoryview)
TEXTS = (str, *BYTES_LIKE)
PASS_BYTES = 'pass bytes, such as b"…" or bytes.fromhex(text)'
PASS_TEXT = 'pass text, such as "game-42"'
PASS_INTEGER = "pass an integer, such as 6"
_ID = re.compile(r"[A-Za-z0-9._:/-]{1,64}", re.ASCII)
_HEX = re.compile(r"(?:[0-9a-f]{2})+", re.ASCII)
_DECIMAL = re.compile(r"0|[1-9][0-9]{0,15}", re.ASCII)
MAX_DECIMAL = 2**53 - 1


def type_name(value: object) -> str:
    """Return the kind of `value`: "a str", "an int", "a null"."""
    name = "null" if value is None else type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether `value` is a list, a tuple or another sequence of items: neither text nor bytes, and with an order."""
    return isinstance(value, (list, tuple)) or (isinstance(value, Sequence) and not isinstance(value, TEXTS))


def as_list(value: object, name: str, example: str) -> str:
    """Return advice on passing the argument `name` as a list; `example` is for a value without items."""
    if isinstance(value, Mapping):
        return f"pass list({name}.items())"
    if isinstance(value, set | frozenset):
        return f"pass sorted({name}): a set has no order of its own"
    if hasattr(value, "__iter__") and not isinstance(value, TEXTS):
        return f"pass list({name})"
    return f"pass {example}"


def check_id(text: str, where: str) -> str:
    """Return `text` if it may name a shoe, a contributor or a draw; else InputError."""
    expected = "1 to 64 characters of A-Z a-z 0-9 . _ : / -"
    if not isinstance(text, str):
        raise InputError(f"{type_name(text)} is not an id", where=where, expected=expected, remedy=PASS_TEXT)
    if not _ID.fullmatch(text):
        remedy = "a new one may have these alone; give one that was used as it was: another id gives another order"
        remedy = remedy if text else PASS_TEXT
        raise InputError(f"{text[:80]!r} is not an id", where=where, expected=expected, remedy=remedy)
    return str.__str__(text)


def bytes_of_hex(text: str, where: str, *, low: int, high: int) -> bytes:
    """Decode lower-case hexadecimal of `low` to `high` bytes; else InputError."""
    if not isinstance(text, str) or not _HEX.fullmatch(text) or not low <= len(text) // 2 <= high:
        size = f"{low}" if low == high else f"{low} to {high}"
        raise InputError(
            "not lower-case hexadecimal of the right length",
            where=where,
            expected=f"{size} bytes as pairs of 0-9 a-f",
            remedy=_as_hex(text, where, low, high),
        )
    return bytes.fromhex(text)


def check_decimal(value: int, where: str, *, low: int = 0, high: int = MAX_DECIMAL, remedy: str = "") -> int:
    """Return `value` if it is an integer in [low, high]; else InputError, with `remedy` where it is an integer."""
    if type(value) is not int or not low <= value <= high:
        whole = type(value) is int
        raise InputError(
            "not an integer in range" if whole else f"{type_name(value)} is not an integer",
            where=where,
            expected=f"an integer from {low} to {high}",
            remedy=remedy if whole else PASS_INTEGER,
        )
    return value


def _as_hex(value: object, where: str, low: int, high: int) -> str:
    if isinstance(value, BYTES_LIKE):
        return f"pass {where.split()[-1]}.hex()"
    if not isinstance(value, str):
        return "pass text of hex digits"
    plain = "".join(value.split()).lower().removeprefix("0x")
    if value != plain and _HEX.fullmatch(plain) and low <= len(plain) // 2 <= high:
        return "write it in lower case, without spaces or 0x"
    if not re.fullmatch(r"[0-9a-fA-F]*", value):
        return "write nothing but the digits 0-9 a-f"
    size = f"{2 * low}" if low == high else f"{2 * low} to {2 * high}, in pairs"
    return f"copy the whole of it: these are {len(value)} digits, not {size}"


def parse_decimal(text: str, where: str, *, low: int = 0, high: int = MAX_DECIMAL) -> int:
    """Read a decimal without sign or leading zero; else InputError."""
    if not isinstance(text, str):
        raise InputError(
            f"{type_name(text)} is not a decimal", where=where, expected="text of digits", remedy="pass str(n)"
        )
    if not _DECIMAL.fullmatch(text) or not low <= int(text) <= high:
        raise InputError(
            f"{text[:24]!r} is not such a number",
            where=where,
            expected=f"an integer from {low} to {high}, without sign or leading zero",
        )
    return int(text)
