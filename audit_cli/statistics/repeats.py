"""Things that should never come twice: orders of a deck, commitments, client seeds."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import lru_cache
from math import exp2, lgamma, log

from .digests import Digests
from .layout import Layout
from .measured import Measured
from .needs import distributions
from .profile import POWER

DIGEST = 16
BITS_OF_A_KEY = 256
FEWEST = 2
UNSEEN = -log(1 - POWER)
"""Repeats, on average, of which with the power at least one is there."""


class Repeats:
    """Counts one kind of thing; `bits` is the logarithm of how many different ones there are, `what` what it is."""

    def __init__(self, what: str, bits: float, deck: str = "") -> None:
        self.what = what
        self.bits = bits
        self.deck = deck
        self.digests = Digests()

    def add(self, thing: bytes) -> None:
        """Count one."""
        self.digests.add(hashlib.sha256(thing).digest()[:DIGEST])

    def merge(self, other: Repeats) -> None:
        """Add those of another part."""
        self.digests.merge(other.digests)

    def expected(self) -> float:
        """Pairs of equal things, by chance, among those that are looked at."""
        kept = self.digests.looked_at
        return kept * (kept - 1) / 2 * exp2(-self.bits)

    def test(self) -> Measured:
        """The number of pairs of equal things, by the Poisson distribution."""
        name, question = f"repeats of {self.what}", f"whether {self.what} came twice"
        seen, kept = self.digests.seen, self.digests.looked_at
        if kept < FEWEST:
            return Measured(name, self.deck, question, seen, FEWEST, exact=True)
        pairs = sum(times * (times - 1) // 2 for times in self.digests.repeated())
        expected = self.expected()
        share = "all" if kept == seen else f"{kept:,} of {seen:,}"
        smallest = min(1.0, UNSEEN / kept)
        return Measured(
            name,
            self.deck,
            question,
            seen,
            FEWEST,
            statistic=float(pairs),
            p=float(distributions.poisson.sf(pairs - 1, expected)),
            effect=float(pairs),
            effect_words=f"{pairs:,} pairs of equal {self.what} where {expected:.2g} are expected; {share} looked at",
            smallest=smallest,
            smallest_words=f"1 of {1 / smallest:,.0f} {self.what} that repeats one of these; {share} looked at",
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
