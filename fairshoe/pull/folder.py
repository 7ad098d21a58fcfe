"""A log in a directory: its key, its checkpoint, and the entries that this covers."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError, VerificationError
from ..log.checkpoint import Checkpoint, open_checkpoint
from ..log.directory import CHECKPOINT, ENTRIES, VERIFIER, read_lines, read_text
from ..log.note import Verifier, verifier_of
from ..log.tree import Tree
from ..terminal.durable import PART, lock_directory, replace, settle

REFUSED = "checkpoint.refused"


class Folder:
    """A directory with a log, or empty: verified `checkpoint` or None; `tree` over the first `offset` bytes of
    `log`."""

    def __init__(self, path: Path, key: Verifier | None) -> None:
        self.path = path
        self.log = path / ENTRIES
        self.verifier = self._verifier(key)
        self.checkpoint = self._checkpoint()
        self.tree = Tree()
        self.offset = 0

    @property
    def size(self) -> int:
        """How many entries the checkpoint covers."""
        return 0 if self.checkpoint is None else self.checkpoint.size

    def _verifier(self, key: Verifier | None) -> Verifier | None:
        text = read_text(self.path / VERIFIER)
        if text is None:
            if any(not entry.name.endswith(PART) for entry in self.path.iterdir()):
                what, remedy = f"holds something else, and no {VERIFIER}", "name a new directory"
                raise InputError(what, where=str(self.path), expected="a log that was pulled", remedy=remedy)
            return None
        found = verifier_of(text)
        if key is not None and key != found:
            remedy = "give the key that it was pulled with, or pull into a new directory"
            raise InputError(
                f"holds the log of another key, {found}", where=str(self.path), expected=str(key), remedy=remedy
            )
        return found

    def _checkpoint(self) -> Checkpoint | None:
        note = read_text(self.path / CHECKPOINT)
        if note is None:
            return None
        place, remedy = self.path / CHECKPOINT, "pull into a new directory"
        if self.verifier is None:
            raise InputError(f"a checkpoint without {VERIFIER}", where=str(place), remedy=remedy)
        try:
            return open_checkpoint(note, self.verifier)
        except VerificationError as error:
            what = f"not as it was pulled: {error.what}"
            raise InputError(what, where=str(place), expected=error.expected, remedy=remedy) from None

    def follow(self, progress: Callable[[int], None], mark: int = 0) -> bytes | None:
        """Take the entries that the checkpoint covers into the tree; return its root after `mark` of them. LogError."""
        root = self.tree.root if mark == 0 else None
        for line in read_lines(self.log) if self.size and self.log.exists() else ():
            if not line.endswith(b"\n"):
                break
            self.tree.append(line[:-1])
            self.offset += len(line)
            if self.tree.size == mark:
                root = self.tree.root
            if self.tree.size == self.size:
                break
            progress(self.tree.size)
        return root

    @property
    def is_complete(self) -> bool:
        """Whether the entries are those that the checkpoint covers, once they were followed."""
        return self.checkpoint is None or (self.tree.size, self.tree.root) == self.checkpoint[1:]

    def trust(self, verifier: Verifier) -> None:
        """Keep the key, if none is kept yet. Raises OSError."""
        if self.verifier is None:
            replace(self.path / VERIFIER, f"{verifier}\n")
            self.verifier = verifier

    @contextmanager
    def new_lines(self) -> Iterator[BinaryIO]:
        """A file for entries that come, beside the log; gone afterwards. Raises OSError."""
        part = self.path / (ENTRIES + PART)
        try:
            with open(part, "w+b") as file:
                yield file
        finally:
            part.unlink(missing_ok=True)

    def accept(self, note: str, new: BinaryIO) -> None:
        """Let the checkpoint cover the followed and the new entries; other bytes go. Of one checkpoint the one with
        more signatures stays. Raises OSError."""
        new.seek(0)
        with open(self.log, "ab") as log:
            log.truncate(self.offset)
            shutil.copyfileobj(new, log)
            log.flush()
            os.fsync(log.fileno())
        settle(self.path)
        if self.tree.size > self.size or len(note) > len(read_text(self.path / CHECKPOINT) or ""):
            replace(self.path / CHECKPOINT, note)

    def keep_refused(self, note: str) -> Path:
        """Keep a checkpoint as evidence, beside those kept earlier. Raises OSError."""
        number = 1
        path = self.path / REFUSED
        while path.exists() and read_text(path) != note:
            number += 1
            path = self.path / f"{REFUSED}.{number}"
        if not path.exists():
            replace(path, note)
        return path


@contextmanager
def open_folder(path: Path, key: Verifier | None) -> Iterator[Folder]:
    """A folder to work in alone; one that was made for this and stays empty is removed. Raises InputError, OSError."""
    made = not path.exists()
    path.mkdir(parents=True, exist_ok=True)
    try:
        with lock_directory(path, "pull"):
            yield Folder(path, key)
    finally:
        if made:
            with suppress(OSError):
                path.rmdir()
