"""The report's answers to clauses of standards: profiles name the checks and sections that speak to each.

docs/report.md has their format.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fairshoe.errors import InputError
from fairshoe.log.times import DAY, is_moment, microseconds
from fairshoe.terminal.files import read_utf8

from ..verify.findings.finding import CHECKS
from ..verify.findings.report import Report
from ..verify.findings.wording import count_text
from .blocks import WORST, Block, Cell, ReportTable, Section, Status, Text, columns

SHIPPED = Path(__file__).parent / "profiles"
MAX_PROFILE_BYTES = 1 << 20
SECTIONS = ("games", "checks", "findings", "luck", "busts", "shuffles", "behaviour", "results", "outcomes", "choices")
"""Sections that a clause may name, in the order of the page."""
STATES: dict[str, Status] = {"pass": "good", "fail": "bad", "not-checked": "unknown"}
COLUMNS = columns("clause", "what it asks", "here:status", "by", "needs at least", "for people to see to")
MINIMUM_UNITS = {"days": "day", "rounds": "round", "shoes": "shoe", "restarts": "restart"}
"""Counts for which a clause may set a minimum; a restart counts in the middle of a shoe."""


class Clause(NamedTuple):
    """`about` is what it asks, in our words; `checks` and `sections` speak to it; `least`: of what the log must
    have how many to show it, as in `MINIMUM_UNITS`; `people` is what is left to them."""

    id: str
    about: str
    checks: Sequence[str] = ()
    sections: Sequence[str] = ()
    least: Mapping[str, int] = MappingProxyType({})
    people: str = ""


class Standard(NamedTuple):
    title: str
    source: str
    edition: str
    clauses: list[Clause]


def included_profiles() -> list[str]:
    """Return the names of the profiles that come along."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def read_standard(name: str) -> Standard:
    """A profile that comes along, by name, or a file. Raises InputError."""
    path = SHIPPED / f"{name}.toml" if name in included_profiles() else Path(name)
    try:
        form = tomllib.loads(read_utf8(path, MAX_PROFILE_BYTES))
        standard = Standard(**form | {"clauses": [Clause(**clause) for clause in form.pop("clause")]})
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise _wrong(path, f"{type(error).__name__}: {error}", "title, source, edition and [[clause]]") from None
    for clause in standard.clauses:
        for named, known in ((clause.checks, CHECKS), (clause.sections, SECTIONS)):
            if (type(named) is not list and named != ()) or not set(named) <= set(known):
                raise _wrong(path, f"clause {clause.id} names {named!r}", f"of {', '.join(known)}")
        if not set(clause.least) <= set(MINIMUM_UNITS) or not all(type(many) is int for many in clause.least.values()):
            raise _wrong(
                path, f"clause {clause.id} needs {dict(clause.least)!r}", f"numbers of {', '.join(MINIMUM_UNITS)}"
            )
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
    has = _has(audit)
    says = "Checked against the log alone; no report makes a house compliant."
    blocks: list[Block] = []
    for standard in told:
        rows = [_row(audit, known, has, clause) for clause in standard.clauses]
        blocks += [Text(f"{standard.source} ({standard.edition})"), ReportTable(standard.title, COLUMNS, rows)]
    return Section("standards", "Standards", "plain", says, blocks)


def _has(audit: Report) -> dict[str, int]:
    """How much of it there is, by the names of `MINIMUM_UNITS`."""
    first, last = audit.log.first, audit.log.last
    days = 0
    if first and last and is_moment(first) and is_moment(last):
        days = (microseconds(last) - microseconds(first)) // DAY
    restarts = audit.choices.as_json()["log"].get("start while a shoe was in play", 0)
    return {"days": days, "rounds": audit.rounds, "shoes": audit.shoes, "restarts": restarts}


def _row(audit: Report, known: dict[str, Status], has: Mapping[str, int], clause: Clause) -> tuple[Cell, ...]:
    """A clause fails, is asked or to be looked at by the worst that speaks to it, and is held by enough alone. Where
    nothing is of what it is about, as no restart, nothing speaks to it."""
    states = [STATES[audit.checks[name]] for name in clause.checks] + [known[name] for name in clause.sections]
    if not all(has[name] for name in clause.least):
        states = ["unknown"]
    elif any(has[name] < many for name, many in clause.least.items()):
        states.append("unknown")
    status = next((each for each in WORST if each in states), "plain")
    by = ", ".join((*clause.checks, *clause.sections)) or None
    needs = (
        ", ".join(
            f"{count_text(many, MINIMUM_UNITS[name])} (here {has[name]:,})" for name, many in clause.least.items()
        )
        or None
    )
    return clause.id, clause.about, status, by, needs, clause.people or None
