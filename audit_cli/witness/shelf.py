"""Heads that the house signed and the witness did not cosign. Two of one size that differ convict the house, whatever
was answered to them."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

from fairshoe.errors import FairshoeError
from fairshoe.log.checkpoint import Checkpoint, open_checkpoint
from fairshoe.log.note import Verifier
from fairshoe.terminal.durable import replace, settle

from ..evidence.forks import Fork, fork_text, side_at

REFUSED = "refused"
COSIGNED = "cosigned"
FORK = "fork.json"
MOST_HEADS = 100
"""Of each log: so many heads are kept that show nothing by themselves, the newest, and so many that convict, the
first."""


class Head(NamedTuple):
    """A signed head: its checkpoint, and its note with the house's signature."""

    checkpoint: Checkpoint
    note: str


class Put(NamedTuple):
    """Where a head is kept, None where it is not; and whether it convicts."""

    path: Path | None
    convicts: bool


class Shelf:
    """The directory `refused` of one log: a directory for each head, named by its SHA-256."""

    def __init__(self, log: Path, verifier: Verifier) -> None:
        self.path = log / REFUSED
        self._verifier = verifier
        self._kept: dict[Checkpoint, Path] | None = None

    def keep(self, head: Head, cosigned: Head | None, fork: Fork | None = None) -> Put:
        """Keep a head that the house signed, with what had been cosigned then; once, however often it comes.

        `fork`: what convicts, where that is known; else a head of the same size is sought that does. OSError.
        """
        kept = self._loaded()
        path = kept.get(head.checkpoint)
        fork = fork or self._fork(head, cosigned)
        if path is None:
            if fork is not None and sum(map(_convicts, kept.values())) >= MOST_HEADS:
                return Put(None, True)
            path = self._write(head, cosigned, fork)
            kept[head.checkpoint] = path
            self._prune(kept)
        elif fork is not None and not _convicts(path):
            replace(path / FORK, fork_text(fork))
        return Put(path, fork is not None)

    def _loaded(self) -> dict[Checkpoint, Path]:
        """What is kept, the oldest first."""
        if self._kept is None:
            self._kept = {}
            found = list(self.path.iterdir()) if self.path.exists() else []
            for folder in found:
                if not (folder / REFUSED).exists():  # it was being written, or removed, when the witness was killed
                    rmtree(folder)
            whole = [folder for folder in found if folder.exists()]
            for folder in sorted(whole, key=lambda folder: (folder / REFUSED).stat().st_mtime_ns):
                checkpoint = self._checkpoint(folder)
                if checkpoint is not None:
                    self._kept[checkpoint] = folder
        return self._kept

    def _checkpoint(self, folder: Path) -> Checkpoint | None:
        try:
            return open_checkpoint(_note(folder), self._verifier)
        except (FairshoeError, UnicodeDecodeError):
            return None

    def _fork(self, head: Head, cosigned: Head | None) -> Fork | None:
        """Another head of the same size convicts at once."""
        for each in self._of_size(head.checkpoint.size, cosigned):
            if each.checkpoint.root != head.checkpoint.root:
                size = head.checkpoint.size
                return Fork(size, side_at(each.note, each.checkpoint, size), side_at(head.note, head.checkpoint, size))
        return None

    def _of_size(self, size: int, cosigned: Head | None) -> list[Head]:
        if not size:
            return []
        kept = [Head(each, _note(path)) for each, path in self._loaded().items() if each.size == size]
        return [*([cosigned] if cosigned is not None and cosigned.checkpoint.size == size else []), *kept]

    def _write(self, head: Head, cosigned: Head | None, fork: Fork | None) -> Path:
        """A directory with `refused` in it is whole: that comes last."""
        path = self.path / sha256(head.checkpoint.text.encode()).hexdigest()[:16]
        path.mkdir(parents=True, exist_ok=True)
        if cosigned is not None:
            replace(path / COSIGNED, cosigned.note)
        if fork is not None:
            replace(path / FORK, fork_text(fork))
        replace(path / REFUSED, head.note)
        settle(self.path)
        settle(self.path.parent)
        return path

    def _prune(self, kept: dict[Checkpoint, Path]) -> None:
        """Of the heads that show nothing drop the oldest."""
        lone = [each for each, path in kept.items() if not _convicts(path)]
        for each in lone[: len(lone) - MOST_HEADS] if len(lone) > MOST_HEADS else ():
            path = kept.pop(each)
            (path / REFUSED).unlink()
            rmtree(path)


def _convicts(path: Path) -> bool:
    return (path / FORK).exists()


def _note(path: Path) -> str:
    return (path / REFUSED).read_bytes().decode("utf-8")
