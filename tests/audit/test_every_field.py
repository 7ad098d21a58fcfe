"""Every field of every kind of entry is tampered with, re-hashed and re-signed; who finds it is listed.

What follows from the inputs, and every impossible input, `verify` alone must find. What is an input
and could honestly have been otherwise is found against a remembered checkpoint, like every change.
"""

from __future__ import annotations

import json
import pickle
from collections import defaultdict

import pytest

from audit_cli.audit import Audit
from audit_cli.codes import CATALOGUE
from audit_cli.kinds import HANDLERS
from audit_cli.report import Report
from fairshoe.engine.rules import RULES
from fairshoe.log.canonical import encode
from fairshoe.log.tree import Tree
from tests.house import POLICY, honest

from .tamper import tamperings

GAMES = {"casino": 200, "banker": 25, "boxes": 15, "lounge": 5, "pontoon": 40, "chinese": 25}
SEATS = {"banker": (1,)}

CONSISTENT = {
    # When something happened, within the order of the entries.
    ("*", "at"),
    # The table's time limits: nothing else in the log says what they were.
    ("table", "policy"),
    *(("table", f"policy.{name}") for name in POLICY),
    # Who decided, the seat or the table at its time limit, where the move is the table's own choice.
    ("round", "decisions.*"),
    ("round", "decisions.*.by"),
    # A price that was asked and refused.
    ("bank", "decisions.*.amount"),
    ("bank", "decisions.*"),
    # Why the last shoe of a table was closed.
    ("reveal", "why"),
}
"""Changes that `verify` alone may miss: the rest of the log is consistent with them."""


def audited(lines: list[bytes], audit: Audit | None = None) -> Report:
    """The report over all lines, or, once something failed, over no more than it takes to know."""
    audit = audit or Audit(Report(), HANDLERS)
    for line in lines:
        audit.take(line)
        if audit.report.failed:
            return audit.report
    audit.finish()
    return audit.report


def root(lines: list[bytes]) -> bytes:
    tree = Tree()
    for line in lines:
        tree.append(line)
    return tree.root


def samples(lines: list[bytes]) -> list[int]:
    """The first, a middle and the last entry of each kind, so that what follows an entry varies."""
    places = defaultdict(list)
    for index, line in enumerate(lines):
        places[json.loads(line)["kind"]].append(index)
    return sorted({index for found in places.values() for index in (found[0], found[len(found) // 2], found[-1])})


@pytest.mark.parametrize("rules", sorted(GAMES))
def test_every_field_of_every_kind_of_entry(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert rules in RULES
    lines = honest(rules, GAMES[rules], seats=SEATS.get(rules, (1, 2, 3)), chips=100_000).lines
    assert audited(lines).checks["syntax"] == "pass"
    assert not audited(lines).failed
    before = root(lines)
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    missed: dict[tuple[str, str], int] = defaultdict(int)
    walked, audit = 0, Audit(Report(), HANDLERS)
    for index in samples(lines):
        for line in lines[walked:index]:
            audit.take(line)
        walked, state = index, pickle.dumps(audit)
        entry = json.loads(lines[index])
        for name, tampered in tamperings(entry):
            changed = [encode(tampered), *lines[index + 1 :]]
            report = audited(changed, pickle.loads(state))
            assert "entry-inexplicable" not in {f.code for f in report.findings}, (name, tampered, report.findings)
            place = entry["kind"], name
            if report.failed:
                found[place] |= {f.code for f in report.findings if f.severity == "fail"}
            else:
                missed[place] += 1
                assert root([*lines[:index], *changed]) != before, "a remembered checkpoint finds every change"
    with capsys.disabled():
        print(f"\n{rules}: {len(found)} fields found by verify alone")
        for kind, name in sorted(missed):
            print(f"  {kind:10} {name:20} needs a remembered checkpoint ({missed[kind, name]} of the changes)")
    unexpected = {p for p in missed if p not in CONSISTENT and ("*", p[1]) not in CONSISTENT}
    assert not unexpected
    assert {kind for kind, _ in found} >= {"table", "chips", "shoe", "seal", "open", "round", "reveal"}
    assert all(code in CATALOGUE for codes in found.values() for code in codes)
