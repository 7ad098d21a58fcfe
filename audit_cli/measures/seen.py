"""A settled round as the measures see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fairshoe.engine.rules import Rules


class Round(NamedTuple):
    """A round that the audit followed. `at` and `opened`: when it was settled, and when its bets stood; `entry`: the
    log's, of its shape; `players`: who sits in which chair; `bank`: the chair that banked, or an account of the house;
    `stakes`: by chair and box what was bet before the first card, of the bets that were dealt; `first`: no
    round was dealt from its shoe before."""

    at: str
    opened: str
    table: str
    rules: Rules
    entry: Mapping[str, Any]
    players: Mapping[int, str]
    bank: int
    stakes: Mapping[tuple[int, int], int]
    first: bool
