"""The tables of a log shared out among workers of any kind: processes of this machine, or of many."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor, as_completed
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from fairshoe.ceremony.choices import starts
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.tree import Tree
from fairshoe.terminal.files import is_stdin

from ..evidence.reading import Reading
from ..findings.report import Report
from ..registry import new_audit
from ..state.runs import RECORD
from ..walk.audit import Audit
from .lines import OnePass
from .looking import Looking
from .share import Audited, Share, audited


class Workers(NamedTuple):
    """Who does the work, and how `many` they are."""

    executor: Executor
    many: int


class Whole(NamedTuple):
    """A log audited in shares: its audit but for the end, its tree, the tree heads at sizes that were asked for, what
    looked on at each share; and how many tables the shares had."""

    audit: Audit
    tree: Tree
    roots: dict[int, bytes]
    looked: Sequence[Looking]
    shared: Sequence[int]


def in_shares(
    path: Path,
    report: Report,
    workers: Workers,
    *,
    signed: Checkpoint | None = None,
    marks: Collection[int] = (),
    progress: Callable[[int], None] | None = None,
    looks: Callable[[], Looking] | None = None,
) -> Whole:
    """Audit a log's file. `signed`: what it is to be; `marks`: sizes at which the tree head is asked for; `progress` is
    told how many bytes were audited; `looks` makes what looks on, once a share. Raises OnePass, with the report as it
    was, where the log is to be audited in one pass; and whatever the executor raises."""
    size, many = path.stat().st_size, workers.many
    sizes = sorted({*marks, *(() if signed is None else (signed.size,))})
    shares = [Share(path, size, number, many, sizes, looks) for number in range(many)]
    running = {workers.executor.submit(audited, share): share.number for share in shares}
    audit, found = new_audit(report), dict[int, Audited]()
    try:
        for each in as_completed(running):
            one = found[running[each]] = each.result()
            if one.digest != next(iter(found.values())).digest:  # somebody changed the file meanwhile
                raise OnePass
            for records, seen in ((one.commitments, audit.commitments), (one.hashes, audit.hashes)):
                if not all(seen.add(records[at : at + RECORD]) for at in range(0, len(records), RECORD)):
                    raise OnePass
            one.commitments = one.hashes = b""
            if progress is not None:
                progress(size * len(found) // many)
    except BaseException:
        for each in running:
            each.cancel()
        raise
    return _joined([found[number] for number in range(many)], audit, signed)


def _joined(found: Sequence[Audited], audit: Audit, signed: Checkpoint | None) -> Whole:
    """The audit at the log's end, as one pass leaves it. Raises OnePass, with the report as it was, where the log is
    not just what was `signed`."""
    last, report = found[-1], audit.report
    tree = last.tree
    if tree is None or not any(each.tables for each in found):
        raise OnePass
    if signed is not None and (tree.size, tree.root) != (signed.size, signed.root):
        raise OnePass
    tables = {place: state for each in found for place, state in each.tables.items()}
    for _, state in sorted(tables.items()):
        audit.tables[state.id] = state
    for shoe in sorted((shoe for each in found for shoe in each.shoes), key=attrgetter("index")):
        audit.shoes[shoe.id] = shoe
    for each in found:
        report.count(each.report)
        audit.unchecked.update(each.unchecked)
    for busy in zip(*(each.busy for each in found), strict=True):
        report.choices.add(None, starts(any(busy)))
    notes = [note for each in found for note in each.report.findings]
    for note in sorted(notes, key=attrgetter("entry")):
        report.put(note)
    audit.first_at, audit.last_at = last.first_at, last.last_at
    audit.time, audit.starts, audit.begun = last.time, last.starts, last.begun
    audit.known, audit.index = last.entries, last.entries - 1
    looked = [each.looked for each in found if each.looked is not None]
    return Whole(audit, tree, last.roots, looked, [len(each.tables) for each in found])


def shared(
    reading: Reading,
    report: Report,
    workers: Workers,
    *,
    signed: Checkpoint | None,
    marks: Collection[int],
    progress: Callable[[int], None] | None,
    looks: Callable[[], Looking] | None = None,
) -> Whole | None:
    """The same of a log as `verify` reads it; None where it is to be audited in one pass, with the report as it was.

    Whatever goes wrong on the way is no word about the log: one pass has the last one.
    """
    if report.failed or is_stdin(reading.path) or reading.tiled or reading.tiles_beside() is not None:
        return None
    try:
        return in_shares(reading.path, report, workers, signed=signed, marks=marks, progress=progress, looks=looks)
    except Exception:
        return None
