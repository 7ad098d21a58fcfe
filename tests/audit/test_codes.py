"""Every code of finding is produced by a test, and every kind of finding can be explained."""

from __future__ import annotations

import re
from pathlib import Path

from audit_cli.codes import evidence
from audit_cli.findings.finding import CHECKS
from audit_cli.registry import CATALOGUE

from . import test_edits, test_frauds, test_hostile
from .planting import FRAUDS
from .test_evidence import EVIDENCE

NOTES = {"shoe-void", "entropy-house-only", "step-late"}
"""Asserted in tests/audit/test_frauds.py."""
OTHERS = {"entry-inexplicable", "bound-exceeded", "order-differs", "log-before", "shoe-lost-before"}
"""Asserted in tests/audit/test_hostile.py, test_frauds.py, test_groups.py and test_log_before.py."""
BEFORE = {"shoes-unknown-before"} | {code.code for code in evidence.BEFORE}
"""Asserted in tests/audit/test_log_before.py and test_log_before_given.py."""


def test_every_code_is_produced() -> None:
    assert {case.module for case in FRAUDS} > {test_edits.__name__}
    assert len(test_frauds.CASES) > 300
    produced = {case.code for case in FRAUDS} | {code for _, code in test_hostile.HOSTILE.values()}
    produced |= set(EVIDENCE) | NOTES | OTHERS | BEFORE
    assert sorted(CATALOGUE.keys() - produced) == [], "codes that no test produces"
    assert sorted(produced - CATALOGUE.keys()) == [], "codes that are not in the catalogue"


def test_every_case_has_a_name_of_its_own() -> None:
    names = [case.name for case in FRAUDS]
    assert len(names) == len(set(names)) > 350


def test_every_code_belongs_to_a_check_and_every_check_has_codes() -> None:
    assert {code.check for code in CATALOGUE.values()} == set(CHECKS)
    for name, code in CATALOGUE.items():
        assert name == code.code
        assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)+", name)
        assert code.severity in ("fail", "note")
        assert code.fault in ("house", "player", "reader", "unknown")
        assert code.cause
        assert code.explain.endswith((".", ")"))


def test_every_code_is_used_in_the_auditor() -> None:
    root = Path(test_edits.__file__).parents[2] / "audit_cli"
    files = [path for path in root.rglob("*.py") if path.parent.name != "codes"]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert [name for name in CATALOGUE if f'"{name}"' not in source] == []
