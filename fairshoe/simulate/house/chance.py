"""Chance that repeats: what simulated players choose."""

from __future__ import annotations

from random import Random


class Chance:
    """Choices that follow from a key. They need not be hard to foresee, only quick and the same in every Python: that
    is promised for `Random.random`, and for nothing else of it.

    `fraction()` is 0 or more, and below 1.
    """

    def __init__(self, key: bytes) -> None:
        self.fraction = Random(int.from_bytes(key)).random

    def below(self, count: int) -> int:
        """An index 0 … count−1."""
        return int(self.fraction() * count)

    def happens(self, share: float) -> bool:
        """True in a `share` of the cases, 0 to 1."""
        return self.fraction() < share
