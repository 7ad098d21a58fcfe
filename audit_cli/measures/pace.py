"""How long things take: from the bets to the settlement, and decisions that the time limit made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from fairshoe.engine.moves import TABLE
from fairshoe.log.times import SECOND, microseconds

from .results import Player
from .seen import Round

LONGEST = 5
"""So many of the longest rounds are named."""


@dataclass
class Pace:
    """`seconds`: rounds by rule set and the power of two of seconds that they took at least, -1 for half a second, -2
    for less; `decisions`, and those `by_table`, by rule set and hour (UTC); `decided`, and `lapsed` at the limit, by
    player; `longest`: (microseconds, table, round), the longest first."""

    seconds: Counter[tuple[str, int]] = field(default_factory=Counter)
    decisions: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_table: Counter[tuple[str, str]] = field(default_factory=Counter)
    lapsed: Counter[Player] = field(default_factory=Counter)
    decided: Counter[Player] = field(default_factory=Counter)
    longest: list[tuple[int, str, int]] = field(default_factory=list)

    def round(self, seen: Round) -> None:
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

    def merge(self, later: Pace) -> None:
        for mine, theirs in (
            (self.seconds, later.seconds),
            (self.decisions, later.decisions),
            (self.by_table, later.by_table),
        ):
            mine.update(theirs)  # type: ignore[arg-type]
        self.lapsed.update(later.lapsed)
        self.decided.update(later.decided)
        for each in later.longest:
            self._long(*each)

    def _long(self, took: int, table: str, number: int) -> None:
        self.longest.append((took, table, number))
        self.longest.sort(key=lambda each: (-each[0], *each[1:]))
        del self.longest[LONGEST:]


def power_of_two(took: int) -> int:
    """The exponent of the greatest power of two of seconds that so many microseconds reach."""
    return (took // SECOND).bit_length() - 1 if took >= SECOND else -1 if took >= SECOND // 2 else -2
