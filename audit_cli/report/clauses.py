"""What the report says to the clauses of standards: profiles name the checks and sections that speak to each.

docs/report.md has their format.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import InputError
from fairshoe.terminal.files import read_utf8

from ..findings.finding import CHECKS
from ..findings.report import Report
from .blocks import Block, Cell, Section, Status, Table, Text, columns

SHIPPED = Path(__file__).parent / "standards"
MOST = 1 << 20
TEXTS = ("title", "source", "edition")
SECTIONS = ["checks", "findings", "luck", "busts", "shuffles", "behaviour", "results", "outcomes", "pace", "choices"]
"""What a clause may name, in the order of the page."""
STATES: dict[str, Status] = {"pass": "good", "fail": "bad", "not-checked": "unknown"}
WORST: tuple[Status, ...] = ("bad", "question", "unknown", "good")
COLUMNS = columns("clause", "what it asks", "here:status", "by", "for people to see to")


class Clause(NamedTuple):
    """`about` is what it asks, in our words; `checks` and `sections` speak to it; `people` is what is left to them."""

    id: str
    about: str
    checks: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    people: str = ""


class Standard(NamedTuple):
    title: str
    source: str
    edition: str
    clauses: tuple[Clause, ...]


def shipped() -> list[str]:
    """The names of the profiles that come along."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def standard_of(name: str) -> Standard:
    """A profile that comes along, by name, or a file. Raises InputError."""
    path = SHIPPED / f"{name}.toml" if name in shipped() else Path(name)
    text = read_utf8(path, MOST)
    try:
        form = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _wrong(path, "", "TOML", str(error)) from None
    _only(path, "", form, {*TEXTS, "clause"})
    for field in TEXTS:
        _text(path, field, form.get(field))
    clauses = form.get("clause")
    if type(clauses) is not list or not clauses:
        raise _wrong(path, "clause", "one [[clause]] at least", "none")
    made = tuple(_clause(path, number, each) for number, each in enumerate(clauses))
    return Standard(form["title"], form["source"], form["edition"], made)


def _clause(path: Path, number: int, form: Any) -> Clause:
    where = f"clause[{number}]"
    if type(form) is not dict:
        raise _wrong(path, where, "a table", form)
    _only(path, where, form, set(Clause._fields))
    for field in ("id", "about"):
        _text(path, f"{where}.{field}", form.get(field))
    if "people" in form:
        _text(path, f"{where}.people", form["people"])
    for field, known in (("checks", CHECKS), ("sections", SECTIONS)):
        names = form.get(field, [])
        if type(names) is not list or not set(names) <= set(known):
            raise _wrong(path, f"{where}.{field}", f"of {', '.join(known)}", names)
    if not (form.get("checks") or form.get("sections") or form.get("people")):
        raise _wrong(path, where, "checks, sections or people", "none of them")
    checks, sections = (tuple(form.get(field, ())) for field in ("checks", "sections"))
    return Clause(form["id"], form["about"], checks, sections, form.get("people", ""))


def _only(path: Path, where: str, form: dict[str, Any], names: set[str]) -> None:
    unknown = sorted(form.keys() - names)
    if unknown:
        raise _wrong(path, where, f"only {', '.join(sorted(names))}", unknown[0])


def _text(path: Path, where: str, value: Any) -> None:
    if type(value) is not str or not value:
        raise _wrong(path, where, "a text", value)


def _wrong(path: Path, where: str, expected: str, found: Any) -> InputError:
    place = f"{path.name}: {where}" if where else path.name
    return InputError(
        f"no profile of a standard: {found!r}", where=place, expected=expected, remedy="see docs/report.md"
    )


def standards_section(audit: Report, sections: Sequence[Section], told: Sequence[Standard]) -> Section:
    """`sections`: all those that clauses may name."""
    known = {section.name: section.status for section in sections}
    says = "Checked against the log alone; no report makes a house compliant."
    blocks: list[Block] = []
    for standard in told:
        rows = [_row(audit, known, clause) for clause in standard.clauses]
        blocks += [Text(f"{standard.source} ({standard.edition})"), Table(standard.title, COLUMNS, rows)]
    data = [standard._asdict() | {"clauses": [clause._asdict() for clause in standard.clauses]} for standard in told]
    return Section("standards", "Standards", "plain", says, blocks, data)


def _row(audit: Report, known: dict[str, Status], clause: Clause) -> tuple[Cell, ...]:
    states = [STATES[audit.checks[name]] for name in clause.checks] + [known[name] for name in clause.sections]
    status = next((each for each in WORST if each in states), "plain")
    by = ", ".join((*clause.checks, *clause.sections)) or None
    return clause.id, clause.about, status if states else "plain", by, clause.people or None
