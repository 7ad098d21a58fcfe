"""A directory of tiles made elsewhere: read, refused if incomplete, and compared with the tiles of its entries."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ..errors import InputError, LogError, NotALog
from ..terminal.files import exists, read_bytes
from .tiles import MAX_BUNDLE, WIDTH, Bundle, Made, Tile, TileMaker, entries_of, tile_at
from .tree import HASH, Tree

TILES = "tile"
"""The directory of the tiles."""


class TileDirectory:
    """The tiles of a log of `size` entries; a full tile serves for a removed partial one. Raises NotALog."""

    def __init__(self, directory: Path, size: int) -> None:
        self.directory = directory
        self.size = size

    def tile(self, tile: Tile) -> bytes:
        """Return the bytes of a tile of this log."""
        width, data = self._fetched(tile)
        if len(data) != width * HASH:
            raise self._refusal(tile.path, f"a tile of {len(data)} bytes", f"{width * HASH} bytes")
        return data[: tile.width * HASH]

    def entries(self) -> Iterator[bytes]:
        """Yield the entries, in order."""
        for number in range((self.size + WIDTH - 1) // WIDTH):
            bundle = Bundle(number, tile_at(0, number, self.size).width)
            width, data = self._fetched(bundle)
            try:
                entries = entries_of(data, width)
            except LogError as error:
                raise self._refusal(bundle.path, error.what, error.expected) from None
            yield from entries[: bundle.width]

    def _fetched(self, tile: Tile | Bundle) -> tuple[int, bytes]:
        for each in dict.fromkeys((tile, tile._replace(width=WIDTH))):
            data = self.fetch(each.path)
            if data is not None:
                return each.width, data
        raise self._refusal(tile.path, "no such tile", f"the tiles of {self.size} entries")

    def fetch(self, path: str) -> bytes | None:
        file = self.directory / path
        try:
            return read_bytes(file, MAX_BUNDLE) if exists(file) else None
        except InputError as error:
            raise NotALog(error.what, where=error.where, expected=error.expected, remedy=error.remedy) from None

    def _refusal(self, path: str, what: str, expected: str) -> NotALog:
        remedy = "copy the directory again, whole and unchanged"
        return NotALog(what, where=str(self.directory / path), expected=expected, remedy=remedy)


class _Lines(io.RawIOBase):
    """Entries as a file that has each as a line."""

    def __init__(self, entries: Iterator[bytes]) -> None:
        self._entries = entries
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._rest:
            self._rest = b"".join(entry + b"\n" for entry in islice(self._entries, WIDTH))
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


def as_file(source: TileDirectory) -> io.BufferedReader:
    """Return the entries as a file of lines such as `log.jsonl`."""
    return io.BufferedReader(_Lines(source.entries()), 1 << 20)


def wrong_tiles(source: TileDirectory) -> list[str]:
    """Return the paths of tiles that differ from those of the entries in the bundles. Raises NotALog."""
    maker, wrong = TileMaker(Tree(), []), []
    for entry in source.entries():
        wrong += _differing(source, maker.add(entry))
    return wrong + _differing(source, maker.partial_tiles())


def _differing(source: TileDirectory, made: list[Made]) -> list[str]:
    return [tile.path for tile, data in made if isinstance(tile, Tile) and source.tile(tile) != data]
