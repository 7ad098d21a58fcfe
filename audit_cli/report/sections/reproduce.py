"""What the report was made of, so that anybody gets the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...findings.report import TOOL
from ..blocks import Cell, Column, Section, Table
from ..facts import Facts

NAME, TITLE = "reproduce", "How to make this report again"
COLUMNS = (Column("what"), Column("value", "code"))


def build(facts: Facts) -> Section:
    log, given = facts.audit.log, facts.audit.parameters
    rows: list[tuple[Cell, ...]] = [
        ("program", TOOL),
        ("origin", log.origin),
        ("entries", log.size),
        ("tree head (RFC 6962, hex)", log.root),
        ("first entry", log.first),
        ("last entry", log.last),
        ("confidence", f"{facts.profile.name} %: the chance of any false alarm is at most {facts.profile.level:g}"),
        (
            "looking",
            "once, at a time chosen before"
            if facts.profile.once
            else "luck and busts as often as one likes, the rest once",
        ),
        *_given(given),
    ]
    tables: list[tuple[Cell, ...]] = [
        (
            table["table"],
            table["rules"],
            ", ".join(f"{name} {value}" for name, value in sorted(table["options"].items())),
            table["shoes"],
            table["rounds"],
        )
        for table in facts.audit.tables
    ]
    columns = (
        Column("table"),
        Column("rules"),
        Column("options"),
        Column("shoes", "count"),
        Column("rounds", "count"),
    )
    says = "The same log, program and parameters give the same bytes, on one core, many, or a cluster."
    blocks = [Table("Parameters", COLUMNS, rows), Table("Tables", columns, tables)]
    return Section(NAME, TITLE, "plain", says, blocks, {"log": log._asdict(), "parameters": given})


def _given(given: dict[str, Any]) -> Iterator[tuple[Cell, ...]]:
    for name, value in sorted(given.items()):
        yield name, "none given" if value in (None, []) else str(value)
