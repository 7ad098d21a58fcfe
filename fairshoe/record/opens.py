"""`open` as canonical text, and back: bets stand. Beside `rounds` one of the two entries that a log is made of.

It is written straight in canonical order, since an audit's cost is mostly the entries' size: a line
that equals the text rebuilt from what it says needs no parsing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from ..engine.table import Bet
from ..log.canonical import Entry, encode
from .forms import MOST_KEPT, bet_form, bet_of, is_bet, is_seats

_USUAL = re.compile(
    rf'\{{"at":".{{27}}","bets":\[([^]]{{0,{MOST_KEPT}}})\],"kind":"open","round":(0|[1-9][0-9]{{0,14}}),'
    r'"shoe":"([^"]*)","v":1\}'
).fullmatch
"""The usual line, where everybody bet; the texts of bets that it takes are short enough to be remembered."""


class Betting(NamedTuple):
    """How the betting on a round ended: the bets in acting order; the seats that bet by a waiver, that passed,
    that were late; the bets that found no cover; the seats whose chips do not reach the lowest bet."""

    bets: tuple[Bet, ...]
    waived: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    uncovered: tuple[Bet, ...] = ()
    unfunded: tuple[int, ...] = ()


EVERYBODY: tuple[tuple[Any, ...], ...] = ((),) * 5
"""What follows the bets in a `Betting` where everybody bet."""


def open_text(at: str, shoe: str, number: int, betting: Betting) -> str:
    """The line of an `open`: of round `number`, dealt from `shoe`."""
    bets, waived, passed, late, uncovered, unfunded = betting
    missed = _seats("late", late) + _seats("passed", passed) if late or passed else ""
    rest = (_uncovered(uncovered) if uncovered else "") + _seats("unfunded", unfunded)
    return (
        f'{{"at":"{at}","bets":[{_bets(bets)}],"kind":"open",{missed}'
        f'"round":{number},"shoe":"{shoe}",{rest}"v":1{_last("waived", waived) if waived else ""}}}'
    )


def open_entry(at: str, shoe: str, number: int, betting: Betting) -> Entry:
    """The same as an object."""
    entry: Entry = json.loads(open_text(at, shoe, number, betting))
    return entry


def read_open(text: str) -> tuple[str, int, Betting] | None:
    """Shoe, round and bets of a line that is exactly what `open_text` writes; None for any other."""
    usual = _USUAL(text)
    if usual is not None:
        bets, number, shoe = usual.groups()
        betting = _everybody(bets)
        if betting is not None:
            return shoe, int(number), betting
    found = _parsed(text)
    return found if found is not None and open_text(text[7:34], *found) == text else None


def _parsed(text: str) -> tuple[str, int, Betting] | None:
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return None
    betting = betting_of(entry)
    if betting is None or type(entry.get("round")) is not int or type(entry.get("shoe")) is not str:
        return None
    return entry["shoe"], entry["round"], betting


OF_SEATS = ("waived", "passed", "late", "unfunded")


def betting_of(entry: Any) -> Betting | None:
    """The bets of an `open` entry; None where a field has not its shape."""
    if type(entry) is not dict:
        return None
    bets, uncovered = entry.get("bets"), entry.get("uncovered", [])
    seats = [entry.get(name, [1]) for name in OF_SEATS]
    if type(bets) is not list or type(uncovered) is not list or not all(map(is_seats, seats)):
        return None
    if not all(map(is_bet, bets)) or not all(map(is_bet, uncovered)):
        return None
    waived, passed, late, unfunded = (tuple(entry.get(name, ())) for name in OF_SEATS)
    return Betting(tuple(map(bet_of, bets)), waived, passed, late, tuple(map(bet_of, uncovered)), unfunded)


@lru_cache(maxsize=1 << 12)
def _everybody(text: str) -> Betting | None:
    """The betting where everybody bet: `text` is a canonical list without its brackets, and not a long one."""
    try:
        forms = json.loads(f"[{text}]")
    except (ValueError, RecursionError):
        return None
    if not all(map(is_bet, forms)):
        return None
    bets = tuple(map(bet_of, forms))
    return Betting(bets) if _bets(bets) == text else None


def _bets(bets: Iterable[Bet]) -> str:
    return ",".join(map(_bet, bets))


def _uncovered(bets: tuple[Bet, ...]) -> str:
    return f'"uncovered":[{_bets(bets)}],'


def _seats(name: str, seats: tuple[int, ...]) -> str:
    return f'"{name}":[{",".join(map(str, seats))}],' if seats else ""


def _last(name: str, seats: tuple[int, ...]) -> str:
    return f',"{name}":[{",".join(map(str, seats))}]'


@lru_cache(maxsize=4096)
def _bet(bet: Bet) -> str:
    return encode(bet_form(bet)).decode()
