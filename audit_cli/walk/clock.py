"""The log's own time, in which an outage is none, and the service's starts, by which limits begin anew."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from fairshoe.log.times import HOUR, microseconds, timestamp

LATEST = microseconds("9999-12-31T23:59:59.999999Z")


def moment(when: int) -> str:
    """The text of a moment, the last that there is at most."""
    return timestamp(min(when, LATEST))


@dataclass(slots=True)
class LogTime:
    """A log's own time, in which a gap between two entries counts an hour at most. `begins` and `lengths` are those of
    longer gaps, `lost` how much did not count before each, and before now: microseconds."""

    begins: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=lambda: [0])

    def pass_on(self, before: str, at: str) -> None:
        """The next entry is at `at`, the one before it at `before`, "" where there is none."""
        if not before:
            return
        begin = microseconds(before)
        length = microseconds(at) - begin
        if length > HOUR and (not self.begins or begin >= self.begins[-1] + self.lengths[-1]):
            self.begins.append(begin)
            self.lengths.append(length)
            self.lost.append(self.lost[-1] + length - HOUR)

    def between(self, begin: int, end: int) -> int:
        """How long it is from one moment to another, in microseconds."""
        return end - begin - self._lost_by(end) + self._lost_by(begin)

    def _lost_by(self, moment: int) -> int:
        """How much of the time up to a moment does not count."""
        i = bisect_right(self.begins, moment) - 1
        if i < 0:
            return 0
        return self.lost[i] + max(min(moment - self.begins[i], self.lengths[i]) - HOUR, 0)


@dataclass(slots=True)
class Starts:
    """The moments of `start` entries."""

    at: list[str] = field(default_factory=list)

    def add(self, at: str) -> None:
        if at > self.last:
            self.at.append(at)

    @property
    def last(self) -> str:
        """The last one, "" where there is none."""
        return self.at[-1] if self.at else ""

    def last_before(self, moment: str) -> str:
        """The last one before a moment: one that stands at the very moment came after what was decided then."""
        i = bisect_left(self.at, moment)
        return self.at[i - 1] if i else ""

    def between(self, begin: str, end: str) -> int:
        """How many there are after `begin`, up to `end`."""
        return bisect_right(self.at, end) - bisect_right(self.at, begin)
