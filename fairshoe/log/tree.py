"""The Merkle tree of RFC 6962 section 2.1, SHA-256, grown leaf by leaf in logarithmic space."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from operator import add

from ..protocol import kernel

EMPTY_ROOT = sha256(b"").digest()


def leaf_hash(entry: bytes) -> bytes:
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


class Tree:
    """A growing tree. Holds the roots of its complete subtrees only, largest first."""

    __slots__ = ("peaks", "size")

    def __init__(self, size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        self.size = size
        self.peaks = list(peaks)

    def append(self, entry: bytes) -> None:
        """Add a leaf: the entry's bytes without the LF."""
        node = sha256(b"\x00" + entry).digest()
        size = self.size
        peaks = self.peaks
        self.size = size + 1
        while size & 1:
            node = sha256(b"\x01" + peaks.pop() + node).digest()
            size >>= 1
        peaks.append(node)

    def extend(self, entries: Iterable[bytes]) -> None:
        """Add leaves in one go, which costs less than one by one: level by level, in pairs."""
        nodes = kernel.sha256_each(b"\x00", list(entries))
        size = self.size
        self.size += len(nodes)
        left: list[bytes] = []
        while nodes:
            if size & 1:
                nodes.insert(0, self.peaks.pop())
            if len(nodes) & 1:
                left.append(nodes.pop())
            nodes = kernel.sha256_each(b"\x01", list(map(add, nodes[::2], nodes[1::2])))
            size >>= 1
        self.peaks += reversed(left)

    @property
    def root(self) -> bytes:
        """The tree head over all leaves so far."""
        if not self.peaks:
            return EMPTY_ROOT
        node = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            node = node_hash(peak, node)
        return node
