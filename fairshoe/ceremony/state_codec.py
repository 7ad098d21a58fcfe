"""A table's books as JSON text and back, by the types of their fields: for the service's database, and for an audit
that goes on later.

A dataclass stands as an object of its fields, a named tuple as an array, a mapping as an object or as pairs, rules by
name and options. A class may have a form of its own (`as_form`, `of_form`). It is plain JSON: nothing that is read can
execute anything.
"""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from ..engine.rules import Rules, rules_of
from ..engine.table import Table
from ..errors import InputError
from ..protocol.deck import Deck, deck_of

T = TypeVar("T")
Reader = Callable[[Any], Any]

PLAIN = (str, int, bool, NoneType, Any)
UNREADABLE = (InputError, ValueError, LookupError, TypeError, AttributeError)
"""Errors of `load` and `read` for text that `dump` did not write."""


def dump(value: Any) -> str:
    """A value of the books as JSON text."""
    return json.dumps(value, default=_json_form, separators=(",", ":"))


def load(text: str, hint: type[T]) -> T:
    """Return the value of that type that `dump` wrote. Raises UNREADABLE."""
    return read(json.loads(text), hint)


def read(form: Any, hint: type[T]) -> T:
    """Read a value of that type from parsed JSON, which is used up. Raises UNREADABLE."""
    reader: Reader | None = reader_of(hint)  # type: ignore[arg-type]
    found: T = form if reader is None else reader(form)
    return found


def _json_form(value: Any) -> Any:
    if isinstance(value, Table):
        form = {name: getattr(value, name) for name in ("players", "purse", "bank", "memory")}
        return {**_json_form(value.rules), **form}
    if isinstance(value, Rules):
        return {"rules": value.name, "options": value.options}
    if hasattr(value, "as_form"):
        return value.as_form()
    if is_dataclass(value):
        kind: Any = type(value)
        return {name: _pairs_of(getattr(value, name)) for name in _field_names(kind)}
    if isinstance(value, frozenset):
        return sorted(value)
    raise TypeError(f"nobody knows how to write {type(value).__name__}")


def _pairs_of(value: Any) -> Any:
    """Return a mapping whose names JSON cannot write as pairs, anything else as it is."""
    return list(value.items()) if isinstance(value, dict) and isinstance(next(iter(value), ""), tuple) else value


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields that are stored."""
    return tuple(part.name for part in fields(kind) if part.init)


@cache
def reader_of(hint: Any) -> Reader | None:
    """Return a reader that makes a type's value of its JSON, None if the JSON is the value. Raises TypeError."""
    if hint in PLAIN:
        return None
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _optional_reader([reader_of(each) for each in inner])
    if origin in (dict, Mapping, Counter):
        return _mapping_reader(origin, inner[0], reader_of(inner[1] if inner[1:] else int))
    if origin in (list, Sequence):
        item = reader_of(inner[0])
        return None if item is None else lambda form: [item(each) for each in form]
    if origin is frozenset:
        return frozenset
    if origin is tuple:
        return _items_reader(reader_of(inner[0])) if inner[1:] == (...,) else _fixed_reader(tuple, inner)
    if hint is Table:
        return _read_table
    if hint is Deck:
        return deck_of
    if hint is Rules:
        return lambda form: _find_rules(form["rules"], tuple(form["options"].items()))
    if hasattr(hint, "of_form"):
        own: Reader = hint.of_form
        return own
    hints = hints_of(hint)
    if is_dataclass(hint):
        kind: Any = hint
        return _dataclass_reader(kind, {name: reader_of(hints[name]) for name in _field_names(kind)})
    if hasattr(hint, "_fields"):
        return _fixed_reader(lambda values: hint(*values), [hints[name] for name in hint._fields])
    raise TypeError(f"nobody knows how to read {hint}")


def hints_of(cls: type) -> dict[str, Any]:
    """The types of a class's fields. A compiled class keeps them in part only; the source beside it says them."""
    origin = Path(sys.modules[cls.__module__].__file__ or "")
    if origin.suffix == ".py":
        return get_type_hints(cls)
    source = origin.with_name(origin.name.partition(".")[0] + ".py").read_text(encoding="utf-8")
    bodies = {each.name: each.body for each in ast.parse(source).body if isinstance(each, ast.ClassDef)}
    stated = {
        ast.unparse(each.target): ast.unparse(each.annotation)
        for each in bodies[cls.__name__]
        if isinstance(each, ast.AnnAssign)
    }
    return get_type_hints(type(cls.__name__, (), {"__annotations__": stated, "__module__": cls.__module__}))


def _optional_reader(readers: list[Reader | None]) -> Reader | None:
    """One type or null, or several that are plain."""
    one = [reader for reader in readers if reader is not None]
    if not one:
        return None
    if len(one) > 1 or len(readers) != 2:
        raise TypeError("one type or null")
    return lambda form: None if form is None else one[0](form)


def _mapping_reader(of: Any, key: Any, value: Reader | None) -> Reader | None:
    """JSON's names are texts: a mapping by anything else stands as pairs."""
    if key not in (str, int):
        one, other = reader_of(key) or _return_form, value or _return_form
        return lambda form: (dict if of is Mapping else of)({one(name): other(each) for name, each in form})
    if key is str and value is None:
        return None if of is not Counter else Counter
    make = value or _return_form
    return lambda form: (dict if of is Mapping else of)({key(name): make(each) for name, each in form.items()})


def _return_form(form: Any) -> Any:
    return form


def _items_reader(item: Reader | None) -> Reader:
    return tuple if item is None else lambda form: tuple(item(each) for each in form)


def _fixed_reader(make: Callable[[list[Any]], Any], hints: Sequence[Any]) -> Reader:
    readers = [reader_of(each) or _return_form for each in hints]
    return lambda form: make([read(each) for read, each in zip(readers, form, strict=True)])


def _dataclass_reader(make: Any, readers: Mapping[str, Reader | None]) -> Reader:
    parsed = [(name, reader) for name, reader in readers.items() if reader is not None]

    def made(form: dict[str, Any]) -> Any:
        for name, reader in parsed:
            if name in form:  # else it has its default, as what was written before the field was added
                form[name] = reader(form[name])
        return make(**form)

    return made


def _read_table(form: Mapping[str, Any]) -> Table:
    rules = _find_rules(form["rules"], tuple(form["options"].items()))
    players, purse = ({int(seat): each for seat, each in form[name].items()} for name in ("players", "purse"))
    return Table(rules, players, purse, form["bank"], form["memory"])


@lru_cache(maxsize=256)
def _find_rules(name: str, options: tuple[tuple[str, int | bool | str], ...]) -> Rules:
    return rules_of(name, dict(options))
