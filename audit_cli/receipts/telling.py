"""Receipts in words: those that are refused for one cause are told once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from ..findings.wording import counted
from ..outcome import Outcome
from .reading import ELSEWHERE
from .verdict import BAD, Case


class Same(NamedTuple):
    """A receipt, and how many `more` stand in the file that are refused for the same cause."""

    case: Case
    more: int

    @property
    def name(self) -> str:
        place = self.case.receipt.place
        return f"receipt {place}" if not self.more else f"receipt {place} and {self.more:,} more"

    @property
    def line(self) -> str:
        return f"  {self.name}, {self.case.line}"


def once(cases: Collection[Case]) -> Iterator[Same]:
    """Each receipt in its order; of those that are refused for one cause the first."""
    left = Counter(case.receipt.refused for case in cases if case.receipt.refused)
    for case in cases:
        cause = case.receipt.refused
        if not cause:
            yield Same(case, 0)
        elif cause in left:
            yield Same(case, left.pop(cause) - 1)


def form_of(outcome: Outcome, receipts: Sequence[Any]) -> dict[str, Any]:
    """What every report about receipts says as JSON values."""
    return {
        "kind": "fairshoe-audit receipt",
        "v": 1,
        "outcome": outcome.word,
        "says": outcome.what,
        "complete": outcome.complete,
        "receipts": receipts,
    }


def failure(cases: Collection[Case]) -> str:
    """What fails, in words; "" where nothing does."""
    words = Counter(case.word for case in cases)
    bad = ", ".join(f"{words[word]:,} {word}" for word in BAD if words[word])
    strangers = all(case.receipt.refused.startswith(ELSEWHERE) for case in cases)
    why = ": they are another house's, or another log's" if strangers else ""
    return f"of {counted(len(cases), 'receipt')} {bad}{why}" if bad else ""
