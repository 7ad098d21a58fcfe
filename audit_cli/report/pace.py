"""Time: how long rounds took from the bets to the settlement, and how often the time limit decided."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fairshoe.engine.moves import TABLE
from fairshoe.log.times import SECOND, microseconds

from ..counting.adding import Count
from ..counting.seen import Settled
from .blocks import Block, Cell, Chart, Section, Table, columns
from .pictures import Bar, bars
from .results import Player

if TYPE_CHECKING:
    from .making import Facts

LONGEST = 5
"""So many of the longest rounds are named."""
MOST_ROWS = 20
MOST_BARS = 48


@dataclass
class Pace(Count):
    """`seconds`: rounds by rule set and the power of two of seconds that they took at least, -1 for half a second, -2
    for less; `decisions`, and those `by_table`, by rule set and hour (UTC); `decided`, and `lapsed` at the limit, by
    player; `longest`: (microseconds, table, round), the longest first."""

    ADDS = ("seconds", "decisions", "by_table", "lapsed", "decided")

    seconds: Counter[tuple[str, int]] = field(default_factory=Counter)
    decisions: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_table: Counter[tuple[str, str]] = field(default_factory=Counter)
    lapsed: Counter[Player] = field(default_factory=Counter)
    decided: Counter[Player] = field(default_factory=Counter)
    longest: list[tuple[int, str, int]] = field(default_factory=list)

    def round(self, seen: Settled) -> None:
        name, hour = seen.rules.name, seen.at[:13]
        took = microseconds(seen.at) - microseconds(seen.opened)
        self.seconds[name, power_of_two(took)] += 1
        if len(self.longest) < LONGEST or took >= self.longest[-1][0]:
            self._long(took, seen.table, seen.entry["round"])
        for each in seen.entry["decisions"]:
            late = each.get("by") == TABLE
            self.decisions[name, hour] += 1
            self.by_table[name, hour] += late
            player = seen.players.get(each["seat"])
            if player is not None:
                self.decided[Player(seen.table, player)] += 1
                self.lapsed[Player(seen.table, player)] += late

    def merge(self, other: Pace) -> None:
        super().merge(other)
        for each in other.longest:
            self._long(*each)

    def _long(self, took: int, table: str, number: int) -> None:
        self.longest.append((took, table, number))
        self.longest.sort(key=lambda each: (-each[0], *each[1:]))
        del self.longest[LONGEST:]


def power_of_two(took: int) -> int:
    """The exponent of the greatest power of two of seconds that so many microseconds reach."""
    return (took // SECOND).bit_length() - 1 if took >= SECOND else -1 if took >= SECOND // 2 else -2


def pace(facts: Facts) -> Section:
    found = facts.numbers.pace
    rounds = sum(found.seconds.values())
    if not rounds:
        return Section("pace", "Time", "plain", "No round was settled.")
    counts: Counter[int] = Counter()
    for (_, power), count in found.seconds.items():
        counts[power] += count
    decided, by_table = sum(found.decisions.values()), sum(found.by_table.values())
    share = f"{by_table:,} of {decided:,} decisions ({100 * by_table / decided:.1f} %)" if decided else "no decision"
    blocks: list[Block] = [_durations(counts), *_limits(found), _longest(found)]
    if by_table:
        blocks.append(_people(found))
    says = f"Half of the rounds took less than {_name(_median(counts) + 1)} from the bets; the time limit made {share}."
    data = {"rounds": rounds, "decisions": decided, "by_table": by_table}
    return Section("pace", "Time", "plain", says, blocks, data)


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
    titles = columns("table", "round:count", "seconds:number")
    return Table("The longest rounds", titles, rows)


def _people(pace: Pace) -> Table:
    late = sorted(pace.lapsed.items(), key=lambda each: (-each[1], each[0]))[:MOST_ROWS]
    rows: list[tuple[Cell, ...]] = [
        (player.player, player.table, count, pace.decided[player], count / pace.decided[player])
        for player, count in late
        if count
    ]
    titles = columns("player", "table", "by the limit:count", "decisions:count", "share:percent")
    return Table("For whom the limit decided most", titles, rows)


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
