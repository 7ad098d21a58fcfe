"""Where a witness looks at a log: its directory here, or its address."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Protocol

from fairshoe.errors import InputError
from fairshoe.log.directory import CHECKPOINT, read_lines, read_text

ADDRESSES = ("http://", "https://")


class Source(Protocol):
    """A log that somebody shows."""

    def note(self) -> str:
        """Its signed checkpoint. Raises InputError, Unreachable."""
        ...

    def entries(self, start: int, stop: int) -> Iterator[bytes]:
        """Entries `start` up to but not `stop`, or as many of them as there are, without LF. LogError, Unreachable."""
        ...


class Directory:
    """A log's directory, or its `log.jsonl` with the checkpoint beside it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def note(self) -> str:
        folder = self._path if self._path.is_dir() else self._path.parent
        note = read_text(folder / CHECKPOINT)
        if note is None:
            expected = "a log's directory with its checkpoint"
            raise InputError("no checkpoint, so there is nothing to cosign", where=str(folder), expected=expected)
        return note

    def entries(self, start: int, stop: int) -> Iterator[bytes]:
        for line in islice(read_lines(self._path), start, stop):
            yield line.removesuffix(b"\n")


def source_of(log: str, ca: Path | None = None) -> Source:
    """The log by that name: an address if it begins with http:// or https://. InputError."""
    if log.startswith(ADDRESSES):
        from .address import Address

        return Address(log, ca)
    return Directory(Path(log))
