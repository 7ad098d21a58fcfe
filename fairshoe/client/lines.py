"""Files of JSON values, one a line, each on the disk before anything else happens."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

from ..terminal.durable import settle

PRIVATE, USUAL = 0o600, 0o666


def open_lines(path: Path, mode: int = USUAL) -> BinaryIO:
    """A file to append to, made where it is not there. Raises OSError."""
    new = not path.exists()
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags, mode), "r+b", buffering=0)
    if new:
        settle(path.absolute().parent)
    return file


def lock(file: BinaryIO) -> bool:
    """Keep other programs out until the file is closed, where the system has such locks (Windows has none of these);
    False where another one has the file."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def whole_lines(file: BinaryIO) -> tuple[list[bytes], bytes]:
    """The lines without their ends, and what stands after the last of them: the next `append` cuts it off."""
    file.seek(0)
    *lines, rest = file.read().split(b"\n")
    return lines, rest


def append(file: BinaryIO, *values: Any) -> None:
    """Write each value on a line of its own, after the last whole line. Raises OSError."""
    if not _ends_whole(file):
        _, rest = whole_lines(file)
        file.truncate(file.tell() - len(rest))
    data = b"".join(json.dumps(value).encode() + b"\n" for value in values)
    while data:
        data = data[file.write(data) :]
    os.fsync(file.fileno())


def _ends_whole(file: BinaryIO) -> bool:
    end = file.seek(0, os.SEEK_END)
    if end == 0:
        return True
    file.seek(end - 1)
    return file.read(1) == b"\n"
