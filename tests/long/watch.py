"""`fairshoe simulate`, with a tally that also counts pairs and the dealer's results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from unittest.mock import patch

from fairshoe.engine.round import Round
from fairshoe.simulate import count
from fairshoe.simulate.count import BLOCK, Plan, Tally
from tests.exact.draws import Label
from tests.exact.games import GAMES
from tests.exact.play import results


@dataclass
class Seen(Tally):
    """`dealer` are the dealer's results where the player's result waits for them."""

    pairs_of_rank: int = 0
    pairs_of_value: int = 0
    dealer: Counter[Label] = field(default_factory=Counter)

    def count(self, round: Round, flat: int) -> None:
        super().count(round, flat)
        hand = round.hands[0]
        first, second = hand.cards[:2]
        self.pairs_of_rank += first[0] == second[0]
        self.pairs_of_value += first[0] == second[0] or (first[0] in "TJQK" and second[0] in "TJQK")
        game = GAMES[round.rules.name]
        mine, theirs = results(game, round)
        if game.dealer_draws(mine, theirs):
            self.dealer[theirs] += 1


class Watched(Plan):
    """A plan whose blocks are tallied by `Seen`, in whatever process."""

    def play(self, block: int, rounds: int) -> Tally:
        with patch.object(count, "Tally", Seen):
            return super().play(block, rounds)


class FirstRounds(Watched):
    """The same with every round in a block of its own: each is the first of a fresh shoe."""

    def play(self, block: int, rounds: int) -> Tally:
        total = Seen()
        for first in range(block * BLOCK, block * BLOCK + rounds):
            total.add(super().play(first, 1))
        return total


def watch(plan: Plan, jobs: int = 1, progress: Callable[[int], None] = lambda played: None) -> Seen:
    with patch.object(count, "Tally", Seen):
        tally = count.simulate(plan, jobs=jobs, progress=progress)
    assert isinstance(tally, Seen)
    return tally
