"""How widely counts of choices stray: what is chosen on one shoe hangs together, one shoe does not hang on another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from fairshoe.ceremony.choices import Choices

from .observations import Count


@dataclass
class ShoeChoices(Count):
    """`now`: counts of choices by table since its last shoe ended; of ended shoes together `counts`, and `squares`, the
    sum of the squares of each shoe's."""

    ADDS = ("now", "counts", "squares")

    now: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    counts: Counter[str] = field(default_factory=Counter)
    squares: Counter[str] = field(default_factory=Counter)

    def add(self, chosen: Iterable[tuple[str, str, int]]) -> None:
        """Count what was chosen at tables."""
        for table, name, times in chosen:
            counts = self.now[table]
            counts[name] = counts.get(name, 0) + times

    def end(self, table: str) -> None:
        """A shoe of the table ended; one without a table stands for its own."""
        for name, times in self.now.pop(table, {}).items():
            self.counts[name] += times
            self.squares[name] += times * times

    def variances(self, choices: Choices) -> dict[str, int]:
        """Return the variance of a log's count of each choice. What is counted at no table is by chance each by itself,
        what no shoe had ended is taken together."""
        found: dict[str, int] = {}
        whole, single = Counter[str](), Counter[str]()
        for (table, _, name), times in choices.counts.items():
            whole[name] += times
            single[name] += times if table is None else 0
        for name in sorted(whole):
            rest = whole[name] - single[name] - self.counts[name]
            found[name] = self.squares[name] + single[name] + rest * rest
        return found
