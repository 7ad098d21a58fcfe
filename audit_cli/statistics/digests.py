"""How often each thing was seen, of a bounded share of things: those with the smallest digests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

MOST = 1 << 16


class Digests:
    """Counts of digests. Of more than `most` different ones the smallest are kept: their counts are exact, whatever
    the order in which they came or the parts that were merged, since what is dropped once can never come back.

    `most` of them cost about 10 MB.
    """

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self.seen = 0
        self._counts: Counter[bytes] = Counter()
        self._last: bytes | None = None
        """Digests above it were dropped."""

    def add(self, digest: bytes, times: int = 1) -> None:
        """Count a digest: bytes of one length, evenly spread."""
        self.seen += times
        if self._last is None or digest <= self._last:
            self._counts[digest] += times
            if len(self._counts) > 2 * self.most:
                self._drop()

    def merge(self, other: Digests) -> None:
        """Add those of another part."""
        if other._last is not None and (self._last is None or other._last < self._last):
            self._last = other._last
        self._counts.update(other._counts)
        self.seen += other.seen
        self._drop()

    def _drop(self) -> None:
        if self._last is not None:
            self._counts = Counter(
                {each: times for each, times in self._counts.items() if each <= (self._last or each)}
            )
        if len(self._counts) > self.most:
            kept = sorted(self._counts)[: self.most]
            self._last = kept[-1]
            self._counts = Counter({each: self._counts[each] for each in kept})

    @property
    def counts(self) -> dict[bytes, int]:
        """Of each digest that is kept how often it was seen."""
        self._drop()
        return self._counts

    @property
    def looked_at(self) -> int:
        """How many were seen whose digests are kept."""
        return sum(self.counts.values())

    def repeated(self) -> Iterator[int]:
        """How often each digest was seen that was seen more than once."""
        return (times for times in self.counts.values() if times > 1)
