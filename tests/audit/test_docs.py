"""docs/log.md and docs/audit.md say everything that the auditor knows."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import pytest

from audit_cli.commands.explain import LIMITS
from audit_cli.findings.finding import CHECKS
from audit_cli.findings.report import Report
from audit_cli.walk.shapes import KINDS, entry_faults
from fairshoe.log.canonical import decode

from . import test_every_field, test_order
from .test_verify_cli import FINDING, REPORT

DOCS = Path(__file__).parents[2] / "docs"
LOG = (DOCS / "log.md").read_text(encoding="utf-8")
AUDIT = (DOCS / "audit.md").read_text(encoding="utf-8")


def section(kind: str) -> str:
    return LOG.split(f"\n### {kind}\n")[1].partition("\n##")[0]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_and_every_field_is_described(kind: str) -> None:
    """In the first column of the kind's own table, or in a sentence below it."""
    required, optional = KINDS[kind]
    described = {
        name for row in re.findall(r"^\| (.+?) \|", section(kind), re.M) for name in re.findall(r"`(.+?)`", row)
    }
    assert described == required.keys() | optional.keys()
    for row in re.findall(r"^\| (`.+?) \|", section(kind), re.M):
        names = set(re.findall(r"`(.+?)`", row))
        assert ("○" in row) == bool(names & optional.keys()), row


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_an_example_that_is_one(kind: str) -> None:
    (line,) = re.findall(r"```json\n(.+)\n```", section(kind))
    entry = decode(line.encode())
    assert entry["kind"] == kind
    assert entry_faults(entry) == []


PARTS = {
    "table": "hash seed cut bet decision shoe",
    "chips": "buy-in cash-out transfer refund share round unfinished",
    "shoe": "chain round bank",
    "seeds": "at by",
    "opened": "at by",
    "seal": "chain round randomness signature",
    "open": "seat amount box",
    "round": "seat bet cards total outcome net box insured insurance short move amount chosen by at",
    "bank": "first rotation change gift sale",
    "reveal": "worn bank age left",
    "void": "reshuffle close bank idle age seed",
}
"""What stands in compound fields, and the words that a field may say."""


@pytest.mark.parametrize("kind", PARTS)
def test_the_parts_of_compound_fields_are_described(kind: str) -> None:
    assert [part for part in PARTS[kind].split() if f"`{part}`" not in section(kind)] == []


def test_the_order_names_every_kind() -> None:
    order = LOG.split("\n## The order of entries\n")[1].partition("\n## ")[0]
    assert [kind for kind in KINDS if not re.search(rf"\b{kind}\b", order)] == []


def test_every_check_is_described_in_order() -> None:
    table = AUDIT.split("\n## The checks\n")[1].partition("\n## ")[0]
    assert tuple(re.findall(r"^\| `(.+?)` \|", table, re.M)) == CHECKS


def test_the_report_is_described() -> None:
    example = json.loads(re.findall(r"```json\n(.+?)\n```", AUDIT, re.S)[0])
    assert example.keys() == REPORT == Report().as_json().keys()
    (finding,) = example["findings"]
    assert finding.keys() == FINDING
    table = AUDIT.split("\n## Findings\n")[1].partition("\n## ")[0]
    assert {
        name for row in re.findall(r"^\| (`.+?) \|", table, re.M) for name in re.findall(r"`(.+?)`", row)
    } == FINDING


def test_every_change_that_only_a_memory_finds_is_listed() -> None:
    """What the tests of every field and every order let pass, each in a row of its own."""
    table = AUDIT.split("\n## What needs something remembered\n")[1].partition("\n## ")[0]
    rows = {row.removesuffix(", and their times with them") for row in re.findall(r"^\| (.+?) \|", table, re.M)}
    listed = 0
    for function in (test_every_field.consistent, test_order.consistent, test_order.dropped):
        reasons = re.findall(r'return "(.+?)"', inspect.getsource(function))
        assert [reason for reason in reasons if reason not in rows] == []
        listed += len(reasons)
    assert listed > 20


def test_the_limits_are_listed() -> None:
    limits = AUDIT.split("\n## What no audit can show\n")[1]
    for words in ("key was random", "seed was fresh", "late was really not sent", "refuse a bet", "the only one"):
        assert words in LIMITS
        assert words in limits
