"""A log's tables shared out among processes, with the report of one pass (docs/decisions/0029-jobs.md).

Each worker audits some tables from the whole file; the last hashes the lines. With any finding, or anything unusual,
nothing of this counts, and the log is audited in one pass.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from io import BytesIO
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.ceremony.choices import Choices, count_start
from fairshoe.log.canonical import MAX_ENTRY
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.tree import EMPTY_ROOT, Tree

from .evidence.address import open_at
from .findings.finding import Finding
from .findings.report import Report
from .pool import WorkerPool
from .registry import FAST_PATHS, HANDLERS, new_audit
from .walk.audit import Audit
from .walk.digest_set import RECORD
from .walk.state import AuditedShoe, AuditedTable
from .walk.watcher import SharedWatcher

CHUNK = 1 << 20
MAX_KEPT, MAX_ENDS = 128, 1 << 12
"""Of the ends of lines: how long they are, and how many."""
SHOE, _TABLE, _KIND = b'"shoe":"', b'"table":"', b'"kind":"'
_FIRST = b'{"at":"'
HOUR_ENDS = len(_FIRST) + 13
_AT = re.compile(rb'"at":"([^"\\]{27})"')


class NotShareable(Exception):
    """The log is to be audited in one pass: something was found, or is of no single table."""


class AuditedLines(NamedTuple):
    """A log that was gone through: the audit but for its end, the tree, the heads at sizes asked for; the number of
    tables in each share."""

    audit: Audit
    tree: Tree
    roots: Mapping[int, bytes]
    tables: Sequence[int] = ()


def audit_shared(
    path: Path,
    report: Report,
    workers: WorkerPool,
    *,
    signed: Checkpoint | None = None,
    marks: Collection[int] = (),
    progress: Callable[[int], None] | None = None,
    watch: SharedWatcher | None = None,
) -> AuditedLines:
    """Audit a log's file in shares. Raises NotShareable, with report and `watch` unchanged, if one pass must do it; and
    what the executor raises. `signed`: what it is to be. `marks`: sizes of tree heads. `progress` is told the audited
    bytes. `watch` counts beside it."""
    from concurrent.futures import as_completed
    from tempfile import TemporaryDirectory

    size, many = path.stat().st_size, workers.many
    sizes = sorted({*marks, *(() if signed is None else (signed.size,))})
    with TemporaryDirectory(prefix="fairshoe-") as folder:
        place: Path | str = workers.source or (path.resolve() if workers.elsewhere else path)
        shared_folder = None if workers.elsewhere else Path(folder)
        shares = [
            AuditShare(place, size, number, many, shared_folder, sizes, None if watch is None else watch.of_share())
            for number in range(many)
        ]
        running = {workers.executor.submit(audit_share, share): share for share in shares}
        audit, found = new_audit(report), dict[int, ShareResult]()
        try:
            for each in as_completed(running):
                one, share = each.result(), running[each]
                found[share.number] = one
                if one.digest != next(iter(found.values())).digest:  # somebody changed the file meanwhile
                    raise NotShareable
                if any(map(audit.claims.add, _records(share.claims, one.claims))):
                    raise NotShareable
                if progress is not None:
                    progress(size * len(found) // many)
        except BaseException:
            for each in running:
                each.cancel()
            raise
    if workers.elsewhere and found[0].digest != _digest(path, size):
        raise NotShareable  # a file of the same name, but not this one
    results = [found[number] for number in range(many)]
    tree = results[-1].tree
    if not any(each.tables for each in results) or (
        signed is not None and (tree.size, tree.root) != (signed.size, signed.root)
    ):
        raise NotShareable
    if watch is not None:
        watch.add_shares([each.watch for each in results if each.watch is not None])
    return _join_shares(results, audit)


def _digest(path: Path, size: int) -> bytes:
    """Return the SHA-256 of the first bytes of a file."""
    digest = sha256()
    for _ in _batches(path, size, digest.update):
        pass
    return digest.digest()


def _records(file: Path | None, data: bytes) -> Iterator[bytes]:
    """Yield what a share claimed, from its file or from its result."""
    with BytesIO(data) if file is None else open(file, "rb") as stream:
        while block := stream.read(RECORD << 12):
            yield from (block[at : at + RECORD] for at in range(0, len(block), RECORD))


def _join_shares(found: Sequence[ShareResult], audit: Audit) -> AuditedLines:
    """The audit at the log's end, as one pass leaves it."""
    report = audit.report
    names = {place: name for each in found for place, name in each.places.items()}
    tables = {name: state for each in found for name, state in each.tables.items()}
    audit.tables.update((name, tables[name]) for _, name in sorted(names.items()))
    shoes = [shoe for each in found for shoe in each.shoes]
    audit.shoes.update((shoe.id, shoe) for shoe in sorted(shoes, key=attrgetter("index")))
    for each in found:
        report.count(each.report)
        audit.unchecked.update(each.unchecked)
    for busy in zip(*(each.busy for each in found), strict=True):
        report.choices.add(None, count_start(any(busy)))
    notes = [note for each in found for note in each.report.findings]
    for note in sorted(notes, key=attrgetter("entry")):
        report.add_finding(note)
    audit.first_at, audit.last_at, audit.time, audit.starts, audit.begun, audit.index = found[-1].stands
    audit.known_count = audit.index + 1
    return AuditedLines(audit, found[-1].tree, found[-1].roots, [len(each.tables) for each in found])


# What a worker does.


class AuditShare(NamedTuple):
    """Share `number` (from 0) `of` so many of the tables in a file's first `size` bytes. Digests go into files in
    `folder`, else into the result. `marks`: sizes of tree heads."""

    path: Path | str
    size: int
    number: int
    of: int
    folder: Path | None
    marks: Sequence[int] = ()
    watch: SharedWatcher | None = None

    @property
    def claims(self) -> Path | None:
        return None if self.folder is None else self.folder / f"claims-{self.number}"

    def has(self, table: int) -> bool:
        """Whether the share has the log's so many-th table; dealt to and fro, to part games that alternate."""
        turn, place = divmod(table, self.of)
        return self.number == (self.of - 1 - place if turn & 1 else place)


class ShareResult(NamedTuple):
    """The result of one share of an audit."""

    report: Report  # the audit's report; at most notes in it
    tables: dict[str, AuditedTable]  # the share's tables by id
    shoes: list[AuditedShoe]  # shoes in play at the end
    unchecked: Counter[tuple[str, str]]  # what could not be checked, by check and words
    stands: tuple[Any, ...]  # where the audit stands, by STANDS
    busy: list[bool]  # for each `start`: whether a shoe of the share was in play
    places: dict[int, str]  # ids of the share's tables by their place in the log
    digest: bytes  # SHA-256 of all bytes: shows that all shares read the same
    tree: Tree  # the log's; only the last share grows it
    roots: dict[int, bytes]  # tree heads by size; only the last share makes them
    watch: SharedWatcher | None  # what counted beside it
    claims: bytes  # what may not come twice, where no file has it


STANDS = attrgetter("first_at", "last_at", "time", "starts", "begun", "index")


def audit_share(share: AuditShare) -> ShareResult:
    """Audit a share. Raises NotShareable."""
    desk, digest, tree, roots = TableAudit(share), sha256(), Tree(), {0: EMPTY_ROOT}
    for lines in _batches(share.path, share.size, digest.update):
        if share.number == share.of - 1:
            tree.grow(lines, share.marks, roots)
        desk.go(lines)
    audit = desk.audit
    if audit.passed or audit.unknown or audit.alone:
        raise NotShareable
    if share.claims is not None:
        with open(share.claims, "wb") as stream:
            stream.writelines(audit.claims)
    return ShareResult(
        audit.report,
        audit.tables,
        list(audit.shoes.values()),
        audit.unchecked,
        STANDS(audit),
        desk.busy,
        {place: name.decode() for place, name in enumerate(desk.mine) if desk.mine[name]},
        digest.digest(),
        tree,
        roots,
        share.watch,
        b"".join(audit.claims) if share.claims is None else b"",
    )


class NotesReport(Report):
    """A report without failures: the first raises NotShareable."""

    def add_finding(self, finding: Finding) -> None:
        if finding.severity == "fail":
            raise NotShareable
        super().add_finding(finding)


class TableAudit:
    """An audit of some tables of a log. Raises NotShareable at the first finding but a note."""

    def __init__(self, share: AuditShare) -> None:
        self.share = share
        self.audit = Audit(NotesReport(everything=True), HANDLERS, FAST_PATHS)
        self.audit.shares = share.of
        self.take = self.audit.take if share.watch is None else partial(share.watch, self.audit)
        self.mine: dict[bytes, bool] = {}  # by the log's order of tables, whether they are in the share
        self.ends: dict[bytes, bool] = {}  # the same by line ends from the shoe's name on
        self.hour = b""  # how lines of the last skipped hour begin
        self.busy: list[bool] = []  # by `start`, whether a shoe was in play

    def go(self, lines: list[bytes]) -> None:
        """Through some lines, of which those about the share's tables are taken."""
        audit, ends, take, passed, last = self.audit, self.ends, self.take, 0, b""
        for line in lines:
            own = ends.get(line[line.rfind(SHOE) :])
            if own is False and line[:HOUR_ENDS] == self.hour:
                passed, last = passed + 1, line
                continue
            if passed:
                audit.index += passed
                audit.last_at, passed = last[7:34].decode("latin-1"), 0
            if own is None:
                own = self._look(line)
            if own:
                take(line)
            elif own is False:
                self._pass_over(line)
        if passed:
            audit.index += passed
            audit.last_at = last[7:34].decode("latin-1")

    def _look(self, line: bytes) -> bool | None:
        """Whether a line is the share's, by the table that it names; None where that was seen to already."""
        name = table_of_line(line)
        own = self.mine.get(name)
        if own is None:
            return self._find_share(name, line)
        end = line[line.rfind(SHOE) :]
        if end.startswith(SHOE) and len(end) <= MAX_KEPT:
            if len(self.ends) >= MAX_ENDS:
                self.ends.clear()
            self.ends[end] = own
        return own

    def _find_share(self, name: bytes, line: bytes) -> bool | None:
        """A line about no table so far: whether it opens one of the share. A start every share takes."""
        kind = kind_of_line(line)
        if name and kind == b"table" and b'"placer":' not in line:
            self.mine[name] = self.share.has(len(self.mine))
            return self.mine[name]
        if name or kind != b"start" or b'"continues"' in line:
            raise NotShareable
        report = self.audit.report
        self.busy.append(bool(self.audit.shoes))
        choices, report.choices = report.choices, Choices()  # it is counted once, for all shares
        self.take(line)
        report.choices = choices
        return None

    def _pass_over(self, line: bytes) -> None:
        """An entry about another share's table: whoever has that looks at it."""
        audit, at = self.audit, time_of_line(line)
        if not at:
            raise NotShareable
        audit.index += 1
        if at[:13] != audit.last_at[:13]:
            audit.time.pass_on(audit.last_at, at)
        audit.last_at = at
        if not audit.index:
            audit.first_at = at
        self.hour = line[:HOUR_ENDS] if line.startswith(_FIRST) else b""


# The lines of a log's file, and which table each is about.


def _batches(path: Path | str, size: int, told: Callable[[bytes], object]) -> Iterator[list[bytes]]:
    """Yield the lines of a file's first bytes, without LF; `told` hears all bytes. Raises NotShareable."""
    rest = b""
    with open_at(path) as file:
        while size:
            chunk = file.read(min(size, CHUNK))
            if not chunk or len(rest) > MAX_ENTRY:
                raise NotShareable
            told(chunk)
            size -= len(chunk)
            *whole, rest = (rest + chunk).split(b"\n")
            yield whole
    if rest:
        raise NotShareable


def table_of_line(line: bytes) -> bytes:
    """Return the table that an entry names, or its shoe's id; b"" for neither. For lines of shoes without a table, or
    malformed, any fixed value."""
    at = line.rfind(SHOE)
    if at >= 0:
        at += len(SHOE)
        return line[at : line.rfind(b"/", at, line.find(b'"', at))]
    at = line.rfind(_TABLE)
    return line[at + len(_TABLE) : line.find(b'"', at + len(_TABLE))] if at >= 0 else b""


def kind_of_line(line: bytes) -> bytes:
    """Return the kind that an entry names first, if it is an honest one its own."""
    at = line.find(_KIND)
    return line[at + len(_KIND) : line.find(b'"', at + len(_KIND))] if at >= 0 else b""


def time_of_line(line: bytes) -> str:
    """Return the time that an entry says, "" where it says none; whether it is one is not looked at."""
    if line.startswith(_FIRST):
        return line[len(_FIRST) : len(_FIRST) + 27].decode(errors="replace")
    found = _AT.search(line)
    return "" if found is None else found[1].decode(errors="replace")
