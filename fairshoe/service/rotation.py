"""The files of a master key that is being exchanged: whatever moment a crash comes at, one of them opens the database.

The new key stands in NEXT_FILE before anything is locked with it, and takes the old one's place afterwards.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from ..terminal.durable import replace, settle
from .errors import Unusable
from .vault import MASTER_FILE, MASTER_VARIABLE, Vault, read_key

NEXT_FILE = f"{MASTER_FILE}.next"
OLD_FILE = f"{MASTER_FILE}.old"
"""The first of them; those of later exchanges are `master.key.old.2` and so on."""
_OLD = re.compile(rf"{re.escape(OLD_FILE)}(?:\.\d+)?", re.ASCII)


def begin_exchange(directory: Path, key: bytes) -> None:
    """Write down the new key. Raises OSError."""
    replace(directory / NEXT_FILE, key.hex() + "\n", mode=0o600)


def finish_exchange(directory: Path) -> Path:
    """The new key takes its place; gives where the old one is kept, for backups from its time. Raises OSError."""
    old = _keep_old(directory, (directory / MASTER_FILE).read_text())
    os.replace(directory / NEXT_FILE, directory / MASTER_FILE)
    settle(directory)
    return old


def old_keys(directory: Path) -> list[Path]:
    """The files of the keys that were exchanged and are kept. Raises OSError."""
    return sorted(path for path in directory.glob(f"{OLD_FILE}*") if _OLD.fullmatch(path.name))


def _keep_old(directory: Path, key: str) -> Path:
    """Write down the key that goes, over none that went before; where a crash came after that, it stands there."""
    number, path = 1, directory / OLD_FILE
    while path.exists() and path.read_bytes() != key.encode():
        number += 1
        path = directory / f"{OLD_FILE}.{number}"
    if not path.exists():
        replace(path, key, mode=0o600)
    return path


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
