"""The tree that binds each card of a dealt order, so that one can be shown without the rest: salted leaves under an RFC
6962 head (docs/protocol.md section 9; with the cards' numbers: docs/placer-protocol.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from . import kernel
from .word_stream import CHUNK_BYTES, chunk

SALT, NUMBERED_SALT = b"fairshoe/1 opening", b"fairshoe/2 opening"
SALT_BYTES = 16


def salts(key: bytes, digest: bytes, salt: bytes = SALT) -> Iterator[bytes]:
    """The salt of position 0, 1, … under a key and a transcript's digest."""
    for number in count():
        stream = chunk(key, salt, digest, number, CHUNK_BYTES)
        for start in range(0, CHUNK_BYTES, SALT_BYTES):
            yield stream[start : start + SALT_BYTES]


def leaf(salt: bytes, label: str, number: int | None = None) -> bytes:
    """The leaf of a card; `number` is its index in the list of the deck that is present, in `fairshoe/2`."""
    return salt + (b"" if number is None else number.to_bytes(2, "big")) + label.encode()


def levels_of(leaves: Iterable[bytes]) -> list[list[bytes]]:
    """The levels of a tree of at least one leaf, from the hashes of the leaves up to the head."""
    levels = [kernel.sha256_each(b"\x00", list(leaves))]
    while len(levels[-1]) > 1:
        nodes = levels[-1]
        pairs = [left + right for left, right in zip(nodes[::2], nodes[1::2], strict=False)]
        levels.append(kernel.sha256_each(b"\x01", pairs) + nodes[len(nodes) & ~1 :])
    return levels


def path_in(levels: Sequence[Sequence[bytes]], position: int) -> list[bytes]:
    """The inclusion path of a leaf (RFC 6962 section 2.1.1), from the leaf up."""
    path = []
    for nodes in levels[:-1]:
        if position ^ 1 < len(nodes):
            path.append(nodes[position ^ 1])
        position >>= 1
    return path
