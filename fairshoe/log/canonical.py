"""Entries as canonical bytes: a restricted profile of JCS (RFC 8785).

Objects with sorted ASCII keys, strings, booleans, null, arrays and integers with |n| ≤ 2⁵³−1; no
floats, no duplicate keys, no white space. Inside the profile Python's encoder is canonical, and bytes
are canonical exactly when they re-encode to themselves.
"""

from __future__ import annotations

import json
from json import encoder
from typing import Any, NoReturn

from ..errors import NotCanonical

MAX_ENTRY = 65_535
"""An entry's size limit in bytes, without the LF."""
MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 64
"""How many objects and lists of a line may be nested in each other."""

Entry = dict[str, Any]

_encoder = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
_make = getattr(encoder, "c_make_encoder", None)
_pieces = _make and _make(None, _encoder.default, encoder.encode_basestring, None, ":", ",", True, False, False)
"""A C encoder made once, since `json` makes it anew for every object; None if this Python has none."""


def encode(entry: Entry) -> bytes:
    """Return the canonical bytes of an entry whose values lie in the profile, without a LF."""
    return text_of(entry).encode()


def text_of(entry: Entry) -> str:
    """Return the canonical text of an entry whose values lie in the profile."""
    return _encoder.encode(entry) if _pieces is None else "".join(_pieces(entry, 0))


def in_profile(*numbers: int) -> bool:
    """Whether integers may stand in an entry."""
    return not numbers or (min(numbers) >= -MAX_INTEGER and max(numbers) <= MAX_INTEGER)


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"the number {text[:24]}")


def _integer(text: str) -> int:
    number = int(text)
    if abs(number) > MAX_INTEGER:
        raise NotCanonical("an integer beyond 2^53 - 1", where="entry", expected="|n| <= 2^53 - 1")
    return number


DECODER = json.JSONDecoder(parse_float=_refuse, parse_constant=_refuse)
"""Reads JSON whose numbers are integers; ValueError for any other."""
_OF_THE_PROFILE = json.JSONDecoder(parse_int=_integer, parse_float=_refuse, parse_constant=_refuse)


def parse(line: bytes) -> Entry:
    """Read one line without its LF: an object of the profile, canonical only if it encodes to the same.
    NotCanonical."""
    if len(line) > MAX_ENTRY:
        raise NotCanonical(f"{len(line)} bytes", where="entry", expected=f"at most {MAX_ENTRY}")
    try:
        entry = _OF_THE_PROFILE.decode(line.decode())
    except (ValueError, RecursionError) as error:
        raise NotCanonical(f"not JSON of the profile: {error}", where="entry", expected="one JSON object") from None
    if type(entry) is not dict:
        raise NotCanonical("not an object", where="entry", expected="one JSON object")
    if line.count(b"{") + line.count(b"[") > MAX_DEPTH and is_deeper(entry, MAX_DEPTH):
        raise NotCanonical("nested too deeply", where="entry", expected=f"at most {MAX_DEPTH} levels")
    checked: Entry = entry
    return checked


def is_deeper(value: Any, levels: int) -> bool:
    """Return whether more than so many objects and lists of a JSON value are nested in each other."""
    if type(value) not in (dict, list):
        return False
    return not levels or any(is_deeper(part, levels - 1) for part in (value.values() if type(value) is dict else value))


def decode(line: bytes) -> Entry:
    """Read one line that must be canonical. Raises NotCanonical."""
    entry = parse(line)
    check_canonical(entry, line)
    return entry


def check_canonical(entry: Entry, line: bytes) -> None:
    """Raise NotCanonical unless `entry`, parsed from `line`, encodes to it again."""
    try:
        same = encode(entry) == line
    except (UnicodeEncodeError, RecursionError):
        raise NotCanonical("an unpaired surrogate or too deep", where="entry", expected="valid UTF-8") from None
    if not same:
        raise NotCanonical("not in canonical form", where="entry", expected="sorted keys, no space, no duplicates")
