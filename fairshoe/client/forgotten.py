"""Whether the house may have forgotten that it did a request, so that it would do it once more."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ..log.times import SECOND, is_moment, microseconds, timestamp
from .requests import CHIPS, Request

if TYPE_CHECKING:
    from .client import Form

MARGIN = 5
"""Seconds by which two clocks may run apart meanwhile."""


def may_be_doubled(request: Request) -> bool:
    """Chips move once more each time; whatever else a seat sends is about a shoe, a round and a step."""
    return request.what == CHIPS


def is_forgotten(request: Request, state: Form) -> bool:
    """Whether it is too old to be repeated, or was sent before the house was restored, as the table's `state` says."""
    restored = state.get("restored")
    return request.stale or (is_moment(restored) and sent_at(request, state) < str(restored))


def sent_at(request: Request, state: Form) -> str:
    """No later than when it was sent, by the house's clock: how long ago that is, is counted by the player's."""
    age = int((time.time() - request.at + MARGIN) * SECOND)
    return timestamp(max(0, microseconds(state["at"]) - age))
