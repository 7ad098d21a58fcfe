"""The machine: a command is applied, then everything that has become possible or due happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

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


def _close(work: Work, _: Close) -> None:
    if work.book.closed:
        raise Refused("the table is closed", where="table", remedy="nothing: it stays closed")
    work.log(close_entry(work.at, work.state.id))
    work.state.wanted = False


ACTS: dict[type[Command], tuple[str, Callable[[Work, Any], int | None]]] = {
    TakeSeat: ("seats", chairs.take_seat),
    BuyIn: ("chips", chairs.buy_in),
    CashOut: ("chips", chairs.cash_out),
    Transfer: ("chips", chairs.transfer),
    Refund: ("refund", chairs.refund),
    AskShoe: ("shoe", shoes.ask),
    AskReshuffle: ("reshuffle", seeding.ask_reshuffle),
    GiveHash: ("hash", seeding.give_hash),
    GiveSeed: ("seed", seeding.give_seed),
    Waive: ("waiver", seeding.waive),
    PlaceBets: ("bets", bets.place_bets),
    NoMoreBets: ("no-more-bets", bets.no_more_bets),
    Decide: ("decisions", playing.decide),
    Here: ("here", lambda *_: None),
    Evict: ("evict", chairs.evict),
    Close: ("close", _close),
}
"""Of each command its name in `PHASES`, and what is done; that gives the chair that was taken, if one was."""


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
    return Outcome(work.state, work.entries, work.claims, work.begun, seat, work.dealt)


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
    route, act = ACTS[type(command)]
    check_said(work.state, route)
    seat = getattr(command, "seat", None)
    taken = act(work, command)
    if seat in work.book.chairs and not isinstance(command, TakeSeat):
        work.state.here[seat] = work.state.lapsed_by_now(seat)
    return taken
