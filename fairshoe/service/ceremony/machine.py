"""The machine: a command is applied, then everything that has become possible or due happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...engine.round import Round
from ...engine.rules import Rules
from ...engine.table import fresh_table
from ...log.canonical import Entry
from ...record.entries import table_entry
from . import banking, betting, playing, seats, seeding, shoes
from .commands import (
    AskReshuffle,
    AskShoe,
    BuyIn,
    CashOut,
    Close,
    Command,
    Decide,
    GiveHash,
    GiveSeed,
    PlaceBets,
    Refund,
    Resume,
    TakeSeat,
    Transfer,
    Waive,
)
from .policy import Policy
from .refusals import Refused
from .state import State, dump, load
from .work import Work, timestamp

STEPS: tuple[Callable[[Work], bool], ...] = (
    shoes.end,
    banking.settle,
    shoes.begin,
    seeding.log_hashes,
    seeding.give_up,
    seeding.seal_when_ready,
    banking.find_first,
    betting.open_when_ready,
    playing.deal,
    playing.decide_late,
)
"""What happens by itself. Each step does its thing if its time has come, and says whether it did."""


class Outcome(NamedTuple):
    """The new state, what goes to the log, digests of seeds that must be new; the chair that was taken, the round."""

    state: State
    entries: list[Entry]
    claims: list[str]
    seat: int | None = None
    round: Round | None = None


def create(name: str, rules: Rules, policy: Policy, now: int) -> Outcome:
    """A new table."""
    entry = table_entry(timestamp(now), name, rules, policy._asdict())
    return Outcome(State(name, fresh_table(rules), policy), [entry], [])


def apply(state: State, command: Command | None, now: int, fresh: bytes) -> Outcome:
    """One step of a table. `command` None: only what is due. `state` is left as it is.

    `now` in milliseconds; `fresh` is a new key, used if this step begins a shoe. Raises FairshoeError
    where the command is not allowed: then nothing has happened.
    """
    key = b"" if state.shoe is None else state.shoe.key
    work = Work(load(dump(state), key), now, fresh)
    seat = None if command is None else _do(work, command)
    while any(step(work) for step in STEPS):
        pass
    return Outcome(work.state, work.entries, work.claims, seat, work.round)


def _do(work: Work, command: Command) -> int | None:
    match command:
        case TakeSeat():
            return seats.take_seat(work, command)
        case BuyIn():
            seats.buy_in(work, command)
        case CashOut():
            seats.cash_out(work, command)
        case Transfer():
            seats.transfer(work, command)
        case Refund():
            seats.refund(work, command)
        case AskShoe():
            _ask_shoe(work)
        case AskReshuffle():
            seeding.ask_reshuffle(work, command)
        case GiveHash():
            seeding.give_hash(work, command)
        case GiveSeed():
            seeding.give_seed(work, command)
        case Waive():
            seeding.waive(work, command)
        case PlaceBets():
            betting.place_bets(work, command)
        case Decide():
            if work.state.banking is not None:
                banking.decide_bank(work, work.state.banking, command)
            else:
                playing.decide(work, command)
        case Close():
            work.state.closing = True
            work.state.wanted = False
        case Resume():
            _resume(work)
    return None


def _ask_shoe(work: Work) -> None:
    state = work.state
    if state.shoe is not None or state.wanted:
        raise Refused(f"shoe {state.shoe_id} is live", where="shoe", remedy="play it to its end")
    if state.closing:
        raise Refused("the table is closing", where="table", remedy="choose another table")
    fewest = state.rules.chairs[0]
    if len(state.table.players) < fewest:
        raise Refused(f"{len(state.table.players)} seats are taken", where="shoe", expected=f"at least {fewest}")
    forced = state.rules.forced_bets(state.table)
    if forced is not None:
        state.rules.check(state.table, forced)
    state.wanted = True


def _resume(work: Work) -> None:
    """Nobody loses time because the service was away."""
    shoe, bank = work.state.shoe, work.state.banking
    if bank is not None:
        bank.since = work.now
    if shoe is not None:
        shoe.since = work.now
        if shoe.first_bet is not None:
            shoe.first_bet = work.now
        if shoe.round is not None:
            shoe.round.since = work.now
