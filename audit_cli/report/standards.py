"""What the report says to the clauses of standards: profiles name the checks and sections that speak to each.

docs/report.md has their format.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from fairshoe.errors import InputError
from fairshoe.terminal.files import read_utf8

from ..findings.finding import CHECKS
from ..findings.report import Report
from .blocks import Block, Cell, Section, Status, Table, Text, columns

SHIPPED = Path(__file__).parent / "profiles"
MOST = 1 << 20
SECTIONS = ("checks", "findings", "luck", "busts", "shuffles", "behaviour", "results", "outcomes", "choices")
"""What a clause may name, in the order of the page."""
STATES: dict[str, Status] = {"pass": "good", "fail": "bad", "not-checked": "unknown"}
WORST: tuple[Status, ...] = ("bad", "question", "unknown", "good")
COLUMNS = columns("clause", "what it asks", "here:status", "by", "for people to see to")


class Clause(NamedTuple):
    """`about` is what it asks, in our words; `checks` and `sections` speak to it; `people` is what is left to them."""

    id: str
    about: str
    checks: Sequence[str] = ()
    sections: Sequence[str] = ()
    people: str = ""


class Standard(NamedTuple):
    title: str
    source: str
    edition: str
    clauses: list[Clause]


def shipped() -> list[str]:
    """The names of the profiles that come along."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def standard_of(name: str) -> Standard:
    """A profile that comes along, by name, or a file. Raises InputError."""
    path = SHIPPED / f"{name}.toml" if name in shipped() else Path(name)
    try:
        form = tomllib.loads(read_utf8(path, MOST))
        standard = Standard(**form | {"clauses": [Clause(**clause) for clause in form.pop("clause")]})
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise _wrong(path, f"{type(error).__name__}: {error}", "title, source, edition and [[clause]]") from None
    for clause in standard.clauses:
        for named, known in ((clause.checks, CHECKS), (clause.sections, SECTIONS)):
            if (type(named) is not list and named != ()) or not set(named) <= set(known):
                raise _wrong(path, f"clause {clause.id} names {named!r}", f"of {', '.join(known)}")
        if not (clause.checks or clause.sections or clause.people):
            raise _wrong(path, f"clause {clause.id} says nothing", "checks, sections or people")
    return standard


def _wrong(path: Path, what: str, expected: str) -> InputError:
    return InputError(
        f"no profile of a standard: {what}", where=path.name, expected=expected, remedy="see docs/report.md"
    )


def standards(audit: Report, sections: Sequence[Section], told: Sequence[Standard]) -> Section:
    """`sections`: all those that clauses may name."""
    known = {section.name: section.status for section in sections}
    says = "Checked against the log alone; no report makes a house compliant."
    blocks: list[Block] = []
    for standard in told:
        rows = [_row(audit, known, clause) for clause in standard.clauses]
        blocks += [Text(f"{standard.source} ({standard.edition})"), Table(standard.title, COLUMNS, rows)]
    return Section("standards", "Standards", "plain", says, blocks)


def _row(audit: Report, known: dict[str, Status], clause: Clause) -> tuple[Cell, ...]:
    states = [STATES[audit.checks[name]] for name in clause.checks] + [known[name] for name in clause.sections]
    status = next((each for each in WORST if each in states), "plain")
    by = ", ".join((*clause.checks, *clause.sections)) or None
    return clause.id, clause.about, status, by, clause.people or None
