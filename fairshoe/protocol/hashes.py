"""Many hashes, and HKDF. This is the specification; `_kernel.c` does it by a processor's own instructions."""

from __future__ import annotations

from hashlib import sha256

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def sha256_each(prefix: bytes, items: list[bytes]) -> list[bytes]:
    """The SHA-256 of `prefix`, fewer than 64 bytes, and each item."""
    return [sha256(prefix + item).digest() for item in items]


def hkdf(key: bytes, salt: bytes, info: bytes, size: int) -> bytes:
    """HKDF-SHA256 (RFC 5869): `size` bytes, 1 to 8160. `salt`: at most 64 bytes."""
    return HKDF(SHA256(), size, salt, info).derive(key)
