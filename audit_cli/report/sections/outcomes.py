"""Naturals against their exact chance, the dealer's totals, and what hands came to."""

from __future__ import annotations

import math
from collections import Counter

from fairshoe.cards import named_deck
from fairshoe.engine.rules import rules_of

from ...chance import holm, smallest_shift, two_sided
from ...measures.outcomes import DEALER, PLAYER, chance_of_natural
from ..blocks import Block, Cell, Chart, Column, Section, Status, Table
from ..charts.pictures import Bar, bars
from ..facts import Facts

NAME, TITLE = "outcomes", "What hands came to"
TOTALS = range(12, 23)
LEAST = 20
"""With fewer naturals expected, the normal law says nothing of them."""


def build(facts: Facts) -> Section:
    outcomes, results = facts.counted.measures.outcomes, facts.counted.measures.results
    if not results.games:
        return Section(NAME, TITLE, "plain", "No round was settled.")
    found = [
        (game, whose) for game in sorted(results.games) for whose in (PLAYER, DEALER) if outcomes.dealt[game, whose]
    ]
    told = []
    for game, whose in found:
        deck = named_deck(rules_of(game.rules, results.options[game]).deck)
        chance = float(chance_of_natural(deck))
        dealt, naturals = outcomes.dealt[game, whose], outcomes.naturals[game, whose]
        deviation = math.sqrt(dealt * chance * (1 - chance))
        enough = dealt * chance >= LEAST
        told.append((game, whose, dealt, naturals, chance, (naturals - dealt * chance) / deviation if enough else None))
    tested = [each for each in told if each[5] is not None]
    adjusted = dict(
        zip(((each[0], each[1]) for each in tested), holm([two_sided(each[5] or 0.0) for each in tested]), strict=True)
    )
    odd = [f"{whose}s' in {game.rules}" for (game, whose), p in adjusted.items() if p < facts.profile.share]
    rows: list[tuple[Cell, ...]] = []
    for game, whose, dealt, naturals, chance, _ in told:
        p = adjusted.get((game, whose))
        least = smallest_shift(math.sqrt(dealt * chance * (1 - chance)), facts.profile.share) / dealt
        result = "unknown" if p is None else "question" if p < facts.profile.share else "good"
        rows.append((game.rules, whose, dealt, naturals, dealt * chance, naturals / dealt, chance, p, least, result))
    status: Status = "question" if odd else "good" if tested else "unknown"
    says = (
        "Naturals came as often as they must." if tested else "Too few hands to say whether naturals came as they must."
    )
    if odd:
        says = f"Naturals came otherwise than chance has them: {', '.join(odd)}."
    blocks: list[Block] = [_naturals(rows), *_totals(facts), _hands(facts)]
    return Section(NAME, TITLE, status, says, blocks, {"naturals": [list(row) for row in rows]})


def _naturals(rows: list[tuple[Cell, ...]]) -> Table:
    columns = (
        Column("rules"),
        Column("whose"),
        Column("dealt", "count"),
        Column("naturals", "count"),
        Column("expected", "number"),
        Column("share", "percent"),
        Column("exact chance", "percent"),
        Column("p, corrected", "p"),
        Column("least shift to be seen", "percent"),
        Column("result", "status"),
    )
    caption = (
        "Naturals in the first round of each shoe: later rounds depend on what came before. Hands of one round share "
        "a shoe, so p is near, not exact"
    )
    return Table(caption, columns, rows)


def _totals(facts: Facts) -> list[Chart]:
    totals: Counter[tuple[str, int]] = Counter()
    for (game, total), count in facts.counted.measures.outcomes.totals.items():
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


def _hands(facts: Facts) -> Table:
    counts: Counter[tuple[str, str]] = Counter()
    for (game, outcome), count in facts.counted.measures.outcomes.hands.items():
        counts[game.rules, outcome] += count
    whole: Counter[str] = Counter()
    for (rules, _), count in counts.items():
        whole[rules] += count
    rows: list[tuple[Cell, ...]] = [
        (rules, outcome, count, count / whole[rules]) for (rules, outcome), count in sorted(counts.items())
    ]
    columns = (Column("rules"), Column("outcome"), Column("hands", "count"), Column("share", "percent"))
    return Table("Every outcome", columns, rows)
