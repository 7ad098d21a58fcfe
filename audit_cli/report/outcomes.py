"""Outcomes of hands: naturals against their exact chance, the dealer's totals, and every outcome."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from fairshoe.cards import named_deck
from fairshoe.engine.hand import VALUE, Hand
from fairshoe.engine.rules import rules_of

from .blocks import SHARE, Block, Cell, Question, ReportTable, Section, Status, columns
from .counting.observations import Count, SettledRound
from .luck.reference import counted
from .luck.tails import holm, smallest_shift, two_sided
from .results import ReportedGame, Results, game_of

PLAYER, DEALER = "player", "dealer"
WAIT = ("win", "lose", "push")
"""Outcomes of a hand that is compared with the dealer's total."""
MIN_NATURALS = 20
"""With fewer naturals expected, the normal law says nothing of them."""


@dataclass
class Outcomes(Count):
    """By rule set: `hands` by outcome; `totals`: the dealer's where a hand waited for them (22: bust).

    By game: `first`, the first cards of shoes by rank; `dealt`, bets and dealers that got two cards in the first round
    of a shoe (later rounds depend on what came: a natural may end a shoe), of which `naturals` were one, by who had
    them (`player`, `dealer`).
    """

    ADDS = ("hands", "first", "dealt", "naturals", "totals")

    hands: Counter[tuple[str, str]] = field(default_factory=Counter)
    first: Counter[tuple[ReportedGame, str]] = field(default_factory=Counter)
    dealt: Counter[tuple[ReportedGame, str]] = field(default_factory=Counter)
    naturals: Counter[tuple[ReportedGame, str]] = field(default_factory=Counter)
    totals: Counter[tuple[str, int]] = field(default_factory=Counter)

    def round(self, seen: SettledRound) -> None:
        played, dealer = seen.played, seen.played.dealer
        game, total = game_of(played.rules), played.rules.total
        for hand in played.hands:
            self.hands[game.rules, hand.outcome] += 1
        if seen.first:
            self.first[game, played.cards[0][0]] += 1
            for hands in _hands_by_bet(played.hands):
                self._first_two(game, PLAYER, hands[0].cards, split=len(hands) > 1)
            self._first_two(game, DEALER, dealer.cards)
        if any(hand.outcome in WAIT and total(hand) <= 21 for hand in played.hands):
            self.totals[game.rules, min(total(dealer), 22)] += 1

    def _first_two(self, game: ReportedGame, whose: str, labels: list[str], *, split: bool = False) -> None:
        if len(labels) > 1:
            self.dealt[game, whose] += 1
            self.naturals[game, whose] += not split and is_natural(labels[0], labels[1])


def _hands_by_bet(hands: Sequence[Hand]) -> Iterable[list[Hand]]:
    """Return the hands that each bet became."""
    found: dict[tuple[int, int], list[Hand]] = {}
    for hand in hands:
        found.setdefault((hand.seat, hand.box), []).append(hand)
    return found.values()


def is_natural(one: str, other: str) -> bool:
    """GE-02, GE-03: two cards that count 21."""
    hand = Hand(0, 0, 0)
    hand.cards = [one, other]
    hand.hard, hand.aces = VALUE[one] + VALUE[other], (VALUE[one] == 1) + (VALUE[other] == 1)
    return hand.total == 21


def chance_of_natural(deck: Sequence[str]) -> Fraction:
    """Return the chance that two cards of a whole deck are a natural. It is the same for every place of theirs."""
    counts = counted(deck)
    return Fraction(2 * counts[0] * counts[-1], len(deck) * (len(deck) - 1))


def outcomes(found: Outcomes, results: Results) -> Section:
    if not results.games:
        return Section("outcomes", "What hands came to", "plain", "No round was settled.")
    chances: dict[tuple[ReportedGame, str], float] = {}
    tested: dict[tuple[ReportedGame, str], float] = {}
    for game in sorted(results.games):
        chance = float(chance_of_natural(named_deck(rules_of(game.rules, results.options[game]).deck)))
        for name in ((game, PLAYER), (game, DEALER)):
            if found.dealt[name]:
                chances[name] = chance
                expected = found.dealt[name] * chance
                if expected >= MIN_NATURALS:
                    tested[name] = two_sided((found.naturals[name] - expected) / math.sqrt(expected * (1 - chance)))
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    odd = [f"{whose}s' in {game.rules}" for (game, whose), p in adjusted.items() if p < SHARE]
    asks = [Question(each, f"Naturals, {each}") for each in odd]
    rows: list[tuple[Cell, ...]] = []
    for (game, whose), chance in chances.items():
        p, dealt, naturals = adjusted.get((game, whose)), found.dealt[game, whose], found.naturals[game, whose]
        least = smallest_shift(math.sqrt(dealt * chance * (1 - chance)), SHARE) / dealt
        result = "unknown" if p is None else "question" if p < SHARE else "good"
        rows.append((game.rules, whose, dealt, naturals, dealt * chance, naturals / dealt, chance, p, least, result))
    status: Status = "question" if odd else "good" if tested else "unknown"
    says = (
        "Naturals came as often as they must."
        if tested
        else f"Too few first rounds of shoes: a game needs so many that {MIN_NATURALS} naturals are to be expected."
    )
    if odd:
        says = f"Naturals came otherwise than chance has them: {', '.join(odd)}."
    caption = "The dealer's total where a hand waited for it; whether busts came by chance, the bust test says"
    totals = {
        (rules, "bust" if total == 22 else str(total)): count for (rules, total), count in sorted(found.totals.items())
    }
    blocks: list[Block] = [
        _naturals(rows),
        _shares(caption, "total", totals),
        _shares("Every outcome", "outcome", dict(sorted(found.hands.items()))),
    ]
    data = {"naturals": [list(row) for row in rows]}
    return Section("outcomes", "What hands came to", status, says, blocks, data, asks)


def _naturals(rows: list[tuple[Cell, ...]]) -> ReportTable:
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
    return ReportTable(caption, titles, rows)


def _shares(caption: str, title: str, counts: Mapping[tuple[str, str], int]) -> ReportTable:
    """By rule set, how often each came, in this order."""
    whole: Counter[str] = Counter()
    for (rules, _), count in counts.items():
        whole[rules] += count
    rows = [(rules, name, count, count / whole[rules]) for (rules, name), count in counts.items()]
    return ReportTable(caption, columns("rules", title, "count:count", "share:percent"), rows)
