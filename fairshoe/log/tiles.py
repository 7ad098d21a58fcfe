"""A log as tiles (c2sp.org/tlog-tiles): 256 hashes or entries a tile or bundle, made from entries in turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..errors import LogError
from ..protocol.merkle import leaf_hash, node_hash
from .canonical import MAX_ENTRY
from .tree import HASH, Tree

HEIGHT = 8
WIDTH = 1 << HEIGHT
MAX_LEVEL = 63
MAX_BUNDLE = WIDTH * (MAX_ENTRY + 2)
"""The most bytes that a bundle can have."""
_PATH = re.compile(r"tile/(entries|0|[1-9][0-9]?)/((?:x[0-9]{3}/)*[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")


class Tile(NamedTuple):
    """`width` hashes, in a full tile 256: the roots of complete subtrees of 256**level leaves, from 256·number on."""

    level: int
    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        return f"tile/{self.level}/{_digits(self.number)}{_part(self.width)}"


class Bundle(NamedTuple):
    """`width` entries from 256·number on, each after its length as two bytes, big-endian."""

    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        return f"tile/entries/{_digits(self.number)}{_part(self.width)}"


def _digits(number: int) -> str:
    """Groups of three digits, all but the last after an x: 1234067 is x001/x234/067."""
    groups = [f"{number % 1000:03}"]
    while number := number // 1000:
        groups.append(f"x{number % 1000:03}")
    return "/".join(reversed(groups))


def _part(width: int) -> str:
    return "" if width == WIDTH else f".p/{width}"


def named(path: str) -> Tile | Bundle | None:
    """Return the tile or bundle of that path, such as `tile/0/x001/x234/067.p/5`; None where no tile is called so."""
    found = _PATH.fullmatch(path)
    if found is None:
        return None
    level, digits, part = found.groups()
    number, width = int(re.sub("[x/]", "", digits)), WIDTH if part is None else int(part)
    tile = Bundle(number, width) if level == "entries" else Tile(int(level), number, width)
    return tile if tile.path == path and (level == "entries" or int(level) <= MAX_LEVEL) else None


def tile_at(level: int, number: int, size: int) -> Tile:
    """A tile of a log of `size` entries, as wide as it is then."""
    return Tile(level, number, min(WIDTH, (size >> HEIGHT * level) - WIDTH * number))


def is_in(tile: Tile | Bundle, size: int) -> bool:
    """Whether a log of `size` entries has all of a tile or bundle."""
    level = tile.level if isinstance(tile, Tile) else 0
    return tile.number * WIDTH + tile.width <= size >> HEIGHT * level


def bundle_of(entries: Iterable[bytes]) -> bytes:
    """Return the bytes of a bundle. LogError where an entry is too long for one."""
    data = bytearray()
    for entry in entries:
        if len(entry) > MAX_ENTRY:
            raise LogError("an entry is too long", where="bundle", expected=f"at most {MAX_ENTRY} bytes")
        data += len(entry).to_bytes(2, "big") + entry
    return bytes(data)


def entries_of(data: bytes, width: int) -> list[bytes]:
    """Return the `width` entries of a bundle. LogError where it has not just so many."""
    entries: list[bytes] = []
    place = 0
    while place < len(data) and len(entries) < width:
        end = place + 2 + int.from_bytes(data[place : place + 2], "big")
        entries.append(data[place + 2 : end])
        place = end
    if len(entries) != width or place != len(data):
        raise LogError("not a bundle of entries", where="bundle", expected=f"{width} entries after their lengths")
    return entries


def subtree_root(hashes: Sequence[bytes]) -> bytes:
    """Return the root over 2**k hashes of complete subtrees that stand beside each other."""
    while len(hashes) > 1:
        hashes = [node_hash(*hashes[i : i + 2]) for i in range(0, len(hashes), 2)]
    return hashes[0]


def leaf_tile(entries: Iterable[bytes]) -> bytes:
    """Return the tile of level 0 over some entries."""
    return b"".join(map(leaf_hash, entries))


class Subtree(NamedTuple):
    """A complete subtree of 256**level leaves, with its root."""

    level: int
    number: int
    hash: bytes


def completed_subtrees(tree: Tree, entry: bytes) -> list[Subtree]:
    """Return the subtrees from level 1 on that one more entry completes; `tree` is the one without it."""
    subtrees: list[Subtree] = []
    size, node, end = tree.size + 1, leaf_hash(entry), len(tree.peaks)
    while size % WIDTH == 0:
        for peak in reversed(tree.peaks[end - HEIGHT : end]):
            node = node_hash(peak, node)
        size, end = size // WIDTH, end - HEIGHT
        subtrees.append(Subtree(len(subtrees) + 1, size - 1, node))
    return subtrees


class TiledTree:
    """The nodes of a log of `size` entries, read from its tiles; `read` gives a tile's bytes. A tile is read once."""

    def __init__(self, size: int, read: Callable[[Tile], bytes]) -> None:
        self.size = size
        self._read = read
        self._tiles: dict[tuple[int, int], list[bytes]] = {}

    def node(self, height: int, index: int) -> bytes:
        """Return the root of the complete subtree of 2**height leaves that begins at leaf index·2**height. LogError."""
        level, above = divmod(height, HEIGHT)
        number, first = divmod(index << above, WIDTH)
        hashes = self._hashes(level, number)[first : first + (1 << above)]
        if len(hashes) != 1 << above:
            raise LogError("no such node", where=f"height {height}, {index}", expected=f"a tree of {self.size} leaves")
        return subtree_root(hashes)

    def _hashes(self, level: int, number: int) -> list[bytes]:
        kept = self._tiles.get((level, number))
        if kept is None:
            tile = tile_at(level, number, self.size)
            data = self._read(tile)
            if len(data) != tile.width * HASH:
                raise LogError("a tile of another length", where=tile.path, expected=f"{tile.width * HASH} bytes")
            kept = self._tiles[level, number] = [data[i : i + HASH] for i in range(0, len(data), HASH)]
        return kept


Made = tuple[Tile | Bundle, bytes]


class TileMaker:
    """Gives each tile and bundle when full, partial ones at the end. `tree`: of the entries before, a multiple of 256;
    `levels`: hashes in tiles of level 1, 2, … not full."""

    def __init__(self, tree: Tree, levels: list[list[bytes]]) -> None:
        self.tree = tree
        self._entries: list[bytes] = []
        self._levels = levels

    def add(self, entry: bytes) -> list[Made]:
        """Add an entry and return the tiles that it fills. Raises LogError if it is too long."""
        subtrees = completed_subtrees(self.tree, entry)
        self.tree.append(entry)
        self._entries.append(entry)
        if not subtrees:
            return []
        made = self._lowest()
        self._entries.clear()
        for level, number, node in subtrees:
            if level > len(self._levels):
                self._levels.append([])
            hashes = self._levels[level - 1]
            hashes.append(node)
            if len(hashes) == WIDTH:
                made.append((Tile(level, number // WIDTH), b"".join(hashes)))
                hashes.clear()
        return made

    def partial_tiles(self) -> list[Made]:
        """Return the partial tiles, and the partial bundle."""
        made = self._lowest() if self._entries else []
        for level, hashes in enumerate(self._levels, 1):
            if hashes:
                number = self.tree.size // WIDTH**level // WIDTH
                made.append((Tile(level, number, len(hashes)), b"".join(hashes)))
        return made

    def _lowest(self) -> list[Made]:
        """Return the bundle and the tile of level 0 with the last entries."""
        number, width = (self.tree.size - 1) // WIDTH, len(self._entries)
        return [(Bundle(number, width), bundle_of(self._entries)), (Tile(0, number, width), leaf_tile(self._entries))]
