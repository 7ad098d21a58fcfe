"""Every clause of docs/rules.md has a test that names it: CA-07 is `test_CA_07_…` in tests/rules."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
CLAUSE = re.compile(r"^\| ((?:GE|CH|LO|BK|CA|PO|BX|ST)-\d\d) \|", re.MULTILINE)
TEST = re.compile(r"^ *(?:async )?def test_\w*", re.MULTILINE)
NAMED = re.compile(r"_(GE|CH|LO|BK|CA|PO|BX|ST)_(\d\d)(?=_|$)")


def test_every_clause_has_a_test_of_its_own() -> None:
    clauses = CLAUSE.findall((TESTS.parent / "docs" / "rules.md").read_text(encoding="utf-8"))
    assert len(clauses) == len(set(clauses)) > 200
    named: set[str] = set()
    for path in sorted((TESTS / "rules").glob("test_*.py")):
        for function in TEST.findall(path.read_text(encoding="utf-8")):
            named |= {"-".join(found) for found in NAMED.findall(function)}
    missing = [clause for clause in clauses if clause not in named]
    assert not missing, "no test names " + " ".join(missing)
    assert named <= set(clauses), "no such clause: " + " ".join(sorted(named - set(clauses)))
