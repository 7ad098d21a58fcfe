"""Numbers over all tables as they are."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from ..ceremony.acting.phase import phase
from ..ceremony.acting.state import State
from ..log.times import HOUR, SECOND, microseconds
from .sequencer import Sequencer


class TablesNow(NamedTuple):
    """Tables by phase, taken chairs, rounds opened, sealed shoes, and those of them that end within an hour."""

    phases: Counter[str]
    players: int
    rounds: int
    shoes: int
    old_shoes: int


def tables_now(sequencer: Sequencer) -> TablesNow:
    states, now = sequencer.all_tables(), sequencer.outages.clock.present
    ends = [end for state in states if (end := _end(state)) is not None]
    return TablesNow(
        Counter(phase(state) for state in states),
        sum(len(state.table.players) for state in states),
        sum(state.book.rounds for state in states),
        len(ends),
        sum(end - now < HOUR for end in ends),
    )


def _end(state: State) -> int | None:
    """When the age of the table's sealed shoe is reached, in microseconds."""
    shoe = state.shoe
    if shoe is None or not shoe.sealed:
        return None
    return microseconds(shoe.sealed) + shoe.policy.shoe * SECOND
