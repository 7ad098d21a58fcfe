"""Hash trees of RFC 6962 section 2.1, SHA-256: leaves, nodes, a whole tree's levels; inclusion proofs (2.1.1), verified
as RFC 9162 section 2.1.3.2 says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

from ..errors import VerificationError
from . import kernel


def leaf_hash(entry: bytes) -> bytes:
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def levels_of(leaves: Iterable[bytes]) -> list[list[bytes]]:
    """Return the levels of a tree of at least one leaf, from the hashes of the leaves up to the head."""
    levels = [kernel.sha256_each(b"\x00", list(leaves))]
    while len(levels[-1]) > 1:
        nodes = levels[-1]
        pairs = [left + right for left, right in zip(nodes[::2], nodes[1::2], strict=False)]
        levels.append(kernel.sha256_each(b"\x01", pairs) + nodes[len(nodes) & ~1 :])
    return levels


def path_in(levels: Sequence[Sequence[bytes]], position: int) -> list[bytes]:
    """Return the inclusion path of a leaf (RFC 6962 section 2.1.1), from the leaf up."""
    path = []
    for nodes in levels[:-1]:
        if position ^ 1 < len(nodes):
            path.append(nodes[position ^ 1])
        position >>= 1
    return path


def heads_of(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """Return the head of the whole tree to which an inclusion proof leads, and the head of the tree that ends with this
    leaf: the siblings on the left prove that one. Return None if the proof has a hash too many or too few.

    In a consistency proof `leaf` is the node that ends the older tree, and `index` and `size` count nodes of its level.
    """
    place, last, whole, upto = index, size - 1, leaf, leaf
    for sibling in proof:
        if last <= 0:
            return None
        if place & 1 or place == last:
            whole, upto = node_hash(sibling, whole), node_hash(sibling, upto)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            whole = node_hash(whole, sibling)
        place, last = place >> 1, last >> 1
    return (whole, upto) if last == 0 else None


def check_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Raise VerificationError unless `proof` shows that the leaf hash `leaf` is number `index` of the tree `root`."""
    heads = heads_of(leaf, index, size, proof) if 0 <= index < size else None
    if heads is None or heads[0] != root:
        raise VerificationError(
            "the inclusion proof does not lead to the tree head",
            where=f"entry {index}",
            expected=root.hex(),
            remedy="the entry, its place or the proof was changed",
        )
