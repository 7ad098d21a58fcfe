"""`start`: the service started, limits that run begin anew; or the log begins, in the place of another one."""

from __future__ import annotations

from typing import Any

from fairshoe.ceremony.choices import starts
from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.log.checkpoint import checkpoint_of

from ..findings.finding import LOG, Code
from ..walk.audit import Audit, EntryKind
from ..walk.shapes import count, hex32, identifier, list_of, record, shape, some, true

LONGEST_NOTE = 4_096
"""Of characters in the note of a checkpoint without cosignatures, which has some hundred."""
SIGNED = "\n\n— "
"""Where the signatures of a note begin."""


def _note(value: Any) -> bool:
    if type(value) is not str or len(value) > LONGEST_NOTE or SIGNED not in value:
        return False
    try:
        checkpoint_of(value)
    except InputError:
        return False
    return True


SHAPE = shape(
    {
        "continues": _note,
        "lost": some(list_of(record({"shoe": identifier}, {"key": hex32}))),
        "copy": count,
        "unknown": true,
        "tables": list_of(identifier),
    }
)
OF_THE_LOG_BEFORE = ("lost", "copy", "unknown")
CODES = (
    Code(
        "log-before",
        "completeness",
        "the house lost its log, began this one in its place, and the log before was not given",
        "The first entry names the newest checkpoint of the log before that the house knew. This log says nothing of "
        "what was played there, nor whether every shoe that was in play is named: by losing its log a house could end "
        "a shoe that it dislikes.",
        next="Get the log before this one, of the house or of anybody who kept it, and audit both: "
        "`fairshoe-audit verify LOG --before OLD`.",
    ),
    Code(
        "shoes-unknown-before",
        "completeness",
        "the house does not know which shoes it lost",
        "It had fewer entries of the log before at hand than it had signed (`copy`), or nothing that showed which was "
        "the newest (`unknown`). Shoes and rounds may be gone that it does not name.",
        next="Look for a copy of the log before that goes further, of players and witnesses, and audit both: "
        "`fairshoe-audit verify LOG --before OLD`.",
    ),
    Code(
        "shoe-lost-before",
        "completeness",
        "the house lost a shoe of the log before this one",
        "It was in play when the house lost its log, and was not played out. Its key stands in the entry where it is "
        "known: hold it against the commitment in the log before.",
        next="Audit the log before this one, and ask the house what became of the bets.",
    ),
)


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    """Each table is told when it is next looked at, so that this costs the same however many there are."""
    audit.begun += 1
    audit.report.choices.add(None, starts(bool(audit.shoes)))
    if "tables" in entry:
        _check_tables(audit, entry)
    else:
        audit.starts.add(entry["at"])
    note, lost = entry.get("continues"), entry.get("lost", ())
    if note is None:
        for field in OF_THE_LOG_BEFORE:
            if field in entry:
                audit.find("field-invalid", field=field, expected="only with `continues`", found=entry[field])
        return
    audit.report.checked("completeness")
    if audit.index and audit.continuing != (audit.index - 1, note):
        audit.wrong_step(LOG, "`continues` at the beginning of a log, naming one checkpoint", "start")
        return
    audit.continuing = audit.index, note
    if not audit.index:
        origin, size, _ = checkpoint_of(note)
        if not audit.before:
            audit.find("log-before", field="continues", found=f"{origin}, {size:,} entries")
            audit.report.leave("completeness", "the log before this one")
        _check_known(audit, entry, size)
    elif "copy" in entry or "unknown" in entry:
        audit.find("field-invalid", field="copy", expected="in the first entry only", found=entry.get("copy"))
    for shoe in lost:
        audit.find("shoe-lost-before", field="lost", found=shoe["shoe"])
    audit.lost += [(shoe["shoe"], shoe.get("key")) for shoe in lost]


def _check_tables(audit: Audit, entry: Entry) -> None:
    """Limits begin anew at these tables only."""
    names = entry["tables"]
    if "continues" in entry or len(set(names)) < len(names):
        wanted = "each table once, and none with `continues`"
        audit.find("field-invalid", field="tables", expected=wanted, found=names)
    for name in names:
        state = audit.table(name)
        if state is not None:
            state.starts.add(entry["at"])


def _check_known(audit: Audit, entry: Entry, size: int) -> None:
    """How much of the log before the house had when it named the shoes."""
    copy, unknown = entry.get("copy"), "unknown" in entry
    if copy is not None and copy >= size:
        audit.find("field-invalid", field="copy", expected=f"fewer than the {size:,} entries named", found=copy)
    elif copy is not None or unknown:
        had = "nothing that showed which was the newest" if copy is None else f"{copy:,} entries"
        audit.find("shoes-unknown-before", field="unknown" if copy is None else "copy", expected=size, found=had)


KINDS = (EntryKind("start", SHAPE, check),)
