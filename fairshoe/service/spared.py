"""A small file that is replaced whole, on a full disk too: the room of the copy before the last is used again."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ..terminal.durable import settle

NEXT = ".new"
SPARE = ".old"


def renew(path: Path, text: str) -> None:
    """Write a file that is there whole or as it was before, whatever happens. Raises OSError."""
    coming, spare = path.with_name(path.name + NEXT), path.with_name(path.name + SPARE)
    with suppress(FileNotFoundError):
        os.replace(spare, coming)
    if coming.exists() and coming.stat().st_nlink > 1:
        coming.unlink()  # it is the file itself: a power cut came between the two names
    with open(os.open(coming, os.O_WRONLY | os.O_CREAT, 0o666), "wb") as file:
        file.write(text.encode())
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
    with suppress(OSError):  # no file yet, or a file system without second names: there is no spare room then
        os.link(path, spare)
    os.replace(coming, path)
    try:
        settle(path.parent)
    except OSError:
        spare.unlink(missing_ok=True)  # it may still be the file by name on the disk
        raise
