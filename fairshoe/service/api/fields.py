"""Fields of bodies and answers, one function a shape, required unless it is said that they are not; the words that
they may have. From the same field comes what is checked of a request and what the API's description says."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from ...ceremony.acting.forms import CHIP_MOVES as CHIP_MOVES
from ...ceremony.acting.forms import MOVES as MOVES
from ...ceremony.acting.forms import PHASE_NAMES as PHASE_NAMES
from ...ceremony.acting.forms import RULE_SETS as RULE_SETS

Field = fields.Field[Any]
Check = Callable[[Any], Any]
REFUNDS = ("round", "unfinished")
FAULTS = ("caller", "player", "house", "machine")


def _said(description: str, **more: Any) -> dict[str, Any]:
    return ({"description": description} if description else {}) | more


class TextPattern(validate.Regexp):
    """Text that a pattern fits from its beginning to its end; `expected` says in words what does."""

    def __init__(self, pattern: str, expected: str) -> None:
        super().__init__(f"^{pattern}$", re.ASCII)
        self.expected = expected
        self._whole = re.compile(pattern, re.ASCII)

    def __call__(self, value: Any) -> Any:
        if not isinstance(value, str) or not self._whole.fullmatch(value):
            raise ValidationError(f"expected {self.expected}")
        return value


HEX64 = TextPattern("[0-9a-f]{64}", "64 lower-case hex digits")
TABLE = TextPattern(
    "[A-Za-z0-9][A-Za-z0-9._-]{0,31}", "1 to 32 characters of A-Z a-z 0-9 . _ -, the first a letter or digit"
)


def text_field(
    description: str, check: Check | None = None, *, required: bool = True, key: str | None = None
) -> fields.String:
    """`key`: the field's name where that is no name of Python's."""
    said = _said(f"{description}: {check.expected}" if isinstance(check, TextPattern) else description)
    checks = [] if check is None else [check]
    return fields.String(required=required, validate=checks, metadata=said, data_key=key)


def word_field(description: str, words: Sequence[str]) -> fields.String:
    """One of the words."""
    return text_field(description, validate.OneOf(words, error="expected {choices}"))


def digest_field(description: str, *, required: bool = True) -> fields.String:
    return text_field(description, HEX64, required=required)


def integer_field(description: str, low: int, high: int, *, required: bool = True) -> fields.Integer:
    """An integer, written as one, from `low` to `high`."""
    expected = f"expected an integer from {low} to {high}"
    return fields.Integer(
        strict=True,
        required=required,
        validate=validate.Range(low, high, error=expected),
        error_messages={"invalid": expected},
        metadata=_said(description),
    )


def seat_field(description: str, *, required: bool = True) -> fields.Integer:
    return integer_field(description, 1, 64, required=required)


class _Flag(fields.Boolean):
    """true or false, and nothing that only looks like them."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise ValidationError("expected true or false")
        return value


def flag_field(description: str, *, required: bool = True) -> fields.Boolean:
    return _Flag(required=required, metadata=_said(description))


def map_field(description: str, values: Field, *, required: bool = True) -> fields.Dict:
    return fields.Dict(keys=fields.String(), values=values, required=required, metadata=_said(description))


def list_field(description: str, of: Field, *, most: int, least: int = 0, required: bool = True) -> Field:
    """A list of `least` to `most`."""
    return fields.List(
        of, required=required, validate=validate.Length(least or None, most), metadata=_said(description)
    )


def part_field(schema: type[Schema], description: str, *, required: bool = True) -> fields.Nested:
    return fields.Nested(schema, required=required, metadata=_said(description))


class Option(fields.Field[Any]):
    """The value of an option: a number, a word, true or false."""

    def __init__(self) -> None:
        super().__init__(metadata={"anyOf": [{"type": "integer"}, {"type": "boolean"}, {"type": "string"}]})
