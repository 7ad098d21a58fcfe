"""`--resume`: an audit, and what counts beside it, goes on after the checkpoint that an earlier one ended at.

The state's file is JSON: what the earlier audit knew, of which log, key and options. Old entries are only hashed, to be
the same. A writer of the file can make an audit pass: it is as trusted as the reader's own disk.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from dataclasses import replace as replaced
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.ceremony.claims import claims_in
from fairshoe.ceremony.state_codec import UNREADABLE, dump, read
from fairshoe.errors import InputError, LogError
from fairshoe.log.tree import Tree
from fairshoe.protocol.deck import Deck
from fairshoe.terminal.durable import replace
from fairshoe.terminal.files import exists, is_stdin, read_utf8

from .evidence.head import HouseEvidence, read_house_key
from .evidence.memory import RememberedHead
from .evidence.witnesses import RequiredWitnesses
from .findings.report import TOOL, Report
from .run import NOBODY, Take, TakeLines, take_each, verify
from .walk.audit import Audit
from .walk.state import AuditedShoe, AuditedTable, LogTime, Starts
from .walk.watcher import SharedWatcher

VERSION = 8
FORM = "fairshoe-audit state"
MAX_STATE_BYTES = 1 << 30
"""The most bytes of such a file; one has some 10 KB for each table in play."""
DELETE = "delete the file to audit from the start"

OF_AUDIT: Mapping[str, Any] = {
    "index": int,
    "known_count": int,
    "first_at": str,
    "last_at": str,
    "starts": Starts,
    "begun": int,
    "time": LogTime,
    "continuing": tuple[int, str],
    "ordered": int,
    "alone": int,
    "has_placer": bool,
    "replayed": bool,
    "decks": dict[str, Deck],
    "parts": dict[str, tuple[int, int, list[str]]],
}
"""Attributes of the audit that are stored as they are."""
OF_REPORT: Mapping[str, Any] = {"shoes": int, "rounds": int, "cards": int}
WITH_DIGESTS = (b'"kind":"shoe"', b'"kind":"seeds"', b'"kind":"opened"')


Progress = Callable[[int], None] | None


class ResumeResult(NamedTuple):
    """The report, and why it cannot be resumed, if so: then the file was left. `watch`: counted beside the audit."""

    report: Report
    why_not: str
    watch: SharedWatcher | None


class AuditInputs(NamedTuple):
    """The reader's inputs beside a log, as `verify` takes them."""

    key: str | None = None
    remembered: Sequence[Path | RememberedHead] = ()
    wanted: RequiredWitnesses = NOBODY
    everything: bool = False
    notes: Path | None = None
    openings: Path | None = None

    @property
    def bound(self) -> dict[str, Any]:
        """Return what must be the same in the audit that goes on. Raises InputError for a key that is none."""
        key = None if self.key is None else str(read_house_key(self.key))
        return {"key": key, "everything": self.everything}

    def audit(self, log: Path, progress: Progress, *olds: RememberedHead, **how: Any) -> Report:
        """Audit a log that is also held against `olds`. Raises LogError, InputError, LogChanged."""
        remembered = [*olds, *self.remembered]
        return verify(log, **{**self._asdict(), "remembered": remembered}, progress=progress, **how)


def resume(
    log: Path,
    file: Path,
    given: AuditInputs,
    progress: Progress = None,
    new_watch: Callable[[], SharedWatcher] | None = None,
) -> ResumeResult:
    """Audit a log after the entries that `file` covers; report and counts of `new_watch` are those of `verify`.

    If the log does not begin with these, all is audited and held against their checkpoint. A report that passes stores
    its state in `file`. Raises LogError, InputError.
    """
    if is_stdin(log):
        what = "standard input cannot be read a second time"
        raise InputError(what, where="--resume", remedy="give the log as a file")
    bound = {**given.bound, "counts": new_watch is not None}
    kept = _read(file, bound)
    going_on = ResumedAudit(kept, new_watch and new_watch())
    try:
        report = given.audit(log, progress, going_on=going_on, watch=going_on.watch)
    except LogChanged:
        going_on = ResumedAudit(None, new_watch and new_watch())
        olds = [] if kept is None else [RememberedHead(kept.note)]
        report = given.audit(log, progress, *olds, going_on=going_on, watch=going_on.watch)
    why_not = ""
    if report.failed:
        why_not = "nobody goes on from an audit that failed"
    elif going_on.after is None:
        why_not = "there is no checkpoint that covers just these entries"
    else:
        _write(file, going_on.after, bound)
    return ResumeResult(report, why_not, going_on.watch)


# An audit that goes on.


class SavedAudit(NamedTuple):
    """A saved audit: `note`, its signed checkpoint, with `size` and `root` in hex; `known`, its state."""

    note: str
    size: int
    root: str
    known: dict[str, Any]


class LogChanged(Exception):
    """The log does not begin with the entries that the earlier audit checked."""


class ResumedAudit:
    """Has the entries of `before` only hashed, to have the same root before any later one is taken; at the end holds
    `after`, if the audit can be resumed."""

    def __init__(self, before: SavedAudit | None, watch: SharedWatcher | None) -> None:
        self.before = before
        self.watch = watch
        self.after: SavedAudit | None = None
        self.size = 0 if before is None else before.size
        self._count = 0

    def begin(self, audit: Audit, head: HouseEvidence, roots: Mapping[int, bytes], take: Take) -> TakeLines:
        """Load the known state into a new audit; return what takes all lines, new ones by `take`. Adds the head at
        `size` to `roots`. Raises LogChanged, InputError."""
        self._audit, self._head, self._roots, self._take_new = audit, head, roots, take
        if self.before is None:
            return take_each(take)
        if head.checkpoint is None or head.checkpoint.size < self.size:
            raise LogChanged
        try:
            know(audit, self.before.known)
            if self.watch is not None:
                self.watch.know(audit, self.before.known["watch"])
        except UNREADABLE as error:
            raise InputError(f"not a state that this version knows: {error}", remedy=DELETE) from None
        return take_each(self._take)

    def end(self, tree: Tree) -> None:
        """There are no more lines, and the audit's books are not closed yet. Raises LogChanged."""
        self._check()
        signed, note = self._head.checkpoint, self._head.note
        same = signed is not None and (tree.size, tree.root) == (signed.size, signed.root)
        if same and note is not None and not self._audit.report.failed:
            self.after = SavedAudit(note, tree.size, tree.root.hex(), resumable_state(self._audit, self.watch))

    def _take(self, line: bytes) -> None:
        if self._count < self.size:
            try:
                take_again(self._audit, line)
            except LogError:
                raise
            except Exception:  # no line that an audit passed
                raise LogChanged from None
        else:
            if self._count == self.size:
                self._check()
            self._take_new(line)
        self._count += 1

    def _check(self) -> None:
        root = self._roots.get(self.size)
        if self.before is not None and (root is None or root.hex() != self.before.root):
            raise LogChanged


def take_again(audit: Audit, line: bytes) -> None:
    """Note what may not come twice in a log; the books know the rest. `line` stood in a log that passed."""
    if not any(mark in line for mark in WITH_DIGESTS):
        return
    entry = json.loads(line)
    if entry["kind"] == "shoe":
        audit.note_shoe(entry)
    for kind, value, _ in claims_in(entry):
        audit.claims.add(bytes.fromhex(value), kind)


# What an audit knows.


def resumable_state(audit: Audit, watch: SharedWatcher | None = None) -> dict[str, Any]:
    """Return the state by which a passing audit, and its watch, go on; without digests, which the log has."""
    report = audit.report
    known = {
        "audit": {name: getattr(audit, name) for name in OF_AUDIT},
        "unchecked": [[*name, count] for name, count in audit.unchecked.items()],
        "tables": list(audit.tables.values()),
        "shoes": [shoe_form(shoe) for shoe in audit.shoes.values()],
        "unplaced": [shoe_form(shoe) for shoe in audit.unplaced.values()],
        "report": {name: getattr(report, name) for name in OF_REPORT},
        "choices": [[*name, count] for name, count in report.choices.counts.items()],
        "notes": report.notes(),
        "watch": watch,
    }
    found: dict[str, Any] = json.loads(dump(known))  # as it is now: the audit's end counts what is not over
    return found


def know(audit: Audit, form: Mapping[str, Any]) -> None:
    """Have a new audit know what an earlier one knew, from JSON. Raises UNREADABLE."""
    for of, hints, part in ((audit, OF_AUDIT, "audit"), (audit.report, OF_REPORT, "report")):
        for name, hint in hints.items():
            setattr(of, name, read(form[part][name], hint))
    audit.unchecked = Counter({(check, what): count for check, what, count in form["unchecked"]})
    audit.report.choices.counts.update({(table, player, name): times for table, player, name, times in form["choices"]})
    for each in form["tables"]:
        state = read(each, AuditedTable)
        audit.tables[state.id] = state
    for each in form["shoes"]:
        shoe = read_shoe(audit, each)
        if (
            shoe.book is not None and shoe.book.shoe is not None
        ):  # the table's book and the shoe are of one and the same
            shoe.book.shoe = shoe.book_shoe
        audit.shoes[shoe.id] = shoe
    for each in form["unplaced"]:
        shoe = read_shoe(audit, each)
        if shoe.book is not None and shoe.id in shoe.book.unrevealed_placers:
            shoe.book.unrevealed_placers[shoe.id].shoe = shoe.book_shoe
        audit.unplaced[shoe.id] = shoe
    audit.report.add_saved_notes(form["notes"])


def shoe_form(shoe: AuditedShoe) -> dict[str, Any]:
    """Return a shoe for `dump`, with the id of its table, which stands elsewhere."""
    form = {part.name: getattr(shoe, part.name) for part in fields(shoe) if part.init}
    return {**form, "table": None if shoe.table is None else shoe.table.id}


def read_shoe(audit: Audit, form: Mapping[str, Any]) -> AuditedShoe:
    """Read a shoe of which `audit` knows the table. Raises UNREADABLE."""
    shoe = read({**form, "table": None}, AuditedShoe)
    return shoe if form["table"] is None else replaced(shoe, table=audit.tables[form["table"]])


# The file.


def _write(path: Path, kept: SavedAudit, bound: Mapping[str, Any]) -> None:
    """Write the file whole or leave it as it was. Raises LogError."""
    text = dump({"form": FORM, "version": VERSION, "tool": TOOL, "bound": bound, **kept._asdict()})
    try:
        replace(path, f"{text}\n")
    except OSError as error:
        what = f"cannot write: {error.strerror}"
        raise LogError(what, where=str(path), remedy="check the folder and the free space") from None


def _read(path: Path, bound: Mapping[str, Any]) -> SavedAudit | None:
    """Return the saved audit, None without a file. Raises InputError if damaged, or bound to something else."""
    if not exists(path):
        return None
    try:
        state = json.loads(read_utf8(path, MAX_STATE_BYTES))
        named, given = (state["form"], state["version"], state["tool"]), state["bound"]
        kept = SavedAudit(*(state[name] for name in SavedAudit._fields))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise _refusal(path, "not a state of fairshoe-audit, or damaged") from None
    if named != (FORM, VERSION, TOOL):
        raise _refusal(path, f"written by {state['tool']}", f"one by {TOOL}")
    for name, value in bound.items():
        if given.get(name) != value:
            raise _refusal(path, f"made with {name} {given.get(name)}", f"{name} {value}")
    return kept


def _refusal(path: Path, what: str, expected: str = "") -> InputError:
    return InputError(what, where=str(path), expected=expected, remedy=DELETE)
