"""Forms of the fields of entries; a pattern for usual lines of a kind; repairs of entries with a wrong form.

Each kind's own file says which fields it has; meaning is checked elsewhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterator
from functools import cache
from typing import Any, NamedTuple

from fairshoe.log.canonical import DECODER, MAX_DEPTH, MAX_ENTRY, Entry, encode, is_deeper, text_of
from fairshoe.log.times import WITHIN_HOUR, is_hour, is_moment
from fairshoe.protocol.word_stream import SPAN
from fairshoe.record.forms import FIRST, LATER, is_bet, is_decision, is_seat, is_seats, version_of

from ..findings.finding import Place

Test = Callable[[Any], bool]

_ID = re.compile(r"[A-Za-z0-9._:/-]{1,64}", re.ASCII)
_HEX32 = re.compile(r"[0-9a-f]{64}", re.ASCII)
_HEX48 = re.compile(r"[0-9a-f]{96}", re.ASCII)
_NAMES = re.compile(rb'"(kind|shoe|table)":"([A-Za-z0-9._:/-]{1,64})"')
_ROUND = re.compile(rb'"round":([1-9][0-9]{0,14})[,}]')
_SEED = re.compile(r"[0-9a-f]{64}|(?:[0-9a-f]{2}){1,128}", re.ASCII)  # the usual length first, which is faster


class KindFields(NamedTuple):
    """Required and optional fields besides `v`, `kind` and `at`."""

    required: dict[str, Test]
    optional: dict[str, Test]


def shape(optional: dict[str, Test] | None = None, **required: Test) -> KindFields:
    return KindFields(required, optional or {})


def text(value: Any) -> bool:
    return type(value) is str and 0 < len(value) <= 256


def identifier(value: Any) -> bool:
    return type(value) is str and _ID.fullmatch(value) is not None


def hex32(value: Any) -> bool:
    return type(value) is str and _HEX32.fullmatch(value) is not None


def hex48(value: Any) -> bool:
    return type(value) is str and _HEX48.fullmatch(value) is not None


def seed(value: Any) -> bool:
    return type(value) is str and _SEED.fullmatch(value) is not None


def integer(value: Any) -> bool:
    return type(value) is int


def range_size(value: Any) -> bool:
    return type(value) is int and 0 < value <= SPAN


def count(value: Any) -> bool:
    return type(value) is int and value >= 0


number, bet, decision, seats, moment = is_seat, is_bet, is_decision, is_seats, is_moment


PATTERNS: dict[Test, str] = {
    text: r'"[ !#-\[\]-~]{1,256}"',
    identifier: f'"{_ID.pattern}"',
    hex32: f'"{_HEX32.pattern}"',
    hex48: f'"{_HEX48.pattern}"',
    seed: f'"(?:{_SEED.pattern})"',
    integer: "(?:0|-?[1-9][0-9]{0,14})",
    count: "(?:0|[1-9][0-9]{0,14})",
    range_size: "[1-9][0-9]{0,8}",
    number: "[1-9][0-9]{0,14}",
    moment: f'"[0-9T-]{{13}}{WITHIN_HOUR.pattern}"',
}
"""Patterns by test: each fits only canonical JSON that passes it (a moment perhaps on no real day), maybe not all."""


def _fitted(pattern: str | None, test: Test) -> Test:
    """A test that has a pattern, where there is one."""
    if pattern is not None:
        PATTERNS[test] = pattern
    return test


def _not_empty(test: Test) -> str | None:
    pattern = PATTERNS.get(test)
    return pattern and rf"(?!\[\]|\{{\}}){pattern}"


def _object(kind: KindFields, fixed: dict[str, str] | None = None) -> str | None:
    """Return a pattern for an object of these fields, some `fixed`; None if a required one has none."""
    stated = {field: PATTERNS.get(test) for field, test in kind.required.items()} | (fixed or {})
    if None in stated.values():
        return None
    first = min(stated)  # before it stand optional fields alone
    text = ""
    for field, pattern in sorted((stated | {field: _not_empty(test) for field, test in kind.optional.items()}).items()):
        if field in stated:
            text += f'{"," if field != first else ""}"{field}":{pattern}'
        elif pattern is not None:
            text += f'(?:"{field}":{pattern},)?' if field < first else f'(?:,"{field}":{pattern})?'
    return rf"\{{{text}\}}"


def true(value: Any) -> bool:
    return value is True


def one_of(*values: str) -> Test:
    return _fitted(f'"(?:{"|".join(map(re.escape, values))})"', lambda value: type(value) is str and value in values)


def list_of(test: Test) -> Test:
    pattern = PATTERNS.get(test)
    return _fitted(
        pattern and rf"\[(?:{pattern}(?:,{pattern})*)?\]",
        lambda value: type(value) is list and all(map(test, value)),
    )


def non_empty(test: Test) -> Test:
    """A list or map as `test` wants it, with at least one member."""
    return _fitted(_not_empty(test), lambda value: test(value) and bool(value))


def map_of(test: Test) -> Test:
    pattern = (of := PATTERNS.get(test)) and f"{PATTERNS[identifier]}:{of}"
    return _fitted(
        pattern and rf"\{{(?:{pattern}(,{pattern})*)?\}}",  # a group, since no pattern sees the order of more than one
        lambda value: type(value) is dict and all(map(identifier, value)) and all(map(test, value.values())),
    )


def record(required: dict[str, Test], optional: dict[str, Test] | None = None) -> Test:
    kind = KindFields(required, optional or {})
    return _fitted(_object(kind), lambda value: type(value) is dict and not any(faults(kind, value)))


def option(value: Any) -> bool:
    return type(value) in (int, bool, str)


cut = record({"at": count, "by": identifier})
EMPTY: tuple[Any, ...] = ([], {})
"""Values that an optional field never has: it is left out instead."""

KIND = '"kind":"'
KINDS: dict[str, KindFields] = {}
"""Every kind of entry; `registry` collects them from the kinds' own files."""
ENVELOPE: dict[str, Test] = {"v": number, "kind": text, "at": moment}


def faults(kind: KindFields, value: dict[str, Any]) -> Iterator[str]:
    """Yield the fields of `value` that are missing, unknown or of the wrong type; an optional one is not empty."""
    required, optional = kind
    for field, test in required.items():
        if field not in value or not test(value[field]):
            yield field
    for field, item in value.items():
        if field not in required and (field not in optional or item in EMPTY or not optional[field](item)):
            yield field


def read_usual(text: str) -> Entry | None:
    """Read a line of a usual, canonical form by one pattern; None for any other."""
    start = text.find(KIND) + len(KIND)
    kind = text[start : text.find('"', start)]
    fits = _usual(kind) if kind in KINDS else None
    fitted = None if fits is None else fits(text)
    if fitted is None:
        return None
    entry: Entry = DECODER.raw_decode(text)[0]
    if fitted.lastindex and text_of(entry) != text:
        return None
    return entry if is_hour(entry["at"][:13]) else None


@cache
def _usual(kind: str) -> Callable[[str], Any] | None:
    required, optional = KINDS[kind]
    first = KindFields(
        required | {"at": moment}, {name: optional[name] for name in optional if f"{kind}.{name}" not in LATER}
    )
    fixed = {"kind": f'"{kind}"', "v": str(LATER.get(kind, FIRST))}
    later = [path.removeprefix(f"{kind}.why.") for path in LATER if path.startswith(f"{kind}.why.")]
    if later:
        fixed["why"] = f'(?!"(?:{"|".join(later)})"){PATTERNS[required["why"]]}'
    pattern = _object(first, fixed)
    return None if pattern is None else re.compile(pattern, re.ASCII).fullmatch


def entry_faults(entry: dict[str, Any]) -> list[str]:
    """Return the fields of an entry of a known kind that are missing, unknown or of the wrong type."""
    return list(faults(_with_envelope(entry["kind"]), entry))


@cache
def _with_envelope(kind: str) -> KindFields:
    required, optional = KINDS[kind]
    return KindFields(ENVELOPE | required, optional)


# What is an entry, and an entry whose form is wrong.


def _refuse(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")


_ANY_JSON = json.JSONDecoder(parse_int=len, parse_float=len, parse_constant=_refuse)
"""Reads JSON with whatever numbers; what they are is not looked at."""


def is_entry(line: bytes) -> bool:
    """Return whether a line is an entry at all, right or wrong: a JSON object with a known `kind`."""
    if len(line) > MAX_ENTRY:
        return False
    try:
        value = _ANY_JSON.decode(line.decode())
    except (ValueError, RecursionError):
        return False
    if type(value) is not dict or is_deeper(value, MAX_DEPTH):
        return False
    kind = value.get("kind")
    return type(kind) is str and kind in KINDS


class EntrySubject(NamedTuple):
    """The apparent subject of a line."""

    kind: str
    place: Place


def entry_subject(entry: Entry, tables: Container[str]) -> EntrySubject:
    """Return what an entry says that it is about, whatever else it says. A shoe of one of `tables` is that table's."""
    kind, shoe, table, number = (entry.get(name) for name in ("kind", "shoe", "table", "round"))
    shoe = shoe if identifier(shoe) else None
    if not identifier(table):
        table = _table_of(shoe, tables)
    return EntrySubject(kind if type(kind) is str else "", _place(table, shoe, number))


def line_subject(line: bytes, tables: Container[str]) -> EntrySubject:
    """Return what a line that cannot be parsed seems to be about."""
    names = {name.decode(): value.decode() for name, value in _NAMES.findall(line[:MAX_ENTRY])}
    number = _ROUND.search(line[:MAX_ENTRY])
    shoe = names.get("shoe")
    table = names.get("table") or _table_of(shoe, tables)
    place = _place(table, shoe, None if number is None else int(number[1]))
    return EntrySubject(names.get("kind", ""), place)


def _place(table: str | None, shoe: str | None, number: Any) -> Place:
    is_round = table is not None and shoe is not None and count(number) and 0 < number < 1 << 53
    return Place(table, shoe, number if is_round else None)


def _table_of(shoe: str | None, tables: Container[str]) -> str | None:
    table = "" if shoe is None else shoe.rpartition("/")[0]
    return table if table in tables else None


def drop_bad_fields(entry: Entry, faults: list[str], last_at: str) -> tuple[Entry, bytes] | None:
    """Return an entry, and its line, without unknown and faulty optional fields, with a version and a time; None if it
    is unreadable for all that."""
    required = KINDS[entry["kind"]].required
    if any(name in required for name in faults) or ("at" in faults and not last_at):
        return None
    entry = {name: value for name, value in entry.items() if name in ENVELOPE or name not in faults}
    entry["v"] = version_of(entry["kind"], entry)
    if "at" in faults:
        entry["at"] = last_at
    try:
        return entry, encode(entry)
    except (UnicodeEncodeError, RecursionError):
        return None
