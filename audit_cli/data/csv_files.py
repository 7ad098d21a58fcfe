"""Tables as CSV (RFC 4180, but with LF): UTF-8, a header, a missing value empty."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from .schema import Row, Table, Value

SUFFIX = ".csv"
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", " ", "＝", "＋", "－", "＠")
"""How a text begins that a spreadsheet may take for a formula; here it gets an apostrophe before it."""


class CsvFile:
    """One table, row by row."""

    def __init__(self, path: Path, table: Table) -> None:
        self._file = path.open("w", encoding="utf-8", errors="backslashreplace", newline="")
        self._write = csv.writer(self._file, lineterminator="\n")
        self._write.writerow([column.name for column in table.columns])

    def add(self, rows: Sequence[Row]) -> None:
        self._write.writerows(tuple(map(_cell, row)) for row in rows)

    def close(self) -> None:
        self._file.close()


def _cell(value: Value) -> Value:
    if value is True or value is False:
        return "true" if value else "false"
    return f"'{value}" if type(value) is str and value.startswith(FORMULA) else value
