"""The files of a master key that is being exchanged: whatever moment a crash comes at, one of them opens the database.

The new key stands in NEXT_FILE before anything is locked with it, and takes the old one's place afterwards.
"""

from __future__ import annotations

import os
from pathlib import Path

from ..terminal.durable import replace, settle
from .errors import Unusable
from .vault import MASTER_FILE, MASTER_VARIABLE, Vault, read_key

NEXT_FILE = f"{MASTER_FILE}.next"
OLD_FILE = f"{MASTER_FILE}.old"


def begin_exchange(directory: Path, key: bytes) -> None:
    """Write down the new key. Raises OSError."""
    replace(directory / NEXT_FILE, key.hex() + "\n", mode=0o600)


def finish_exchange(directory: Path) -> None:
    """The new key takes its place; the old one is kept for backups from before. Raises OSError."""
    replace(directory / OLD_FILE, (directory / MASTER_FILE).read_text(), mode=0o600)
    os.replace(directory / NEXT_FILE, directory / MASTER_FILE)
    settle(directory)


def settled(directory: Path, vault: Vault, box: bytes, name: str) -> Vault:
    """The vault that opens `box`, which stands locked as `name` in the database; an exchange that a crash stopped is
    finished, or forgotten where nothing was locked anew. Nobody else may be at work in the directory. Raises OSError.
    """
    path = directory / NEXT_FILE
    if MASTER_VARIABLE in os.environ or not path.exists():
        return vault
    if opens(vault, box, name):
        path.unlink()
        settle(directory)
        return vault
    newer = Vault(read_key(path.read_text(), str(path)))
    if opens(newer, box, name):
        finish_exchange(directory)
        return newer
    return vault


def opens(vault: Vault, box: bytes, name: str) -> bool:
    """Whether the vault's key is the one that locked it."""
    try:
        vault.unlock(box, name)
    except Unusable:
        return False
    return True
