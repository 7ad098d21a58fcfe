"""A log as somebody remembers it: a checkpoint that was kept, or an earlier copy of the whole log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fairshoe.errors import LogError
from fairshoe.log.checkpoint import Checkpoint, checkpoint_of
from fairshoe.log.directory import read_lines, read_text
from fairshoe.log.tree import Tree

from .report import Report


class Remembered:
    """Follows the walk and says at its end whether the log extends what was remembered."""

    def follow(self, tree: Tree, line: bytes) -> None:
        """One more entry, already in the tree."""
        raise NotImplementedError

    def conclude(self, report: Report, tree: Tree, signed: Checkpoint | None) -> None:
        raise NotImplementedError


class RememberedCheckpoint(Remembered):
    """A kept checkpoint binds the entries before it: some one of them differs, but not which."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint
        self.root = Tree().root if checkpoint.size == 0 else None

    def follow(self, tree: Tree, line: bytes) -> None:
        if tree.size == self.checkpoint.size:
            self.root = tree.root

    def conclude(self, report: Report, tree: Tree, signed: Checkpoint | None) -> None:
        report.checked("remembered")
        old = self.checkpoint
        if signed is not None and signed.origin != old.origin:
            report.add("remembered-other-log", expected=old.origin, found=signed.origin)
        if self.root is None:
            report.add("remembered-longer", entry=tree.size, expected=old.size, found=tree.size)
        elif self.root != old.root:
            report.add(
                "remembered-differs",
                field=f"entries 0 to {old.size - 1}",
                expected=old.root.hex(),
                found=self.root.hex(),
            )


class RememberedLog(Remembered):
    """An earlier copy of the log: names the first entry that differs."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self.lines = lines
        self.differs: tuple[int, bytes, bytes] | None = None
        self.ended = False

    def follow(self, tree: Tree, line: bytes) -> None:
        if self.differs is None and not self.ended:
            old = next(self.lines, None)
            if old is None:
                self.ended = True
            elif old.removesuffix(b"\n") != line:
                self.differs = tree.size - 1, old, line

    def conclude(self, report: Report, tree: Tree, signed: Checkpoint | None) -> None:
        report.checked("remembered")
        if self.differs is not None:
            index, old, new = self.differs
            report.add("remembered-differs", entry=index, expected=_text(old), found=_text(new))
        elif not self.ended and next(self.lines, None) is not None:
            report.add("remembered-longer", entry=tree.size, found=tree.size)


def _text(line: bytes) -> str:
    return line.decode(errors="replace").rstrip("\n")[:400]


def remembered_of(path: Path) -> Remembered:
    """A kept checkpoint file, or a copy of a log (its directory or `log.jsonl`). Raises InputError, LogError."""
    if path.is_dir() or path.suffix == ".jsonl":
        return RememberedLog(read_lines(path))
    text = read_text(path)
    if text is None:
        raise LogError("no such file", where=str(path), expected="a checkpoint or an earlier copy of the log")
    return RememberedCheckpoint(checkpoint_of(text))
