"""What hands came to: naturals, busts, every outcome, and the dealer's totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from fairshoe.engine.hand import VALUE, Hand

from ..luck.composition import counted
from .results import Game, game_of
from .seen import Round

PLAYER, DEALER = "player", "dealer"
WAIT = ("win", "lose", "push")
"""What becomes of a hand that is held against the dealer's total."""


@dataclass
class Outcomes:
    """By game: `hands` by outcome; `dealt`: bets and dealers that got two cards in the first round of a shoe (later
    rounds depend on what came: a natural may end a shoe), of which `naturals` were one, by who had them (`player`,
    `dealer`); `totals`: the dealer's where a hand waited for them (22: bust)."""

    hands: Counter[tuple[Game, str]] = field(default_factory=Counter)
    dealt: Counter[tuple[Game, str]] = field(default_factory=Counter)
    naturals: Counter[tuple[Game, str]] = field(default_factory=Counter)
    totals: Counter[tuple[Game, int]] = field(default_factory=Counter)

    def round(self, seen: Round) -> None:
        game = game_of(seen.rules)
        labels = seen.entry["cards"]
        bets: dict[tuple[int, int], list[dict[str, Any]]] = {}
        for hand in seen.entry["hands"]:
            self.hands[game, hand["outcome"]] += 1
            bets.setdefault((hand["seat"], hand.get("box", hand["seat"])), []).append(hand)
        if seen.first:
            for hands in bets.values():
                self._first_two(game, PLAYER, [labels[offset] for offset in hands[0]["cards"]], split=len(hands) > 1)
            self._first_two(game, DEALER, [labels[offset] for offset in seen.entry["dealer"]["cards"]])
        if any(hand["outcome"] in WAIT and hand["total"] <= 21 for hand in seen.entry["hands"]):
            self.totals[game, min(seen.entry["dealer"]["total"], 22)] += 1

    def merge(self, later: Outcomes) -> None:
        self.hands.update(later.hands)
        self.dealt.update(later.dealt)
        self.naturals.update(later.naturals)
        self.totals.update(later.totals)

    def _first_two(self, game: Game, whose: str, labels: list[str], *, split: bool = False) -> None:
        if len(labels) > 1:
            self.dealt[game, whose] += 1
            self.naturals[game, whose] += not split and is_natural(labels[0], labels[1])


def is_natural(one: str, other: str) -> bool:
    """GE-02, GE-03: two cards that count 21."""
    hand = Hand(0, 0, 0)
    hand.cards = [one, other]
    hand.hard, hand.aces = VALUE[one] + VALUE[other], (VALUE[one] == 1) + (VALUE[other] == 1)
    return hand.total == 21


def chance_of_natural(deck: Sequence[str]) -> Fraction:
    """That two cards of a whole deck are one: the same for every place at which they are dealt."""
    counts = counted(deck)
    return Fraction(2 * counts[0] * counts[-1], len(deck) * (len(deck) - 1))
