"""docs/choices.md tells of every input of a log: each field of each kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import audit_cli.registry  # noqa: F401  collects the kinds
from audit_cli.walk.shapes import ENVELOPE, KINDS

PAGE = (Path(__file__).parents[2] / "docs" / "choices.md").read_text(encoding="utf-8")
WORDS = ("cannot be", "fails", "fail ", "counted", "receipt", "open", "free", "worth nothing")
"""What may become of a choice."""


def section(title: str, level: int) -> str:
    begin = PAGE.split(f"\n{'#' * level} {title}\n")
    assert len(begin) == 2, title
    return re.split(rf"\n#{{2,{level}}} ", begin[1])[0]


def fields(text: str) -> list[str]:
    """The names in the first column of a section's table; `field`: who chooses among them may be said of a part."""
    return [name for row in re.findall(r"^\| (`.+?) \|", text, re.M) for name in re.findall(r"`(.+?)`", row)]


def kinds_on_the_page() -> list[str]:
    return re.findall(r"^### (\w+)$", section("The kinds", 2), re.M)


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_of_a_kind_stands_on_the_page_and_no_other(kind: str) -> None:
    required, optional = KINDS[kind]
    assert set(fields(section(kind, 3))) == required.keys() | optional.keys()


def test_every_kind_stands_on_the_page_and_no_other() -> None:
    assert sorted(kinds_on_the_page()) == sorted(KINDS)


def test_what_every_entry_has_stands_on_the_page() -> None:
    assert set(fields(section("Every entry", 2))) == ENVELOPE.keys()


def test_every_kind_stands_among_the_entries_that_stand_or_do_not() -> None:
    named = set(fields(section("Entries that stand or do not", 2)))
    assert KINDS.keys() <= named | {"seed"}


def test_every_row_says_what_becomes_of_the_choice() -> None:
    for line in section("The kinds", 2).splitlines():
        if line.startswith("| `"):
            *_, who, _known, now = (cell.strip() for cell in line.strip("|").split("|"))
            assert who, line
            assert any(word in f"{now.lower()} " for word in WORDS), line
