"""Every code is produced by a test; docs/log.schema.json, log.md, audit.md and ceremony.md say everything that the
auditor knows."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest

from audit_cli.report.verdict import LIMITS
from audit_cli.verify.findings.finding import CHECKS, Finding
from audit_cli.verify.findings.report import Report
from audit_cli.verify.kinds import placement
from audit_cli.verify.registry import CATALOGUE
from audit_cli.verify.walk.shapes import ENVELOPE, KINDS, entry_faults
from fairshoe.log.canonical import decode, encode

from . import test_every_field, test_hostile, test_order
from .frauds import FRAUDS
from .test_evidence import EVIDENCE

DOCS = Path(__file__).parents[2] / "docs"
LOG = (DOCS / "log.md").read_text(encoding="utf-8")
SCHEMA: dict[str, Any] = json.loads((DOCS / "log.schema.json").read_text(encoding="utf-8"))
AUDIT = (DOCS / "audit.md").read_text(encoding="utf-8")


def properties(*path: str) -> dict[str, Any]:
    """The properties of a definition, or of the object in one of its fields."""
    found = SCHEMA["$defs"]
    for name in path:
        found = found[name]
    return dict(found["properties"])


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_and_every_field_is_described(kind: str) -> None:
    """`table` and `shoe` only if there is more to say than whose id it is; every word that a field may say."""
    assert SCHEMA["$defs"][f"kind-{kind}"]["description"]
    fields = properties(f"kind-{kind}")
    for name in fields.keys() - ENVELOPE.keys() - {"table", "shoe"}:
        described = fields[name]["description"]
        assert described
        if name in ("op", "why"):
            assert [word for word in fields[name]["enum"] if f"`{word}`" not in described] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_an_example_that_is_one(kind: str) -> None:
    (entry,) = SCHEMA["$defs"][f"kind-{kind}"]["examples"]
    assert decode(encode(entry)) == entry
    assert entry["kind"] == kind
    assert entry_faults(entry) == []


PARTS = [(name,) for name in ("policy", "cut", "bet", "decision", "placed-cards", "hand")] + [
    ("kind-shoe", "properties", "beacon"),
    ("kind-seal", "properties", "beacon"),
    ("kind-round", "properties", "dealer"),
]
"""Compound fields."""


@pytest.mark.parametrize("path", PARTS, ids="-".join)
def test_the_parts_of_compound_fields_are_described(path: tuple[str, ...]) -> None:
    assert [name for name, form in properties(*path).items() if not form.get("description")] == []


def test_the_order_names_every_kind() -> None:
    order = LOG.split("\n## The order of entries\n")[1].partition("\n## ")[0]
    assert [kind for kind in KINDS if not re.search(rf"\b{kind}\b", order)] == []


def test_every_check_is_described_in_order() -> None:
    assert tuple(rows_of("The checks")) == CHECKS


def rows_of(title: str) -> list[str]:
    """What a section's lists and tables begin their lines with, in backquotes."""
    section = AUDIT.split(f"\n## {title}\n")[1].partition("\n## ")[0]
    leads = re.findall(r"^[-|] (`.+?)(?:: | \|)", section, re.M)
    return [name for lead in leads for name in re.findall(r"`(.+?)`", lead)]


def test_the_report_is_described() -> None:
    assert sorted(rows_of("The report")) == sorted(Report().as_json())
    assert sorted(rows_of("Findings")) == sorted(Finding._fields)
    assert set(rows_of("Where findings stand")) <= CATALOGUE.keys() | set(CHECKS)


def test_every_change_that_only_a_memory_finds_is_listed() -> None:
    """What the tests of every field and every order let pass, each in a row of its own."""
    page = (DOCS / "decisions" / "0023-what-a-verdict-covers.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^- (.+)$", page, re.M))
    listed = 0
    for function in (test_every_field.consistent, test_order.consistent, test_order.dropped):
        reasons = re.findall(r'return "(.+?)"', inspect.getsource(function))
        assert [reason for reason in reasons if reason not in rows] == []
        listed += len(reasons)
    assert listed > 20


def test_the_limits_are_listed() -> None:
    limits = AUDIT.split("\n## What no audit can show\n")[1]
    for words in ("key was random", "seed was fresh", "late was really not sent", "refuse a bet", "the only one"):
        assert words in " ".join(LIMITS)
        assert words in limits


# docs/ceremony.md: every input of a log.

CHOICES = (DOCS / "ceremony.md").read_text(encoding="utf-8")
WORDS = ("cannot be", "fails", "fail ", "counted", "receipt", "open", "free", "worth nothing")
"""What may become of a choice."""


def of_choices(title: str, level: int) -> str:
    begin = CHOICES.split(f"\n{'#' * level} {title}\n")
    assert len(begin) == 2, title
    return re.split(rf"\n#{{2,{level}}} ", begin[1])[0]


DERIVED = {
    "chips": "chips",
    "shoe": "shoe deck cards draws cutter purpose roster owes waits bank chips paid memory told",
    "seeds": "shoe unheard",
    "open": "shoe round",
    "opened": "shoe player seed",
    "late": "seed",
    "seal": "shoe burn cards_root placed",
    "round": "shoe round pos cards hands dealer chips reshuffled placed",
    "reshuffle": "shoe round k after cards deck cut burn cards_root",
    "bank": "table why to price chips shoe cards placed",
    "drawn": "shoe pos cards draws gathered placed",
    "shown": "shoe cards",
    "gathered": "shoe pos cards_root",
    "reveal": "shoe key draws end",
    "placed": "shoe key steps signature",
    "void": "shoe key round",
}
"""Fields that follow from the rest of the log and the revealed key. Some are chosen in a shoe without a table."""


def choices() -> list[tuple[str, str]]:
    """What each line of the list begins with, and what it says of that."""
    return re.findall(r"^- (`.+?): (.+)$", of_choices("What is chosen", 2), re.M)


def test_every_field_that_is_chosen_stands_on_the_page_and_no_other() -> None:
    chosen = {name for lead, _ in choices() for name in re.findall(r"`(\w+\.\w+)`", lead)}
    derived = {f"{kind}.{field}" for kind, fields in DERIVED.items() for field in fields.split()}
    fields = {f"{kind}.{field}" for kind, shapes in KINDS.items() for shape in shapes for field in shape}
    assert chosen | derived == fields


def test_what_every_entry_has_stands_on_the_page() -> None:
    assert {f"`{field}`" for field in ENVELOPE.keys() - {"v"}} <= {lead for lead, _ in choices()}


def test_every_kind_stands_among_the_entries_that_stand_or_do_not() -> None:
    leads = re.findall(r"^- (`.+?): ", of_choices("Entries that stand or do not", 2), re.M)
    assert set(KINDS) <= {name for lead in leads for name in re.findall(r"`(\w+)`", lead)}


def test_every_line_says_what_becomes_of_the_choice() -> None:
    for lead, now in choices():
        assert any(word in f"{now.lower()} " for word in WORDS), lead


# Codes.

NOTES = {"shoe-void", "entropy-house-only", "step-late", "beacon-missing"}
"""Asserted in test_frauds.py and test_beacons.py."""
OTHERS = {"entry-inexplicable", "bound-exceeded", "order-differs", "claimed-before"}
"""Asserted in test_hostile.py, test_frauds.py, test_groups.py and test_claims.py."""
BEFORE = {"log-before", "shoe-lost-before", "shoes-unknown-before"}
"""Asserted in test_log_before.py."""
PLACERS = {code.code for code in placement.CODES} | {"opening-differs"}
"""Asserted in tests/placer/test_frauds.py and test_openings.py."""


def test_every_code_is_produced() -> None:
    produced = {case.code for case in FRAUDS} | {code for _, code in test_hostile.HOSTILE.values()}
    produced |= set(EVIDENCE) | NOTES | OTHERS | BEFORE | PLACERS
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
        assert code.fault in ("house", "player", "placer", "reader", "unknown")
        assert code.cause
        assert code.explain.endswith((".", ")"))


def test_every_code_has_its_cause_on_one_line() -> None:
    assert [code.code for code in CATALOGUE.values() if re.match("[a-z]+[ ,]", code.explain)] == []


def test_every_code_is_used_in_the_auditor() -> None:
    root = DOCS.parent / "audit_cli"
    files = [path for path in root.rglob("*.py") if path.name != "codes.py"]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert [name for name in CATALOGUE if f'"{name}"' not in source] == []
