"""The machine: a command is applied, then everything that has become possible or due happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...engine.rules import Rules
from ...log.canonical import Entry
from ...log.times import timestamp
from ...record.entries import close_entry, table_entry
from ..fold import opened_table, take
from ..policy import Policy
from . import bets, chairs, playing, seeding, shoes
from .commands import (
    AskReshuffle,
    AskShoe,
    BuyIn,
    CashOut,
    Close,
    Command,
    Decide,
    Evict,
    GiveHash,
    GiveSeed,
    Here,
    NoMoreBets,
    PlaceBets,
    Refund,
    Refused,
    TakeSeat,
    Transfer,
    Waive,
)
from .phase import check_said
from .state import State, copy
from .work import Dealt, Keys, Work

STEPS: tuple[Callable[[Work], bool], ...] = (
    shoes.end,
    chairs.put_out,
    playing.settle,
    shoes.begin,
    shoes.log_hashes,
    bets.open_when_ready,
    shoes.miss_seed,
    shoes.seal_when_ready,
    playing.find_first,
    playing.deal,
    playing.decide_late,
    chairs.share,
)
"""What happens by itself. Each step does its thing if its time has come, and says whether it did."""

ROUTES: dict[type[Command], str] = {
    TakeSeat: "seats",
    BuyIn: "chips",
    CashOut: "chips",
    Transfer: "chips",
    Refund: "refund",
    AskShoe: "shoe",
    AskReshuffle: "reshuffle",
    GiveHash: "hash",
    GiveSeed: "seed",
    Waive: "waiver",
    PlaceBets: "bets",
    NoMoreBets: "no-more-bets",
    Decide: "decisions",
    Here: "here",
    Evict: "evict",
    Close: "close",
}
"""The name in `PHASES` of each command."""


class Outcome(NamedTuple):
    """The new state, what goes to the log, hashes of seeds that must be new; the key of a shoe that began;
    the chair that was taken, the round that was dealt or played on."""

    state: State
    entries: list[Entry]
    claims: list[str]
    key: bytes | None = None
    seat: int | None = None
    dealt: Dealt | None = None


def create(name: str, rules: Rules, policy: Policy, now: int) -> Outcome:
    """A new table."""
    entry = table_entry(timestamp(now), name, rules, policy._asdict())
    return Outcome(State(opened_table(entry)), [entry], [])


def apply(state: State, command: Command | None, now: int, keys: Keys) -> Outcome:
    """One step of a table. `command` None: only what is due. `state` is left as it is.

    `now` in microseconds. Raises FairshoeError where the command is not allowed: then nothing has happened.
    """
    work = Work(copy(state), now, keys)
    seat = None if command is None else _do(work, command)
    while any(step(work) for step in STEPS):
        pass
    work.state.forget_here()
    dealt = None if work.round is None or work.cards is None else Dealt(work.round, work.cards)
    return Outcome(work.state, work.entries, work.claims, work.begun, seat, dealt)


def restart(state: State, entry: Entry, now: int) -> State:
    """The state after a `start` entry: limits that run begin anew."""
    again = copy(state)
    take(again.book, again.shoe, entry)
    again.since = now
    if again.first_bet is not None:
        again.first_bet = now
    return again


def _do(work: Work, command: Command) -> int | None:
    if isinstance(command, Decide) and not (work.state.dealt or work.state.banked is not None):
        raise Refused("there is nothing to decide", where="decision", remedy="wait for your turn: see `expects`")
    check_said(work.state, ROUTES[type(command)])
    seat = getattr(command, "seat", None)
    taken = _act(work, command)
    if seat in work.book.chairs and not isinstance(command, TakeSeat):
        work.state.here[seat] = work.state.lapsed_by_now(seat)
    return taken


def _act(work: Work, command: Command) -> int | None:
    match command:
        case TakeSeat():
            return chairs.take_seat(work, command)
        case BuyIn():
            chairs.buy_in(work, command)
        case CashOut():
            chairs.cash_out(work, command)
        case Transfer():
            chairs.transfer(work, command)
        case Refund():
            chairs.refund(work, command)
        case AskShoe():
            shoes.ask(work, command.seat)
        case AskReshuffle():
            seeding.ask_reshuffle(work, command)
        case GiveHash():
            seeding.give_hash(work, command)
        case GiveSeed():
            seeding.give_seed(work, command)
        case Waive():
            seeding.waive(work, command)
        case PlaceBets():
            bets.place_bets(work, command)
        case NoMoreBets():
            bets.no_more_bets(work)
        case Decide():
            if work.state.banked is not None:
                playing.decide_bank(work, command)
            else:
                playing.decide(work, command)
        case Here():
            pass
        case Evict():
            chairs.evict(work, command)
        case Close():
            if work.book.closed:
                raise Refused("the table is closed", where="table", remedy="nothing: it stays closed")
            work.log(close_entry(work.at, work.state.id))
            work.state.wanted = False
    return None
