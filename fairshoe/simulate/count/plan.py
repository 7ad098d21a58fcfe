"""What to simulate, checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...engine.rules import Rules, rules_of
from ...engine.strategies import minimum_bet, strategy_for
from ...errors import InputError
from ..strategy import RANDOM
from .block import Block
from .tally import Tally

BLOCK = 5_000


@dataclass(frozen=True)
class Plan:
    """What to simulate. `seats` chairs are taken, the dealer's included where the bank is a chair."""

    rules: Rules
    strategy: str
    rounds: int
    key: bytes
    seats: int

    @property
    def bet(self) -> int:
        return minimum_bet(self.rules)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """(block, rounds in it)."""
        for block, start in enumerate(range(0, self.rounds, BLOCK)):
            yield block, min(BLOCK, self.rounds - start)

    def play(self, block: int, rounds: int) -> Tally:
        return Block(self, block).play(rounds)


def plan(
    rules: str,
    strategy: str,
    rounds: int,
    key: bytes,
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> Plan:
    """A checked plan. Raises InputError."""
    game = rules_of(rules, options)
    fewest, most = game.chairs
    if strategy != RANDOM:
        strategy_for(game, strategy)
    if rounds < 1:
        raise InputError(f"{rounds}", where="rounds", expected="at least 1")
    if seats is None:
        seats = fewest
    if not fewest <= seats <= most:
        raise InputError(f"{seats}", where="seats", expected=f"{fewest} to {most}")
    return Plan(game, strategy, rounds, key, seats)
