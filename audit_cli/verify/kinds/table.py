"""`table`: opened, with rules and limits. `close`: by the operator. `token`: a seat's is changed. `start`: limits begin
anew, or the log does in place of another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairshoe.ceremony.book import PLAYER
from fairshoe.ceremony.choices import count_start
from fairshoe.ceremony.contributing import may_place
from fairshoe.ceremony.fold import apply_entry, open_table
from fairshoe.ceremony.policy import BEACON_DELAY, LAPSES, Policy, policy_of
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.log.checkpoint import checkpoint_of
from fairshoe.record.entries import TableOptions, table_entry

from ..findings.finding import LOG, Place, codes_of
from ..walk import shapes
from ..walk.audit import Audit, EntryKind, handler_of
from ..walk.state import AuditedTable
from .placement import verifier_or_player


def lapses(value: Any) -> bool:
    """Whether a JSON value is a number of lapsed limits that may put a player out."""
    return type(value) is int and LAPSES[0] <= value <= LAPSES[1]


def delay(value: Any) -> bool:
    """Whether a JSON value is a table's delay, in seconds, until a shoe's beacon."""
    return type(value) is int and BEACON_DELAY[0] <= value <= BEACON_DELAY[1]


def rule_set(value: Any) -> bool:
    """Whether a JSON value names a rule set: one of a user's own may be defined after this module is loaded."""
    return type(value) is str and value in RULES


TABLE = shapes.shape(
    {"placer": verifier_or_player, "lapses": lapses, "beacon_delay": delay},
    table=shapes.identifier,
    rules=rule_set,
    options=shapes.map_of(shapes.option),
    policy=shapes.map_of(shapes.count),
)
CODES = codes_of("""
table-duplicate: order
  a table was opened twice
  A table has one `table` entry.
options-differ: policy
  an option was left out, or stands where it says nothing
  The options of version 1 all stand in `table`; those that came later only off their default.
options-invalid: policy
  an option does not exist
  See docs/rules.md for the options.
log-before: completeness
  the house lost its log, and began this one in its place
  The first entry names the newest checkpoint of the log before that the house knew. This log says nothing of what
  was played there, nor whether every shoe that was in play is named: by losing its log a house could end a shoe
  that it dislikes.
  next: Get the log before this one, of the house or of anybody who kept it, and audit it too.
shoes-unknown-before: completeness
  the house does not know which shoes it lost
  It had fewer entries of the log before at hand than it had signed (`copy`), or nothing that showed which was the
  newest (`unknown`). Shoes and rounds may be gone that it does not name.
  next: Look for a copy of the log before that goes further, of players and witnesses, and audit it.
shoe-lost-before: completeness
  the house lost a shoe of the log before this one
  It was in play when the house lost its log, and was not played out. Its key stands in the entry where it is known:
  hold it against the commitment in the log before.
  next: Audit the log before this one, and ask the house what became of the bets.
""")


def check_table(audit: Audit, entry: Entry, line: bytes) -> None:
    place = Place(entry["table"])
    if entry["table"] in audit.tables:
        audit.find("table-duplicate", place, field="table", found=entry["table"])
        return
    try:
        rules = rules_of(entry["rules"], entry["options"])
    except InputError as error:
        audit.refused("options-invalid", error, place, entry["options"])
        return
    audit.report.checked("policy")
    if entry.get("placer") == PLAYER and not may_place(rules):
        wanted = "a placer of a table that one player cannot play at"
        audit.find("options-invalid", place, field="placer", expected=wanted, found=entry["placer"])
    audit.has_placer |= "placer" in entry
    delay = entry.get("beacon_delay", 0)
    optional: TableOptions = {"placer": entry.get("placer"), "lapses": entry.get("lapses", 0), "beacon_delay": delay}
    expected = table_entry(entry["at"], entry["table"], rules, entry["policy"], **optional)
    audit.compare(expected, entry, line, lambda _: "options-differ", place)
    policy = logged_policy(audit, entry["policy"], place)
    audit.tables[entry["table"]] = AuditedTable(open_table(entry | {"policy": policy._asdict()}))


def logged_policy(audit: Audit, limits: Mapping[str, int], place: Place) -> Policy:
    """Return the time limits that an entry states, all of them; a wrong one is reported and gets its default."""
    audit.report.checked("policy")
    good: dict[str, int] = {}
    for name in (*Policy._fields, *(name for name in limits if name not in Policy._fields)):
        try:
            policy_of({name: limits.get(name)})
        except InputError as error:
            audit.find("policy-invalid", place, field=error.where, expected=error.expected, found=limits.get(name))
        else:
            good[name] = limits[name]
    return policy_of(good)


CLOSE = shapes.shape(table=shapes.identifier)


def check_close(audit: Audit, state: AuditedTable, entry: Entry, line: bytes) -> None:
    if state.book.closed_at:
        audit.find("table-closed", state.place, expected="a table is closed once", found=state.id)
    audit.count(state, None, entry)
    apply_entry(state.book, state.book.shoe, entry)


TOKEN = shapes.shape(table=shapes.identifier, seat=shapes.number, player=shapes.identifier)


def check_token(audit: Audit, state: AuditedTable, entry: Entry, line: bytes) -> None:
    """The operator changed the token of a seat that is taken."""
    seat, player = entry["seat"], entry["player"]
    sitting = state.book.table.players.get(seat)
    if sitting != player:
        audit.find("seat-differs", state.place, field="player", expected=sitting, found=player)
    audit.count(state, None, entry)
    apply_entry(state.book, state.book.shoe, entry)


LONGEST_NOTE = 4_096
"""Of characters in the note of a checkpoint without cosignatures, which has some hundred."""
SIGNED = "\n\n— "
"""The separator between a note's text and its signatures."""


def _note(value: Any) -> bool:
    if type(value) is not str or len(value) > LONGEST_NOTE or SIGNED not in value:
        return False
    try:
        checkpoint_of(value)
    except InputError:
        return False
    return True


_names = shapes.list_of(shapes.identifier)


def _tables(value: Any) -> bool:
    """Whether a JSON value names tables, each once."""
    return _names(value) and len(set(value)) == len(value)


START = shapes.shape(
    {
        "continues": _note,
        "lost": shapes.non_empty(shapes.list_of(shapes.record({"shoe": shapes.identifier}, {"key": shapes.hex32}))),
        "copy": shapes.count,
        "unknown": shapes.true,
        "tables": _tables,
    }
)
OF_THE_LOG_BEFORE = ("lost", "copy", "unknown")


def check_start(audit: Audit, entry: Entry, line: bytes) -> None:
    """Each table is told when it is next looked at, so that this costs the same however many there are."""
    audit.begun += 1
    audit.report.choices.add(None, count_start(bool(audit.shoes)))
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
        audit.find("log-before", field="continues", found=f"{origin}, {size:,} entries")
        audit.report.leave("completeness", "the log before this one")
        _check_known(audit, entry, size)
    elif "copy" in entry or "unknown" in entry:
        audit.find("field-invalid", field="copy", expected="in the first entry only", found=entry.get("copy"))
    for shoe in lost:
        audit.find("shoe-lost-before", field="lost", found=shoe["shoe"])


def _check_tables(audit: Audit, entry: Entry) -> None:
    """Limits begin anew at these tables only."""
    names = entry["tables"]
    if "continues" in entry:
        audit.find("field-invalid", field="tables", expected="none with `continues`", found=names)
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


KINDS = (
    EntryKind("table", TABLE, check_table),
    EntryKind("close", CLOSE, handler_of(Audit.table_of, check_close)),
    EntryKind("token", TOKEN, handler_of(Audit.table_of, check_token)),
    EntryKind("start", START, check_start),
)
