"""How the players of a simulated table decide."""

from __future__ import annotations

from collections.abc import Callable

from ...engine.moves import Ask, Decision
from ...engine.round import Round, Strategy
from ...engine.strategies import Choose, says
from ..strategy import RANDOM, choosing


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
