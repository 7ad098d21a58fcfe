"""`fairshoe-audit verify`: what stands around a log, and the walk through its entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Protocol

from fairshoe.errors import InputError
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.tree import EMPTY_ROOT, Tree
from fairshoe.terminal.files import is_stdin

from .evidence.head import HouseEvidence, LogHeads, check_head, head_of, read_house_key
from .evidence.log_lines import LogLines, begins_again, with_progress
from .evidence.memory import RememberedHead, read_remembered
from .evidence.openings import openings_in
from .evidence.placer_notes import check_waits, read_signed_notes
from .evidence.witnesses import RequiredWitnesses, check_cosigned
from .findings.report import AuditedLog, Report
from .pool import WorkerPool
from .registry import new_audit
from .sharing import AuditedLines, NotShareable, audit_shared
from .walk.audit import Audit
from .walk.watcher import SharedWatcher

BATCH = 256
"""Number of lines added to the tree at once."""
PLACER = b'"placer":'
MAX_ENTRIES = 1 << 62
NOBODY = RequiredWitnesses()
COVERED = "shoes in play: {shoes}; cards that openings show to be bound: {bound}, other cards: {left}"

Take = Callable[[bytes], None]
TakeLines = Callable[[Sequence[bytes]], None]
Watch = Callable[[Audit, bytes], None]


class EarlierAudit(Protocol):
    """The knowledge of an earlier audit of the log about its first `size` entries."""

    size: int

    def begin(self, audit: Audit, head: HouseEvidence, roots: Mapping[int, bytes], take: Take) -> TakeLines:
        """Load a known state into an audit; return what takes all lines, new ones by `take`. Adds to `roots`."""

    def end(self, tree: Tree) -> None:
        """There are no more lines, and the audit's books are not closed yet."""


def verify(
    log: Path,
    *,
    key: str | None = None,
    remembered: Sequence[Path | RememberedHead] = (),
    wanted: RequiredWitnesses = NOBODY,
    progress: Callable[[int], None] | None = None,
    watch: Watch | None = None,
    everything: bool = False,
    notes: Path | None = None,
    openings: Path | None = None,
    going_on: EarlierAudit | None = None,
    workers: WorkerPool | None = None,
) -> Report:
    """Audit a log: a directory, a `log.jsonl` by itself, or `-` for standard input. Raises LogError, InputError.

    `key`: the house's verifier key; without it the key beside the log serves, and the signature counts as not checked.
    `remembered`: earlier checkpoints. `wanted`: needed cosignatures. `progress` is told the bytes read. `watch` gets
    the audit and each line, and has the audit take it. `everything`: list all findings. `going_on`: an earlier audit to
    go on from; NotTheSame if the log begins otherwise. `workers` share out the tables if possible; the report is the
    same. `notes`: a file of placers' and house's answers; `openings`: one of openings, of `fairshoe pull`.
    """
    signed_notes = None if notes is None else read_signed_notes(notes)
    report = Report(everything=everything)
    given = None if key is None else read_house_key(key)
    olds = [each if isinstance(each, RememberedHead) else read_remembered(each) for each in remembered]
    head = head_of(log, given, report, required=given is not None or bool(olds or wanted))
    check_cosigned(report, log, head, wanted)
    signed = head.checkpoint
    marks = {old.checkpoint.size for old in olds}
    reading = LogLines(log, sorted({*marks, *([] if signed is None else [signed.size])}))
    gone: AuditedLines | None = None
    if workers is not None and going_on is None and (watch is None or isinstance(watch, SharedWatcher)):
        gone = _audit_in_shares(reading, report, workers, head, marks, progress, watch)
    if gone is None:
        gone = _audit_in_one_pass(reading, report, head, marks, progress, watch, going_on)
    audit = gone.audit
    if openings is not None:
        audit.openings = openings_in(openings)
    audit.finish()
    check_waits(audit, signed_notes, head.verifier)
    tree, roots = reading.signed_tree(signed, gone.tree, gone.roots)
    short = reading.conclude(report, gone.tree.size)
    origin = None if signed is None else signed.origin
    report.log = AuditedLog(origin, tree.size, tree.root.hex(), audit.first_at or None, audit.last_at or None)
    walked = check_head(report, head, LogHeads(tree.size, roots, short=short))
    reading.check_tiles(report, walked)
    held = [old.conclude(report, head, walked) for old in olds]
    report.parameters = {
        "key": None if given is None else str(given),
        "remembered": held,
        **wanted.parameters(),
        **({} if openings is None else {"openings": COVERED.format_map(audit.covered)}),
    }
    return report


def _audit_in_shares(
    reading: LogLines,
    report: Report,
    workers: WorkerPool,
    head: HouseEvidence,
    marks: set[int],
    progress: Callable[[int], None] | None,
    watch: SharedWatcher | None,
) -> AuditedLines | None:
    """Audit the log in shares; None if one pass must do it, with the report as it was. A failure here says nothing
    about the log."""
    if report.failed or is_stdin(reading.path) or reading.tiled:
        return None
    try:
        return audit_shared(
            reading.path, report, workers, signed=head.checkpoint, marks=marks, progress=progress, watch=watch
        )
    except NotShareable:
        return None
    except Exception as error:
        if workers.elsewhere:
            remedy = "every worker reads the log from the same path as here"
            raise InputError(f"a worker failed: {error}", where="--cluster", remedy=remedy) from error
        return None


def _audit_in_one_pass(
    reading: LogLines,
    report: Report,
    head: HouseEvidence,
    marks: set[int],
    progress: Callable[[int], None] | None,
    watch: Watch | None,
    going_on: EarlierAudit | None,
) -> AuditedLines:
    """Every entry in turn, from the first to the last."""
    audit = new_audit(report)
    audit.origin = head.origin or ""
    lines = iter(reading) if progress is None else with_progress(iter(reading), progress)
    roots = {0: EMPTY_ROOT}
    take: Take = audit.take if watch is None else partial(watch, audit)
    lines_taker = take_each(take)
    if going_on is not None:
        lines_taker = going_on.begin(audit, head, roots, take)
        marks.add(going_on.size)
    walk = _LogPass(audit, lines_taker, head.checkpoint, roots)
    walk.go(lines, marks)
    if not audit.known_count:
        raise reading.no_log()
    if going_on is not None:
        going_on.end(walk.tree)
    return AuditedLines(audit, walk.tree, walk.roots)


def take_each(take: Take) -> TakeLines:
    """Return what takes lines one after the other."""

    def take_lines(lines: Sequence[bytes]) -> None:
        for line in lines:
            take(line)

    return take_lines


class _LogPass:
    """Has each entry taken once, and keeps tree heads at the sizes asked for; with a placer (`has_placer`) at each
    entry."""

    def __init__(self, audit: Audit, take_lines: TakeLines, signed: Checkpoint | None, roots: dict[int, bytes]) -> None:
        self.audit = audit
        self.take_lines = take_lines
        self.signed = signed
        self.tree = audit.tree = Tree()
        self.roots = roots
        self.first = b""
        self.has_placer = False

    def go(self, lines: Iterator[bytes], marks: Iterable[int]) -> None:
        """Through all lines; where a second log begins the first ends."""
        first = next(lines, None)
        if first is None:
            return
        lines, self.first = chain([first], lines), first
        for mark in sorted({*marks, *([self.signed.size] if self.signed else ())} - {0}):
            self._take_batches(islice(lines, min(mark, MAX_ENTRIES) - self.tree.size))
            if self.tree.size < mark:
                break
            self.roots[mark] = self.tree.root
            signed = self.signed is not None and (self.tree.size, self.tree.root) == self.signed[1:]
            after = next(lines, None) if signed else None  # the entries so far are just those that it covers
            if after is not None and begins_again(after, self.first, self.audit.last_at):
                number = self.tree.size
                found = f"another log begins at line {number + 1:,}; it was not audited"
                self.audit.report.add("logs-joined", entry=number, expected="one log", found=found)
                break
            lines = lines if after is None else chain([after], lines)
        else:
            self._take_batches(lines)

    def _take_batches(self, lines: Iterator[bytes]) -> None:
        take_lines = self.take_lines
        while batch := list(islice(lines, BATCH)):
            if self.has_placer or PLACER in b"".join(batch):
                self.has_placer = True
                for line in batch:
                    self.tree.append(line)
                    take_lines([line])
                continue
            self.tree.extend(batch)
            take_lines(batch)
