"""A log written out as tables: read once, a bounded number of rows at a time, every file whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from fairshoe.errors import FairshoeError, InputError
from fairshoe.log.canonical import Entry, NotCanonical, parse

from ..evidence.reading import Reading, told
from ..findings.finding import Finding
from ..walk.shapes import KINDS, entry_faults
from . import csv_files, parquet_files
from .rows import Made, Rows
from .schema import FINDINGS, TABLES, Row, Table

HELD = 1 << 14
"""So many rows of a table are held before they are written."""


class Writes(Protocol):
    """A file with one table."""

    def add(self, rows: list[Row]) -> None: ...
    def close(self) -> None: ...


FORMATS: Mapping[str, tuple[Callable[[Path, Table], Any], str]] = {
    "csv": (csv_files.CsvFile, csv_files.SUFFIX),
    "parquet": (parquet_files.ParquetFile, parquet_files.SUFFIX),
}


def export(
    log: Path,
    findings: Iterable[Finding],
    folders: Mapping[str, Path],
    progress: Callable[[int], None] | None = None,
) -> int:
    """Write the tables of a log to folders, by format (`csv`, `parquet`); files of these names are replaced.

    Gives the number of entries that are no entries of a known form, of which there are no rows: the findings name them.
    Raises LogError, InputError.
    """
    with _Files(folders) as files:
        lines: Iterable[bytes] = Reading(log)
        left_out = _write(told(iter(lines), progress) if progress else lines, files)
        for finding in findings:
            files.add((FINDINGS.name, _finding_row(finding)))
        files.keep()
    return left_out


def files_in(folders: Mapping[str, Path]) -> list[Path]:
    """Every file that `export` writes to these folders."""
    return [folder / f"{table.name}{FORMATS[format][1]}" for format, folder in folders.items() for table in TABLES]


def _write(lines: Iterable[bytes], files: _Files) -> int:
    rows, left_out = Rows(), 0
    for index, line in enumerate(lines):
        made = _rows_of(rows, index, line)
        left_out += made is None
        for each in made or ():
            files.add(each)
    for each in rows.rest():
        files.add(each)
    return left_out


def _rows_of(rows: Rows, index: int, line: bytes) -> list[Made] | None:
    """None where the entry is not of a known form."""
    entry = _entry_of(line)
    if entry is None:
        return None
    try:
        return list(rows.take(index, entry))
    except (FairshoeError, LookupError, TypeError, AttributeError):  # a hostile entry: its finding names it
        return None


def _entry_of(line: bytes) -> Entry | None:
    try:
        entry = parse(line)
    except NotCanonical:
        return None
    return entry if entry.get("kind") in KINDS and not entry_faults(entry) else None


def _finding_row(finding: Finding) -> Row:
    return (
        finding.code,
        finding.severity,
        finding.fault,
        finding.entry,
        finding.table,
        finding.shoe,
        finding.round,
        finding.field,
        json.dumps(finding.expected, sort_keys=True),
        json.dumps(finding.found, sort_keys=True),
        finding.follows,
        finding.cause,
    )


class _Files:
    """Every table in every format; written beside their names until they are to be kept."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = folders
        self._paths: dict[Path, Path] = {}
        self._open: dict[str, list[Writes]] = {table.name: [] for table in TABLES}
        self._held: dict[str, list[Row]] = {table.name: [] for table in TABLES}

    def __enter__(self) -> _Files:
        try:
            for format, folder in self._folders.items():
                make, suffix = FORMATS[format]
                folder.mkdir(parents=True, exist_ok=True)
                for table in TABLES:
                    path = folder / f"{table.name}{suffix}"
                    part = path.with_name(path.name + ".part")
                    self._paths[part] = path
                    self._open[table.name].append(make(part, table))
        except OSError as error:
            self._remove()
            raise _unwritable(error) from error
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._remove()

    def add(self, made: Made) -> None:
        name, row = made
        held = self._held[name]
        held.append(row)
        if len(held) >= HELD:
            self._flush(name)

    def keep(self) -> None:
        """All rows are there: the files get their names."""
        try:
            for name in self._open:
                self._flush(name)
            self._close()
            for part, path in self._paths.items():
                part.replace(path)
        except OSError as error:
            raise _unwritable(error) from error
        self._paths = {}

    def _flush(self, name: str) -> None:
        rows, self._held[name] = self._held[name], []
        try:
            for file in self._open[name] if rows else ():
                file.add(rows)
        except OSError as error:
            raise _unwritable(error) from error

    def _close(self) -> None:
        files = [file for each in self._open.values() for file in each]
        self._open = {name: [] for name in self._open}
        for file in files:
            file.close()

    def _remove(self) -> None:
        with suppress(OSError):
            self._close()
        for part in self._paths:
            part.unlink(missing_ok=True)


def _unwritable(error: OSError) -> InputError:
    return InputError(
        "cannot write",
        where=str(error.filename or "the tables"),
        expected="a folder with space in it that can be written to",
        remedy=str(error.strerror),
    )
