"""The private key of a shoe and its public commitment."""

from __future__ import annotations

import hashlib

from ..errors import InputError, VerificationError
from .text import PASS_BYTES, bytes_of_hex, type_name

KEY_BYTES = 32
HASH_BYTES = "that is the hash of the hex digits, taken as a text: hash the bytes that they stand for"


def new_key() -> bytes:
    """32 bytes from the operating system's CSPRNG: a shoe's key (one key, one shoe), or a secret for `keep`."""
    import secrets

    return secrets.token_bytes(KEY_BYTES)


def check_key(key: bytes, where: str = "key") -> bytes:
    """Return `key` if it is 32 bytes; else InputError."""
    expected = f"{KEY_BYTES} bytes"
    if not isinstance(key, bytes):
        remedy = f"{PASS_BYTES}; fairshoe.new_key() makes one"
        raise InputError(f"{type_name(key)} is not a key", where=where, expected=expected, remedy=remedy)
    if len(key) != KEY_BYTES:
        remedy = (
            f"pass bytes.fromhex({where}.decode())" if len(key) == 2 * KEY_BYTES else "fairshoe.new_key() makes one"
        )
        raise InputError(f"{len(key)} bytes are not a key", where=where, expected=expected, remedy=remedy)
    return key


def key_of_hex(text: str) -> bytes:
    """A key from its 64 lower-case hex digits."""
    return bytes_of_hex(text, "key", low=KEY_BYTES, high=KEY_BYTES)


def commitment_of_hex(text: str) -> str:
    """Return `text` if it is written like a commitment; else InputError."""
    bytes_of_hex(text, "commitment", low=32, high=32)
    return str.__str__(text)


def commitment_of(key: bytes) -> str:
    """SHA-256 of the key's 32 bytes (not of its hex text), in hex."""
    return hashlib.sha256(check_key(key)).hexdigest()


def is_hash_of_digits(digits: str, digest: str) -> bool:
    """Whether somebody hashed the hex digits as a text, with a LF or in capitals too, in place of their bytes."""
    texts = (digits, digits.upper(), f"{digits}\n")
    return any(hashlib.sha256(text.encode()).hexdigest() == digest for text in texts)


def check_commitment(key: bytes, commitment: str) -> None:
    """Raise VerificationError unless `commitment` is the one of `key`."""
    found = commitment_of(key)
    if found != commitment:
        remedy = "the revealed key is not the one that was committed to"
        if is_hash_of_digits(key.hex(), commitment):
            remedy = HASH_BYTES
        raise VerificationError(f"the key hashes to {found}", where="commitment", expected=commitment, remedy=remedy)
