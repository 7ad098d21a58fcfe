"""`open` as canonical text, and back: bets stand. Beside `rounds` one of the two entries that a log is made of.

It is written straight in canonical order, since an audit's cost is mostly the entries' size: a line
that equals the text rebuilt from what it says needs no parsing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from ..engine.table import Bet
from ..log.canonical import Entry, encode
from .forms import MOST_KEPT, bet_form, bet_of, is_bet, is_seats

AT, LIST, KIND, END = '{"at":"', '","bets":[', '],"kind":"open","round":', '","v":1}'
BETS = len('{"at":"2026-01-01T00:00:00.000000Z","bets":[')
"""Where the bets begin in a line."""


class Betting(NamedTuple):
    """How the betting on a round ended: the bets in acting order; the seats that bet by a waiver, that passed,
    that were late; the bets that found no cover."""

    bets: tuple[Bet, ...]
    waived: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    uncovered: tuple[Bet, ...] = ()


def open_text(at: str, shoe: str, number: int, betting: Betting) -> str:
    """The line of an `open`: of round `number`, dealt from `shoe`."""
    bets, waived, passed, late, uncovered = betting
    missed = _seats("late", late) + _seats("passed", passed) if late or passed else ""
    rest = _uncovered(uncovered) if uncovered else ""
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
    usual = _usual(text)
    if usual is not None:
        return usual
    found = _parsed(text)
    return found if found is not None and open_text(text[7:34], *found) == text else None


def _usual(text: str) -> tuple[str, int, Betting] | None:
    """The usual line, where everybody bet: each of its parts is what `open_text` writes there, so the whole is."""
    end = text.find("]", BETS)
    tail = text.find(',"shoe":"', end)
    number = text[end + 24 : tail]
    if text[end : end + 24] != KIND or text[-8:] != END or not number.isdecimal() or len(number) > 15:
        return None
    if (number[0] == "0" and number != "0") or not number.isascii() or text[:7] != AT or text[34:BETS] != LIST:
        return None
    bets = bets_of_text(text[BETS:end])
    return None if bets is None else (text[tail + 9 : -8], int(number), Betting(bets))


def _parsed(text: str) -> tuple[str, int, Betting] | None:
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return None
    betting = betting_of(entry)
    if betting is None or type(entry.get("round")) is not int or type(entry.get("shoe")) is not str:
        return None
    return entry["shoe"], entry["round"], betting


def betting_of(entry: Any) -> Betting | None:
    """The bets of an `open` entry; None where a field has not its shape."""
    if type(entry) is not dict:
        return None
    bets, uncovered = entry.get("bets"), entry.get("uncovered", [])
    seats = [entry.get(name, [1]) for name in ("waived", "passed", "late")]
    if type(bets) is not list or type(uncovered) is not list or not all(map(is_seats, seats)):
        return None
    if not all(map(is_bet, bets)) or not all(map(is_bet, uncovered)):
        return None
    waived, passed, late = (tuple(entry.get(name, ())) for name in ("waived", "passed", "late"))
    return Betting(tuple(map(bet_of, bets)), waived, passed, late, tuple(map(bet_of, uncovered)))


def bets_of_text(text: str) -> tuple[Bet, ...] | None:
    """The bets of a canonical list without its brackets."""
    return _short(text) if len(text) <= MOST_KEPT else _short.__wrapped__(text)


@lru_cache(maxsize=1 << 12)
def _short(text: str) -> tuple[Bet, ...] | None:
    try:
        forms = json.loads(f"[{text}]")
    except (ValueError, RecursionError):
        return None
    if not all(map(is_bet, forms)):
        return None
    bets = tuple(map(bet_of, forms))
    return bets if _bets(bets) == text else None


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
