"""The few textual forms of `fairshoe/1`: ids, hexadecimal, decimals."""

from __future__ import annotations

import re

from ..errors import InputError

_ID = re.compile(r"[A-Za-z0-9._:/-]{1,64}", re.ASCII)
_HEX = re.compile(r"(?:[0-9a-f]{2})+", re.ASCII)
_DECIMAL = re.compile(r"0|[1-9][0-9]{0,15}", re.ASCII)
MAX_DECIMAL = 2**53 - 1


def check_id(text: str, where: str) -> str:
    """Return `text` if it may name a shoe, a contributor or a draw; else InputError."""
    if not isinstance(text, str) or not _ID.fullmatch(text):
        what = f"{text[:80]!r} is not an id" if isinstance(text, str) else "an id is text"
        raise InputError(what, where=where, expected="1 to 64 characters of A-Z a-z 0-9 . _ : / -")
    return text


def bytes_of_hex(text: str, where: str, *, low: int, high: int) -> bytes:
    """Decode lower-case hexadecimal of `low` to `high` bytes; else InputError."""
    if not isinstance(text, str) or not _HEX.fullmatch(text) or not low <= len(text) // 2 <= high:
        size = f"{low}" if low == high else f"{low} to {high}"
        raise InputError(
            "not lower-case hexadecimal of the right length",
            where=where,
            expected=f"{size} bytes as pairs of 0-9 a-f",
        )
    return bytes.fromhex(text)


def check_decimal(value: int, where: str, *, low: int = 0, high: int = MAX_DECIMAL) -> int:
    """Return `value` if it is an integer in [low, high]; else InputError."""
    if type(value) is not int or not low <= value <= high:
        raise InputError("not an integer in range", where=where, expected=f"an integer from {low} to {high}")
    return value


def parse_decimal(text: str, where: str, *, low: int = 0, high: int = MAX_DECIMAL) -> int:
    """Read a decimal without sign or leading zero; else InputError."""
    if not _DECIMAL.fullmatch(text) or not low <= int(text) <= high:
        raise InputError(
            f"{text[:24]!r} is not such a number",
            where=where,
            expected=f"an integer from {low} to {high}, without sign or leading zero",
        )
    return int(text)
