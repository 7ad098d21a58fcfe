"""Whether the tiles and bundles in a directory are what a log's entries make them: full ones, and partial ones of every
width."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path

from ..errors import LogError, NotALog
from .tile_maker import Made, TileMaker
from .tile_source import TileDirectory, partial_widths
from .tiles import HASH, WIDTH, Bundle, Tile, bundles_of, tiles_of
from .tree import Tree

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


def wrong_partial(source: TileDirectory) -> str | None:
    """The path of a partial tile or bundle that is not the beginning of the wider one in its place, if there is one;
    nothing is hashed. Raises NotALog where a tile of the log is missing or is none."""
    all_tiles: Iterable[Tile | Bundle] = chain(tiles_of(source.size), bundles_of(source.size))
    for tile in all_tiles:
        widths = partial_widths(source.directory, tile)
        data = source.widest(tile) if widths else b""
        for width in widths:
            there = tile._replace(width=width)
            if width <= tile.width and source.fetch(there.path) != data[: first_bytes(tile, data, width)]:
                return there.path
    return None
