"""The nodes of a log's tree over its leaf hashes, kept as bytes: 64 bytes an entry in all."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import InputError
from .proofs import consistency_proof, tree_head
from .tree import leaf_hash, node_hash

HASH = 32


class Leaves:
    """Leaf hashes, one after the other, and the complete subtrees over them, which grow as somebody asks for them."""

    def __init__(self, hashes: bytes = b"") -> None:
        self._levels = [bytearray(hashes[: len(hashes) - len(hashes) % HASH])]

    def __len__(self) -> int:
        return len(self._levels[0]) // HASH

    def extend(self, entries: Iterable[bytes]) -> None:
        """Add entries: their bytes without the LF."""
        for entry in entries:
            self._levels[0] += leaf_hash(entry)

    def hashes(self, start: int = 0) -> bytes:
        """The leaf hashes from number `start` on."""
        return bytes(self._levels[0][start * HASH :])

    def node(self, height: int, index: int) -> bytes:
        """The root of the complete subtree of 2**height leaves that begins at leaf index * 2**height. InputError."""
        if (index + 1) << height > len(self):
            raise InputError(f"no node {index} at height {height}", where="leaves", expected=f"{len(self)} leaves")
        while len(self._levels) <= height:
            self._levels.append(bytearray())
        for level in range(1, height + 1):
            below, here = self._levels[level - 1], self._levels[level]
            for place in range(2 * len(here), HASH * ((index + 1) << (height - level)) * 2, 2 * HASH):
                here += node_hash(bytes(below[place : place + HASH]), bytes(below[place + HASH : place + 2 * HASH]))
        return bytes(self._levels[height][index * HASH : (index + 1) * HASH])

    def root(self, size: int) -> bytes:
        """The tree head over the first `size` leaves. InputError."""
        return tree_head(self.node, size)

    def consistency(self, old: int, new: int) -> list[bytes]:
        """The proof that the tree of `new` leaves begins with that of `old`. InputError."""
        return consistency_proof(self.node, old, new)

    def first_difference(self, other: Leaves) -> int | None:
        """The first leaf that both have and that differs, if there is one."""
        mine, others = self._levels[0], other._levels[0]
        length = min(len(mine), len(others))
        if mine[:length] == others[:length]:
            return None
        return (
            next(
                place for place in range(0, length, HASH) if mine[place : place + HASH] != others[place : place + HASH]
            )
            // HASH
        )
