"""A log's directory while somebody appends to its `log.jsonl` and replaces its `checkpoint`."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

from fairshoe.errors import NotALog
from fairshoe.log.checkpoint import checkpoint_of
from fairshoe.log.directory import CHECKPOINT, ENTRIES, has_tiles, read_text
from fairshoe.terminal.files import is_stdin

MOMENT = 0.05
"""A checkpoint that is the same after so many seconds is whole."""
ENDS = 4096
"""So many bytes at the beginning of a file and of the last that was read say that it is still the same."""


class Look(NamedTuple):
    """A file's number on its disk, and its bytes at the beginning and before the place up to which it was read."""

    number: int
    first: bytes
    last: bytes


class Growing:
    """Says how far the log is. Raises NotALog for what cannot grow line by line."""

    def __init__(self, log: Path) -> None:
        folder = log if log.is_dir() else log.parent
        self._entries = folder / ENTRIES
        self._checkpoint = folder / CHECKPOINT
        if is_stdin(log) or has_tiles(folder) or (log != folder and log.name != ENTRIES) or not folder.is_dir():
            remedy = "`fairshoe pull URL DIR`, again and again, makes such a copy of a house's log"
            raise NotALog("cannot be followed", where=str(log), expected=f"a directory with {ENTRIES}", remedy=remedy)
        self._note: str | None = None
        self._bytes = self._lines = 0
        self._seen: Look | None = None

    def signed(self) -> int:
        """How many entries the checkpoint covers; 0 where there is none, or one that is just being written. Raises
        InputError."""
        note = read_text(self._checkpoint)
        if note != self._note:
            time.sleep(MOMENT)
        self._note = read_text(self._checkpoint)
        return 0 if note is None or note != self._note else checkpoint_of(note).size

    def is_another(self) -> bool:
        """Whether the file is another one than at the last look, or shorter: it does not begin, or go on, as it did."""
        if self._seen is None or self._look() == self._seen:
            return False
        self._seen = None
        self._bytes = self._lines = 0
        return True

    def lines(self) -> int:
        """How many whole lines there are."""
        if not self._entries.exists():
            return 0
        with open(self._entries, "rb") as file:
            file.seek(self._bytes)
            while chunk := file.read(1 << 20):
                self._bytes += len(chunk)
                self._lines += chunk.count(b"\n")
        self._seen = self._look()
        return self._lines

    def _look(self) -> Look | None:
        """What was read, as far as it stands there now."""
        if not self._entries.exists():
            return None
        with open(self._entries, "rb") as file:
            number = os.fstat(file.fileno()).st_ino
            first = file.read(min(ENDS, self._bytes))
            file.seek(max(0, self._bytes - ENDS))
            return Look(number, first, file.read(min(ENDS, self._bytes)))
