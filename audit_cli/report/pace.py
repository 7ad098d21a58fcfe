"""Time: how long rounds took from the bets to the settlement, and how often the time limit decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from fairshoe.engine.moves import TABLE
from fairshoe.log.times import SECOND, microseconds

from ..counting.seen import Count, Settled
from .blocks import Chart, Section
from .pictures import Bar, bars

MOST_BARS = 48


@dataclass
class Pace(Count):
    """`seconds`: rounds by the power of two of seconds that they took at least, -1 for half a second, -2 for less;
    `decisions`, and those `by_table`, by hour (UTC)."""

    ADDS = ("seconds", "decisions", "by_table")

    seconds: Counter[int] = field(default_factory=Counter)
    decisions: Counter[str] = field(default_factory=Counter)
    by_table: Counter[str] = field(default_factory=Counter)

    def round(self, seen: Settled) -> None:
        self.seconds[power_of_two(microseconds(seen.at) - microseconds(seen.opened))] += 1
        made, hour = seen.entry["decisions"], seen.at[:13]
        self.decisions[hour] += len(made)
        self.by_table[hour] += sum(each.get("by") == TABLE for each in made)


def power_of_two(took: int) -> int:
    """The exponent of the greatest power of two of seconds that so many microseconds reach."""
    return (took // SECOND).bit_length() - 1 if took >= SECOND else -1 if took >= SECOND // 2 else -2


def pace(found: Pace) -> Section:
    rounds = found.seconds.total()
    if not rounds:
        return Section("pace", "Time", "plain", "No round was settled.")
    decided, by_table = found.decisions.total(), found.by_table.total()
    share = f"{by_table:,} of {decided:,} decisions ({100 * by_table / decided:.1f} %)" if decided else "no decision"
    says = f"Half of the rounds took less than {_name(_median(found.seconds) + 1)} from the bets; "
    data = {"rounds": rounds, "decisions": decided, "by_table": by_table}
    charts = [_durations(found.seconds), *_limits(found)]
    return Section("pace", "Time", "plain", f"{says}the time limit made {share}.", charts, data)


def _durations(counts: Counter[int]) -> Chart:
    values = [Bar(_name(power), counts[power]) for power in range(min(counts), max(counts) + 1)]
    says = "Rounds by how long they took at least. A second hump far to the right is rounds that somebody let wait."
    return Chart("From the bets to the settlement", bars("Rounds by duration", values), says)


def _limits(pace: Pace) -> Iterator[Chart]:
    """The share of decisions that the limit made, in equal stretches of time."""
    hours = sorted(hour for hour, made in pace.decisions.items() if made)
    if len(hours) < 2:
        return
    size = -(-len(hours) // MOST_BARS)
    values = []
    for first in range(0, len(hours), size):
        stretch = hours[first : first + size]
        made, late = (sum(counts[hour] for hour in stretch) for counts in (pace.decisions, pace.by_table))
        values.append(Bar(stretch[0][5:].replace("T", " ") + "h", 100 * late / made))
    says = (
        "Percent of all decisions, over time. A tall bar is an hour in which many players were not heard, or not there."
    )
    yield Chart("Decisions made by the time limit", bars("Percent of decisions by the table", values), says)


def _median(counts: Counter[int]) -> int:
    half, so_far = counts.total() / 2, 0
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
