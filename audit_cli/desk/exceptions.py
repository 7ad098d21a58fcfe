"""Exceptions: what a report found, asks or could not check. Each has an id that stays the same in the next report, and
what people decided of it stands in a CSV file that a spreadsheet opens."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

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
HELP = "save it as CSV, with the columns that the report wrote"


class ReportedException(NamedTuple):
    """An exception, and what people say of it: `log` had it last, and began at `log_begun`, a time that no spreadsheet
    takes for one; `first_seen`, the day of the first report that had it, and `when` are days; `state` is `open` or how
    it was decided."""

    id: str
    house: str
    log: str
    log_begun: str
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


COLUMNS = tuple(name.replace("_", " ") for name in ReportedException._fields)
"""Of the file."""


def exceptions_of(result: ReportResult, log: Path, date: str) -> list[ReportedException]:
    """Return every failure, question and "not checked" of a log's report, and the notes of each code and table
    together, as nobody has decided them yet. The log's house and the time of its first entry tell it from others: both
    stay when it goes on. `date`: the report's, else the log's last day stands for it."""
    audit, house = result.audit, result.audit.log.origin or ""
    day = date or (audit.log.last or audit.log.first or "")[:10]
    begun = audit.log.first
    found: dict[str, ReportedException] = {}

    def add(name: str, table: str | None, what: str, where: str) -> None:
        about = (name, house, result.name, begun_text(begun), table or "", what, where, day)
        found.setdefault(name, ReportedException(*about))

    fails = [finding for finding in audit.findings if finding.severity == "fail"]
    entries = {finding.entry for finding in fails if finding.entry is not None}
    leaves = {} if is_stdin(log) else _leaves(log, entries)
    for finding in fails:
        leaf = None if finding.entry is None else leaves.get(finding.entry, str(finding.entry))
        about = (begun, finding.table) if leaf is None else (leaf, finding.field)
        add(
            exception_id(house, finding.code, *about),
            finding.table,
            f"{finding.code}: {sentence(finding)}",
            place_text(finding),
        )
    notes: dict[tuple[str, str | None], list[Finding]] = defaultdict(list)
    for finding in audit.findings:
        if finding.severity == "note":
            notes[finding.code, finding.table].append(finding)
    for (code, table), group in notes.items():
        told = f"{code}: {group[0].cause}, {count_text(len(group), 'time')}"
        add(exception_id(house, code, begun, table), table, told, f"first {place_text(group[0])}")
    for section in result.sections:
        for ask in section.asks:
            add(exception_id(house, section.name, begun, ask.key), None, ask.text, section.title)
    for each in audit.unchecked:
        add(
            exception_id(house, "not-checked", begun, each.check, each.what),
            None,
            f"not checked: {left(each)}",
            each.check,
        )
    return list(found.values())


def begun_text(first: str | None) -> str:
    """Return the time of a log's first entry as `ReportedException.log_begun` has it."""
    return f"{first[:10]} at {first[11:-1]} UTC" if first else ""


def exception_id(*parts: str | None) -> str:
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
    if missing := [name for name in COLUMNS if name not in (*titles, "log", "log begun")]:
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
            raise InputError(
                f"`{name}` is {day!r}", where=where, expected="a day, YYYY-MM-DD", remedy="give the column that form"
            )
    return each


def rows_of(form: Mapping[str, Any], where: str) -> dict[str, ReportedException]:
    """Read what an earlier report's JSON found, by id, as if nobody had decided it: who did is what a file of
    `--exceptions` says. Raises InputError."""
    rows = [row for row in form["sections"]["exceptions"]["data"] if row["found"]]
    found = [_read({name: str(row.get(name.replace(" ", "_"), "")) for name in COLUMNS}, where) for row in rows]
    return {each.id: each._replace(state=OPEN, owner="", decided_by="", when="", note="") for each in found}


def merge(found: Iterable[ReportedException], known: Mapping[str, ReportedException]) -> list[ReportedException]:
    """Return all that is found now with what people said of it before, then what was known and is not found now: the
    open ones first, notes last. Of logs that begin alike the last given tells what is found: the longest."""
    now: dict[str, ReportedException] = {}
    for each in found:
        names = (now[each.id].log, each.log) if each.id in now else (each.log,)
        now[each.id] = each._replace(log=", ".join(names))
    merged = [_decided(each, known[each.id]) if each.id in known else each for each in now.values()]
    merged += [each for each in known.values() if each.id not in now]
    return sorted(merged, key=lambda each: (not each.is_open, is_note(each.what)))


def _decided(each: ReportedException, before: ReportedException) -> ReportedException:
    """Return an exception with what people said of it `before`; notes that came since a decision are open."""
    said = {name: getattr(before, name) for name in ("state", "owner", "decided_by", "when", "note")}
    same = each._replace(first_seen=before.first_seen or each.first_seen, **said)
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
    now: Sequence[ReportedException],
    merged: Sequence[ReportedException],
    known: Mapping[str, ReportedException],
    begun: Set[tuple[str, str]],
) -> Section:
    """Make the section. `now`: what this report found; `merged`: the same and what is carried over, as decided;
    `known`: what an earlier report had; `begun`: house and beginning of each log of this report, and
    each house with "", of its logs together."""
    found = {each.id for each in now}
    seen = {each.id: _seen(each, each.id in found, each.id in known, begun) for each in merged}
    undecided = Counter(seen[each.id] for each in merged if each.is_open)
    parts = ", ".join(f"{undecided[kind]:,} {text}" for kind, text in SEEN.items() if undecided[kind])
    notes = sum(each.is_open and is_note(each.what) for each in merged)
    says = f"{count_text(undecided.total(), 'exception')} to decide, {notes:,} of them notes"
    if parts:
        says += f": {parts}"
    says += f". {len(merged) - undecided.total():,} decided."
    order = sorted(merged, key=lambda each: (not each.is_open, is_note(each.what), [*SEEN].index(seen[each.id])))
    rows = []
    for each in order:
        log, since = each.log or each.house, seen[each.id]
        if each.log_begun:
            log += f", begun {each.log_begun[:10]}"
        if each.id in known:
            since += f", since {each.first_seen}"
        rows.append((each.id, log, each.what, each.where, since, _state(each)))
    titles = columns("id:code", "log", "what", "where", "seen", "state")
    data = [{**each._asdict(), "found": each.id in found, "new": each.id not in known} for each in merged]
    caption = "Exceptions, the open ones first, notes last"
    blocks: list[Block] = [ReportTable(caption, titles, rows, shown=MAX_ROWS), Items([ADVICE])] if rows else []
    return Section("exceptions", "Exceptions", "plain", says, blocks, data)


SEEN = {
    "new": "new",
    "known": "known before",
    "gone": "no longer found",
    "log not given": "of logs that are not in this report",
}
"""How an exception stands in this report, and what is told of so many; the first stand first."""
ADVICE = "A decision changes no verdict: what fails goes on failing, beside who decided what about it."


def is_note(what: str) -> bool:
    """Whether an exception, by what is told of it, is no more than a note."""
    code = CATALOGUE.get(what.partition(":")[0])
    return code is not None and code.severity == "note"


def _seen(each: ReportedException, found: bool, known: bool, begun: Set[tuple[str, str]]) -> str:
    """Return how an exception stands in this report, as in `SEEN`."""
    if found:
        return "known" if known else "new"
    return "gone" if (each.house, each.log_begun) in begun else "log not given"


def _state(each: ReportedException) -> str:
    who = " ".join(filter(None, (each.decided_by and f"by {each.decided_by}", each.when)))
    owner = each.owner and f"owner {each.owner}"
    return ", ".join(filter(None, (each.state, who, owner, each.note)))
