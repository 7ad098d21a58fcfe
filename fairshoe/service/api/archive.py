"""A tar archive whose last file is long, made while it is sent."""

from __future__ import annotations

import tarfile
import time
from collections.abc import Iterator, Mapping
from itertools import chain

BLOCK = tarfile.BLOCKSIZE
END = bytes(2 * BLOCK)


def archive(files: Mapping[str, bytes], name: str, length: int, parts: Iterator[bytes]) -> tuple[int, Iterator[bytes]]:
    """The archive's size in bytes, and its bytes: the short files, then one of `length` bytes in parts."""
    head = b"".join(_header(each, len(data)) + data + _padding(len(data)) for each, data in files.items())
    head += _header(name, length)
    tail = _padding(length) + END
    return len(head) + length + len(tail), chain([head], parts, [tail])


def _header(name: str, length: int) -> bytes:
    told = tarfile.TarInfo(name)
    told.size, told.mtime = length, int(time.time())
    return told.tobuf(tarfile.GNU_FORMAT)


def _padding(length: int) -> bytes:
    return bytes(-length % BLOCK)
