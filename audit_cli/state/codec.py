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


class Unknown(Exception):
    """A value that cannot be written: nothing of the kind stands in the books of an audit that passed."""


class _TableForm(NamedTuple):
    """A table at its engine: the rule set and its options, and what changes from round to round."""

    rules: str
    options: dict[str, Any]
    players: Mapping[int, str]
    purse: Mapping[int, int]
    bank: int
    memory: Mapping[str, int]


def written(value: Any) -> Any:
    """A value as JSON: an object with other names than texts as pairs, whatever has fields as their list. Raises
    Unknown."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, Table):
        rules = value.rules
        return written(_TableForm(rules.name, rules.options, value.players, value.purse, value.bank, value.memory))
    if isinstance(value, Mapping):
        if all(type(name) is str for name in value):
            return {name: written(each) for name, each in value.items()}
        return [[written(name), written(each)] for name, each in value.items()]
    if isinstance(value, list | tuple | Deck):
        return [written(each) for each in value]
    if is_dataclass(value):
        return list(fields_written(value).values())
    raise Unknown(f"nobody knows how to write {type(value).__name__}")


def read(form: Any, hint: Any) -> Any:
    """The value of that type that was written so. Raises Unknown, or what comes of a form that was not."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any or hint in PLAIN:
        return form
    if origin in (Union, UnionType):
        return None if form is None else read(form, next(each for each in inner if each is not NoneType))
    if origin in (dict, Mapping):
        pairs = form.items() if isinstance(form, dict) else form
        return {read(name, inner[0]): read(each, inner[1]) for name, each in pairs}
    if origin in (list, Sequence):
        return [read(each, inner[0]) for each in form]
    if origin is tuple:
        hints = inner[:1] * len(form) if inner[1:] == (...,) else inner
        return tuple(read(each, of) for each, of in zip(form, hints, strict=True))
    if hint is Table:
        found = cast(_TableForm, read(form, _TableForm))
        rules = rules_of(found.rules, found.options)
        return Table(rules, found.players, found.purse, found.bank, found.memory)
    if hint is Deck:
        return deck_of(form)
    names = [name for name, _ in members(hint)]
    return hint(**fields_read(dict(zip(names, form, strict=True)), hint))


def fields_written(value: Any, but: Sequence[str] = ()) -> dict[str, Any]:
    """The fields of a dataclass as JSON, by name, without some. Raises Unknown."""
    return {name: written(getattr(value, name)) for name, _ in members(cast(Any, type(value))) if name not in but}


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
        raise Unknown(f"nobody knows how to read {hint}")
    return tuple((name, hints[name]) for name in names)
