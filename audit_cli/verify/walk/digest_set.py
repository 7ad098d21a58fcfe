"""A set of values that a log may contain only once: exact, at once, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING

from fairshoe.errors import LogError

if TYPE_CHECKING:
    import sqlite3

RECORD = 32
"""The bytes of a record, a digest of SHA-256."""
MAX_KEPT = 1 << 17
"""Maximum number of records in memory, 32 bytes each and some 100 as Python objects. Further ones go to the disk."""


class DigestSet:
    """A set of 32-byte records, each with its marks (bits); past `most` in a temporary SQLite file."""

    def __init__(self, most: int | None = None) -> None:
        self._most = MAX_KEPT if most is None else most
        self._fresh: dict[bytes, int] = {}
        self._spilled: sqlite3.Connection | None = None

    def add(self, record: bytes, mark: int = 1) -> int:
        """Add a record with a mark; return the marks that it had, 0 if new. Raises LogError if the disk is full."""
        marks = self._marks(record)
        if mark & ~marks:
            self._fresh[record] = marks | mark
            if len(self._fresh) >= self._most:
                self._move_to_disk()
        return marks

    def __contains__(self, record: bytes) -> bool:
        return bool(self._marks(record))

    def _marks(self, record: bytes) -> int:
        marks = self._fresh.get(record, 0)
        if marks or self._spilled is None:
            return marks
        with _translate_disk_errors():
            row = self._spilled.execute("SELECT marks FROM seen WHERE record = ?", (record,)).fetchone()
        return 0 if row is None else int(row[0])

    def __bool__(self) -> bool:
        return bool(self._fresh) or self._spilled is not None

    def __iter__(self) -> Iterator[bytes]:
        """All of them, in no order; one that got another mark may come twice."""
        yield from self._fresh
        if self._spilled is not None:
            with _translate_disk_errors():
                yield from (record for (record,) in self._spilled.execute("SELECT record FROM seen"))

    def _move_to_disk(self) -> None:
        import sqlite3

        with _translate_disk_errors():
            if self._spilled is None:
                self._spilled = sqlite3.connect("", isolation_level=None)
                self._spilled.execute("PRAGMA journal_mode = OFF")
                self._spilled.execute("PRAGMA locking_mode = EXCLUSIVE")
                self._spilled.execute("PRAGMA cache_size = -8192")
                self._spilled.execute("CREATE TABLE seen (record BLOB PRIMARY KEY, marks INTEGER) WITHOUT ROWID")
            self._spilled.execute("BEGIN")
            self._spilled.executemany("INSERT OR REPLACE INTO seen VALUES (?, ?)", sorted(self._fresh.items()))
            self._spilled.execute("COMMIT")
        self._fresh = {}


@contextmanager
def _translate_disk_errors() -> Iterator[None]:
    """Turn an error of the disk, which is no finding about a log, into LogError."""
    import sqlite3

    try:
        yield
    except sqlite3.Error as error:
        from tempfile import gettempdir

        remedy = "free space there, or name another folder in TMPDIR"
        raise LogError(f"cannot keep what was read: {error}", where=gettempdir(), remedy=remedy) from None


def digest_of(name: str) -> bytes:
    """Return the record of an id."""
    return sha256(name.encode("utf-8", "surrogatepass")).digest()
