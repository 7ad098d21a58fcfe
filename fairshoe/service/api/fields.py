"""Fields as the API takes them: never a string for a number, never more than fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from marshmallow import ValidationError, fields

from ...record.forms import is_display_name

MOST = 10**12
"""The most chips that one request may move."""

_TABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}", re.ASCII)
TABLE_PATTERN = f"^{_TABLE.pattern}$"
_PLAYER = re.compile(r"[A-Za-z0-9._:/-]{1,64}", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SEED = re.compile(r"(?:[0-9a-f]{2}){1,128}", re.ASCII)
_INVITATION = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_NUMBER = re.compile(r"0|[1-9][0-9]{0,15}", re.ASCII)
_WORD = re.compile(r"[a-z][a-z_-]{0,31}", re.ASCII)


class Whole(fields.Integer):
    """An integer from `low` to `high`, written as one."""

    def __init__(self, text: str, low: int = 0, high: int = MOST, *, required: bool = True, **more: Any) -> None:
        metadata = {"description": text, "minimum": low, "maximum": high}
        super().__init__(strict=True, required=required, metadata=metadata, **more)
        self._low, self._high = low, high

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if type(value) is not int or not self._low <= value <= self._high:
            raise ValidationError(f"expected an integer from {self._low} to {self._high}")
        return value


class Number(Whole):
    """The same in a query, where everything is text; it may be left out."""

    def __init__(self, text: str, low: int, high: int) -> None:
        super().__init__(text, low, high, required=False)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        digits = isinstance(value, str) and _NUMBER.fullmatch(value)
        return super()._deserialize(int(value) if digits else value, attr, data, **kwargs)


class Matching(fields.String):
    """Text that matches a pattern; `expected` says how in words."""

    def __init__(
        self, text: str, pattern: re.Pattern[str], expected: str, *, required: bool = True, words: Sequence[str] = ()
    ) -> None:
        metadata: dict[str, Any] = {"description": f"{text}: {expected}", "pattern": f"^{pattern.pattern}$"}
        if words:
            metadata = {"description": text, "enum": list(words)}
        super().__init__(required=required, metadata=metadata)
        self._pattern, self._expected = pattern, expected

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str) or not self._pattern.fullmatch(value):
            raise ValidationError(f"expected {self._expected}")
        return value


class Flag(fields.Boolean):
    """true or false, and nothing that only looks like them."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise ValidationError("expected true or false")
        return value


def table_id(text: str, *, required: bool = False) -> Matching:
    expected = "1 to 32 characters of A-Z a-z 0-9 . _ -, the first a letter or digit"
    return Matching(text, _TABLE, expected, required=required)


def player_name(text: str) -> Matching:
    return Matching(text, _PLAYER, "1 to 64 characters of A-Z a-z 0-9 . _ : / -")


class DisplayName(fields.String):
    """1 to 64 characters of any script, without control characters."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str) or not is_display_name(value):
            raise ValidationError("expected 1 to 64 characters of any script, none of them a control character")
        return value


def display_name(text: str) -> DisplayName:
    return DisplayName(metadata={"description": text, "maxLength": 64})


def digest(text: str) -> Matching:
    return Matching(text, _HASH, "64 lower-case hex digits")


def token_digest() -> Matching:
    return digest("SHA-256 of your token's text: make a fresh one of 32 random bytes for every chair, and keep it")


def seed(text: str) -> Matching:
    return Matching(text, _SEED, "1 to 128 bytes as lower-case hex")


def invitation(text: str) -> Matching:
    return Matching(text, _INVITATION, "as the operator was given it", required=False)


def word(text: str, words: Sequence[str]) -> Matching:
    """One of `words`, says the description; which of them is possible, the rules say."""
    return Matching(text, _WORD, "a lower-case word", words=words)


def seat(text: str, *, required: bool = True) -> Whole:
    return Whole(text, 1, 64, required=required)
