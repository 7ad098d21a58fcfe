"""`open`: bets stand before the first card."""

from __future__ import annotations

from fairshoe.engine.table import Bet
from fairshoe.errors import RuleError
from fairshoe.log.canonical import Entry
from fairshoe.record.entries import open_entry
from fairshoe.record.forms import bet_of

from ..audit import Audit
from ..differ import Difference
from ..shapes import bet as bet_shape
from ..state import OpenRound, Shoe, TableState
from .shoe import check_bank_settled

KIND = "open"


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoes.get(entry["shoe"]) if type(entry.get("shoe")) is str else None
    bets = _bets(entry)
    number = entry.get("round")
    if shoe is None or bets is None or type(number) is not int:
        if audit.shaped(entry, line):
            audit.shoe(entry)
        return
    state = shoe.table
    if state is None or shoe.purpose is not None:
        audit.find("step-out-of-order", found=shoe.id, expected="a shoe of a table that deals rounds")
        return
    waived = entry.get("waived", [])
    if differs(audit, entry, line, open_entry(entry["at"], shoe.id, number, bets, waived), state):
        return
    _check_step(audit, state, shoe, number)
    audit.report.checked("decisions", "policy", "contributions")
    opened = OpenRound(number, audit.index, bets, waived)
    state.open = opened
    state.rounds = max(state.rounds, number)
    if not state.rules.one_round:
        check_bank_settled(audit, state)
        check_waived(audit, state, shoe, opened)
    try:
        state.rules.check(state.table, bets)
    except RuleError as error:
        opened.legal = False
        audit.refused("bet-illegal", error, state.name(number))


def differs(audit: Audit, entry: Entry, line: bytes, expected: Entry, state: TableState) -> bool:
    """Whether the entry is not the one form of what it says; then that is reported."""
    return not audit.compare(expected, entry, line, _code, state.id)


def _code(difference: Difference) -> str:
    return "field-invalid"


def _bets(entry: Entry) -> list[Bet] | None:
    forms, waived = entry.get("bets"), entry.get("waived", [])
    if type(forms) is not list or type(waived) is not list or not all(type(seat) is int for seat in waived):
        return None
    bets = []
    for form in forms:
        if not bet_shape(form):
            return None
        bets.append(bet_of(form))
    return bets


def _check_step(audit: Audit, state: TableState, shoe: Shoe, number: int) -> None:
    place = state.name(number)
    if number != state.rounds + 1:
        audit.find("number-gap", round=place, field="round", expected=state.rounds + 1, found=number)
    if state.open is not None:
        audit.find(
            "step-out-of-order", round=place, expected=f"the end of {state.name(state.open.number)}", found="open"
        )
    if state.live[0] is not shoe:
        audit.find("reveal-overdue", entry=state.live[0].index, round=place, found=state.live[0].id)
    if state.rules.one_round:
        hashed = shoe.hashes is not None or len(shoe.roster) < 2
        ready, wanted = hashed and shoe.seal is None and not shoe.rounds, "a new shoe with its hashes, not yet sealed"
    else:
        ready, wanted = shoe.seal is not None, "a sealed shoe"
        if shoe.bank_moved:
            audit.find("shoe-not-retired", round=place, expected="a new shoe after the bank moved", found=shoe.id)
    if not ready:
        audit.find("step-out-of-order", round=place, field="shoe", expected=wanted, found=shoe.id)


def check_waived(audit: Audit, state: TableState, shoe: Shoe, opened: OpenRound) -> None:
    """A bet needs the seat's own seed in the shoe or the seat's waiver, and a waiver nothing else."""
    contributors = shoe.contributors
    players = state.table.players
    without = {bet.seat for bet in opened.bets if players.get(bet.seat) not in contributors}
    if without or opened.waived:
        wanted = sorted(without)
        if opened.waived != wanted:
            place = state.name(opened.number)
            audit.find(
                "bet-without-seed",
                entry=opened.index,
                round=place,
                field="waived",
                expected=wanted,
                found=opened.waived,
            )
