"""A log as somebody remembers it: a checkpoint that was kept, or an earlier copy of the whole log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from fairshoe.errors import InputError, NotALog, VerificationError
from fairshoe.log.checkpoint import Checkpoint, checkpoint_of
from fairshoe.log.directory import CHECKPOINT, ENTRIES, has_tiles, read_text
from fairshoe.log.note import open_note, signatures_of
from fairshoe.log.tree import Tree
from fairshoe.terminal.files import is_stdin, open_to_read

from ..findings.report import Report
from .head import Head, Walked, has_signed, is_signed_by
from .kept import is_proof, note_in
from .nolog import BOM, form_at_sight
from .reading import Reading

SHOWN = 400
"""How much is shown of an entry that differs."""


class Remembered(Protocol):
    """Says at the end of the walk whether the log extends what was remembered."""

    def conclude(self, report: Report, head: Head, walked: Walked) -> dict[str, Any]:
        """Report what does not fit; returns what the log was held against, for the parameters of the report."""
        ...


class RememberedCheckpoint:
    """A kept checkpoint binds the entries before it: some one of them differs, but not which."""

    def __init__(self, note: str) -> None:
        self.note = note
        self.checkpoint = checkpoint_of(note)

    def conclude(self, report: Report, head: Head, walked: Walked) -> dict[str, Any]:
        report.checked("remembered")
        old, root = self.checkpoint, walked.roots.get(self.checkpoint.size)
        proven, doubt = proof_of(self.note, head)
        renamed = is_of_another(old, head)
        if renamed and root != old.root and not is_by_the_same(self.note, head):
            report.add("remembered-other-log", field="origin", expected=head.origin, found=old.origin)
            return self._held()
        if renamed:
            report.add("memory-differs", field="origin", expected=old.origin, found=head.origin)
            doubt = ""
        if doubt:
            report.add("remembered-unsigned", expected=_by(head), found=doubt)
        elif root is None:
            _longer(report, walked, old.size)
        elif root != old.root:
            proven = proven and old.size <= walked.proven
            entries = f"entries 0 to {old.size - 1}"
            _differs(report, walked, proven, field=entries, expected=old.root.hex(), found=root.hex())
        return self._held()

    def _held(self) -> dict[str, Any]:
        old = self.checkpoint
        return {"origin": old.origin, "size": old.size, "root": old.root.hex()}


class RememberedCopy:
    """An earlier copy of the log: names the first entry that differs.

    `note` is the checkpoint in its own directory, which says whose log it is a copy of; `resaved` is known when the
    lines were read.
    """

    def __init__(self, lines: Iterable[bytes], note: str | None = None, resaved: Sequence[str] = ()) -> None:
        self.note = note
        self.resaved = resaved
        self.checkpoint: Checkpoint | None = None
        if note is not None:
            with suppress(InputError):
                self.checkpoint = checkpoint_of(note)
        self.tree = Tree()
        self.root: bytes | None = None
        self.differs: tuple[int, bytes, bytes] | None = None
        self.lines = self._grown(lines)

    def _grown(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The copy's lines; its tree grows by each."""
        signed = 0 if self.checkpoint is None else self.checkpoint.size
        for line in lines:
            self.tree.append(line)
            if self.tree.size == signed:
                self.root = self.tree.root
            yield line

    def beside(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """The log's lines, each held against the copy's."""
        for number, line in enumerate(lines):
            if self.differs is None:
                old = next(self.lines, None)
                if old is not None and old != line:
                    self.differs = number, old, line
            yield line

    def conclude(self, report: Report, head: Head, walked: Walked) -> dict[str, Any]:
        report.checked("remembered")
        for _ in self.lines:
            pass
        if self.resaved:
            report.add("remembered-resaved", found=" and ".join(self.resaved))
        old_name = None if self.checkpoint is None else self.checkpoint.origin
        renamed = self.checkpoint is not None and is_of_another(self.checkpoint, head)
        if renamed and not self._is_of_the_same(head):
            report.add("remembered-other-log", field="origin", expected=head.origin, found=old_name)
            return self._held()
        if renamed:
            report.add("memory-differs", field="origin", expected=old_name, found=head.origin)
        if self.differs is not None and self.differs[0] < walked.size:
            number, old, new = self.differs
            proven = number < walked.proven and self._is_proven(head, number)
            _differs(report, walked, proven, entry=number, expected=_text(old), found=_text(new))
        elif self.tree.size > walked.size:
            _longer(report, walked, self.tree.size)
        return self._held()

    def _held(self) -> dict[str, Any]:
        return {"copy": {"size": self.tree.size, "root": self.tree.root.hex()}}

    def _is_of_the_same(self, head: Head) -> bool:
        """Whether a copy with another origin is of the same house: it begins with the same entry, or one key signed
        both."""
        begins = self.tree.size > 0 and (self.differs is None or self.differs[0] > 0)
        return begins or (self.note is not None and is_by_the_same(self.note, head))

    def _is_proven(self, head: Head, number: int) -> bool:
        """Whether the house signed the copy's entry of that number, by the checkpoint that lies beside it."""
        if self.note is None or self.checkpoint is None or self.checkpoint.size <= number:
            return False
        return self.root == self.checkpoint.root and proof_of(self.note, head)[0]


def is_of_another(old: Checkpoint, head: Head) -> bool:
    """Whether a checkpoint names another log than the one that is audited."""
    return head.origin is not None and old.origin != head.origin


def is_by_the_same(note: str, head: Head) -> bool:
    """Whether the key at hand signed both a checkpoint and the one beside the log, under whatever names."""
    key = head.verifier
    return key is not None and head.note is not None and has_signed(note, key) and has_signed(head.note, key)


def proof_of(note: str, head: Head) -> tuple[bool, str]:
    """Whether the house's key signed a checkpoint; and why it counts for nothing, where it does.

    With the key that came with the log alone, a signature by another key is neither.
    """
    try:
        signatures_of(note)
        if head.verifier is None or not (head.given or is_signed_by(note, head.verifier)):
            return False, ""
        open_note(note, head.verifier)
    except VerificationError as error:
        return False, error.what
    return True, ""


def _by(head: Head) -> str:
    return "a signature" if head.verifier is None else f"a signature by {head.verifier}"


def _longer(report: Report, walked: Walked, size: int) -> None:
    report.add("remembered-longer", entry=walked.size, expected=size, found=walked.size, follows=walked.short)


def _differs(report: Report, walked: Walked, proven: bool, **where: Any) -> None:
    if proven:
        report.add("remembered-differs", **where)
    else:
        report.add("memory-differs", **where, follows=walked.changed)


def _text(line: bytes) -> str:
    return line.decode(errors="replace")[:SHOWN]


def remembered_of(path: Path) -> RememberedCheckpoint | RememberedCopy:
    """A kept checkpoint file, a proof of a hand, which has one, or a copy of a log (its directory or its entries).
    Raises InputError, LogError."""
    if path.is_dir():
        return _directory(path)
    if not is_stdin(path):
        if not path.exists():
            raise NotALog("no such file", where=str(path), expected="a checkpoint or an earlier copy of the log")
        if is_proof(path):
            return RememberedCheckpoint(note_in(path) or "")
        with open_to_read(path) as file:
            head = file.read(4096)
        if path.suffix == ".jsonl" or head.removeprefix(BOM).startswith(b"{"):
            return _copy(path)
        form = form_at_sight(head)
        if form is not None and "checkpoint" not in form.what:
            expected = "a checkpoint or an earlier copy of the log"
            raise InputError(f"{form.what}, not a checkpoint", where=str(path), expected=expected, remedy=form.remedy)
    text = note_in(path)
    if text is None:
        raise NotALog("no such file", where=str(path), expected="a checkpoint or an earlier copy of the log")
    return RememberedCheckpoint(text)


def _directory(path: Path) -> RememberedCheckpoint | RememberedCopy:
    """A copy of a log; or, where a directory holds its checkpoint alone, that."""
    text = None if (path / ENTRIES).exists() or has_tiles(path) else read_text(path / CHECKPOINT)
    return _copy(path) if text is None else RememberedCheckpoint(text)


def _copy(path: Path) -> RememberedCopy:
    reading = Reading(path)
    named = path.is_dir() or path.name == ENTRIES
    note = read_text((path if path.is_dir() else path.parent) / CHECKPOINT) if named else None
    return RememberedCopy(_some(reading), note, reading.resaved)


def _some(reading: Reading) -> Iterator[bytes]:
    """The lines of a copy, which has at least one."""
    line = None
    for line in reading:
        yield line
    if line is None:
        raise reading.no_log()
