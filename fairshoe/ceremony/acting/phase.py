"""Which phase a table is in, and what its limits mean in time."""

from __future__ import annotations

from collections.abc import Iterator

from ...log.times import SECOND, microseconds
from ..betting import taking_bets
from ..book import Shoe, one_round
from ..ending import may_begin_shoe, since
from ..phases import PHASES
from ..policy import SILENCE
from .commands import Refused
from .state import State


def phase(state: State) -> str:
    """One of `PHASES`."""
    book, shoe = state.book, state.shoe
    if state.banked is not None:
        return "bank"
    if shoe is None:
        return "idle" if may_begin_shoe(book, book.at or book.closed) else "closed"
    if state.dealt:
        return "round"
    if shoe.opening and not shoe.sealed:
        return "seed"
    return "bet" if taking_bets(book, shoe) else "hash"


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
        if one_round(book, shoe):
            return began
        return None if state.first_bet is None else max(began, state.first_bet)
    return since(book, shoe.at)


def due(state: State, now: int) -> int | None:
    """The next moment at which `apply` without a command may do something."""
    moments = [moment for _, moment in deadlines(state)]
    shoe = state.shoe
    if shoe is not None and shoe.sealed:
        moments.append(since(state.book, shoe.betting) + SILENCE)
        if state.book.closed:
            acted = [max(chair.acted, state.book.closed) for chair in state.book.chairs.values()]
            moments += [since(state.book, at) + SILENCE for at in acted]
    return min((moment for moment in moments if moment > now), default=None)
