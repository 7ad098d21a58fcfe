"""The time limits of a table, or of a shoe without one, and their bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..errors import InputError
from ..log.times import DAY, HOUR, SECOND

BOUNDS = {"shoe": (DAY // SECOND, 30 * DAY // SECOND)}
SHORT = (5, 3_600)
"""The bounds of every other limit, in seconds: nobody is hurried out, and nobody holds the others up for ever."""

IDLE_LIMIT = HOUR
"""Betting without a bet, or a chair of a closed table that does nothing, for so long (microseconds) counts as left."""
LATENESS_THRESHOLD = HOUR
"""Lateness of a step that is noted."""
MAX_DELAY = DAY
"""Lateness of a step, in the log's own time, that fails."""
MAX_WAIT = 30 * DAY
"""The same where a shoe's placer is waited for."""
MAX_GAME_TIME = 30 * DAY
"""For so long a closed table may play on a game that has begun (LO-04)."""
BEACON_LIMIT = HOUR
"""For so long after its round (microseconds) a shoe whose seeds are open waits for its beacon's signature."""
BEACON_MARGIN = 5
"""Seconds between the last limit of a shoe's players and its beacon's round, at least."""
BEACON_DELAY = (BEACON_MARGIN, SHORT[1])
"""The bounds of the seconds that somebody chooses between a commitment and its beacon's round."""
MAX_LAPSED_LIMITS = 2
"""Limits in a row after which nobody waits for a seat until it acts."""
LAPSES = (MAX_LAPSED_LIMITS, 100)
"""The bounds of a table's own number of lapsed limits in a row after which a player is put out."""
FREE_CARDS, CARDS_AN_ENTRY = 1 << 23, 256
"""Cards that an auditor puts in order for a log, and as many more for each of its entries up to there."""
CARDS_OF_SHOES = CARDS_AN_ENTRY // 2
"""The part of these for shoes without a table. Shoes at tables need fewer than the rest: 416 cards in three entries."""
MAX_DEBTS = 128
"""Players of one table who owe a seed: of one more the oldest debt is forgotten."""
MAX_UNPLACED = 32
"""Shoes of one table whose player's key to the places is to come: of one more the oldest is waited for no more."""


class Policy(NamedTuple):
    """Seconds: to send a hash, to open a seed, to cut, to bet, for a decision, of a shoe's life."""

    hash: int = 30
    seed: int = 30
    cut: int = 30
    bet: int = 60
    decision: int = 30
    shoe: int = 86_400


def bounds(limit: str) -> tuple[int, int]:
    """Return the lowest and highest value of a limit, in seconds."""
    return BOUNDS.get(limit, SHORT)


def min_beacon_delay(policy: Policy, players: int, *, one_round: bool) -> int:
    """Return the least number of seconds between a commitment and its beacon's round. The limits of all `players` of
    the roster are over by then, one after the other: for hash and cut, before one round for bets, for each seed."""
    if not players:
        return BEACON_MARGIN
    return max(policy.hash, policy.cut) + policy.bet * one_round + policy.seed * players + BEACON_MARGIN


def policy_of(limits: Mapping[str, object]) -> Policy:
    """A policy with some limits given, the rest at their defaults. Raises InputError."""
    for name, seconds in limits.items():
        where = f"policy.{name}"
        if name not in Policy._fields:
            raise InputError(f"no time limit {name!r}", where=where, expected=", ".join(Policy._fields))
        low, high = bounds(name)
        if type(seconds) is not int or not low <= seconds <= high:
            raise InputError(f"{seconds!r}"[:80], where=where, expected=f"{low} to {high} seconds")
    return Policy(**limits)  # type: ignore[arg-type]
