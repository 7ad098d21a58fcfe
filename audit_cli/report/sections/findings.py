"""What the audit found, by cause."""

from __future__ import annotations

from ...findings.report import Group
from ...findings.wording import counted, sentence
from ..blocks import Block, Cell, Column, Items, Section, Status, Table, Text
from ..facts import Facts

NAME, TITLE = "findings", "What was found"
MOST_TOLD = 50
"""Of so many kinds the first places are told."""


def build(facts: Facts) -> Section:
    groups = facts.audit.groups
    fails = sum(group.code.severity == "fail" for group in groups)
    status: Status = "bad" if fails else "good" if facts.audit.rounds or facts.audit.shoes else "plain"
    if not groups:
        return Section(NAME, TITLE, status, "Nothing.", data=[])
    says = (
        f"{counted(fails, 'kind')} of failure, {counted(len(groups) - fails, 'kind')} of note, which decides nothing."
    )
    rows: list[tuple[Cell, ...]] = [_row(group) for group in groups]
    columns = (
        Column("finding", "code"),
        Column("severity"),
        Column("fault"),
        Column("check"),
        Column("count", "count"),
        Column("likely cause"),
    )
    anchors = tuple(f"finding-{group.code.code}" for group in groups)
    blocks: list[Block] = [
        Table("Of each shoe the first failure; what is counted beneath it is added", columns, rows, anchors)
    ]
    for group in groups[:MOST_TOLD]:
        if group.code.severity == "fail":
            blocks += [Text(f"{group.code.code}: {group.code.explain}"), Items(_told(group))]
    return Section(NAME, TITLE, status, says, blocks, [group.as_json() for group in groups])


def _row(group: Group) -> tuple[Cell, ...]:
    code = group.code
    count = group.count + sum(group.follows.values())
    return code.code, code.severity, code.fault, code.check, count, code.cause


def _told(group: Group) -> list[str]:
    told = [sentence(finding) for finding in group.first]
    if group.count > len(told):
        told.append(f"and {group.count - len(told):,} more")
    return [*told, *([group.first[0].next] if group.first[0].next else [])]
