"""Things that should never come twice: orders of a deck, commitments, client seeds."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from math import exp2, lgamma, log

from ..counting.adding import Adding
from .layout import Layout
from .measured import POWER, Measured, distributions

MOST = 1 << 16
"""So many digests of one kind of thing are kept."""
DIGEST = 16
BITS_OF_A_KEY = 256
FEWEST = 2
UNSEEN = -log(1 - POWER)
"""Repeats, on average, of which with the power at least one is there."""


class Digests(Adding):
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


class Repeats(Adding):
    """Counts one kind of thing; `bits` is the logarithm of how many different ones there are, `what` what it is."""

    ADDS = ("digests",)

    def __init__(self, what: str, bits: float, deck: str = "") -> None:
        self.what = what
        self.bits = bits
        self.deck = deck
        self.digests = Digests()

    def add(self, thing: bytes) -> None:
        """Count one."""
        self.digests.add(hashlib.sha256(thing).digest()[:DIGEST])

    def expected(self) -> float:
        """Pairs of equal things, by chance, among those that are looked at."""
        kept = self.digests.looked_at
        return kept * (kept - 1) / 2 * exp2(-self.bits)

    def test(self) -> Measured:
        """The number of pairs of equal things, by the Poisson distribution."""
        name, question = f"repeats of {self.what}", f"whether {self.what} came twice"
        seen, kept = self.digests.seen, self.digests.looked_at
        test = Measured(name, self.deck, question, seen, FEWEST, exact=True)
        if kept < FEWEST:
            return test
        pairs = sum(times * (times - 1) // 2 for times in self.digests.repeated())
        expected = self.expected()
        share = "all" if kept == seen else f"{kept:,} of {seen:,}"
        smallest = min(1.0, UNSEEN / kept)
        return test.found(
            float(pairs),
            float(distributions.poisson.sf(pairs - 1, expected)),
            (
                float(pairs),
                f"{pairs:,} pairs of equal {self.what} where {expected:.2g} are expected; {share} looked at",
            ),
            (smallest, f"1 of {1 / smallest:,.0f} {self.what} that repeats one of these; {share} looked at"),
            exact=True,
        )


class Seeds(Repeats):
    """Client seeds, which have any length: short ones come twice by chance."""

    def __init__(self) -> None:
        super().__init__("client seeds", 0.0)

    def add(self, thing: bytes) -> None:
        """Count one."""
        self.digests.add(hashlib.sha256(thing).digest()[: DIGEST - 1] + bytes([len(thing)]))

    def expected(self) -> float:
        """Pairs of equal seeds of a length, if all bytes are random."""
        lengths: Counter[int] = Counter()
        for digest, times in self.digests.counts.items():
            lengths[digest[-1]] += times
        return sum(count * (count - 1) / 2 * exp2(-8 * length) for length, count in lengths.items())


def orders(layout: Layout) -> Repeats:
    """Of a deck's orders, as its labels show them."""
    return Repeats("orders", _bits(tuple(Counter(layout.deck).values())), layout.name)


def commitments() -> Repeats:
    """Of the hashes of keys."""
    return Repeats("commitments", BITS_OF_A_KEY)


@lru_cache(maxsize=64)
def _bits(alike: tuple[int, ...]) -> float:
    """The logarithm of the number of orders of cards of which so many are alike."""
    return (lgamma(sum(alike) + 1) - sum(lgamma(count + 1) for count in alike)) / log(2)
