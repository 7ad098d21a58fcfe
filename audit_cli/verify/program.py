"""The program that audits, by a hash of its files: two machines audit alike if they have the same one."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

import audit_cli
import fairshoe

PROGRAM = ("*.py", "*.c", "expectations.json")
"""The files of a program that decide what it finds."""


@cache
def program_hash() -> str:
    """Return the SHA-256 over names and bytes of the program's files, in the order of their names."""
    found = sha256()
    for package in (audit_cli, fairshoe):
        folder = Path(package.__file__ or "").parent
        files = {path for pattern in PROGRAM for path in folder.rglob(pattern)}
        for path in sorted(files, key=lambda path: path.relative_to(folder).as_posix()):
            name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
            found.update(f"{name}\n{sha256(path.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()
