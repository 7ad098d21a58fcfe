"""What hands came to: naturals against their exact chance, the dealer's totals, and every outcome."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from fairshoe.cards import named_deck
from fairshoe.engine.hand import VALUE, Hand
from fairshoe.engine.rules import rules_of

from ..counting.seen import Count, Settled
from ..luck.reference import counted
from ..luck.tails import holm, smallest_shift, two_sided
from .blocks import Block, Cell, Chart, Profile, Section, Status, Table, columns
from .pictures import Bar, bars
from .results import Game, Results, game_of

PLAYER, DEALER = "player", "dealer"
WAIT = ("win", "lose", "push")
"""What becomes of a hand that is held against the dealer's total."""
TOTALS = range(12, 23)
LEAST = 20
"""With fewer naturals expected, the normal law says nothing of them."""


@dataclass
class Outcomes(Count):
    """By game: `hands` by outcome; `dealt`: bets and dealers that got two cards in the first round of a shoe (later
    rounds depend on what came: a natural may end a shoe), of which `naturals` were one, by who had them (`player`,
    `dealer`); `totals`: the dealer's where a hand waited for them (22: bust)."""

    ADDS = ("hands", "dealt", "naturals", "totals")

    hands: Counter[tuple[Game, str]] = field(default_factory=Counter)
    dealt: Counter[tuple[Game, str]] = field(default_factory=Counter)
    naturals: Counter[tuple[Game, str]] = field(default_factory=Counter)
    totals: Counter[tuple[Game, int]] = field(default_factory=Counter)

    def round(self, seen: Settled) -> None:
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


def outcomes(found: Outcomes, results: Results, profile: Profile) -> Section:
    if not results.games:
        return Section("outcomes", "What hands came to", "plain", "No round was settled.")
    dealt_of = [
        (game, whose) for game in sorted(results.games) for whose in (PLAYER, DEALER) if found.dealt[game, whose]
    ]
    told = []
    for game, whose in dealt_of:
        deck = named_deck(rules_of(game.rules, results.options[game]).deck)
        chance = float(chance_of_natural(deck))
        dealt, naturals = found.dealt[game, whose], found.naturals[game, whose]
        deviation = math.sqrt(dealt * chance * (1 - chance))
        enough = dealt * chance >= LEAST
        told.append((game, whose, dealt, naturals, chance, (naturals - dealt * chance) / deviation if enough else None))
    tested = [each for each in told if each[5] is not None]
    adjusted = dict(
        zip(((each[0], each[1]) for each in tested), holm([two_sided(each[5] or 0.0) for each in tested]), strict=True)
    )
    odd = [f"{whose}s' in {game.rules}" for (game, whose), p in adjusted.items() if p < profile.share]
    rows: list[tuple[Cell, ...]] = []
    for game, whose, dealt, naturals, chance, _ in told:
        p = adjusted.get((game, whose))
        least = smallest_shift(math.sqrt(dealt * chance * (1 - chance)), profile.share) / dealt
        result = "unknown" if p is None else "question" if p < profile.share else "good"
        rows.append((game.rules, whose, dealt, naturals, dealt * chance, naturals / dealt, chance, p, least, result))
    status: Status = "question" if odd else "good" if tested else "unknown"
    says = (
        "Naturals came as often as they must." if tested else "Too few hands to say whether naturals came as they must."
    )
    if odd:
        says = f"Naturals came otherwise than chance has them: {', '.join(odd)}."
    blocks: list[Block] = [_naturals(rows), *_totals(found), _hands(found)]
    return Section("outcomes", "What hands came to", status, says, blocks, {"naturals": [list(row) for row in rows]})


def _naturals(rows: list[tuple[Cell, ...]]) -> Table:
    titles = columns(
        "rules",
        "whose",
        "dealt:count",
        "naturals:count",
        "expected:number",
        "share:percent",
        "exact chance:percent",
        "p, corrected:p",
        "least shift to be seen:percent",
        "result:status",
    )
    caption = (
        "Naturals in the first round of each shoe: later rounds depend on what came before. Hands of one round share "
        "a shoe, so p is near, not exact"
    )
    return Table(caption, titles, rows)


def _totals(found: Outcomes) -> list[Chart]:
    totals: Counter[tuple[str, int]] = Counter()
    for (game, total), count in found.totals.items():
        totals[game.rules, total] += count
    charts = []
    for rules in sorted({name for name, _ in totals}):
        values = [Bar("bust" if total == 22 else str(total), totals[rules, total]) for total in TOTALS]
        says = (
            "The dealer's total in rounds in which a hand waited for it. How often each comes depends on how players "
            "play; whether busts came by chance, the bust test says."
        )
        charts.append(Chart(f"{rules}: the dealer's totals", bars(f"{rules}: dealer's totals", values), says))
    return charts


def _hands(found: Outcomes) -> Table:
    counts: Counter[tuple[str, str]] = Counter()
    for (game, outcome), count in found.hands.items():
        counts[game.rules, outcome] += count
    whole: Counter[str] = Counter()
    for (rules, _), count in counts.items():
        whole[rules] += count
    rows = [(rules, outcome, count, count / whole[rules]) for (rules, outcome), count in sorted(counts.items())]
    titles = columns("rules", "outcome", "hands:count", "share:percent")
    return Table("Every outcome", titles, rows)
