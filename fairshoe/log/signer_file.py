"""A signing key in a file: 64 hex digits, readable for its owner alone."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InputError
from ..protocol.commitment import key_of_hex, new_key
from ..terminal.durable import settle
from .note import Signer


def signer_in(path: Path, name: str, whose: str) -> Signer:
    """Return the signer of this name with the key in a file, made if missing. Raises InputError, OSError."""
    try:
        with open(path, "x", opener=lambda file, flags: os.open(file, flags, 0o600)) as file:
            file.write(f"{new_key().hex()}\n")
            file.flush()
            os.fsync(file.fileno())
        settle(path.parent)
    except FileExistsError:
        pass
    try:
        key = key_of_hex(path.read_text("ascii").strip())
    except (InputError, UnicodeDecodeError):
        raise InputError(f"not {whose} key", where=str(path), expected="64 lower-case hex digits") from None
    return Signer(name, key)
