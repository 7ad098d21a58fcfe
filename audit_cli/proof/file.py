"""Which files are proof files."""

from __future__ import annotations

from pathlib import Path

from fairshoe.log.hand_proof import BEGINS
from fairshoe.terminal.files import exists, is_stdin, open_to_read


def is_proof(path: Path) -> bool:
    """Whether a file begins as every proof file does, and no log. Raises InputError where it cannot be read."""
    if is_stdin(path) or path.is_dir() or not exists(path):
        return False
    with open_to_read(path) as file:
        return begins_as_proof(file.read(len(BEGINS)))


def begins_as_proof(data: bytes) -> bool:
    return data.startswith(BEGINS)
