"""Whether something was seen before in a log: exact and at once, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator

from .runs import Runs

MOST_KEPT = 1 << 18
"""So many records are held in memory, 32 bytes each and some 100 with what Python needs for them; then they go to the
disk, sorted."""
FILTER_BITS = 28
"""2^28 bits, 32 MB, say of most records that they are not on the disk."""


class Seen:
    """A growing set of records of 32 bytes. Past `most` of them they are on the disk, in sorted runs.

    Of nearly every new record a filter of two bits a record tells that it is not there, so that the disk is not asked.
    Its places follow from Python's keyed hash of bytes, so that a log cannot be made to fill it unevenly.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = MOST_KEPT if most is None else most
        self._fresh: set[bytes] = set()
        self._runs: Runs | None = None
        self._filter = bytearray()
        self._mask = (1 << FILTER_BITS) - 1
        self._spilled = 0

    def add(self, record: bytes) -> bool:
        """Whether the record was not seen before; from now on it was. Raises LogError where the disk is full."""
        fresh = self._fresh
        if record in fresh or (self._runs is not None and self._is_spilled(record)):
            return False
        fresh.add(record)
        if len(fresh) >= self._most:
            self._spill()
        return True

    def __contains__(self, record: bytes) -> bool:
        return record in self._fresh or (self._runs is not None and self._is_spilled(record))

    def __len__(self) -> int:
        return self._spilled + len(self._fresh)

    def __iter__(self) -> Iterator[bytes]:
        """All of them, in no order."""
        yield from self._fresh
        if self._runs is not None:
            yield from self._runs

    def _is_spilled(self, record: bytes) -> bool:
        bits, hashed = self._filter, hash(record)
        one, other = hashed & self._mask, hashed >> 32 & self._mask
        if not bits[one >> 3] >> (one & 7) & 1 or not bits[other >> 3] >> (other & 7) & 1:
            return False
        return self._runs is not None and record in self._runs

    def _spill(self) -> None:
        if self._runs is None:
            self._runs, self._filter = Runs(), bytearray((self._mask >> 3) + 1)
        self._runs.add(sorted(self._fresh))
        bits = self._filter
        for record in self._fresh:
            hashed = hash(record)
            one, other = hashed & self._mask, hashed >> 32 & self._mask
            bits[one >> 3] |= 1 << (one & 7)
            bits[other >> 3] |= 1 << (other & 7)
        self._spilled += len(self._fresh)
        self._fresh = set()
