"""`table` and `close`: a table opens with a rule set, its options and its time limits; the operator closes it."""

from __future__ import annotations

from collections.abc import Mapping

from fairshoe.ceremony.fold import opened_table, take
from fairshoe.ceremony.policy import Policy, policy_of
from fairshoe.engine.rules import rules_of
from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.record.entries import table_entry

from ..findings.finding import Code, Place
from ..walk.audit import Audit, EntryKind
from ..walk.shapes import count, identifier, map_of, option, shape, text
from ..walk.state import TableState

TABLE = shape(table=identifier, rules=text, options=map_of(option), policy=map_of(count))
CODES = (
    Code("table-duplicate", "order", "a table was opened twice", "A table has one `table` entry."),
    Code(
        "options-differ",
        "policy",
        "an option was left out, or stands where it says nothing",
        "The options of version 1 all stand in `table`; those that came later only off their default.",
    ),
    Code("options-invalid", "policy", "the rule set or an option does not exist", "See docs/rules.md for the options."),
)


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
    expected = table_entry(entry["at"], entry["table"], rules, entry["policy"])
    audit.compare(expected, entry, line, lambda _: "options-differ", place)
    policy = logged_policy(audit, entry["policy"], place)
    audit.tables[entry["table"]] = TableState(opened_table(entry | {"policy": policy._asdict()}))


def logged_policy(audit: Audit, limits: Mapping[str, int], place: Place) -> Policy:
    """The time limits that an entry states, all of them; a wrong one is reported and gets its default."""
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


CLOSE = shape(table=identifier)


def check_close(audit: Audit, entry: Entry, line: bytes) -> None:
    state = audit.table(entry["table"])
    if state is None:
        return
    if state.book.closed:
        audit.find("table-closed", state.place, expected="a table is closed once", found=state.id)
    audit.count(state, None, entry)
    take(state.book, state.book.shoe, entry)


KINDS = (
    EntryKind("table", TABLE, check_table),
    EntryKind("close", CLOSE, check_close),
)
