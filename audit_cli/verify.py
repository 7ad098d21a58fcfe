"""`fairshoe-audit verify`: signature and tree around the walk through the entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from fairshoe.errors import FairshoeError, InputError, LogError, VerificationError
from fairshoe.log.checkpoint import Checkpoint, checkpoint_of, open_checkpoint
from fairshoe.log.directory import CHECKPOINT, VERIFIER, read_lines, read_text
from fairshoe.log.note import Verifier, verifier_of
from fairshoe.log.tree import Tree

from .audit import Audit
from .kinds import new_audit
from .remembered import Remembered, remembered_of
from .report import Report


def verify(
    log: Path,
    *,
    key: str | None = None,
    remembered: Sequence[Path] = (),
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Audit a log: a directory, or a `log.jsonl` by itself. Raises LogError, InputError.

    `key`: the house's verifier key, known from elsewhere; without it the signature is held against the
    key that came with the log, and counts as not checked. `remembered`: earlier checkpoints or
    copies of the log. `progress` is told the number of entries now and then.
    """
    report = Report()
    audit = new_audit(report)
    olds = [remembered_of(path) for path in remembered]
    signed = _signed(log, key, report)
    tree = _walk(read_lines(log), audit, olds, signed, progress)
    audit.finish()
    report.entries = tree.size
    if signed is not None:
        _check_head(report, tree, signed)
    for old in olds:
        old.conclude(report, tree, signed)
    return report


def _walk(
    lines: Iterable[bytes],
    audit: Audit,
    olds: Sequence[Remembered],
    signed: Checkpoint | None,
    progress: Callable[[int], None] | None,
) -> Tree:
    tree = Tree()
    append, take = tree.append, audit.take
    for line in lines:
        if line.endswith(b"\n"):
            line = line[:-1]
        else:
            audit.report.add("entry-cut-off", entry=tree.size, expected="a line feed")
        append(line)
        take(line)
        if olds:
            for old in olds:
                old.follow(tree, line)
        if progress is not None and not tree.size & 0xFFF:
            progress(tree.size)
    if not tree.size:
        raise LogError("no entries", where="log", expected="at least one entry")
    if not audit.known:
        raise LogError("no line is an entry of a log", where="log", expected="the log.jsonl of a fairshoe service")
    return tree


def _beside(log: Path, name: str) -> str | None:
    return read_text((log if log.is_dir() else log.parent) / name)


def _signed(log: Path, key: str | None, report: Report) -> Checkpoint | None:
    """The checkpoint beside the log, its signature checked as far as a key is at hand."""
    note = _beside(log, CHECKPOINT)
    verifier = None if key is None else _verifier(key)
    if note is None:
        report.add("checkpoint-missing", expected=CHECKPOINT)
        return None
    try:
        bundled = _beside(log, VERIFIER)
        if verifier is not None:
            report.checked("signature")
        elif bundled is not None:
            verifier = verifier_of(bundled)
        return checkpoint_of(note) if verifier is None else open_checkpoint(note, verifier)
    except VerificationError as error:
        report.add("signature-invalid", expected=error.expected, found=error.what)
    except InputError as error:
        report.add("checkpoint-malformed", expected=error.expected, found=error.what)
    try:
        return checkpoint_of(note)
    except FairshoeError:
        return None


def _verifier(key: str) -> Verifier:
    """A verifier key, or the path of a file with one."""
    return verifier_of((read_text(Path(key)) or key) if "+" not in key else key)


def _check_head(report: Report, tree: Tree, signed: Checkpoint) -> None:
    report.checked("tree")
    if tree.size < signed.size:
        report.add("log-truncated", entry=tree.size, expected=signed.size, found=tree.size)
    elif tree.size > signed.size:
        report.add("entries-unsigned", entry=signed.size, expected=signed.size, found=tree.size)
    elif tree.root != signed.root:
        report.add("root-differs", expected=signed.root.hex(), found=tree.root.hex())
