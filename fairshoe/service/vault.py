"""Secrets at rest: keys of live shoes and the log's signing key, under one master key."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ..errors import InputError
from ..protocol.text import bytes_of_hex
from ..terminal.durable import replace
from .errors import UnusableData

MASTER_FILE = "master.key"
MASTER_VARIABLE = "FAIRSHOE_MASTER_KEY"
NONCE = 12


def key_name(table: str) -> str:
    """Under which name a table's live shoe's key is locked."""
    return f"key of {table}"


class Vault:
    """AES-256-GCM; a secret is bound to its name, so that two of them cannot be exchanged."""

    def __init__(self, master: bytes) -> None:
        self._cipher = AESGCM(master)
        self._master = master

    def lock(self, secret: bytes, name: str) -> bytes:
        nonce = secrets.token_bytes(NONCE)
        return nonce + self._cipher.encrypt(nonce, secret, name.encode())

    def unlock(self, box: bytes, name: str) -> bytes:
        """Raises UnusableData where the master key is not the one that locked it."""
        try:
            return self._cipher.decrypt(box[:NONCE], box[NONCE:], name.encode())
        except InvalidTag:
            raise UnusableData(
                f"the master key does not open {name}",
                where=MASTER_FILE,
                remedy=f"give the key that this data was made with, in {MASTER_FILE} or {MASTER_VARIABLE}",
            ) from None

    def derive(self, name: str) -> bytes:
        """The 32 bytes of that name which follow from the master key, and tell nothing about it or about others."""
        return HKDF(SHA256(), 32, None, f"fairshoe {name}".encode()).derive(self._master)


def master_key(directory: Path, *, fresh: bool) -> bytes:
    """Return the master key: of the environment, else of the directory's file, made if `fresh`. Raises InputError (not
    a key), UnusableData (missing or readable by others), OSError."""
    text = os.environ.get(MASTER_VARIABLE)
    if text is not None:
        return read_key(text, MASTER_VARIABLE)
    path = directory / MASTER_FILE
    if fresh and not path.exists():
        replace(path, secrets.token_bytes(32).hex() + "\n", mode=0o600)
    if not path.exists():
        raise UnusableData(
            "the master key is missing",
            where=str(path),
            remedy=f"put it back, or give it in {MASTER_VARIABLE}: without it open shoes cannot be played on",
        )
    if not path.is_file():
        raise UnusableData("not a file", where=str(path), expected="a file with the master key", remedy="put it back")
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise UnusableData("others may read the master key", where=str(path), expected="mode 0600", remedy="chmod 600")
    return read_key(path.read_text(errors="replace"), str(path))


def read_key(text: str, where: str) -> bytes:
    """A master key as it is written. Raises InputError."""
    try:
        return bytes_of_hex(text.strip(), where, low=32, high=32)
    except InputError:
        raise InputError("not a master key", where=where, expected="64 hex digits") from None
