"""The bust test: do a seat's hits, and dealers' draws after its decisions, bust as often as the cards left say?

Whoever does not know the order takes a card that is as good as any of those left: given all cards dealt before, it
busts with the chance that so many of them bust. So the busts less these chances are a martingale, whatever the seat
looks at. Who knows the order and steers is far off.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from fairshoe.engine.hand import VALUE, Hand
from fairshoe.engine.rules import Rules

from ..counting.observations import Count, FieldSums, ObservedHand, ObservedRound, ObservedShoe
from .reference import RemainingCards
from .sums import DETECTABLE_ERRORS, LOG, BustReading, Scope, in_order, with_holm
from .tails import anytime_p, bounded_evidence, bounded_tail, skewed_tail

CHANCE_SCALE = 10**12
"""Chances are summed in this part."""
OWN = "own"
"""A seat's own hits and doubles; a banker's who chooses."""
DEALER = "dealer"
"""The dealer's draws in rounds in which the seat made a choice."""
MIN_VARIANCE = 10.0
"""With less variance than that a tail is bounded, and not computed."""


class ChosenCard(NamedTuple):
    """A card that somebody chose to take, or that a dealer drew: whose hand, and what it held before."""

    offset: int
    seat: int
    dealer: bool
    hard: int
    aces: int
    cards: int


@dataclass(slots=True)
class BustSums(FieldSums):
    """Sums in whole numbers."""

    ADDS = ("busts", "chance", "draws", "rounds", "third", "variance")

    rounds: int = 0
    draws: int = 0
    busts: int = 0
    chance: int = 0
    variance: int = 0
    third: int = 0

    def add(self, bust: bool, moments: tuple[int, int, int]) -> None:
        """Count a draw with the `moments_of` its chance."""
        chance, variance, third = moments
        self.draws += 1
        self.busts += bust
        self.chance += chance
        self.variance += variance
        self.third += third

    def read(self, scope: Scope, test: str) -> BustReading:
        excess, variance = self.busts - self.chance / CHANCE_SCALE, self.variance / CHANCE_SCALE
        error = sqrt(variance)
        z = excess / error if error else 0.0
        if variance < MIN_VARIANCE:
            p = 2 * bounded_tail(abs(excess), variance, 1.0)
        else:
            p = 2 * skewed_tail(abs(z), (self.third if z > 0 else -self.third) / CHANCE_SCALE / variance**1.5)
        always = anytime_p(bounded_evidence(excess, variance, 1.0), bounded_evidence(-excess, variance, 1.0))
        draws = max(self.draws, 1)
        visible = DETECTABLE_ERRORS * error / draws
        expected = self.chance / CHANCE_SCALE
        return BustReading(scope, test, self.rounds, self.draws, self.busts, expected, z, min(1.0, p), always, visible)


@dataclass
class Busts(Count):
    """`sums` by table or player and by test; `totals` by rule set and by what the hand counted, aces as 1."""

    ADDS = ("sums", "totals")

    sums: dict[tuple[Scope, str], BustSums] = field(default_factory=lambda: defaultdict(BustSums))
    totals: dict[tuple[str, int], BustSums] = field(default_factory=lambda: defaultdict(BustSums))

    def shoe(self, seen: ObservedShoe) -> None:
        """Count the draws of a shoe's rounds."""
        left = RemainingCards(seen.order, seen.rules.deck)
        table = ("table", seen.table)
        for each in seen.rounds:
            if each.cards:
                self._round(seen.rules, table, left, each)

    def _round(self, rules: Rules, table: Scope, left: RemainingCards, seen: ObservedRound) -> None:
        draws = sorted(_draws(seen))
        if not draws:
            return
        left.go(seen.position)
        counts, size = list(left.counts), left.size - left.position
        players = {stake.seat: stake.player for stake in seen.stakes}
        if seen.dealer is not None and seen.banker:
            players[seen.dealer.seat] = seen.banker
        rounds: set[tuple[Scope, str]] = set()
        taken = 0
        for draw in draws:
            for label in seen.cards[taken : draw.offset]:
                counts[VALUE[label] - 1] -= 1
            size, taken = size - (draw.offset - taken), draw.offset
            busting = busts_with(rules, draw.hard, draw.aces, draw.cards)
            bad = sum(counts[value - 1] for value in busting)
            if not 0 < bad < size:
                continue
            bust = VALUE[seen.cards[draw.offset]] in busting
            moments = moments_of(bad / size)
            self.totals[rules.name, draw.hard].add(bust, moments)
            for name in self._names(table, seen, players, draw):
                self.sums[name].add(bust, moments)
                rounds.add(name)
        for name in rounds:
            self.sums[name].rounds += 1

    @staticmethod
    def _names(
        table: Scope, seen: ObservedRound, players: dict[int, str], draw: ChosenCard
    ) -> Iterator[tuple[Scope, str]]:
        """In whose sums a draw is counted."""
        if not draw.dealer or seen.banker:
            yield table, OWN
            if draw.seat in players:
                yield ("player", players[draw.seat]), OWN
        if draw.dealer and seen.decided:
            yield table, DEALER
            for player in sorted({players[seat] for seat in seen.decided if seat in players and seat != draw.seat}):
                yield ("player", player), DEALER

    def result(self) -> list[BustReading]:
        """Every test, corrected for the number of them (Holm); the log's first, then by table and player."""
        sums: dict[tuple[Scope, str], BustSums] = defaultdict(BustSums)
        for (scope, test), draws in self.sums.items():
            if scope[0] == "table":
                sums[LOG, test].merge(draws)
        sums |= self.sums
        names = sorted(sums, key=lambda name: (in_order(name[0]), name[1] == DEALER))
        return with_holm([sums[name].read(*name) for name in names])


@lru_cache(maxsize=1 << 14)
def moments_of(chance: float) -> tuple[int, int, int]:
    """Return a chance, with the variance and the third central moment of what has it, in `CHANCE_SCALE` parts."""
    spread = chance * (1 - chance)
    return round(CHANCE_SCALE * chance), round(CHANCE_SCALE * spread), round(CHANCE_SCALE * spread * (1 - 2 * chance))


def _draws(seen: ObservedRound) -> Iterator[ChosenCard]:
    """Yield the cards beyond the first two of each hand. After a split the second is dealt to everybody alike."""
    for hand in seen.hands:
        yield from _taken(hand, len(seen.cards), dealer=False)
    if seen.dealer is not None:
        yield from _taken(seen.dealer, len(seen.cards), dealer=True)


def _taken(hand: ObservedHand, known: int, *, dealer: bool) -> Iterator[ChosenCard]:
    if len(hand.cards) < 3:
        return
    hard = aces = 0
    for count, (label, offset) in enumerate(zip(hand.cards, hand.offsets, strict=True)):
        if count >= 2 and offset < known:
            yield ChosenCard(offset, hand.seat, dealer, hard, aces, count)
        value = VALUE[label]
        hard += value
        aces += value == 1


@lru_cache(maxsize=1 << 12)
def busts_with(rules: Rules, hard: int, aces: int, cards: int) -> tuple[int, ...]:
    """The values of a next card with which a hand is over 21: one of `cards` cards that count `hard`, aces as 1."""
    busting = []
    for value in range(1, 11):
        hand = Hand(0, 0, 0)
        hand.hard, hand.aces, hand.cards = hard + value, aces + (value == 1), [""] * (cards + 1)
        if rules.total(hand) > 21:
            busting.append(value)
    return tuple(busting)
