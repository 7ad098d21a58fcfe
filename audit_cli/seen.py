"""What may not come twice in a log: exact and at once, in bounded memory.

Digests are held in a set, and past so many of them in sorted runs in temporary files. Ids of a table's shoes are its
numbers, kept as ranges.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from heapq import merge
from itertools import islice
from operator import itemgetter
from tempfile import TemporaryFile, gettempdir

from fairshoe.errors import InputError, LogError
from fairshoe.record.forms import table_of

RECORD = 32
"""The bytes of a record, a digest of SHA-256."""
MOST_KEPT = 1 << 18
"""So many records are held in memory, 32 bytes each and some 100 with what Python needs for them; then they go to the
disk, sorted."""
FILTER_BITS = 28
"""2^28 bits, 32 MB, say of most records that they are not on the disk."""
BLOCK = 1024
"""So many records of a run are read at once; of each block the first is kept in memory."""
FAN = 16
"""Of so many runs of one size one is made."""


class Seen:
    """A growing set of records of 32 bytes. Past `most` of them they are on the disk, in sorted runs.

    Of nearly every new record a filter of two bits a record tells that it is not there, so that the disk is not asked.
    Its places follow from Python's keyed hash of bytes, so that a log cannot be made to fill it unevenly.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = MOST_KEPT if most is None else most
        self._fresh: set[bytes] = set()
        self._levels: list[list[_Run]] = []
        self._filter = bytearray()
        self._mask = (1 << FILTER_BITS) - 1

    def add(self, record: bytes) -> bool:
        """Whether the record was not seen before; from now on it was. Raises LogError where the disk is full."""
        if record in self:
            return False
        self._fresh.add(record)
        if len(self._fresh) >= self._most:
            self._spill()
        return True

    def __contains__(self, record: bytes) -> bool:
        return record in self._fresh or (bool(self._levels) and self._is_spilled(record))

    def __bool__(self) -> bool:
        return bool(self._fresh or self._levels)

    def __iter__(self) -> Iterator[bytes]:
        """All of them, in no order."""
        yield from self._fresh
        for runs in self._levels:
            for run in runs:
                yield from run

    def _is_spilled(self, record: bytes) -> bool:
        bits, (one, other) = self._filter, self._places(record)
        if not bits[one >> 3] >> (one & 7) & 1 or not bits[other >> 3] >> (other & 7) & 1:
            return False
        return any(record in run for runs in self._levels for run in runs)

    def _places(self, record: bytes) -> tuple[int, int]:
        """The record's two bits in the filter."""
        hashed = hash(record)
        return hashed & self._mask, hashed >> 32 & self._mask

    def _spill(self) -> None:
        """One more run; of FAN of one size one is made."""
        bits = self._filter = self._filter or bytearray((self._mask >> 3) + 1)
        for record in self._fresh:
            for place in self._places(record):
                bits[place >> 3] |= 1 << (place & 7)
        run = _Run(sorted(self._fresh))
        self._fresh = set()
        for runs in self._levels:
            runs.append(run)
            if len(runs) < FAN:
                return
            run = _Run(merge(*runs))
            runs.clear()
        self._levels.append([run])


class _Run:
    """Sorted records in a file that nobody else sees and that goes with the process."""

    def __init__(self, records: Iterable[bytes]) -> None:
        self._firsts: list[bytes] = []
        with _told_of_the_disk():
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
        at = RECORD * bisect_left(
            range(len(block) // RECORD), record, key=lambda i: block[i * RECORD : (i + 1) * RECORD]
        )
        return block[at : at + RECORD] == record

    def __iter__(self) -> Iterator[bytes]:
        for number in range(len(self._firsts)):
            block = self._block(number)
            yield from (block[at : at + RECORD] for at in range(0, len(block), RECORD))

    def _block(self, number: int) -> bytes:
        with _told_of_the_disk():
            self._file.seek(number * BLOCK * RECORD)
            return self._file.read(BLOCK * RECORD)


@contextmanager
def _told_of_the_disk() -> Iterator[None]:
    """What the disk refuses is no finding about a log. Raises LogError."""
    try:
        yield
    except OSError as error:
        remedy = "free space there, or name another folder in TMPDIR"
        raise LogError(f"cannot keep what was read: {error}", where=gettempdir(), remedy=remedy) from None


class ShoeNames:
    """The ids of the shoes that a log began: of a table its numbers, as ranges from a first one to a last one; of other
    shoes digests of their ids."""

    def __init__(self) -> None:
        self.ranges: dict[str, list[list[int]]] = {}
        self.others = Seen()

    def add(self, name: str, *, of_table: bool) -> None:
        """An id that is not among them. Those of an honest table are one range."""
        if not of_table:
            self.others.add(_digest(name))
            return
        table, number = table_of(name)
        ranges = self.ranges.setdefault(table, [])
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            insort(ranges, [number, number])

    def __contains__(self, name: object) -> bool:
        if type(name) is not str:
            return False
        if self.others and _digest(name) in self.others:
            return True
        ranges = self.ranges.get(name.rpartition("/")[0])
        if ranges is None:
            return False
        try:
            number = table_of(name)[1]
        except InputError:
            return False
        at = bisect_right(ranges, number, key=itemgetter(0)) - 1
        return at >= 0 and number <= ranges[at][1]


def _digest(name: str) -> bytes:
    return sha256(name.encode("utf-8", "surrogatepass")).digest()
