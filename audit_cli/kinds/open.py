"""`open`: bets stand before the first card."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from fairshoe.engine.table import Bet
from fairshoe.errors import RuleError
from fairshoe.log.canonical import Entry
from fairshoe.record.entries import open_entry
from fairshoe.record.forms import bet_of
from fairshoe.record.rounds import open_text

from ..audit import Audit
from ..shapes import bet as bet_shape
from ..state import OpenRound, Shoe, TableState
from .shoe import check_bank_settled

KIND = "open"
STARTS = '"bets":'


def quick(audit: Audit, at: str, text: str) -> bool:
    """Take a line that is exactly the text of what it says; anything else is left to `check`."""
    end = text.find("]", 41)
    tail = text.find(',"shoe":"', end)
    close = text.find('","v":1', tail)
    number = text[end + 24 : tail]
    if not number.isdecimal() or len(number) > 15:
        return False
    shoe = audit.shoes.get(text[tail + 9 : close])
    bets = _bets_text(text[41:end])
    waived = () if text[close + 7 :] == "}" else _waived_text(text[close + 8 : -1])
    if shoe is None or shoe.table is None or bets is None or waived is None or shoe.purpose is not None:
        return False
    if open_text(at, shoe.id, int(number), bets, waived) != text:
        return False
    audit.clock(at)
    _opened(audit, shoe.table, shoe, int(number), bets, waived)
    return True


@lru_cache(maxsize=1 << 14)
def _bets_text(text: str) -> tuple[Bet, ...] | None:
    try:
        return _bets(json.loads(f"[{text}]"))
    except (ValueError, RecursionError):
        return None


@lru_cache(maxsize=1 << 10)
def _waived_text(text: str) -> tuple[int, ...] | None:
    try:
        return _waived(json.loads(f"{{{text}}}"))
    except (ValueError, RecursionError):
        return None


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    bets, waived = _bets(entry["bets"]), _waived(entry)
    if shoe is None or bets is None or waived is None:
        return
    state = shoe.table
    if state is None or shoe.purpose is not None:
        audit.find("step-out-of-order", found=shoe.id, expected="a shoe of a table that deals rounds")
        return
    number = entry["round"]
    expected = open_entry(entry["at"], shoe.id, number, bets, waived)
    if audit.compare(expected, entry, line, lambda _: "field-invalid", state.name(number)):
        _opened(audit, state, shoe, number, bets, waived)


def _bets(forms: Any) -> tuple[Bet, ...] | None:
    return tuple(map(bet_of, forms)) if type(forms) is list and all(map(bet_shape, forms)) else None


def _waived(entry: dict[str, Any]) -> tuple[int, ...] | None:
    seats = entry.get("waived", [])
    return tuple(seats) if type(seats) is list and all(type(seat) is int for seat in seats) else None


def _opened(
    audit: Audit, state: TableState, shoe: Shoe, number: int, bets: Sequence[Bet], waived: Sequence[int]
) -> None:
    opened = OpenRound(number, audit.index, bets, waived)
    _check_step(audit, state, shoe, opened)
    state.open = opened
    if number > state.rounds:
        state.rounds = number
    if state.banking:
        check_bank_settled(audit, state)
    if not state.rules.one_round:
        check_waived(audit, state, shoe, opened)
    try:
        state.rules.check(state.table, opened.bets)
    except RuleError as error:
        opened.legal = False
        audit.refused("bet-illegal", error, state.name(opened.number))


def _check_step(audit: Audit, state: TableState, shoe: Shoe, opened: OpenRound) -> None:
    number = opened.number
    if number != state.rounds + 1:
        audit.find("number-gap", round=state.name(number), field="round", expected=state.rounds + 1, found=number)
    if state.open is not None:
        wanted = f"the end of {state.name(state.open.number)}"
        audit.find("step-out-of-order", round=state.name(number), expected=wanted, found="open")
    if state.live[0] is not shoe:
        audit.find("reveal-overdue", entry=state.live[0].index, round=state.name(number), found=state.live[0].id)
    if state.rules.one_round:
        hashed = shoe.hashes is not None or len(shoe.roster) < 2
        ready, wanted = hashed and shoe.seal is None and not shoe.rounds, "a new shoe with its hashes, not yet sealed"
    else:
        ready, wanted = shoe.seal is not None, "a sealed shoe"
        if shoe.bank_moved:
            expected = "a new shoe after the bank moved"
            audit.find("shoe-not-retired", round=state.name(number), expected=expected, found=shoe.id)
    if not ready:
        audit.find("step-out-of-order", round=state.name(number), field="shoe", expected=wanted, found=shoe.id)


def check_waived(audit: Audit, state: TableState, shoe: Shoe, opened: OpenRound) -> None:
    """A bet needs the seat's own seed in the shoe or the seat's waiver, and a waiver nothing else."""
    contributors = shoe.contributors
    players = state.table.players
    without: set[int] = set()
    for seat, _, _ in opened.bets:
        if players.get(seat) not in contributors:
            without.add(seat)
    if (without or opened.waived) and sorted(without) != list(opened.waived):
        audit.find(
            "bet-without-seed",
            entry=opened.index,
            round=state.name(opened.number),
            field="waived",
            expected=sorted(without),
            found=list(opened.waived),
        )
