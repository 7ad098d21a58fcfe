"""Who banks next: between rounds, and by a shoe of its own before the first one."""

from __future__ import annotations

from ...engine.bank import Between, settle_bank
from ...engine.cards import ShoeCards
from ...record.entries import bank_entry, bank_move_entry
from .commands import Decide
from .playing import admitted
from .shoes import order, reveal
from .state import Banking, State
from .work import Work


def in_question(state: State) -> bool:
    """Whether the bank is to be settled now: before a shoe that was asked for, or between two rounds of one."""
    shoe = state.shoe
    if state.closing or state.rules.needs_first_bank(state.table):
        return False
    if shoe is None:
        return state.wanted
    return not state.rules.one_round and shoe.sealed is not None and shoe.purpose is None and shoe.round is None


def question(state: State) -> Between:
    return settle_bank(state.table, [] if state.banking is None else state.banking.decisions)


def decide_bank(work: Work, banking: Banking, command: Decide) -> None:
    """A seat's choice about the bank."""
    between = question(work.state)
    banking.decisions.append(admitted(command, between.ask, len(between.decisions)))
    banking.since = work.now


def settle(work: Work) -> bool:
    """Ask whoever has a choice; log the move of the bank once it is settled. A moved bank ends the shoe in play."""
    state = work.state
    if not in_question(state):
        return False
    between = question(state)
    if between.ask is not None:
        if state.banking is None:
            state.banking = Banking(work.now)
        if not work.past(state.banking.since, state.policy.decision):
            return False
        state.banking.decisions.append(between.ask.by_default())
        state.banking.since = work.now
        return True
    state.banking = None
    if not between.result.why:
        return False
    state.table = between.result.table
    work.log(bank_move_entry(work.at, state.id, between))
    if state.shoe is not None:
        reveal(work, "bank")
    return True


def find_first(work: Work) -> bool:
    """PO-04: deal from the shoe of its own until somebody has the bank."""
    state, shoe = work.state, work.state.shoe
    if shoe is None or shoe.purpose is None or shoe.sealed is None:
        return False
    if not state.rules.needs_first_bank(state.table):  # too few are left to deal for it
        reveal(work, "bank")
        return True
    sealed = order(state, shoe)
    seat, cards = state.rules.first_bank(state.table, ShoeCards(sealed))
    shoe.position = sealed.position
    state.table = state.table.after({}, bank=seat)
    work.log(bank_entry(work.at, state.id, "first", seat, shoe=state.shoe_id, cards=cards))
    reveal(work, "worn")
    return True
