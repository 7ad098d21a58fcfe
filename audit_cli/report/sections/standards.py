"""What the report says to the clauses of standards."""

from __future__ import annotations

from collections.abc import Sequence

from ..blocks import Block, Cell, Column, Section, Status, Table, Text
from ..facts import Facts
from ..profiles import Clause, Standard

NAME, TITLE = "standards", "Standards"
STATES: dict[str, Status] = {"pass": "good", "fail": "bad", "not-checked": "unknown"}
WORST: tuple[Status, ...] = ("bad", "question", "unknown", "good")
COLUMNS = (
    Column("clause"),
    Column("what it asks"),
    Column("here", "status"),
    Column("by"),
    Column("for people to see to"),
)


def build(facts: Facts, sections: Sequence[Section], standards: Sequence[Standard]) -> Section:
    """`sections`: all those that clauses may name."""
    known = {section.name: section.status for section in sections}
    says = "Checked against the log alone; no report makes a house compliant."
    blocks: list[Block] = []
    for standard in standards:
        rows: list[tuple[Cell, ...]] = [_row(facts, known, clause) for clause in standard.clauses]
        blocks += [Text(f"{standard.source} ({standard.edition})"), Table(standard.title, COLUMNS, rows)]
    data = [
        standard._asdict() | {"clauses": [clause._asdict() for clause in standard.clauses]} for standard in standards
    ]
    return Section(NAME, TITLE, "plain", says, blocks, data)


def _row(facts: Facts, known: dict[str, Status], clause: Clause) -> tuple[Cell, ...]:
    states = [STATES[facts.audit.checks[name]] for name in clause.checks] + [known[name] for name in clause.sections]
    status = next((each for each in WORST if each in states), "plain")
    by = ", ".join((*clause.checks, *clause.sections)) or None
    return clause.id, clause.about, status if states else "plain", by, clause.people or None
