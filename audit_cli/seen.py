"""What may not come twice in a log: exact and at once, in bounded memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from tempfile import gettempdir

from fairshoe.errors import LogError

RECORD = 32
"""The bytes of a record, a digest of SHA-256."""
MOST_KEPT = 1 << 17
"""So many records are held in memory, 32 bytes each and some 100 with what Python needs for them; then they go to the
disk."""


class Seen:
    """A growing set of records of 32 bytes. Past `most` of them they are in a database of SQLite, in a temporary file
    that nobody else sees and that goes with the process."""

    def __init__(self, most: int | None = None) -> None:
        self._most = MOST_KEPT if most is None else most
        self._fresh: set[bytes] = set()
        self._spilled: sqlite3.Connection | None = None

    def add(self, record: bytes) -> bool:
        """Whether the record was not seen before; from now on it was. Raises LogError where the disk is full."""
        if record in self:
            return False
        self._fresh.add(record)
        if len(self._fresh) >= self._most:
            self._spill()
        return True

    def __contains__(self, record: bytes) -> bool:
        if record in self._fresh or self._spilled is None:
            return record in self._fresh
        with _told_of_the_disk():
            return self._spilled.execute("SELECT 1 FROM seen WHERE record = ?", (record,)).fetchone() is not None

    def __bool__(self) -> bool:
        return bool(self._fresh) or self._spilled is not None

    def __iter__(self) -> Iterator[bytes]:
        """All of them, in no order."""
        yield from self._fresh
        if self._spilled is not None:
            with _told_of_the_disk():
                yield from (record for (record,) in self._spilled.execute("SELECT record FROM seen"))

    def _spill(self) -> None:
        with _told_of_the_disk():
            if self._spilled is None:
                self._spilled = sqlite3.connect("", isolation_level=None)
                self._spilled.execute("PRAGMA journal_mode = OFF")
                self._spilled.execute("PRAGMA locking_mode = EXCLUSIVE")
                self._spilled.execute("PRAGMA cache_size = -8192")
                self._spilled.execute("CREATE TABLE seen (record BLOB PRIMARY KEY) WITHOUT ROWID")
            self._spilled.execute("BEGIN")
            self._spilled.executemany("INSERT INTO seen VALUES (?)", ((record,) for record in sorted(self._fresh)))
            self._spilled.execute("COMMIT")
        self._fresh = set()


@contextmanager
def _told_of_the_disk() -> Iterator[None]:
    """What the disk refuses is no finding about a log. Raises LogError."""
    try:
        yield
    except sqlite3.Error as error:
        remedy = "free space there, or name another folder in TMPDIR"
        raise LogError(f"cannot keep what was read: {error}", where=gettempdir(), remedy=remedy) from None


def digest_of(name: str) -> bytes:
    """The record of an id."""
    return sha256(name.encode("utf-8", "surrogatepass")).digest()
