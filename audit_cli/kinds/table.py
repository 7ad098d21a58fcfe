"""`table`: a table opens with a rule set, its options and their digest."""

from __future__ import annotations

from fairshoe.engine.rules import rules_of
from fairshoe.engine.table import fresh_table
from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.record.entries import table_entry

from ..audit import Audit
from ..state import TableState

KIND = "table"


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    name = entry["table"]
    if name in audit.tables:
        audit.find("table-duplicate", round=name, field="table", found=name)
        return
    try:
        rules = rules_of(entry["rules"], entry["options"])
    except InputError as error:
        audit.refused("options-invalid", error, name, entry["options"])
        return
    audit.report.checked("order", "syntax", "policy")
    expected = table_entry(entry["at"], name, rules, entry["policy"])
    audit.compare(expected, entry, line, lambda _: "options-differ", name)
    audit.tables[name] = TableState(name, rules, entry["policy"], fresh_table(rules))
