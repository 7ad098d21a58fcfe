"""Tables whose player places: the ceremony by the machine alone, and what an auditor says of its logs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from audit_cli.findings.report import Report

from .walk import OwnWalk

GAMES = ["banker", "boxes", "casino", "lounge"]
NEVER = {"seeds", "opened", "lapse", "late"}


def told(report: Report) -> list[tuple[str, str, object, object]]:
    return [(f.code, str(f.place), f.field, f.found) for f in report.findings if f.severity == "fail"]


@pytest.mark.parametrize("trouble", [0.0, 0.3])
@pytest.mark.parametrize("rules", GAMES)
def test_an_auditor_finds_its_logs_clean(rules: str, trouble: float, tmp_path: Path) -> None:
    """With clients that answer at once, and such that are waited for."""
    walk = OwnWalk(rules, random.Random(f"{rules} {trouble}"), trouble, slow=trouble)
    walk.play(12)
    walk.serve()
    report = walk.audit(tmp_path)
    assert told(report) == []
    assert report.complete or report.checks["signature"] == "not-checked"
    assert not walk.state.book.unplaced
    kinds = {entry["kind"] for entry in walk.log}
    assert not kinds & NEVER
    assert {"shoe", "open", "seal", "round", "reveal", "placed"} <= kinds
    assert not any("cutter" in entry or entry.get("why") == "seed" for entry in walk.log)
