"""The tiles and bundles of a log, made from its entries one after the other."""

from __future__ import annotations

from .tiles import WIDTH, Bundle, Tile, bundle_of, completed, leaf_tile
from .tree import Tree

Made = tuple[Tile | Bundle, bytes]


class TileMaker:
    """Gives each tile and bundle as soon as it is full, the partial ones at the end.

    `tree`: over the entries before, a multiple of 256. `levels`: the hashes in the tiles of level 1, 2, … that these
    entries do not fill.
    """

    def __init__(self, tree: Tree, levels: list[list[bytes]]) -> None:
        self.tree = tree
        self._entries: list[bytes] = []
        self._levels = levels

    def add(self, entry: bytes) -> list[Made]:
        """What one more entry fills. LogError where it is too long."""
        subtrees = completed(self.tree, entry)
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

    def rest(self) -> list[Made]:
        """The partial tiles, and the partial bundle."""
        made = self._lowest() if self._entries else []
        for level, hashes in enumerate(self._levels, 1):
            if hashes:
                number = self.tree.size // WIDTH**level // WIDTH
                made.append((Tile(level, number, len(hashes)), b"".join(hashes)))
        return made

    def _lowest(self) -> list[Made]:
        """The bundle and the tile of level 0 with the last entries."""
        number, width = (self.tree.size - 1) // WIDTH, len(self._entries)
        return [(Bundle(number, width), bundle_of(self._entries)), (Tile(0, number, width), leaf_tile(self._entries))]
