"""The master key of a house that is checked or restored."""

from __future__ import annotations

import os
from pathlib import Path

from ...errors import InputError
from ...protocol.text import bytes_of_hex
from ..vault import MASTER_FILE, MASTER_VARIABLE, Vault, master_key


def vault_at(data: Path, key_file: Path | None) -> Vault | None:
    """By `key_file`, else by the environment or the data directory; None where none of them has a key.

    Raises InputError, Unusable.
    """
    if key_file is not None:
        return Vault(key_in(key_file))
    if MASTER_VARIABLE not in os.environ and not (data / MASTER_FILE).exists():
        return None
    return Vault(master_key(data, fresh=False))


def key_in(path: Path) -> bytes:
    """Raises InputError."""
    try:
        return bytes_of_hex(path.read_text().strip(), str(path), low=32, high=32)
    except (OSError, UnicodeDecodeError, InputError):
        raise InputError("no master key here", where=str(path), expected="a file with 64 hex digits") from None
