"""When something next happens by itself."""

from __future__ import annotations

from collections.abc import Iterator

from .seeding import hashing, multi, opening, sole
from .state import Shoe, State


def deadlines(state: State) -> Iterator[tuple[str, int]]:
    """Every running time limit of a table by its policy's name, in milliseconds since 1970."""
    policy, shoe = state.policy, state.shoe
    if state.banking is not None:
        yield "decision", state.banking.since + 1000 * policy.decision
    if shoe is None:
        return
    if shoe.round is None:
        yield "shoe", (shoe.began if shoe.sealed is None else shoe.sealed) + 1000 * policy.shoe
    elif shoe.round.dealt:
        yield "decision", shoe.round.since + 1000 * policy.decision
    if shoe.first_bet is not None:
        yield "bet", shoe.first_bet + 1000 * policy.bet
    if shoe.sealed is None:
        yield from _contributions(state, shoe)


def _contributions(state: State, shoe: Shoe) -> Iterator[tuple[str, int]]:
    policy = state.policy
    if hashing(shoe):
        yield "hash", shoe.since + 1000 * policy.hash
        if shoe.cutter is not None and shoe.cut is None:
            yield "cut", shoe.since + 1000 * policy.cut
    elif opening(state, shoe) or (
        sole(shoe) is not None
        and not shoe.seeds
        and (multi(state, shoe) or state.rules.forced_bets(state.table) is not None)
    ):
        yield "seed", shoe.since + 1000 * policy.seed


def due(state: State, now: int) -> int | None:
    """The next moment at which `apply` without a command does something."""
    return min((moment for _, moment in deadlines(state) if moment > now), default=None)
