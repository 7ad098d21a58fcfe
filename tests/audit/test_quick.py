"""The lines that a log is made of are taken without parsing: else an audit is several times slower."""

from __future__ import annotations

import pytest

from audit_cli.findings.report import Report
from audit_cli.registry import new_audit
from audit_cli.walk.audit import Audit
from fairshoe.engine.rules import RULES
from tests.house import honest

from .planting import log

GAMES = sorted(name for name in RULES if RULES[name].__module__.startswith("fairshoe."))
QUICK = {"open", "round", "shoe"}
"""What comes with every round, and the longest line of every shoe."""
FULL = {"banker": 1, "chinese": 10, "lounge": 12}
"""So many seats has a full table, or a large one; else 7."""


def audited(lines: list[bytes] | tuple[bytes, ...]) -> Audit:
    audit = new_audit(Report())
    for line in lines:
        audit.take(line)
    assert audit.report.rounds > 0
    assert not audit.report.failed, audit.report.findings
    return audit


@pytest.mark.parametrize("game", GAMES)
def test_no_usual_line_of_an_honest_log_is_parsed(game: str) -> None:
    assert QUICK.isdisjoint(audited(log(game)).parsed)


@pytest.mark.parametrize("careless", [0.0, 0.3])
@pytest.mark.parametrize("game", GAMES)
def test_nor_of_a_full_table_of_careless_seats(game: str, careless: float) -> None:
    """Seats that are late, pass, waive, let limits lapse; a `shoe` that leaves one of them out is a rare one."""
    seats = range(1, FULL.get(game, 7) + 1)
    audit = audited(honest(game, 12, seats=seats, careless=careless).lines)
    assert QUICK.isdisjoint(audit.parsed.keys() - {"shoe"})
    assert audit.parsed["shoe"] == 0 or careless


def test_a_line_that_is_not_the_usual_one_is_counted() -> None:
    lines = [line.replace(b'{"at"', b'{ "at"') if b'"kind":"open"' in line else line for line in log("casino")]
    audit = new_audit(Report())
    for line in lines:
        audit.take(line)
    assert audit.parsed["open"] == sum(b'"kind":"open"' in line for line in lines)
