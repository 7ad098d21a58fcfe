"""Every clause of docs/rules.md has a test that names it: CA-07 is `test_CA_07_…` in tests/rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
CLAUSE = re.compile(r"^\| ((?:GE|CH|LO|BK|CA|PO|BX|ST)-\d\d) \|", re.MULTILINE)
NAMED = re.compile(r"_(GE|CH|LO|BK|CA|PO|BX|ST)_(\d\d)(?=_|$)")
RULES = sorted((TESTS / "rules").glob("test_*.py"))
HELPERS = sorted(TESTS.glob("hands*.py"))
RAISES = {"raises"}
"""Calls that check something as an `assert` does."""


def clauses() -> list[str]:
    return CLAUSE.findall((TESTS.parent / "docs" / "rules.md").read_text(encoding="utf-8"))


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def called(function: ast.FunctionDef) -> set[str]:
    """The names of what a function calls."""
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {
        call.id if isinstance(call, ast.Name) else call.attr
        for call in calls
        if isinstance(call, ast.Name | ast.Attribute)
    }


def asserts(function: ast.FunctionDef, helpers: set[str]) -> bool:
    """Whether a function checks anything, itself or through a helper that does."""
    itself = any(isinstance(node, ast.Assert) for node in ast.walk(function))
    return itself or bool(called(function) & (helpers | RAISES))


def test_every_clause_has_a_test_of_its_own_that_asserts_something() -> None:
    known = clauses()
    assert len(known) == len(set(known)) > 200
    named: set[str] = set()
    idle: list[str] = []
    for path in RULES:
        helpers = {each.name for file in (*HELPERS, path) for each in functions(file) if asserts(each, set())}
        for function in functions(path):
            if not function.name.startswith("test_"):
                continue
            about = {"-".join(found) for found in NAMED.findall(function.name)}
            if asserts(function, helpers):
                named |= about
            elif about:
                idle.append(function.name)
    assert not idle, "no assertion in " + " ".join(idle)
    missing = [clause for clause in known if clause not in named]
    assert not missing, "no test names " + " ".join(missing)
    assert named <= set(known), "no such clause: " + " ".join(sorted(named - set(known)))
