"""The entries that are not yet signed for: they wait in a file of their own, and join the log when they are."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

from ..log.tree import Tree
from ..terminal.durable import settle

BUFFER = 1 << 13
BLOCK = 1 << 20


class Tail:
    """What follows the first `tree.size` entries, which fill the first `offset` bytes of the log.

    Entries stay in the file beside the log when a pull is interrupted, and the next one goes on from there.
    `tree` grows with them.
    """

    def __init__(self, log: Path, tree: Tree, offset: int) -> None:
        self._log = log
        self._offset = offset
        self._before = tree
        self.path = log.with_name(f"{log.name}.{tree.size}.part")
        self.tree = Tree(tree.size, tree.peaks)
        self.found = 0
        """How many entries an earlier pull left."""

    def __enter__(self) -> Tail:
        self._file = open(self.path, "a+b", buffering=BUFFER)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def go_on(self, most: int) -> bool:
        """Take what an earlier pull left, up to `most` entries in the tree; gives False where the log goes on with
        something else. Raises OSError."""
        if not self._take_from_log():
            return False
        self._file.seek(0)
        kept = 0
        for line in self._file:
            if self.tree.size >= most or not line.endswith(b"\n"):
                break
            self.tree.append(line[:-1])
            kept += len(line)
        self._cut(kept)
        self.found = self.tree.size - self._before.size
        return True

    def start_again(self) -> None:
        """Drop all entries."""
        self._cut(0)
        self.tree = Tree(self._before.size, self._before.peaks)
        self.found = 0

    def add(self, line: bytes) -> None:
        self._file.write(line + b"\n")
        self.tree.append(line)

    def join(self) -> bool:
        """Append the entries to the log; gives False where it goes on with something else. Raises OSError."""
        self._file.flush()
        os.fsync(self._file.fileno())
        if not self._log.exists():
            os.replace(self.path, self._log)
            settle(self._log.parent)
            return True
        written = self._log.stat().st_size - self._offset
        if not self._begins_as_log(written):
            return False
        self._file.seek(written)
        with open(self._log, "ab") as log:
            while block := self._file.read(BLOCK):
                log.write(block)
            log.flush()
            os.fsync(log.fileno())
        return True

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)

    def _take_from_log(self) -> bool:
        """Where a pull was killed while it appended, or somebody else wrote the log: take up what is there."""
        written = self._log.stat().st_size - self._offset if self._log.exists() else 0
        length = self._file.seek(0, os.SEEK_END)
        if written <= length and self._begins_as_log(written):
            return True
        if written < length or not self._begins_as_log(length):
            return False
        with open(self._log, "rb") as log:
            log.seek(self._offset + length)
            while block := log.read(BLOCK):
                self._file.write(block)
        self._file.flush()
        return True

    def _begins_as_log(self, length: int) -> bool:
        """Whether the first `length` bytes are those in the log after the signed entries."""
        if not length:
            return True
        self._file.seek(0)
        with open(self._log, "rb") as log:
            log.seek(self._offset)
            while length:
                block = log.read(min(BLOCK, length))
                if not block or self._file.read(len(block)) != block:
                    return False
                length -= len(block)
        return True

    def _cut(self, length: int) -> None:
        self._file.seek(length)
        self._file.truncate()
