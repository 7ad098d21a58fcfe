"""The log and its tree, read from the database."""

from __future__ import annotations

from collections.abc import Iterator

from ..log.note import Signer
from ..log.tiles import Bundle, Tile, TiledTree, is_in
from .heads import Heads
from .store.database import Database
from .store.journal import read_head, read_lines
from .store.tiles import read_bundle, read_tile

BATCH = 500
"""Entries of the log that are read at once."""


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
