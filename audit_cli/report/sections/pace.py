"""How long rounds took, and how often the time limit decided."""

from __future__ import annotations

from collections import Counter

from fairshoe.log.times import SECOND

from ...measures.pace import Pace
from ..blocks import Block, Cell, Chart, Column, Section, Table
from ..charts.pictures import Bar, bars
from ..facts import Facts

NAME, TITLE = "pace", "Time"
MOST_ROWS = 20
MOST_BARS = 48


def build(facts: Facts) -> Section:
    pace = facts.counted.measures.pace
    rounds = sum(pace.seconds.values())
    if not rounds:
        return Section(NAME, TITLE, "plain", "No round was settled.")
    counts: Counter[int] = Counter()
    for (_, power), count in pace.seconds.items():
        counts[power] += count
    decided, by_table = sum(pace.decisions.values()), sum(pace.by_table.values())
    share = f"{by_table:,} of {decided:,} decisions ({100 * by_table / decided:.1f} %)" if decided else "no decision"
    blocks: list[Block] = [_durations(counts), *_limits(pace), _longest(pace)]
    if by_table:
        blocks.append(_people(pace))
    says = f"Half of the rounds took less than {_name(_median(counts) + 1)} from the bets; the time limit made {share}."
    data = {"rounds": rounds, "decisions": decided, "by_table": by_table}
    return Section(NAME, TITLE, "plain", says, blocks, data)


def _durations(counts: Counter[int]) -> Chart:
    values = [Bar(_name(power), counts[power]) for power in range(min(counts), max(counts) + 1)]
    says = "Rounds by how long they took at least. A second hump far to the right is rounds that somebody let wait."
    return Chart("From the bets to the settlement", bars("Rounds by duration", values), says)


def _limits(pace: Pace) -> list[Block]:
    """The share of decisions that the limit made, in equal stretches of time."""
    hours = sorted({hour for _, hour in pace.decisions})
    if len(hours) < 2:
        return []
    size = -(-len(hours) // MOST_BARS)
    values = []
    for first in range(0, len(hours), size):
        stretch = set(hours[first : first + size])
        made = sum(count for (_, hour), count in pace.decisions.items() if hour in stretch)
        late = sum(count for (_, hour), count in pace.by_table.items() if hour in stretch)
        values.append(Bar(hours[first][5:].replace("T", " ") + "h", 100 * late / made if made else 0))
    says = (
        "Percent of all decisions, over time. A tall bar is an hour in which many players were not heard, or not there."
    )
    return [Chart("Decisions made by the time limit", bars("Percent of decisions by the table", values), says)]


def _longest(pace: Pace) -> Table:
    rows: list[tuple[Cell, ...]] = [(table, number, took / SECOND) for took, table, number in pace.longest]
    columns = (Column("table"), Column("round", "count"), Column("seconds", "number"))
    return Table("The longest rounds", columns, rows)


def _people(pace: Pace) -> Table:
    late = sorted(pace.lapsed.items(), key=lambda each: (-each[1], each[0]))[:MOST_ROWS]
    rows: list[tuple[Cell, ...]] = [
        (player.player, player.table, count, pace.decided[player], count / pace.decided[player])
        for player, count in late
        if count
    ]
    columns = (
        Column("player"),
        Column("table"),
        Column("by the limit", "count"),
        Column("decisions", "count"),
        Column("share", "percent"),
    )
    return Table("For whom the limit decided most", columns, rows)


def _median(counts: Counter[int]) -> int:
    half, so_far = sum(counts.values()) / 2, 0
    for power in sorted(counts):
        so_far += counts[power]
        if so_far >= half:
            return power
    return max(counts)


def _name(power: int) -> str:
    """The power of two of seconds in words."""
    if power < -1:
        return "0"
    if power < 0:
        return "0.5 s"
    seconds = 1 << power
    if seconds < 120:
        return f"{seconds} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
