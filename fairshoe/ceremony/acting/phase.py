"""The ceremony on one page: what each phase is, who may say what in it, which limit runs and what it does.

A table is in one phase at a time. What a chair is told that it may do (`expects`), what is refused and
with which words, the deadlines that are shown and the diagram in docs/ceremony.md derive from `PHASES`.

Where one shoe serves many rounds:    idle → hash → seed → bet → round → bet → round → … → idle
Where one shoe serves one round:      idle → hash → bet → seed → round → idle
A sole player there sends no hash:    idle → bet → seed → round → idle
Before a shoe a chair may have to say what becomes of the bank: idle → bank → hash.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...log.times import SECOND, microseconds
from ..book import Shoe
from ..ending import may_begin_shoe, since
from ..policy import IDLE_LIMIT
from ..stages import Course, Stage
from .commands import Refused
from .state import State


class Phase(NamedTuple):
    """`says`: what may be sent, by the route's name, the most urgent first; what is not among them is refused.

    `limits` are the policy's that run, `at_limit` says what they do; `moves` names the next phase by event.
    """

    says: tuple[str, ...]
    limits: tuple[str, ...]
    at_limit: str
    moves: Mapping[str, str]


ALWAYS = ("seats", "chips", "refund", "here", "evict", "close")
"""Chairs and chips, which have rules of their own: see `chairs`; and a chair that nobody waits for is back."""

PHASES: dict[str, Phase] = {
    "idle": Phase(
        says=("seed", "shoe", *ALWAYS),
        limits=(),
        at_limit="",
        moves={
            "a shoe is asked for": "hash",
            "a shoe of one round is asked for by a sole player": "bet",
            "a shoe is asked for, and a chair may have the bank": "bank",
            "the table is closed": "closed",
        },
    ),
    "bank": Phase(
        says=("seed", "decisions", "here", "evict", "close"),
        limits=("decision",),
        at_limit="the bank is accepted, an offer refused",
        moves={"the bank is settled": "hash", "the bank is settled between two rounds": "bet"},
    ),
    "hash": Phase(
        says=("seed", "hash", "reshuffle", *ALWAYS),
        limits=("hash", "shoe"),
        at_limit="the hashes that are here stand in `seeds`; without any the shoe is void (idle)",
        moves={
            "all hashes are in": "seed",
            "all hashes are in, and the shoe serves one round": "bet",
            "the shoe is void": "idle",
        },
    ),
    "bet": Phase(
        says=("seed", "waiver", "bets", "no-more-bets", "reshuffle", *ALWAYS),
        limits=("bet", "shoe"),
        at_limit="the round opens with the bets that are here; a shoe of one round without any is void (idle)",
        moves={
            "everybody has bet or passed": "round",
            "everybody has bet or passed, and the shoe serves one round": "seed",
            "the shoe is revealed or void": "idle",
        },
    ),
    "seed": Phase(
        says=("seed", *ALWAYS),
        limits=("seed",),
        at_limit="while nobody has opened and somebody else remains, whose turn it is is struck; else the shoe is void",
        moves={
            "all seeds are open": "bet",
            "all seeds are open, and bets stand": "round",
            "the shoe is void": "idle",
        },
    ),
    "round": Phase(
        says=("seed", "decisions", *ALWAYS),
        limits=("decision",),
        at_limit="the table decides by default",
        moves={
            "the round is over": "bet",
            "the round is over, and the shoe": "idle",
            "a card of a shoe with a placer": "places",
        },
    ),
    "places": Phase(says=("seed", *ALWAYS), limits=(), at_limit="", moves={"the placer has given them": "round"}),
    "closed": Phase(says=("seed", *ALWAYS), limits=(), at_limit="", moves={}),
}


def phase(state: State) -> str:
    """One of `PHASES`."""
    book, shoe = state.book, state.shoe
    if state.banked is not None:
        return "bank"
    if state.waiting:
        return "places"
    if shoe is None:
        return "idle" if may_begin_shoe(book, book.at or book.closed) else "closed"
    return (Stage.ROUND if shoe.stage in (Stage.DRAW, Stage.OVER) else shoe.stage).value


def check_said(state: State, do: str) -> None:
    """Raise Refused where the phase does not know what is said; tells what it knows."""
    name = phase(state)
    says = PHASES[name].says
    if do not in says:
        what = "no shoe is live" if name == "idle" else f"not in the phase {name}"
        raise Refused(what, where=do, expected=", ".join(says), remedy="see `phase` and `expects`")


def deadlines(state: State) -> Iterator[tuple[str, int]]:
    """Every time limit that runs, by its policy's name, in microseconds since 1970."""
    name = phase(state)
    shoe = state.shoe
    for limit in PHASES[name].limits:
        seconds = getattr(state.book.policy, limit)
        began = _began(state, shoe, name, limit)
        if began is not None:
            yield limit, began + seconds * SECOND


def _began(state: State, shoe: Shoe | None, name: str, limit: str) -> int | None:
    """When the wait that a limit ends began; None where it does not run."""
    book = state.book
    if limit == "decision":
        return state.since
    if shoe is None:
        return None
    if limit == "shoe":
        return microseconds(shoe.sealed or shoe.at)
    if limit == "seed":
        return since(book, shoe.asked)
    if limit == "bet":
        began = since(book, shoe.betting)
        if shoe.course is Course.ONE:
            return began
        return None if state.first_bet is None else max(began, state.first_bet)
    return since(book, shoe.at)


def due(state: State, now: int) -> int | None:
    """The next moment at which `apply` without a command may do something."""
    moments = [moment for _, moment in deadlines(state)]
    shoe = state.shoe
    if shoe is not None and shoe.stage is Stage.BET and shoe.sealed:
        moments.append(since(state.book, shoe.betting) + IDLE_LIMIT)
        if state.book.closed:
            acted = [max(chair.acted, state.book.closed) for chair in state.book.chairs.values()]
            moments += [since(state.book, at) + IDLE_LIMIT for at in acted]
    return min((moment for moment in moments if moment > now), default=None)
