"""Keep the openings of shoes in play beside a log, until their keys are out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..client import Client, Problem
from ..log.directory import ENTRIES, OPENINGS, read_lines
from ..protocol.openings import opening_of
from ..terminal.durable import replace

PAGE = 1_000
"""Tables of one answer."""
BATCH = 64
"""Openings of one answer."""


def keep_openings(source: Client, directory: Path) -> None:
    """Bring the directory's openings up to date, if its log has a table with a placer: those of shoes in play, and of
    shoes that were in play and whose reveal is not in the log here. Raises Problem, Unreachable, OSError;
    VerificationError where the house shows what is no opening: a file with it could not be read."""
    file, log = directory / OPENINGS, directory / ENTRIES
    if not log.exists() or not any(b'"placer":' in line for line in read_lines(log)):
        return
    kept: dict[str, list[Any]] = {}
    for line in read_lines(file) if file.exists() else ():
        form = json.loads(line)
        kept.setdefault(form["shoe"], []).append(form["opening"])
    live: dict[str, list[Any]] = {}
    for table in _tables(source):
        shoe, openings = _openings(source, table, kept)
        if shoe:
            live[shoe] = openings
    over = kept.keys() - live.keys()
    left = {shoe: kept[shoe] for shoe in over - _revealed(log)} if over else {}
    lines = [json.dumps({"shoe": shoe, "opening": each}) for shoe, many in (left | live).items() for each in many]
    if lines or kept:
        replace(file, "".join(f"{line}\n" for line in lines))


def _tables(source: Client) -> Iterator[str]:
    """Yield the tables with a placer; none if the address serves a log alone."""
    after = ""
    while True:
        try:
            tables = source.get(f"/v1/tables?limit={PAGE}" + (f"&after={quote(after, safe='')}" if after else ""))[
                "tables"
            ]
        except Problem as error:
            if error.status != 404:
                raise
            return
        yield from (each["table"] for each in tables if "placer" in each)
        if len(tables) < PAGE:
            return
        after = tables[-1]["table"]


def _openings(source: Client, table: str, kept: dict[str, list[Any]]) -> tuple[str, list[Any]]:
    """Return the shoe in play and the openings of its cards that stand in the log, with those that are kept."""
    path = f"/v1/tables/{quote(table, safe='')}/openings"
    shoe = source.get(f"{path}?from=99999")["shoe"] or ""
    found = list(kept.get(shoe, ()))
    while shoe:
        form = source.get(f"{path}?from={len(found)}")
        if form["shoe"] != shoe:
            break
        more = form["openings"]
        found += [opening_of(each).form for each in (more[: more.index(None)] if None in more else more)]
        if len(more) < BATCH or None in more:
            break
    return shoe, found


def _revealed(log: Path) -> set[str]:
    """Return the shoes whose reveal stands in the log."""
    mark = b'"kind":"reveal"'
    return {json.loads(line)["shoe"] for line in read_lines(log) if mark in line}
