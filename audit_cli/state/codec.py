"""Values as JSON and back, by their types: dataclasses, named tuples and what they are made of.

A field that is added to one of them is written without a word said here; a type that is not known is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

from fairshoe.engine.rules import rules_of
from fairshoe.engine.table import Table
from fairshoe.protocol.deck import Deck, deck_of

PLAIN = (str, int, bool, NoneType)
MAPPINGS = (dict, Mapping)


class Unknown(Exception):
    """A value that cannot be written: nothing of the kind stands in the books of an audit that passed."""


class _TableForm(NamedTuple):
    """A table at its engine: the rule set and its options, and what changes from round to round."""

    rules: str
    options: dict[str, Any]
    players: dict[int, str]
    purse: dict[int, int]
    bank: int
    memory: dict[str, int]


def written(value: Any, hint: Any) -> Any:
    """A value of that type as JSON. Raises Unknown for one that is of another type."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return value
    if origin in (Union, UnionType):
        return None if value is None else written(value, _but_none(inner))
    if hint in PLAIN:
        return _checked(value, hint)
    if origin in MAPPINGS:
        key, of = inner
        if not isinstance(value, Mapping):
            raise Unknown(f"{type(value).__name__} for {hint}")
        pairs = [[written(name, key), written(each, of)] for name, each in value.items()]
        return dict(pairs) if key is str else pairs
    if origin in (list, Sequence):
        return [written(each, inner[0]) for each in _checked(value, list)]
    if origin is set:
        return sorted(written(each, inner[0]) for each in _checked(value, set))
    if origin is tuple:
        hints = inner[:1] * len(value) if inner[1:] == (...,) else inner
        return [written(each, of) for each, of in zip(_checked(value, tuple), hints, strict=True)]
    if hint is Table:
        table = _checked(value, Table)
        rules = table.rules
        form = _TableForm(
            rules.name, rules.options, dict(table.players), dict(table.purse), table.bank, dict(table.memory)
        )
        return written(form, _TableForm)
    if hint is Deck:
        return list(_checked(value, Deck))
    return list(fields_written(_checked(value, hint)).values())


def read(form: Any, hint: Any) -> Any:
    """The value of that type that was written so. Raises Unknown for what was not."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return form
    if origin in (Union, UnionType):
        return None if form is None else read(form, _but_none(inner))
    if hint in PLAIN:
        return _checked(form, hint)
    if origin in MAPPINGS:
        key, of = inner
        pairs = _checked(form, dict).items() if key is str else _checked(form, list)
        return {read(name, key): read(each, of) for name, each in pairs}
    if origin in (list, Sequence):
        return [read(each, inner[0]) for each in _checked(form, list)]
    if origin is set:
        return {read(each, inner[0]) for each in _checked(form, list)}
    if origin is tuple:
        hints = inner[:1] * len(form) if inner[1:] == (...,) else inner
        return tuple(read(each, of) for each, of in zip(_checked(form, list), hints, strict=True))
    if hint is Table:
        found = cast(_TableForm, read(form, _TableForm))
        rules = rules_of(found.rules, found.options)
        return Table(rules, found.players, found.purse, found.bank, found.memory)
    if hint is Deck:
        return deck_of(_checked(form, list))
    names = [name for name, _ in members(hint)]
    return hint(**fields_read(dict(zip(names, _checked(form, list), strict=True)), hint))


def fields_written(value: Any, but: Sequence[str] = ()) -> dict[str, Any]:
    """The fields of a dataclass or a named tuple as JSON, by name, without some. Raises Unknown."""
    return {name: written(getattr(value, name), of) for name, of in members(cast(Any, type(value))) if name not in but}


def fields_read(form: Mapping[str, Any], hint: type, but: Sequence[str] = ()) -> dict[str, Any]:
    """The same back: what to make the value with. Raises Unknown."""
    return {name: read(form[name], of) for name, of in members(hint) if name not in but}


@cache
def members(hint: Any) -> tuple[tuple[str, Any], ...]:
    """What a dataclass or a named tuple is made from: its fields in order, with their types. Raises Unknown."""
    hints = get_type_hints(hint)
    if is_dataclass(hint):
        return tuple((field.name, hints[field.name]) for field in fields(hint) if field.init)
    names: Sequence[str] | None = getattr(hint, "_fields", None)
    if names is None:
        raise Unknown(f"nobody knows how to write {hint}")
    return tuple((name, hints[name]) for name in names)


def _but_none(hints: tuple[Any, ...]) -> Any:
    (hint,) = (each for each in hints if each is not NoneType)
    return hint


def _checked(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise Unknown(f"{type(value).__name__} for {kind.__name__}")
    return value
