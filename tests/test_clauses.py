"""Every clause of docs/rules.md has a test that names it: CA-07 is `test_CA_07_…` in tests/rules, or begins a line of
the HANDS there, each of which is played and checked; and it is cited where it acts, or beside what leaves its move out:
CA-07 stands in a comment or a docstring in fairshoe/."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
CLAUSE = re.compile(r"^\| ([A-Z]{2}-\d\d) \|", re.MULTILINE)
NAMED = re.compile(r"_([A-Z]{2})_(\d\d)(?=_|$)")
CITED = re.compile(r"\b([A-Z]{2}-\d\d)\b")
RANGE = re.compile(r"[A-Z]{2}-\d\d (?:…|to)[ \n]+[A-Z]{2}-\d\d")
"""`CA-01 … CA-36`, as the head of a file says: that cites nothing."""
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
    shared = {each.name for file in HELPERS for each in functions(file) if asserts(each, set())}
    for path in RULES:
        helpers = shared | {each.name for each in functions(path) if asserts(each, set())}
        named |= written_out(path)
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


def written_out(path: Path) -> set[str]:
    """The clauses of the HANDS in a file, which its `test_hands` checks line by line."""
    text = path.read_text(encoding="utf-8")
    found = re.search(r'^HANDS = """\n(.*?)^"""', text, re.MULTILINE | re.DOTALL)
    assert (found is None) == ("\n@every_hand(HANDS)\ndef test_hands" not in text)
    heads = re.findall(r"^[A-Z0-9 -]+ ", found[1], re.MULTILINE) if found else []
    return set(CITED.findall("".join(heads)))


def cited() -> dict[str, list[str]]:
    """By the id of a clause the files of fairshoe/ that cite it by itself."""
    found: dict[str, list[str]] = {}
    for path in sorted((TESTS.parent / "fairshoe").rglob("*.py")):
        for clause in set(CITED.findall(RANGE.sub("", path.read_text(encoding="utf-8")))):
            found.setdefault(clause, []).append(path.name)
    return found


def test_every_clause_is_cited_where_it_acts() -> None:
    known, found = clauses(), cited()
    missing = [clause for clause in known if clause not in found]
    assert not missing, "cited nowhere in fairshoe/: " + " ".join(missing)
    games = {clause[:2] for clause in known}
    strangers = {clause: files for clause, files in found.items() if clause[:2] in games and clause not in known}
    assert not strangers, "no such clause"
