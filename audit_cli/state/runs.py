"""Sorted records in temporary files: what does not fit into memory any more."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import islice
from tempfile import TemporaryFile

from .disk import told_of_the_disk

RECORD = 32
"""The bytes of a record, a digest of SHA-256."""
BLOCK = 1024
"""So many records are read at once; of each block the first is kept in memory."""
FAN = 16


class Run:
    """Sorted records in a file that nobody else sees and that goes with the process."""

    def __init__(self, records: Iterable[bytes]) -> None:
        self._firsts: list[bytes] = []
        with told_of_the_disk():
            self._file = TemporaryFile()  # noqa: SIM115 - it lives as long as the run
            records = iter(records)
            while block := list(islice(records, BLOCK)):
                self._firsts.append(block[0])
                self._file.write(b"".join(block))
            self._file.flush()

    def __contains__(self, record: bytes) -> bool:
        number = bisect_right(self._firsts, record) - 1
        if number < 0:
            return False
        block = self._block(number)
        at = bisect_left(range(len(block) // RECORD), record, key=lambda i: block[i * RECORD : (i + 1) * RECORD])
        return block[at * RECORD : (at + 1) * RECORD] == record

    def __iter__(self) -> Iterator[bytes]:
        for number in range(len(self._firsts)):
            block = self._block(number)
            yield from (block[at : at + RECORD] for at in range(0, len(block), RECORD))

    def _block(self, number: int) -> bytes:
        with told_of_the_disk():
            self._file.seek(number * BLOCK * RECORD)
            return self._file.read(BLOCK * RECORD)


class Runs:
    """Many records in few runs: of FAN runs of one size one is made."""

    def __init__(self) -> None:
        self._levels: list[list[Run]] = []

    def add(self, records: Iterable[bytes]) -> None:
        """One more run, of sorted records."""
        level, run = 0, Run(records)
        while True:
            if level == len(self._levels):
                self._levels.append([])
            runs = self._levels[level]
            runs.append(run)
            if len(runs) < FAN:
                return
            run = Run(merge(*runs))
            runs.clear()
            level += 1

    def __contains__(self, record: bytes) -> bool:
        return any(record in run for runs in self._levels for run in runs)

    def __iter__(self) -> Iterator[bytes]:
        """All records, sorted."""
        return merge(*(run for runs in self._levels for run in runs))
