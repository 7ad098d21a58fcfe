"""Behaviour that somebody should be asked about. A question is no finding: each of these has honest reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ...chance import above, holm
from ...findings.wording import counted
from ...measures.company import Company
from ...measures.results import Game, Results, Sums
from ..blocks import Block, Cell, Column, Items, Section, Status, Table
from ..expected import expected
from ..facts import Facts

NAME, TITLE = "behaviour", "Questions to ask"
ENOUGH_ROUNDS = 100
ALWAYS = 0.98
MOST_ROWS = 30


class Question(NamedTuple):
    """`strong`: chance hardly explains it."""

    text: str
    strong: bool


def build(facts: Facts) -> Section:
    asked = [*_shoes(facts), *_winners(facts), *_together(facts.counted.measures.company)]
    strong = [question for question in asked if question.strong]
    status: Status = "question" if strong else "plain"
    says = "Nothing here asks for an answer."
    if asked:
        says = (
            f"{counted(len(asked), 'question')}, of which {len(strong)} chance hardly explains."
            if strong
            else (f"{counted(len(asked), 'question')}, none of them urgent.")
        )
    blocks: list[Block] = [Items([question.text for question in sorted(asked, key=lambda each: not each.strong)])]
    return Section(
        NAME, TITLE, status, says, [*(blocks if asked else []), _endings(facts)], [q._asdict() for q in asked]
    )


def _shoes(facts: Facts) -> Iterator[Question]:
    """Shoes that did not end as most do."""
    audit, ends = facts.audit, facts.counted.measures.endings.counts
    if audit.open:
        yield Question(f"{counted(audit.open, 'shoe')} in play at the log's end: when will the keys come?", False)
    for group in audit.groups:
        if group.code.severity == "note":
            places = f"{group.code.cause}: {counted(group.count, 'time')}"
            yield Question(f"{places}. Is there a reason? ({group.code.code})", False)
    whole = sum(ends.values())
    names: Counter[str] = Counter()
    for ending, count in ends.items():
        if ending.kind == "void" and ending.by:
            names[ending.by] += count
    for player, count in sorted(names.items(), key=lambda each: (-each[1], each[0]))[:3]:
        if count * 10 >= whole and count > 10:
            yield Question(f"Why did {count:,} of {whole:,} shoes end undealt by {player}?", False)


def _winners(facts: Facts) -> Iterator[Question]:
    """Players who win too much to be luck, at all their tables: against the reference strategy, which plays better than
    most people. Those with too few rounds are taken together."""
    results = facts.counted.measures.results
    names: dict[str, list[tuple[Game, Sums]]] = {}
    for player, games in results.players.items():
        names.setdefault(player.player, []).extend(games.items())
    found: list[tuple[str, int, float]] = []
    few: list[tuple[Game, Sums]] = []
    for name, played in sorted(names.items()):
        if sum(sums.rounds for _, sums in played) >= ENOUGH_ROUNDS:
            found.append((name, *_far(results, played)))
        else:
            few += played
    if sum(sums.rounds for _, sums in few) >= ENOUGH_ROUNDS:
        found.append(("players with fewer than 100 rounds each", *_far(results, few)))
    adjusted = holm([above(z) for _, _, z in found])
    for (who, net, z), p in zip(found, adjusted, strict=True):
        if p < facts.profile.share:
            yield Question(
                f"How did {who} win {net:,}? That is {z:.1f} standard deviations above the reference strategy with "
                f"the same bets (p = {p:.2g} among {len(found):,}). Does somebody there know the cards?",
                True,
            )


def _far(results: Results, played: list[tuple[Game, Sums]]) -> tuple[int, float]:
    """What was won, and by how many standard deviations more than expected."""
    mean = variance = 0.0
    for game, sums in played:
        usual = expected(results, game, sums)
        mean, variance = mean + usual.mean, variance + usual.deviation**2
    net = sum(sums.net for _, sums in played)
    return net, (net - mean) / variance**0.5 if variance else 0.0


def _together(company: Company) -> Iterator[Question]:
    """Seats that always act together."""
    for (table, one, other), rounds in sorted(company.together.items()):
        most = max(company.rounds[table, one], company.rounds[table, other])
        pair = table, one, other
        moved = company.moved[pair]
        if rounds < ENOUGH_ROUNDS or rounds < ALWAYS * most or moved < ENOUGH_ROUNDS:
            continue
        if company.same_move[pair] >= ALWAYS * moved and company.same_bet[pair] >= ALWAYS * rounds:
            yield Question(
                f"Are {one} and {other} at {table} one person? They bet the same in {company.same_bet[pair]:,} of "
                f"{rounds:,} rounds and decided alike in {company.same_move[pair]:,} of {moved:,}.",
                False,
            )


def _endings(facts: Facts) -> Table:
    counts = sorted(facts.counted.measures.endings.counts.items(), key=lambda each: (-each[1], each[0]))
    rows: list[tuple[Cell, ...]] = [
        (ending.table or None, ending.kind, ending.why or None, ending.by or None, ending.rounds, count)
        for ending, count in counts[:MOST_ROWS]
    ]
    columns = (
        Column("table"),
        Column("ended by"),
        Column("reason"),
        Column("named"),
        Column("dealt from"),
        Column("shoes", "count"),
    )
    return Table(f"How shoes ended: {len(rows)} of {len(counts):,} ways", columns, rows)
