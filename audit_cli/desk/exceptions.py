"""Exceptions: what a report found, asks or could not check. Each has an id that stays the same in the next report, and
what people decided of it stands in a CSV file that a spreadsheet opens."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from fairshoe.errors import InputError
from fairshoe.protocol.merkle import leaf_hash
from fairshoe.terminal.files import exists, is_stdin, read_utf8

from ..report.blocks import Block, Items, ReportTable, Section, columns
from ..report.hands_csv import csv_text
from ..report.run import ReportResult
from ..verify.evidence.log_lines import LogLines
from ..verify.findings.wording import count_text, left, place_text, sentence
from ..verify.registry import CATALOGUE

MAX_FILE_BYTES = 1 << 26
ID_DIGITS = 15
MAX_ROWS = 20
"""Of the page; the file of `--exceptions` and the JSON's `data` have all."""
_IS_ID = re.compile(r"E[0-9a-f]{15}")
OPEN = "open"
"""The state of an exception that nobody has decided."""
COLUMNS = ("id", "house", "table", "what", "where", "first seen", "state", "owner", "decided by", "when", "note")
HELP = "save it as CSV, with the columns that the report wrote"


class ReportedException(NamedTuple):
    """An exception, and what people say of it: `first_seen`, `when` are days, `state` is `open` or how it was
    decided."""

    id: str
    house: str
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
    """Return every finding, question and "not checked" of a log's report, as nobody has decided them yet."""
    audit, house = result.audit, result.audit.log.origin or ""
    day = (audit.log.last or audit.log.first or "")[:10]
    leaves = (
        {}
        if is_stdin(log)
        else _leaves(log, {finding.entry for finding in audit.findings if finding.entry is not None})
    )
    found = []
    for finding in audit.findings:
        about = (
            (leaves.get(finding.entry, str(finding.entry)), finding.field)
            if finding.entry is not None
            else (finding.table,)
        )
        name = _id(house, finding.code, *about)
        told = f"{finding.code}: {sentence(finding)}"
        found.append(ReportedException(name, house, finding.table or "", told, place_text(finding), day))
    for section in result.sections:
        for ask in section.asks:
            name = _id(house, section.name, ask.key)
            found.append(ReportedException(name, house, "", ask.text, section.title, day))
    for each in audit.unchecked:
        name = _id(house, "not-checked", each.check, each.what)
        found.append(ReportedException(name, house, "", f"not checked: {left(each)}", each.check, day))
    return list({each.id: each for each in reversed(found)}.values())[::-1]


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
    if missing := [name for name in COLUMNS if name not in titles]:
        what = f"no column {', '.join(missing)}"
        raise InputError(what, where=str(file), expected=", ".join(COLUMNS), remedy=HELP)
    found: dict[str, ReportedException] = {}
    for row in rows:
        if any(row):
            each = _read(dict(zip(titles, row, strict=False)), f"{file}, line {rows.line_num}")
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
    return each


def merge(found: Iterable[ReportedException], known: Mapping[str, ReportedException]) -> list[ReportedException]:
    """Return all that is found now with what people said of it before, then what was known and is not found now."""
    now = {each.id: each for each in found}
    merged = [
        each._replace(first_seen=known[each.id].first_seen or each.first_seen, **_decision(known[each.id]))
        if each.id in known
        else each
        for each in now.values()
    ]
    return [*merged, *(each for each in known.values() if each.id not in now)]


def _decision(each: ReportedException) -> dict[str, str]:
    return {name: getattr(each, name) for name in ("state", "owner", "decided_by", "when", "note")}


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
        f"{count_text(len(undecided), 'exception')} open ({new} new, {gone} carried over that this report does not "
        f"find), {len(merged) - len(undecided)} decided."
    )
    rows = [
        (each.id, each.house or None, each.what, each.where, _seen(each, found), _decided(each))
        for each in sorted(merged, key=lambda each: (not each.is_open, is_note(each.what)))
    ]
    titles = columns("id:code", "house", "what", "where", "seen", "state")
    data = [{**each._asdict(), "found": each.id in found, "new": each.id not in known} for each in merged]
    shown = rows[:MAX_ROWS]
    caption = f"Exceptions, the open ones first, notes last: {len(shown)} of {len(rows):,}"
    blocks: list[Block] = [ReportTable(caption, titles, shown), Items([ADVICE])] if rows else []
    return Section("exceptions", "Exceptions", "plain", says, blocks, data)


ADVICE = "A decision changes no verdict: what fails goes on failing, beside who decided what about it."


def is_note(what: str) -> bool:
    """Whether an exception, by what is told of it, is no more than a note."""
    code = CATALOGUE.get(what.partition(":")[0])
    return code is not None and code.severity == "note"


def _seen(each: ReportedException, found: set[str]) -> str:
    return f"since {each.first_seen}" if each.id in found else f"{each.first_seen}, not in this report"


def _decided(each: ReportedException) -> str:
    who = " ".join(filter(None, (each.decided_by and f"by {each.decided_by}", each.when)))
    owner = each.owner and f"owner {each.owner}"
    return ", ".join(filter(None, (each.state, who, owner, each.note)))
