"""Who banks next: between rounds, and by a shoe of its own before the first one."""

from __future__ import annotations

from ...engine.bank import Between, settle_bank
from ...engine.cards import ShoeCards
from ...record.entries import bank_entry, bank_move_entry
from .commands import Decide
from .playing import admitted, nobody_waits
from .shoes import order, reveal
from .state import State
from .work import Work


def in_question(state: State) -> bool:
    """Whether the bank is to be settled now: before a shoe that was asked for, or between two rounds of one."""
    shoe = state.shoe
    if state.rules.needs_first_bank(state.table):
        return False
    if shoe is None:
        return state.wanted
    return not state.rules.one_round and bool(shoe.sealed) and shoe.purpose is None and state.book.open is None


def question(state: State) -> Between:
    return settle_bank(state.table, state.banked or ())


def decide_bank(work: Work, command: Decide) -> None:
    """A seat's choice about the bank."""
    between = question(work.state)
    banked = work.state.banked or []
    banked.append(admitted(command, between.ask, work.book.rounds, len(between.decisions)))
    work.state.banked = banked
    work.state.since = work.moment


def settle(work: Work) -> bool:
    """Ask whoever has a choice; log the move of the bank once it is settled. A moved bank ends the shoe in play."""
    state, book = work.state, work.book
    if not in_question(state):
        if state.banked is not None:
            state.banked, state.moments = None, []
        return False
    between = question(state)
    if between.ask is not None:
        if state.banked is None:
            state.banked, state.moments, state.since = [], [], work.moment
        if not nobody_waits(state, between.ask.actor) and not work.past(state.since, book.policy.decision):
            return False
        state.banked.append(between.ask.by_default())
        state.moments.append(work.at)
        state.since = work.moment
        return True
    moments, state.banked, state.moments = state.moments, None, []
    if not between.result.why:
        return False
    work.log(bank_move_entry(work.at, state.id, between, moments), between.result.table)
    if state.shoe is not None:
        reveal(work, "bank")
    return True


def find_first(work: Work) -> bool:
    """PO-04: deal from the shoe of its own until somebody has the bank."""
    state, shoe = work.state, work.state.shoe
    if shoe is None or shoe.purpose is None or not shoe.sealed:
        return False
    sealed = order(state, shoe, work.key())
    seat, cards = state.rules.first_bank(state.table, ShoeCards(sealed), shoe.dealt)
    entry = bank_entry(work.at, state.id, "first", seat, shoe=shoe.id, cards=cards)
    work.log(entry, state.rules.found_bank(state.table, seat))
    reveal(work, "worn")
    return True
