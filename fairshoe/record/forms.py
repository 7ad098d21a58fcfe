"""Values in entries: bets, decisions, cuts and ids, and back; an entry's version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any, NamedTuple
from unicodedata import category

from ..engine.moves import SEAT, TABLE, Decision
from ..engine.rules import Rules
from ..engine.rules.base import Option
from ..engine.table import HOUSE, POOL, Bet
from ..errors import InputError
from ..log.times import is_moment

MAX_KEPT = 1_024
"""Texts of bets and decisions up to this long are remembered with what they say, and no longer ones."""


def bet_form(bet: Bet) -> dict[str, int]:
    seat, amount, box = bet
    return {"amount": amount, "seat": seat} if box == seat else {"amount": amount, "box": box, "seat": seat}


def cut_form(at: int, by: str) -> dict[str, Any]:
    """A cut at `at`, chosen by the player `by`."""
    return {"at": at, "by": by}


def bet_of(form: dict[str, int]) -> Bet:
    seat = form["seat"]
    return Bet(seat, form["amount"], form.get("box", seat))


def is_bet(form: Any) -> bool:
    """Whether a JSON value has the shape of a bet."""
    if type(form) is not dict or not {"amount", "seat"} <= form.keys() <= {"amount", "box", "seat"}:
        return False
    return all(map(is_seat, form.values()))


def decision_form(decision: Decision, at: str = "") -> dict[str, Any]:
    """Return `{"move", "seat"}`, with other fields off their defaults; `at`: the moment of a decision by the table."""
    actor, move, amount, chosen, by = decision
    form: dict[str, Any] = {"move": move, "seat": actor}
    if amount:
        form["amount"] = amount
    if chosen:
        form["chosen"] = list(chosen)
    if by != SEAT:
        form["by"] = by
    if at:
        form["at"] = at
    return form


def decision_forms(decisions: Iterable[Decision], moments: Iterable[str]) -> list[dict[str, Any]]:
    """Decisions as a log has them; `moments`: the `at` of each that the table made, in order."""
    at = iter(moments)
    return [decision_form(each, next(at) if each.by == TABLE else "") for each in decisions]


def decision_of(form: dict[str, Any]) -> Decision:
    return Decision(
        form["seat"], form["move"], form.get("amount", 0), tuple(form.get("chosen", ())), form.get("by", SEAT)
    )


def decisions_of(forms: Iterable[dict[str, Any]]) -> tuple[list[Decision], list[str]]:
    """Decisions, and the `at` of each that the table made. KeyError where one of these has none."""
    decisions = list(map(decision_of, forms))
    return decisions, [form["at"] for form in forms if form.get("by") == TABLE]


DECISION = {"amount", "at", "by", "chosen", "move", "seat"}


def is_decision(form: Any) -> bool:
    """Whether a JSON value has the shape of a decision: with `at` where the table made it, and only there."""
    if type(form) is not dict or not {"move", "seat"} <= form.keys() <= DECISION or ("at" in form) != ("by" in form):
        return False
    move, chosen = form["move"], form.get("chosen", [1])
    return (
        type(move) is str
        and 0 < len(move) <= 64
        and is_seat(form["seat"])
        and is_seat(form.get("amount", 1))
        and form.get("by", TABLE) == TABLE
        and ("at" not in form or is_moment(form["at"]))
        and is_seats(chosen)
    )


class Placement(NamedTuple):
    """A placer's answer for an entry: its places, in order, and its signature (base64) after the last of them."""

    places: Sequence[int]
    signature: str

    @property
    def form(self) -> dict[str, Any]:
        return {"places": list(self.places), "signature": self.signature}


def placement_of(entry: Mapping[str, Any]) -> Placement | None:
    """Read what the shoe's placer gave for an entry; None if the entry has nothing of a placer."""
    return Placement(**entry["placed"]) if "placed" in entry else None


def is_seat(value: Any) -> bool:
    """Whether a JSON value is an integer from 1."""
    return type(value) is int and value >= 1


def is_seats(value: Any) -> bool:
    """Whether a JSON value is a list of integers from 1 that is not empty."""
    return type(value) is list and bool(value) and all(map(is_seat, value))


WITHIN = " \u200c\u200d"
"""A space, and the two characters that join others or keep them apart in Persian, in Indic scripts, in emoji."""


def is_display_name(value: Any) -> bool:
    """Whether a JSON value is a player's name for people: 1 to 64 characters that can be printed, or join others."""
    if type(value) is not str or not 0 < len(value) <= 64 or value != value.strip(WITHIN):
        return False
    return all(character in WITHIN or category(character)[0] not in "CZ" for character in value)


def account_of(name: str) -> int | None:
    """Return the account that a name in the log stands for."""
    if name in ACCOUNTS:
        return ACCOUNTS[name]
    return int(name) if name.isascii() and name.isdigit() and len(name) < 4 else None


ACCOUNTS = {"house": HOUSE, "pool": POOL}


def shoe_id(table: str, number: int) -> str:
    """Return the id of a table's shoe number 1, 2, …"""
    return f"{table}/{number}"


@lru_cache(maxsize=256)
def table_of(shoe: str) -> tuple[str, int]:
    """Return the table and number in a shoe id. Raises InputError."""
    table, _, number = shoe.rpartition("/")
    if not table or not number.isascii() or not number.isdigit() or str(int(number[:18])) != number:
        raise InputError(f"shoe id {shoe!r}", where="shoe", expected="table/number")
    return table, int(number)


FIRST = 1
LATER: dict[str, int] = {
    "table.placer": 2,
    "chips.placer": 2,
    "shoe.placer": 2,
    "shoe.told": 2,
    "shoe.rules_hash": 2,
    "table.beacon_delay": 2,
    "shoe.beacon_round": 2,
    "seal.beacon_signature": 2,
    "void.why.beacon": 2,
    "drawn": 2,
    "shown": 2,
    "gathered": 2,
    "seal.placed": 2,
    "reshuffle.cards_root": 2,
    "round.placed": 2,
    "bank.placed": 2,
    "placed": 2,
    "token": 2,
    "table.lapses": 2,
    "chips.lapsed": 2,
    "table.lounge.fewest": 2,
}
"""All that version 1 does not list, by the version that brought it: a kind (`KIND`), a field (`KIND.FIELD`), an option
(`table.RULES.OPTION`), a rule set (`table.rules.RULES`), a limit (`table.policy.LIMIT`), a reason (`KIND.why.REASON`).
A later field or option is in an entry only if it is not empty, or off its default."""


def newest() -> int:
    """Return the newest version that is known."""
    return max(LATER.values(), default=FIRST)


def version_of(kind: str, stated: Mapping[str, Any]) -> int:
    """Return the version that an entry of this kind with these fields has."""
    names = [kind, *[f"{kind}.{field}" for field in stated]]
    names += [f"{kind}.{field}.{stated[field]}" for field in ("rules", "why") if field in stated]
    names += [f"{kind}.policy.{limit}" for limit in stated.get("policy", ())]
    names += [f"{kind}.{stated.get('rules')}.{option}" for option in stated.get("options", ())]
    return max([LATER[name] for name in names if name in LATER], default=FIRST)


def stated_options(rules: Rules) -> dict[str, Option]:
    """Return the options that a `table` entry states: those of version 1, and of later ones those off their default."""
    defaults = {each.name: each.default for each in fields(rules)}
    return {
        name: value
        for name, value in rules.options.items()
        if f"table.{rules.name}.{name}" not in LATER or value != defaults[name]
    }
