"""The table of the ceremony: honest logs go through every cell of it and no other, and the functions that it names
exist."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from audit_cli.verify.findings.report import Report
from audit_cli.verify.registry import new_audit
from fairshoe.ceremony import contributing, drawing, ending
from fairshoe.ceremony.stages import FIRST_BANK, GUARDS, NEXT, ROWS, SOLE_SHOE, Course, Stage
from tests.corpus.case import FOLDER, verdicts
from tests.verifier.node import node

Cell = tuple[Course, Stage, str]
STAGES = Path(__file__).parents[2] / "fairshoe" / "web" / "verifier" / "stages.ts"

NOT_HERE = {
    *(cell for cell in NEXT if cell[2] == "lost"),
    # Both readings follow a bank that moves there; no service moves it.
    (Course.ONE, Stage.HASH, "bank"),
    (Course.ONE, Stage.BET, "bank"),
    (Course.ONE, Stage.OVER, "bank"),
    (Course.MANY, Stage.HASH, "bank"),
    (Course.MANY, Stage.SEED, "bank"),
    # Only other tests have these: walks of the machine, a player who places.
    *((course, Stage.SEED, entry) for course in (Course.MANY, Course.FIRST) for entry in ("lapse", "void")),
    (Course.FIRST, Stage.HASH, "void"),
    (Course.MANY, Stage.IDLE, SOLE_SHOE),
    # No game whose shoe serves one round runs out of cards; a reader would say so by the rules, not by the order.
    (Course.ONE, Stage.ROUND, "reshuffle"),
}
"""Cells that no honest log of the corpus goes through."""


def cells(lines: list[bytes]) -> Iterator[Cell]:
    """The cells that the entries of a log go through."""
    audit = new_audit(Report())
    for line in lines:
        entry = json.loads(line)
        kind = entry["kind"]
        shoe = audit.shoes.get(entry.get("shoe", ""))
        state = audit.tables.get(entry.get("table", ""))
        if kind == "bank" and entry["why"] == "first":
            kind = FIRST_BANK
        elif kind == "bank" and state is not None:
            live = state.book.shoe
            course = Course.ONE if state.book.rules.one_round else Course.MANY
            yield (course, Stage.IDLE, kind) if live is None else (live.course, live.stage, kind)
        if shoe is not None and kind not in ("bank", "late", "placed"):
            yield shoe.book_shoe.course, shoe.book_shoe.stage, kind
        audit.take(line)
        if kind == "shoe":
            told = audit.shoes[entry["shoe"]].book_shoe
            yield told.course, Stage.IDLE, SOLE_SHOE if told.alone else kind


def test_honest_logs_go_through_every_cell_and_no_other() -> None:
    seen = {
        cell
        for name, said in verdicts().items()
        if said["verdict"] == "pass"
        for cell in cells((FOLDER / name / "log.jsonl").read_bytes().splitlines())
    }
    assert seen == NEXT.keys() - NOT_HERE


def test_the_table_names_guards_that_exist() -> None:
    assert GUARDS.keys() <= {row.entry for row in ROWS}
    for guard in {name for names in GUARDS.values() for name in names}:
        assert any(callable(getattr(part, guard, None)) for part in (ending, contributing, drawing)), guard


def test_the_second_reading_has_the_same_table() -> None:
    """It was written by hand, from docs/log.md: compare cell by cell."""
    program = f"import({json.dumps(STAGES.as_uri())}).then(({{STAGES}}) => console.log(JSON.stringify(STAGES)))"
    done = subprocess.run([node(), "-e", program], capture_output=True, text=True, check=True)
    theirs = {
        (course, stage, entry): to
        for course, stages in json.loads(done.stdout).items()
        for stage, entries in stages.items()
        for entry, to in entries.items()
    }
    assert theirs == NEXT
