"""A log's tiles where somebody else put them: read by their paths, refused where they are not whole, and compared with
what the entries make them."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError, LogError, NotALog
from ..terminal.files import exists, read_bytes
from .tiles import MOST_BUNDLE, WIDTH, Bundle, Made, Tile, TileMaker, entries_of, tile_at, tiles_of
from .tree import HASH, Tree

_PARTIAL = re.compile(r"[1-9][0-9]{0,2}", re.ASCII)
TILES = "tile"
"""The directory of the tiles."""


class TileDirectory:
    """The tiles of a log of `size` entries, in a directory. Where a partial one was removed, the full one has what it
    had. Raises NotALog."""

    def __init__(self, directory: Path, size: int) -> None:
        self.directory = directory
        self.size = size

    def tile(self, tile: Tile) -> bytes:
        """The bytes of a tile of this log."""
        width, data = self._fetched(tile)
        if len(data) != width * HASH:
            raise self._refusal(tile.path, f"a tile of {len(data)} bytes", f"{width * HASH} bytes")
        return data[: tile.width * HASH]

    def entries(self) -> Iterator[bytes]:
        """The entries, in order."""
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
            return read_bytes(file, MOST_BUNDLE) if exists(file) else None
        except InputError as error:
            raise NotALog(error.what, where=error.where, expected=error.expected, remedy=error.remedy) from None

    def _refusal(self, path: str, what: str, expected: str) -> NotALog:
        remedy = "copy the directory again, whole and unchanged"
        return NotALog(what, where=str(self.directory / path), expected=expected, remedy=remedy)


def partial_widths(directory: Path, tile: Tile | Bundle) -> list[int]:
    """The widths in which a tile or bundle stands in a directory as a partial one, ascending."""
    try:
        names = os.listdir(directory / f"{tile._replace(width=WIDTH).path}.p")
    except OSError:
        return []
    return sorted(int(name) for name in names if _PARTIAL.fullmatch(name) and int(name) < WIDTH)


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


def as_file(source: TileDirectory) -> BinaryIO:
    """The entries as a file of lines such as `log.jsonl`."""
    return io.BufferedReader(_Lines(source.entries()), 1 << 20)


Take = Callable[[bytes], None]


class TileCheck:
    """Takes the entries of a log in order and compares each tile as soon as it is full, the others at the end.

    What is not there is not missed, and what goes beyond the entries is compared as far as they go. `wrong` is the
    first path that differs or cannot be read, `count` how many do. An entry that is too long for a bundle ends the
    comparison.
    """

    def __init__(self, directory: Path) -> None:
        self.wrong: str | None = None
        self.count = 0
        self._tiles = TileDirectory(directory, 0)
        self._maker = TileMaker(Tree(), [])
        self._ended = False

    def before(self, take: Take) -> Take:
        """A function that has each entry compared, and then taken."""

        def both(line: bytes) -> None:
            self.take(line)
            take(line)

        return both

    def take(self, entry: bytes) -> None:
        """One more entry: its bytes without the LF."""
        if self._ended:
            return
        try:
            made = self._maker.add(entry)
        except LogError:
            self._ended = True
        else:
            self._compare(made)

    def finish(self) -> None:
        """There are no more entries."""
        try:
            made = [] if self._ended else self._maker.rest()
        except LogError:
            return
        self._compare(made)

    def _compare(self, made: list[Made]) -> None:
        for tile, data in made:
            for width in (*partial_widths(self._tiles.directory, tile), WIDTH):
                there = tile._replace(width=width)
                if not self._holds(there, data, tile.width):
                    self.count += 1
                    self.wrong = self.wrong or there.path

    def _holds(self, there: Tile | Bundle, data: bytes, width: int) -> bool:
        """Whether what stands there, if anything does, is as `data`, which are its first `width` hashes or entries."""
        try:
            found = self._tiles.fetch(there.path)
        except NotALog:
            return False
        if found is None:
            return True
        end = first_bytes(there, data, min(width, there.width))
        if isinstance(there, Tile):
            whole = len(found) == HASH * there.width
        else:
            whole = there.width > width or len(found) == end
        return whole and found[:end] == data[:end]


def first_bytes(tile: Tile | Bundle, data: bytes, width: int) -> int:
    """How many bytes of a tile or a bundle its first `width` hashes or entries have."""
    if isinstance(tile, Tile):
        return HASH * width
    place = 0
    for _ in range(width):
        place += 2 + int.from_bytes(data[place : place + 2], "big")
    return place


def check_tiles(source: TileDirectory) -> TileCheck:
    """Compare the tiles of a log with the entries in its own bundles. Raises NotALog where a tile of the log is missing
    or is none."""
    check = TileCheck(source.directory)
    for entry in source.entries():
        check.take(entry)
    check.finish()
    for tile in tiles_of(source.size):
        source.tile(tile)
    return check
