"""How simulated players decide: by a reference strategy, or at random."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..engine.moves import Ask, Decision
from ..engine.round import Strategy
from ..engine.strategies import STRATEGIES, Choose, any_legal, aside, random_legal

RANDOM = "random"
"""Any legal decision."""


def choosing(name: str, choose: Choose) -> tuple[Strategy, Callable[[Ask], Decision]]:
    """How a round is played and what is said about the bank; `choose` is the chance of the strategy `random`."""
    if name == RANDOM:
        return random_legal(choose), partial(any_legal, choose=choose)
    return STRATEGIES[name], aside
