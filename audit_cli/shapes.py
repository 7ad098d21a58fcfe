"""The shape of every kind of entry: which fields, of which types. Meaning is checked elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

Test = Callable[[Any], bool]

_AT = re.compile(r"[1-9]\d{3}-[01]\d-[0-3]\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII)
_ID = re.compile(r"[A-Za-z0-9._:/-]{1,64}", re.ASCII)
_HEX32 = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SEED = re.compile(r"(?:[0-9a-f]{2}){1,128}", re.ASCII)


class Kind(NamedTuple):
    """Required and optional fields besides `v`, `kind` and `at`."""

    required: dict[str, Test]
    optional: dict[str, Test]


def moment(value: Any) -> bool:
    return type(value) is str and _AT.fullmatch(value) is not None and _day(value[:10])


@lru_cache(maxsize=64)
def _day(value: str) -> bool:
    """Whether the calendar has such a day."""
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def text(value: Any) -> bool:
    return type(value) is str and 0 < len(value) <= 256


def identifier(value: Any) -> bool:
    return type(value) is str and _ID.fullmatch(value) is not None


def hex32(value: Any) -> bool:
    return type(value) is str and _HEX32.fullmatch(value) is not None


def seed(value: Any) -> bool:
    return type(value) is str and _SEED.fullmatch(value) is not None


def integer(value: Any) -> bool:
    return type(value) is int


def count(value: Any) -> bool:
    return type(value) is int and value >= 0


def number(value: Any) -> bool:
    return type(value) is int and value >= 1


def true(value: Any) -> bool:
    return value is True


def one_of(*values: str) -> Test:
    return lambda value: type(value) is str and value in values


def list_of(test: Test) -> Test:
    return lambda value: type(value) is list and all(map(test, value))


def map_of(test: Test) -> Test:
    return lambda value: type(value) is dict and all(map(identifier, value)) and all(map(test, value.values()))


def record(required: dict[str, Test], optional: dict[str, Test] | None = None) -> Test:
    kind = Kind(required, optional or {})
    return lambda value: type(value) is dict and not any(faults(kind, value))


def option(value: Any) -> bool:
    return type(value) in (int, bool, str)


bet = record({"amount": integer, "seat": number}, {"box": number})
decision = record(
    {"move": text, "seat": number},
    {"amount": number, "chosen": list_of(number), "by": one_of("table")},
)
hand = record(
    {"bet": integer, "cards": list_of(count), "net": integer, "outcome": text, "seat": number, "total": integer},
    {"box": number, "insured": number, "insurance": integer, "short": number},
)
cut = record({"at": count}, {"by": identifier})
beacon = record({"chain": seed, "round": count, "randomness": seed}, {"signature": seed})

KINDS: dict[str, Kind] = {
    "table": Kind(
        {
            "table": identifier,
            "rules": text,
            "options": map_of(option),
            "digest": hex32,
            "policy": map_of(count),
        },
        {},
    ),
    "chips": Kind(
        {
            "table": identifier,
            "op": one_of("buy-in", "cash-out", "transfer", "refund"),
            "seat": number,
            "player": identifier,
            "amount": integer,
            "chips": map_of(integer),
        },
        {"to": number, "leaves": true},
    ),
    "deck": Kind({"deck": hex32, "part": number, "parts": number, "labels": list_of(text)}, {}),
    "shoe": Kind(
        {
            "shoe": identifier,
            "deck": text,
            "cards": number,
            "commitment": hex32,
            "roster": list_of(identifier),
            "draws": map_of(number),
        },
        {"cutter": identifier, "purpose": one_of("bank"), "beacon": record({"chain": seed, "round": count})},
    ),
    "seeds": Kind({"shoe": identifier, "hashes": map_of(hex32)}, {"cut": cut}),
    "seal": Kind(
        {"shoe": identifier, "seeds": map_of(seed)},
        {"cut": cut, "burn": text, "beacon": beacon, "cards_root": hex32},
    ),
    "open": Kind({"shoe": identifier, "round": number, "bets": list_of(bet)}, {"waived": list_of(number)}),
    "round": Kind(
        {
            "shoe": identifier,
            "round": number,
            "pos": count,
            "cards": list_of(text),
            "hands": list_of(hand),
            "dealer": record({"cards": list_of(count), "total": integer}),
            "decisions": list_of(decision),
            "chips": map_of(integer),
        },
        {"reshuffled": list_of(count)},
    ),
    "reshuffle": Kind(
        {"shoe": identifier, "round": number, "k": number, "after": count, "cards": number, "deck": hex32},
        {"cut": count, "burn": text},
    ),
    "reveal": Kind(
        {
            "shoe": identifier,
            "key": hex32,
            "draws": map_of(count),
            "end": count,
            "why": one_of("worn", "bank", "age", "closing"),
        },
        {},
    ),
    "void": Kind(
        {"shoe": identifier, "key": hex32, "why": text},
        {"by": identifier, "round": number},
    ),
    "bank": Kind(
        {"table": identifier, "why": one_of("first", "rotation", "change", "gift", "sale"), "to": number},
        {
            "decisions": list_of(decision),
            "price": number,
            "chips": map_of(integer),
            "shoe": identifier,
            "cards": list_of(text),
        },
    ),
}
ENVELOPE: dict[str, Test] = {"v": number, "kind": text, "at": moment}


def faults(kind: Kind, value: dict[str, Any]) -> Iterator[str]:
    """The fields of `value` that are missing, unknown or of the wrong type."""
    required, optional = kind
    for name, test in required.items():
        if name not in value or not test(value[name]):
            yield name
    for name, item in value.items():
        if name not in required and (name not in optional or not optional[name](item)):
            yield name


def entry_faults(entry: dict[str, Any]) -> list[str]:
    """The fields of an entry of a known kind that are missing, unknown or of the wrong type."""
    required, optional = KINDS[entry["kind"]]
    return list(faults(Kind(ENVELOPE | required, optional), entry))
