"""Where in the log's text an entry stands: its lines one after the other, each with its LF."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from .database import Database
from .journal import read_lines
from .schema import entries

STEP = 1_024
"""Entries between two places that are kept in memory."""
BATCH = 256


class LogBytes:
    """Offsets in bytes. An entry never changes, so what is known of it stays true."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._marks = [0]

    def before(self, index: int) -> int:
        """The bytes of the entries before one that there is, or will be next."""
        with self._lock, self._database.reading() as connection:
            while len(self._marks) <= index // STEP:
                start = STEP * (len(self._marks) - 1)
                self._marks.append(self._marks[-1] + _bytes(connection, start, start + STEP))
            start = STEP * (index // STEP)
            return self._marks[index // STEP] + _bytes(connection, start, index)

    def read(self, start: int, stop: int) -> Iterator[bytes]:
        """Bytes `start` up to but not `stop` of the log's text, in parts; the log has so many."""
        self.before(0)
        with self._lock:
            mark = bisect_right(self._marks, start) - 1
            index, offset = STEP * mark, self._marks[mark]
        while offset < stop:
            with self._database.reading() as connection:
                part = b"".join(line + b"\n" for line in read_lines(connection, index, index + BATCH))
            yield part[max(0, start - offset) : stop - offset]
            index, offset = index + BATCH, offset + len(part)


def _bytes(connection: Connection, start: int, stop: int) -> int:
    query = select(func.coalesce(func.sum(func.length(entries.c.line) + 1), 0))
    return int(connection.execute(query.where(entries.c.seq >= start, entries.c.seq < stop)).scalar_one())
