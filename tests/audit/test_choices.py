"""docs/choices.md tells of every input of a log: each field of each kind."""

from __future__ import annotations

import re
from pathlib import Path

import audit_cli.registry  # noqa: F401  collects the kinds
from audit_cli.walk.shapes import ENVELOPE, KINDS

PAGE = (Path(__file__).parents[2] / "docs" / "choices.md").read_text(encoding="utf-8")
WORDS = ("cannot be", "fails", "fail ", "counted", "receipt", "open", "free", "worth nothing")
"""What may become of a choice."""


def section(title: str, level: int) -> str:
    begin = PAGE.split(f"\n{'#' * level} {title}\n")
    assert len(begin) == 2, title
    return re.split(rf"\n#{{2,{level}}} ", begin[1])[0]


def named(title: str) -> set[tuple[str, str]]:
    """Kind and field as a section's table names them: `kind.field`, or a kind in the first column and its fields."""
    found: set[tuple[str, str]] = set()
    for first, rest in re.findall(r"^\| (`[^|]+|every entry) \| ([^|]*) \|", section(title, 2), re.M):
        names = re.findall(r"`([\w.]+)`", first)
        dotted = [name.split(".") for name in names if "." in name]
        found |= {(kind, field) for kind, field in dotted}
        if first == "every entry" or (names and not dotted):
            found |= {(names[0] if names else "", field) for field in re.findall(r"`(\w+)`", rest)}
    return found


def test_every_field_of_every_kind_stands_on_the_page_and_no_other() -> None:
    fields = {(kind, field) for kind, shapes in KINDS.items() for shape in shapes for field in shape}
    told = named("What nobody chooses") | named("What is chosen")
    assert {(kind, field) for kind, field in told if kind in KINDS} == fields


def test_what_every_entry_has_stands_on_the_page() -> None:
    every = section("What nobody chooses", 2) + section("What is chosen", 2)
    assert all(f"| `{field}`" in every for field in ENVELOPE)


def test_every_kind_stands_among_the_entries_that_stand_or_do_not() -> None:
    table = re.findall(r"^\| ([^|]+) \|", section("Entries that stand or do not", 2), re.M)
    assert set(KINDS) <= {name for cell in table for name in re.findall(r"`(\w+)`", cell)}


def test_every_row_says_what_becomes_of_the_choice() -> None:
    for line in section("What is chosen", 2).splitlines():
        if line.startswith("| `"):
            *_, who, _known, now = (cell.strip() for cell in line.strip("|").split("|"))
            assert who, line
            assert any(word in f"{now.lower()} " for word in WORDS), line
