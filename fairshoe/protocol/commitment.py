"""The private key of a shoe and its public commitment."""

from __future__ import annotations

import hashlib
import secrets

from ..errors import InputError, VerificationError
from .text import bytes_of_hex

KEY_BYTES = 32


def new_key() -> bytes:
    """32 bytes from the operating system's CSPRNG. One key, one shoe."""
    return secrets.token_bytes(KEY_BYTES)


def check_key(key: bytes) -> bytes:
    if not isinstance(key, bytes) or len(key) != KEY_BYTES:
        raise InputError("not a key", where="key", expected=f"{KEY_BYTES} bytes")
    return key


def key_of_hex(text: str) -> bytes:
    """A key from its 64 lower-case hex digits."""
    return bytes_of_hex(text, "key", low=KEY_BYTES, high=KEY_BYTES)


def commitment_of_hex(text: str) -> str:
    """Return `text` if it is written like a commitment; else InputError."""
    bytes_of_hex(text, "commitment", low=32, high=32)
    return text


def commitment_of(key: bytes) -> str:
    """SHA-256 of the key's 32 bytes (not of its hex text), in hex."""
    return hashlib.sha256(check_key(key)).hexdigest()


def check_commitment(key: bytes, commitment: str) -> None:
    """Raise VerificationError unless `commitment` is the one of `key`."""
    found = commitment_of(key)
    if found != commitment:
        raise VerificationError(
            f"the key hashes to {found}",
            where="commitment",
            expected=commitment,
            remedy="the revealed key is not the one that was committed to",
        )
