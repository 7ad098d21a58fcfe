"""`cards_root`: a seal that binds every card of the order by itself. See docs/protocol.md section 9."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ..log.tree import Tree
from ..protocol.words import CHUNK_BYTES

SALT = b"fairshoe/1 opening"
SALT_BYTES = 16


def salts(key: bytes, digest: bytes) -> Iterator[bytes]:
    """The salt of position 0, 1, … under a key and a transcript's digest."""
    chunk = 0
    while True:
        stream = HKDF(SHA256(), CHUNK_BYTES, SALT, digest + b"chunk %d\n" % chunk).derive(key)
        for start in range(0, CHUNK_BYTES, SALT_BYTES):
            yield stream[start : start + SALT_BYTES]
        chunk += 1


def cards_root(key: bytes, digest: bytes, order: Sequence[str]) -> str:
    """The RFC 6962 tree head over `salt ‖ label` of every card in dealt order, in hex."""
    tree = Tree()
    for salt, label in zip(salts(key, digest), order, strict=False):
        tree.append(salt + label.encode())
    return tree.root.hex()
