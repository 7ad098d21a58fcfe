"""The log and its tree, read from the database."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from ..log.note import Signer
from ..log.tiles import Bundle, Tile, TiledTree, is_in
from .signing import Heads
from .store.database import Database
from .store.journal import read_bundle, read_head, read_lines, read_tile
from .store.schema import entries

BATCH = 500
"""Entries of the log that are read at once."""
STEP = 1_024
"""Entries between two places in the log's text that are kept in memory."""


class LogReading:
    """What everybody may read at any time: entries, tiles, checkpoints."""

    def __init__(self, database: Database, signer: Signer, heads: Heads) -> None:
        self._database = database
        self._signer = signer
        self.heads = heads

    def checkpoint(self) -> str:
        """The signed tree head, with the cosignatures over it that there are."""
        return self.heads.newest()

    @property
    def signer(self) -> Signer:
        return self._signer

    def log_size(self) -> int:
        return self.heads.present().size

    def log_lines(self, start: int, stop: int) -> Iterator[bytes]:
        """Entries `start` up to but not `stop`, as their bytes without LF."""
        while start < stop:
            upto = min(start + BATCH, stop)
            with self._database.reading() as connection:
                lines = read_lines(connection, start, upto)
            yield from lines
            start = upto

    def tile(self, tile: Tile | Bundle) -> bytes | None:
        """The bytes of a tile or bundle, None where the log has not all of it yet."""
        with self._database.reading() as connection:
            size = read_head(connection).tree.size
            self.heads.cover(size)
            if not is_in(tile, size):
                return None
            return read_tile(connection, tile) if isinstance(tile, Tile) else read_bundle(connection, tile)

    def nodes(self, size: int) -> TiledTree:
        """The nodes of the tree over the first `size` entries, for proofs."""
        return TiledTree(size, lambda tile: self.tile(tile) or b"")


class LogBytes:
    """Where in the log's text an entry stands: its lines one after the other, each with its LF. An entry never changes,
    so what is known of it stays true."""

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
