"""Exceptions: what a report found, asks or could not check. Each has an id that stays the same in the next report, and
what people decided of it stands in a CSV file that a spreadsheet opens."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from fairshoe.errors import InputError
from fairshoe.protocol.merkle import leaf_hash
from fairshoe.terminal.files import exists, is_stdin, read_utf8

from ..report.blocks import Block, Items, ReportTable, Section, columns
from ..report.cover import is_day
from ..report.hands_csv import csv_text
from ..report.run import ReportResult
from ..verify.evidence.log_lines import LogLines
from ..verify.findings.finding import Finding
from ..verify.findings.wording import count_text, left, place_text, sentence
from ..verify.registry import CATALOGUE

MAX_FILE_BYTES = 1 << 26
ID_DIGITS = 15
MAX_ROWS = 20
"""Of the page; the file of `--exceptions` and the JSON's `data` have all."""
_IS_ID = re.compile(r"E[0-9a-f]{15}")
_TIMES = re.compile(r", ([\d,]+) times?$")
"""How often a note came, at the end of what is told of it."""
OPEN = "open"
"""The state of an exception that nobody has decided."""
COLUMNS = ("id", "house", "log", "table", "what", "where", "first seen", "state", "owner", "decided by", "when", "note")
HELP = "save it as CSV, with the columns that the report wrote"


class ReportedException(NamedTuple):
    """An exception, and what people say of it: `log` had it last; `first_seen`, `when` are days, `state` is `open` or
    how it was decided."""

    id: str
    house: str
    log: str
    table: str
    what: str
    where: str
    first_seen: str
    state: str = OPEN
    owner: str = ""
    decided_by: str = ""
    when: str = ""
    note: str = ""

    @property
    def is_open(self) -> bool:
        return self.state == OPEN


def exceptions_of(result: ReportResult, log: Path) -> list[ReportedException]:
    """Return every failure, question and "not checked" of a log's report, and the notes of each code and table
    together, as nobody has decided them yet. The log's house and the time of its first entry tell it from others: both
    stay when it goes on."""
    audit, house = result.audit, result.audit.log.origin or ""
    day = (audit.log.last or audit.log.first or "")[:10]
    begun = audit.log.first
    found: dict[str, ReportedException] = {}

    def add(name: str, table: str | None, what: str, where: str) -> None:
        found.setdefault(name, ReportedException(name, house, result.name, table or "", what, where, day))

    fails = [finding for finding in audit.findings if finding.severity == "fail"]
    entries = {finding.entry for finding in fails if finding.entry is not None}
    leaves = {} if is_stdin(log) else _leaves(log, entries)
    for finding in fails:
        leaf = None if finding.entry is None else leaves.get(finding.entry, str(finding.entry))
        about = (begun, finding.table) if leaf is None else (leaf, finding.field)
        add(
            _id(house, finding.code, *about), finding.table, f"{finding.code}: {sentence(finding)}", place_text(finding)
        )
    notes: dict[tuple[str, str | None], list[Finding]] = defaultdict(list)
    for finding in audit.findings:
        if finding.severity == "note":
            notes[finding.code, finding.table].append(finding)
    for (code, table), group in notes.items():
        told = f"{code}: {group[0].cause}, {count_text(len(group), 'time')}"
        add(_id(house, code, begun, table), table, told, f"first {place_text(group[0])}")
    for section in result.sections:
        for ask in section.asks:
            add(_id(house, section.name, begun, ask.key), None, ask.text, section.title)
    for each in audit.unchecked:
        add(_id(house, "not-checked", begun, each.check, each.what), None, f"not checked: {left(each)}", each.check)
    return list(found.values())


def _id(*parts: str | None) -> str:
    """Return the id of what has these parts. It begins with a letter: no spreadsheet takes it for a number."""
    return "E" + sha256("\n".join(part or "" for part in parts).encode()).hexdigest()[:ID_DIGITS]


def _leaves(log: Path, wanted: set[int]) -> Mapping[int | None, str]:
    """Return the hashes of these entries' leaves, in hex; another pass through the log, up to the last of them."""
    last = max(wanted, default=-1)
    found: dict[int | None, str] = {}
    for index, line in enumerate(LogLines(log) if wanted else ()):
        if index in wanted:
            found[index] = leaf_hash(line).hex()
        if index == last:
            break
    return found


# What people decided.


def read_exceptions(file: Path) -> dict[str, ReportedException]:
    """Read the file by id; nothing is known where there is none yet. Separators may be those of any spreadsheet.
    Raises InputError."""
    if not exists(file):
        return {}
    text = read_utf8(file, MAX_FILE_BYTES).removeprefix("\ufeff")
    head = text.partition("\n")[0]
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count))
    titles = [title.strip() for title in next(rows, [])]
    if missing := [name for name in COLUMNS if name not in (*titles, "log")]:
        what = f"no column {', '.join(missing)}"
        raise InputError(what, where=str(file), expected=", ".join(COLUMNS), remedy=HELP)
    if own := [title for title in titles if title not in COLUMNS]:
        remedy = "write into `note`, or keep your own columns in another file"
        what = f"a column {', '.join(map(repr, own))}, which the next report would not keep"
        raise InputError(what, where=str(file), expected=", ".join(COLUMNS), remedy=remedy)
    found: dict[str, ReportedException] = {}
    for row in rows:
        if any(row):
            where = f"{file}, line {rows.line_num}"
            each = _read(dict(zip(titles, row, strict=False)), where)
            if each.id in found:
                raise InputError(f"{each.id} again", where=where, expected="each id once", remedy="leave one row of it")
            found[each.id] = each
    return found


def _read(row: Mapping[str, str], where: str) -> ReportedException:
    cells = [row.get(name, "").strip() for name in COLUMNS]
    cells[COLUMNS.index("state")] = cells[COLUMNS.index("state")].lower() or OPEN
    each = ReportedException(*cells)
    if not _IS_ID.fullmatch(each.id):
        raise InputError(f"the id is {each.id!r}", where=where, expected="E and 15 digits in hex", remedy=HELP)
    if not each.is_open and not each.decided_by:
        remedy = "say who decided, or set the state to open"
        raise InputError(f"{each.state!r} without `decided by`", where=where, expected="a name", remedy=remedy)
    for name, day, needed in (("first seen", each.first_seen, False), ("when", each.when, not each.is_open)):
        if (day or needed) and not is_day(day):
            raise InputError(f"`{name}` is {day!r}", where=where, expected="a day, YYYY-MM-DD", remedy="write the day")
    return each


def merge(found: Iterable[ReportedException], known: Mapping[str, ReportedException]) -> list[ReportedException]:
    """Return all that is found now with what people said of it before, then what was known and is not found now. Of
    logs that begin alike the last given tells what is found: the longest."""
    now: dict[str, ReportedException] = {}
    for each in found:
        names = (now[each.id].log, each.log) if each.id in now else (each.log,)
        now[each.id] = each._replace(log=", ".join(names))
    merged = [_decided(each, known[each.id]) if each.id in known else each for each in now.values()]
    return [*merged, *(each for each in known.values() if each.id not in now)]


def _decided(each: ReportedException, before: ReportedException) -> ReportedException:
    """Return an exception with what people said of it `before`; notes that came since a decision are open."""
    same = before._replace(log=each.log, table=each.table, what=each.what, where=each.where, house=each.house)
    same = same._replace(first_seen=before.first_seen or each.first_seen)
    new = _count(each.what) - _count(before.what)
    if before.is_open or new <= 0:
        return same
    told = f"{before.state} by {before.decided_by}, {before.when}, for {_count(before.what):,}; {new:,} new"
    return same._replace(state=OPEN, decided_by="", when="", note="; ".join(filter(None, (before.note, told))))


def _count(what: str) -> int:
    """Return how often a note came, by what is told of it."""
    found = _TIMES.search(what) if is_note(what) else None
    return int(found[1].replace(",", "")) if found else 0


def csv_of(exceptions: Sequence[ReportedException]) -> str:
    """Return the file."""
    return csv_text(COLUMNS, exceptions)


def exceptions(
    now: Sequence[ReportedException], merged: Sequence[ReportedException], known: Mapping[str, ReportedException]
) -> Section:
    """Make the section. `now`: what this report found; `merged`: the same and what is carried over, as decided."""
    found = {each.id for each in now}
    undecided = [each for each in merged if each.is_open]
    new = sum(each.id not in known for each in undecided)
    gone = sum(each.id not in found for each in undecided)
    says = (
        f"{count_text(len(undecided), 'exception')} open ({new} new, {len(undecided) - new - gone} found again, {gone} "
        f"not found again), {len(merged) - len(undecided)} decided."
    )
    rows = [
        (each.id, each.log or each.house or None, each.table or None, each.what, each.where, *_stands(each, found))
        for each in sorted(merged, key=lambda each: (not each.is_open, is_note(each.what)))
    ]
    titles = columns("id:code", "log", "table", "what", "where", "seen", "state")
    data = [{**each._asdict(), "found": each.id in found, "new": each.id not in known} for each in merged]
    caption = "Exceptions, the open ones first, notes last"
    blocks: list[Block] = [ReportTable(caption, titles, rows, shown=MAX_ROWS), Items([ADVICE])] if rows else []
    return Section("exceptions", "Exceptions", "plain", says, blocks, data)


ADVICE = "A decision changes no verdict: what fails goes on failing, beside who decided what about it."


def is_note(what: str) -> bool:
    """Whether an exception, by what is told of it, is no more than a note."""
    code = CATALOGUE.get(what.partition(":")[0])
    return code is not None and code.severity == "note"


def _stands(each: ReportedException, found: set[str]) -> tuple[str, str]:
    """Return since when an exception is known, and its state."""
    who = " ".join(filter(None, (each.decided_by and f"by {each.decided_by}", each.when)))
    owner = each.owner and f"owner {each.owner}"
    seen = f"since {each.first_seen}" if each.id in found else f"{each.first_seen}, not found again"
    return seen, ", ".join(filter(None, (each.state, who, owner, each.note)))
