"""All that a report counts beside the audit."""

from __future__ import annotations

from typing import Any

from ..counting.watcher import Counting
from ..luck.busts import Busts
from ..luck.house import Luck
from ..statistics.collected import Collected
from .behaviour import Company, Endings
from .outcomes import Outcomes
from .pace import Pace
from .results import Results


class Numbers(Counting):
    """Given to `verify` as its `watch`; what other processes counted of other tables adds up."""

    def __init__(self) -> None:
        self.results, self.pace, self.outcomes = Results(), Pace(), Outcomes()
        self.company, self.endings = Company(), Endings()
        self.luck, self.busts, self.shuffles = Luck(), Busts(), Collected()
        super().__init__(
            self.results,
            self.pace,
            self.outcomes,
            self.company,
            self.endings,
            self.luck,
            self.busts,
            self.shuffles,
        )

    def __getstate__(self) -> dict[str, Any]:
        """What adds up, and nothing of the log that is being read."""
        return {"counts": self.counts, "unknown": self.unknown}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Numbers.__init__(self)
        self._add(**state)

    def merge(self, other: Numbers) -> None:
        """Add what was counted of other tables of the log."""
        self._add(other.counts, other.unknown)

    def _add(self, counts: tuple[Any, ...], unknown: int) -> None:
        for mine, theirs in zip(self.counts, counts, strict=True):
            mine.merge(theirs)
        self.unknown += unknown
