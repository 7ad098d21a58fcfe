"""How shoes ended, and by whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Ending(NamedTuple):
    """`kind` is reveal, void or lost; `by` the player whom a void names; `rounds`: whether any round was dealt."""

    table: str
    kind: str
    why: str
    by: str
    rounds: bool


@dataclass
class Endings:
    """How often shoes ended so."""

    counts: Counter[Ending] = field(default_factory=Counter)

    def ended(self, table: str, entry: Mapping[str, Any], rounds: int) -> None:
        """`rounds`: how many were dealt from it."""
        self.counts[Ending(table, entry["kind"], entry.get("why", ""), entry.get("by", ""), rounds > 0)] += 1

    def merge(self, later: Endings) -> None:
        self.counts.update(later.counts)
