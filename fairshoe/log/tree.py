"""The Merkle tree of RFC 6962 section 2.1, SHA-256, grown leaf by leaf; its inclusion and consistency proofs
(2.1.1, 2.1.2). Consistency is verified as RFC 9162 section 2.1.4.2 says; inclusion by `protocol.merkle`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from itertools import islice
from operator import add
from typing import NamedTuple

from ..errors import InputError, VerificationError
from ..protocol import kernel
from ..protocol.merkle import heads_of, node_hash

EMPTY_ROOT = sha256(b"").digest()


class TreeHead(NamedTuple):
    """A tree of which only this is known: how many entries it has, and its head."""

    size: int
    root: bytes


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

    def grow(self, entries: list[bytes], marks: Iterable[int], heads: dict[int, bytes]) -> None:
        """Add leaves, and note in `heads` the tree head at each size of `marks`, which ascend."""
        before, done = self.size, 0
        for mark in marks:
            if before < mark <= before + len(entries):
                self.extend(entries[done : mark - before])
                heads[mark], done = self.root, mark - before
        self.extend(entries[done:])

    @property
    def root(self) -> bytes:
        """The tree head over all leaves so far."""
        if not self.peaks:
            return EMPTY_ROOT
        node = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            node = node_hash(peak, node)
        return node


Node = Callable[[int, int], bytes]
"""The root of the complete subtree of 2**height leaves that begins at leaf index * 2**height: `node(height, index)`."""


def tree_head(node: Node, size: int, start: int = 0) -> bytes:
    """The tree head over the leaves `start` to `size` − 1, of which the first begins a subtree as large as they are."""
    if size == start:
        return EMPTY_ROOT
    span = size - start
    height = span.bit_length() - 1
    if span == 1 << height:
        return node(height, start >> height)
    middle = start + _split(span)
    return node_hash(tree_head(node, middle, start), tree_head(node, size, middle))


def _split(span: int) -> int:
    """Return the largest power of two below `span`."""
    return 1 << (span - 1).bit_length() - 1


def inclusion_proof(node: Node, index: int, size: int) -> list[bytes]:
    """Return the audit path of leaf `index` in the tree of `size` leaves, from the leaf upwards. InputError."""
    if not 0 <= index < size:
        raise InputError(f"no leaf {index}", where="index", expected=f"0 to {size - 1}")
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(tree_head(node, end, middle))
            end = middle
        else:
            path.append(tree_head(node, middle, start))
            start = middle
    return path[::-1]


def consistency_proof(node: Node, old: int, new: int) -> list[bytes]:
    """Return the proof that the tree of `new` leaves begins with that of `old`, 0 ≤ old ≤ new; empty at either end."""
    if not 0 <= old <= new:
        raise InputError(f"no tree of {old} leaves", where="size", expected=f"0 to {new}")
    path: list[bytes] = []
    if old in (0, new):
        return path
    start, end, whole = 0, new, True
    while old < end:
        middle = start + _split(end - start)
        if old <= middle:
            path.append(tree_head(node, end, middle))
            end = middle
        else:
            path.append(tree_head(node, middle, start))
            start, whole = middle, False
    if not whole:
        path.append(tree_head(node, end, start))
    return path[::-1]


def check_consistency(old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]) -> None:
    """Raise VerificationError unless `proof` shows that the tree `new_root` begins with the tree `old_root`."""
    if not _is_consistent(old, old_root, new, new_root, proof):
        raise VerificationError(
            f"nothing shows that the log of {new} entries extends the one of {old}",
            where="consistency proof",
            expected=f"a proof from {old_root.hex()} to {new_root.hex()}",
            remedy="keep both checkpoints: if both are signed, the house has two histories",
        )


def _is_consistent(old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]) -> bool:
    if not 0 <= old <= new:
        return False
    if old in (0, new):
        return not proof and old_root == (new_root if old else EMPTY_ROOT)
    path = list(proof)
    if old & (old - 1) == 0:
        path.insert(0, old_root)
    if not path:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    return heads_of(path[0], place, last + 1, path[1:]) == (new_root, old_root)


HASH = 32
HASH_BATCH_SIZE = 256
"""Number of entries hashed at once."""


class Leaves:
    """Leaf hashes, one after the other, and the complete subtrees over them, which grow as somebody asks for them."""

    def __init__(self, hashes: bytes = b"") -> None:
        self._levels = [bytearray(hashes[: len(hashes) - len(hashes) % HASH])]

    def __len__(self) -> int:
        return len(self._levels[0]) // HASH

    def extend(self, entries: Iterable[bytes]) -> None:
        """Add entries: their bytes without the LF."""
        rest = iter(entries)
        while some := list(islice(rest, HASH_BATCH_SIZE)):
            self._levels[0] += b"".join(kernel.sha256_each(b"\x00", some))

    def hashes(self, start: int = 0) -> bytes:
        """Return the leaf hashes from number `start` on."""
        return bytes(self._levels[0][start * HASH :])

    def node(self, height: int, index: int) -> bytes:
        """The root of the complete subtree of 2**height leaves that begins at leaf index * 2**height. InputError."""
        if (index + 1) << height > len(self):
            raise InputError(f"no node {index} at height {height}", where="leaves", expected=f"{len(self)} leaves")
        while len(self._levels) <= height:
            self._levels.append(bytearray())
        for level in range(1, height + 1):
            below, here = self._levels[level - 1], self._levels[level]
            places = range(2 * len(here), HASH * ((index + 1) << (height - level)) * 2, 2 * HASH)
            pairs = [bytes(below[place : place + 2 * HASH]) for place in places]
            here += b"".join(kernel.sha256_each(b"\x01", pairs))
        return bytes(self._levels[height][index * HASH : (index + 1) * HASH])

    def root(self, size: int) -> bytes:
        """Return the tree head over the first `size` leaves. InputError."""
        return tree_head(self.node, size)

    def consistency(self, old: int, new: int) -> list[bytes]:
        """Return the proof that the tree of `new` leaves begins with that of `old`. InputError."""
        return consistency_proof(self.node, old, new)

    def first_difference(self, other: Leaves) -> int | None:
        """Return the first leaf that both have and that differs, if there is one."""
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
