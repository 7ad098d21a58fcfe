"""Behaviour that somebody should be asked about. A question is no finding: each of these has honest reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from ..verify.findings.report import Report
from ..verify.findings.wording import count_text
from .blocks import SHARE, Block, Items, Question, ReportTable, Section, Status, columns
from .counting.observations import Count, EndedShoe
from .luck.tails import above, holm
from .results import MoneySums, ReportedGame, Results, expected

ENOUGH_ROUNDS = 100
MAX_ROWS = 30


class ShoeEnding(NamedTuple):
    """`kind` is reveal, void or lost; `by` the player whom a void names; `rounds`: whether any round was dealt."""

    table: str
    kind: str
    why: str
    by: str
    rounds: bool


@dataclass
class Endings(Count):
    """How often shoes ended so."""

    ADDS = ("counts",)

    counts: Counter[ShoeEnding] = field(default_factory=Counter)

    def add_shoe(self, seen: EndedShoe) -> None:
        entry = seen.entry
        if entry is not None:
            ending = ShoeEnding(seen.table, entry["kind"], entry.get("why", ""), entry.get("by", ""), seen.rounds > 0)
            self.counts[ending] += 1


class PlayerQuestion(NamedTuple):
    """`key` stays the same in the next report; `strong`: chance hardly explains it."""

    key: str
    text: str
    strong: bool


def behaviour(audit: Report, results: Results, endings: Endings) -> Section:
    asked = [*_shoes(audit, endings), *_winners(results)]
    strong = [question for question in asked if question.strong]
    status: Status = "question" if strong else "plain"
    says = "No way in which shoes ended, and no player's winnings, stand out."
    if asked:
        says = f"{count_text(len(asked), 'matter')} to look into when there is time."
    if strong:
        says = f"{count_text(len(strong), 'question')} where chance explains little, of {len(asked)} to look into."
    questions = Items([question.text for question in sorted(asked, key=lambda each: not each.strong)])
    blocks: list[Block] = [questions, _endings(endings)] if asked else [_endings(endings)]
    data, asks = [each._asdict() for each in asked], [Question(each.key, each.text) for each in strong]
    return Section("behaviour", "Shoes and players that stand out", status, says, blocks, data, asks)


def _shoes(audit: Report, endings: Endings) -> Iterator[PlayerQuestion]:
    """Shoes that did not end as most do."""
    if audit.open:
        yield PlayerQuestion(
            "in play", f"{count_text(audit.open, 'shoe')} in play at the log's end: when will the keys come?", False
        )
    for group in audit.groups:
        if group.code.severity == "note":
            places = f"{group.code.cause}: {count_text(group.count, 'time')}"
            yield PlayerQuestion(group.code.code, f"{places}. Is there a reason? ({group.code.code})", False)
    whole = endings.counts.total()
    names: Counter[str] = Counter()
    for ending, count in endings.counts.items():
        if ending.kind == "void" and ending.by:
            names[ending.by] += count
    for player, count in sorted(names.items(), key=lambda each: (-each[1], each[0]))[:3]:
        if count * 10 >= whole and count > 10:
            yield PlayerQuestion(
                f"undealt {player}", f"Why did {count:,} of {whole:,} shoes end undealt by {player}?", False
            )


def _winners(results: Results) -> Iterator[PlayerQuestion]:
    """Players who win too much to be luck, at all their tables: against the reference strategy, which plays better than
    most people. Those with too few rounds are taken together."""
    names: dict[str, list[tuple[ReportedGame, MoneySums]]] = {}
    for (player, game), sums in sorted(results.players.items()):
        names.setdefault(player.player, []).append((game, sums))
    few = {name for name, played in names.items() if sum(sums.rounds for _, sums in played) < ENOUGH_ROUNDS}
    found = [(name, *_far(results, played)) for name, played in sorted(names.items()) if name not in few]
    together = players_together(results, few)
    if sum(sums.rounds for _, sums in together) >= ENOUGH_ROUNDS:
        found.append(("players with fewer than 100 rounds each", *_far(results, together)))
    adjusted = holm([above(z) for _, _, z in found])
    for (who, net, z), p in zip(found, adjusted, strict=True):
        if p < SHARE:
            yield PlayerQuestion(
                f"wins {who}",
                f"How did {who} win {net:,}? That is {z:.1f} standard deviations above the reference strategy with "
                f"the same bets (p = {p:.2g} among {len(found):,}). Does somebody there know the cards?",
                True,
            )


def players_together(results: Results, names: Set[str]) -> list[tuple[ReportedGame, MoneySums]]:
    """Return the sums of these players, and how much more widely they stray together: all at their tables are taken to
    have shared each dealer's cards with them."""
    mine, shared = [], Counter[tuple[str, ReportedGame]]()
    for (player, game), sums in sorted(results.players.items()):
        shared[player.table, game] -= sums.shared
        if player.player in names:
            mine.append((player.table, game, sums))
    rooms = sorted({(table, game) for table, game, _ in mine})
    more = [(room[1], MoneySums(shared=results.tables[room].shared + shared[room])) for room in rooms]
    return [*((game, sums) for _, game, sums in mine), *more]


def _far(results: Results, played: list[tuple[ReportedGame, MoneySums]]) -> tuple[int, float]:
    """Describe the winnings, and by how many standard deviations more than expected."""
    mean = variance = 0.0
    for game, sums in played:
        usual = expected(results, game, sums)
        mean, variance = mean + usual.mean, variance + usual.deviation**2
    net = sum(sums.net for _, sums in played)
    return net, (net - mean) / variance**0.5 if variance else 0.0


def _endings(endings: Endings) -> ReportTable:
    counts = sorted(endings.counts.items(), key=lambda each: (-each[1], each[0]))
    rows = [
        (ending.table or None, ending.kind, ending.why or None, ending.by or None, ending.rounds, count)
        for ending, count in counts[:MAX_ROWS]
    ]
    titles = columns("table", "ended by", "reason", "named", "dealt from", "shoes:count")
    return ReportTable(f"How shoes ended: {len(rows)} of {len(counts):,} ways", titles, rows)
