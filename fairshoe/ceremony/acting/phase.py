"""The phase that a table is in by its stage: what is refused in it and with which words, and the deadlines that run."""

from __future__ import annotations

from collections.abc import Iterator

from ...log.times import SECOND, microseconds
from ..book import Shoe
from ..contributing import awaits_beacon
from ..ending import beacon_deadline, may_begin_shoe, wait_start
from ..policy import IDLE_LIMIT
from ..stages import PHASES, Course, Stage
from .commands import Refused
from .state import State


def phase(state: State) -> str:
    """One of `PHASES`."""
    book, shoe = state.book, state.shoe
    if state.bank_decisions is not None:
        return "bank"
    if state.places_awaited:
        return "places"
    if shoe is not None and awaits_beacon(book, shoe):
        return "beacon"
    if shoe is None:
        return "idle" if may_begin_shoe(book, book.at or book.closed_at) else "closed"
    return (Stage.ROUND if shoe.stage in (Stage.DRAW, Stage.OVER) else shoe.stage).value


def check_allowed(state: State, do: str) -> None:
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
        if limit == "beacon":
            if shoe is not None and (at := beacon_deadline(state.book, shoe, state.book.last_start)) is not None:
                yield limit, at
            continue
        seconds = getattr(state.book.policy, limit)
        began = _find_wait_start(state, shoe, name, limit)
        if began is not None:
            yield limit, began + seconds * SECOND


def _find_wait_start(state: State, shoe: Shoe | None, name: str, limit: str) -> int | None:
    """When the wait that a limit ends began; None where it does not run."""
    book = state.book
    if limit == "decision":
        return state.decision_since
    if shoe is None:
        return None
    if limit == "shoe":
        return microseconds(shoe.sealed or shoe.at)
    if limit == "seed":
        return wait_start(book, shoe.seed_wait_since)
    if limit == "bet":
        began = wait_start(book, shoe.betting_since)
        if shoe.course is Course.ONE:
            return began
        return None if state.first_bet is None else max(began, state.first_bet)
    return wait_start(book, shoe.at)


def due(state: State, now: int) -> int | None:
    """Return the next moment at which `apply` without a command may do something."""
    moments = [moment for _, moment in deadlines(state)]
    shoe = state.shoe
    if shoe is not None and shoe.stage is Stage.BET and shoe.sealed:
        moments.append(wait_start(state.book, shoe.betting_since) + IDLE_LIMIT)
        if state.book.closed_at:
            acted = [max(chair.last_act, state.book.closed_at) for chair in state.book.chairs.values()]
            moments += [wait_start(state.book, at) + IDLE_LIMIT for at in acted]
    return min((moment for moment in moments if moment > now), default=None)
