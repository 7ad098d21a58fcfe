"""Whether the house may have forgotten that it did a request, so that it would do it once more."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from ..log.times import SECOND, is_moment, microseconds, timestamp
from .moves import Move, done_by, moves_of, public_state
from .requests import CHIPS, Request

if TYPE_CHECKING:
    from .client import Form
    from .table import Table

MARGIN = 5
"""Seconds by which two clocks may run apart meanwhile."""


class LookedUp(NamedTuple):
    """The table as everybody sees it, and the move that a request asked for, None where it was not done."""

    request: Request
    state: Form
    move: Move | None

    def __str__(self) -> str:
        return str(self.move or f"the log has no {self.request.fields['op']} of this request")


def look_up(table: Table, player: str, request: Request) -> LookedUp | None:
    """What the log has of a request that the house may have forgotten; None where it may be sent again: chips move once
    more each time, and whatever else a seat sends is about a shoe, a round and a step. Raises Problem, Unreachable."""
    if request.what != CHIPS:
        return None
    state = public_state(table)
    if not is_forgotten(request, state):
        return None
    return LookedUp(request, state, done_by(moves_of(table, player, request.log), request))


def is_forgotten(request: Request, state: Form) -> bool:
    """Whether it is too old to be repeated, or was sent before the house was restored, as the table's `state` says."""
    restored = state.get("restored")
    return request.stale or (is_moment(restored) and sent_at(request, state) < str(restored))


def sent_at(request: Request, state: Form) -> str:
    """No later than when it was sent, by the house's clock: how long ago that is, is counted by the player's."""
    age = int((time.time() - request.at + MARGIN) * SECOND)
    return timestamp(max(0, microseconds(state["at"]) - age))
