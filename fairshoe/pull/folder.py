"""What a directory holds of a log: its key, its checkpoint, the entries that this covers, and beside them those that
are not yet signed for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from ..errors import InputError, VerificationError
from ..log.checkpoint import Checkpoint, open_checkpoint
from ..log.directory import CHECKPOINT, ENTRIES, VERIFIER, read_lines, read_text
from ..log.note import Verifier, verifier_of
from ..log.tree import Tree
from ..terminal.durable import PART, alone_in, replace, settle

REFUSED = "checkpoint.refused"


class Folder:
    """A directory that holds a log, or nothing yet. `checkpoint` is verified; None where there is none yet."""

    def __init__(self, path: Path, key: Verifier | None) -> None:
        self.path = path
        self.log = path / ENTRIES
        self.verifier = self._verifier(key)
        self.checkpoint = self._checkpoint()
        self.tree = Tree()
        self.offset = 0
        """The bytes of the entries in the tree."""

    @property
    def size(self) -> int:
        """How many entries the checkpoint covers."""
        return 0 if self.checkpoint is None else self.checkpoint.size

    def _verifier(self, key: Verifier | None) -> Verifier | None:
        names = {entry.name for entry in self.path.iterdir() if not entry.name.endswith(PART)}
        text = read_text(self.path / VERIFIER)
        if text is None:
            if names and (key is None or ENTRIES not in names):
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
        """Take the entries that the checkpoint covers into the tree; gives the root after `mark` of them.

        They are whole where the tree's root is the checkpoint's then. Raises LogError.
        """
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
    def whole(self) -> bool:
        """Whether the entries are those that the checkpoint covers, once they were followed."""
        return self.checkpoint is None or (self.tree.size, self.tree.root) == self.checkpoint[1:]

    @property
    def goes_on(self) -> bool:
        """Whether the log has more than the entries in the tree."""
        return self.log.exists() and self.log.stat().st_size != self.offset

    def trust(self, verifier: Verifier) -> None:
        """Keep the key, if none is kept yet. Raises OSError."""
        if self.verifier is None:
            replace(self.path / VERIFIER, f"{verifier}\n")
            self.verifier = verifier

    def tidy(self) -> None:
        """Remove what pulls left that ended early. Raises OSError."""
        for path in self.path.glob(f"{ENTRIES}.[0-9]*.part"):
            path.unlink()

    def accept(self, note: str) -> None:
        """The checkpoint from here on. Raises OSError."""
        replace(self.path / CHECKPOINT, note)

    def add_cosignatures(self, note: str) -> None:
        """The same checkpoint with more signatures below it. Raises OSError."""
        if len(note) > len(read_text(self.path / CHECKPOINT) or ""):
            self.accept(note)

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
def opened(path: Path, key: Verifier | None) -> Iterator[Folder]:
    """A folder to work in alone; one that was made for this and stays empty is removed. Raises InputError, OSError."""
    made = not path.exists()
    path.mkdir(parents=True, exist_ok=True)
    try:
        with alone_in(path, "pull"):
            yield Folder(path, key)
    finally:
        if made:
            with suppress(OSError):
                path.rmdir()


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
