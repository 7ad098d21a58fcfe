"""How simulated players decide: by a reference strategy, or at random, by chance that repeats."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from ..engine.moves import Ask, Decision
from ..engine.round import Round, Strategy
from ..engine.strategies import STRATEGIES, Choose, any_legal, aside, random_legal, says

RANDOM = "random"
"""Any legal decision."""


def choosing(name: str, choose: Choose) -> tuple[Strategy, Callable[[Ask], Decision]]:
    """How a round is played and what is said about the bank; `choose` is the chance of the strategy `random`."""
    if name == RANDOM:
        return random_legal(choose), partial(any_legal, choose=choose)
    return STRATEGIES[name], aside


def deciding(name: str, choose: Choose) -> tuple[Strategy, Callable[[Ask], Decision]]:
    """How a round is played and what is said about the bank. Of the legal moves any is as likely as another."""
    strategy, about_bank = choosing(name, choose)
    return (_any_move(choose, about_bank) if name == RANDOM else strategy), about_bank


def _any_move(choose: Choose, any_decision: Callable[[Ask], Decision]) -> Strategy:
    """The same as the strategy `random`, sooner where a move needs neither an amount nor seats."""

    def decide(_: Round, ask: Ask) -> Decision:
        move = ask.moves[choose(len(ask.moves))]
        if move.high or move.among:
            return any_decision(ask._replace(moves=(move,)))
        return says(ask.actor, move.name)

    return decide


class Chance:
    """Choices that follow from a key. They need not be hard to foresee, only quick and the same in every Python: that
    is promised for `Random.random`, and for nothing else of it.

    `fraction()` is 0 or more, and below 1.
    """

    def __init__(self, key: bytes) -> None:
        self.fraction = Random(int.from_bytes(key)).random

    def below(self, count: int) -> int:
        """An index 0 … count−1."""
        return int(self.fraction() * count)

    def happens(self, share: float) -> bool:
        """True in a `share` of the cases, 0 to 1."""
        return self.fraction() < share
