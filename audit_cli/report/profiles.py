"""Profiles of standards: which checks and sections of a report speak to which clause. docs/report.md has the format."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import InputError
from fairshoe.terminal.files import read_utf8

from ..findings.finding import CHECKS

SHIPPED = Path(__file__).parent / "standards"
MOST = 1 << 20
TEXTS = ("title", "source", "edition")


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


def standard_of(name: str, sections: Sequence[str]) -> Standard:
    """A profile that comes along, by name, or a file; `sections`: those that a report has. Raises InputError."""
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
    made = tuple(_clause(path, number, each, sections) for number, each in enumerate(clauses))
    return Standard(form["title"], form["source"], form["edition"], made)


def _clause(path: Path, number: int, form: Any, sections: Sequence[str]) -> Clause:
    where = f"clause[{number}]"
    if type(form) is not dict:
        raise _wrong(path, where, "a table", form)
    _only(path, where, form, set(Clause._fields))
    for field in ("id", "about"):
        _text(path, f"{where}.{field}", form.get(field))
    if "people" in form:
        _text(path, f"{where}.people", form["people"])
    for field, known in (("checks", CHECKS), ("sections", sections)):
        names = form.get(field, [])
        if type(names) is not list or not set(names) <= set(known):
            raise _wrong(path, f"{where}.{field}", f"of {', '.join(known)}", names)
    if not (form.get("checks") or form.get("sections") or form.get("people")):
        raise _wrong(path, where, "checks, sections or people", "none of them")
    return Clause(
        form["id"],
        form["about"],
        tuple(form.get("checks", ())),
        tuple(form.get("sections", ())),
        form.get("people", ""),
    )


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
