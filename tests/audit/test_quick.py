"""The lines that a log is made of are taken without parsing: else an audit is several times slower."""

from __future__ import annotations

import pytest

from audit_cli.findings.report import Report
from audit_cli.kinds import new_audit
from fairshoe.engine.rules import RULES

from .planting import log


@pytest.mark.parametrize("game", sorted(name for name in RULES if RULES[name].__module__.startswith("fairshoe.")))
def test_no_open_and_no_round_of_an_honest_log_is_parsed(game: str) -> None:
    audit = new_audit(Report())

    def parsed(*_: object) -> None:
        raise RuntimeError("this line should have been taken as text")

    audit.handlers = {**audit.handlers, "open": parsed, "round": parsed}
    for line in log(game):
        audit.take(line)
    assert audit.report.rounds > 0
    assert not audit.report.failed, audit.report.findings
