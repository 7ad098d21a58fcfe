"""Files that are replaced whole, and a folder that one process at a time works in."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ..errors import FairshoeError, InputError, LogError

SECTOR = 512
_sync_data = getattr(os, "fdatasync", os.fsync)
PART = ".part"
"""How the name of a file ends that is not written whole yet."""


@contextmanager
def translate_disk_errors(directory: Path) -> Iterator[None]:
    """Turn an error of the disk into a LogError that names the file."""
    try:
        yield
    except OSError as error:
        if isinstance(error, FairshoeError):
            raise
        where = str(directory if error.filename is None else error.filename)
        remedy = "check the path and the free space"
        raise LogError(f"cannot read or write: {error.strerror}", where=where, remedy=remedy) from None


def replace(path: Path, text: str, *, mode: int = 0o666) -> None:
    """Write a file that is there whole or as it was before, whatever happens; `mode` is a new one's. Raises OSError."""
    with replace_file(path, mode) as file:
        file.write(text.encode())
    settle(path.parent)


def rewrite(path: Path, text: str) -> None:
    """Replace a file's text in place by one sync, if it has the same length and fits a sector; readers must wait.
    OSError."""
    data = text.encode()
    with suppress(FileNotFoundError), open(path, "r+b", buffering=0) as file:
        if os.fstat(file.fileno()).st_size == len(data) <= SECTOR:
            file.write(data)
            _sync_data(file.fileno())
            return
    replace(path, text)


@contextmanager
def replace_file(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """A file that takes its name only when it was written whole; before that it ends with PART. Raises OSError."""
    part = path.with_name(path.name + PART)
    try:
        with open(part, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def settle(directory: Path) -> None:
    """Have the names in a directory on the disk, where the system can. Raises OSError."""
    if sys.platform != "win32":
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def lock(handle: int) -> bool:
    """Lock an open file or directory until it is closed; False if somebody else has it. True on Windows. OSError."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def lock_directory(directory: Path, other: str) -> Iterator[None]:
    """Work in a directory while nobody else does; `other` is who else would. Raises InputError, OSError."""
    if sys.platform == "win32":
        yield
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        if not lock(handle):
            what, remedy = f"another {other} is at work here", "wait for it to end"
            raise InputError(what, where=str(directory), remedy=remedy)
        yield
    finally:
        os.close(handle)
