"""Tables as Parquet, by pyarrow (extra `fairshoe[data]`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..extras import missing
from .schema import Column, Row, Table, Value

if TYPE_CHECKING:
    import pyarrow

SUFFIX = ".parquet"
LARGEST = 1 << 63
"""What no column holds is left out: sums of a hostile log."""


class ParquetFile:
    """One table, a row group at a time. Raises InputError."""

    def __init__(self, path: Path, table: Table) -> None:
        try:
            import pyarrow
            from pyarrow.parquet import ParquetWriter
        except ImportError:
            raise missing("data", "Parquet", "pyarrow") from None
        self._arrow = pyarrow
        self._columns = table.columns
        self._schema = pyarrow.schema([(column.name, _type(column)) for column in table.columns])
        self._write = ParquetWriter(path, self._schema, compression="zstd")

    def add(self, rows: Sequence[Row]) -> None:
        names = [column.name for column in self._columns]
        columns = zip(*rows, strict=True) if rows else [()] * len(names)
        made = {
            column.name: [_value(column, value) for value in values]
            for column, values in zip(self._columns, columns, strict=True)
        }
        self._write.write_table(self._arrow.table(made, schema=self._schema))

    def close(self) -> None:
        self._write.close()


def _type(column: Column) -> pyarrow.DataType:
    import pyarrow

    return {
        "text": pyarrow.string(),
        "integer": pyarrow.int64(),
        "boolean": pyarrow.bool_(),
        "time": pyarrow.timestamp("us", tz="UTC"),
    }[column.type]


def _value(column: Column, value: Value) -> Any:
    if column.type == "time" and type(value) is str:
        return datetime.fromisoformat(value)
    if column.type == "integer" and type(value) is int and abs(value) >= LARGEST:
        return None
    if column.type == "text" and type(value) is str:
        return value.encode("utf-8", "backslashreplace").decode()
    return value
