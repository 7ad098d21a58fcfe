"""Statements that every command needs: written with SQLAlchemy, compiled once, and given to the driver itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, cast

from sqlalchemy import Connection, Dialect, bindparam, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.elements import ClauseElement, ColumnElement
from sqlalchemy.sql.schema import Column, Table


class PreparedStatement:
    """Its values are given by name; `key` makes the place of one in a condition."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._texts: dict[str, str] = {}

    def run(self, connection: Connection, **values: Any) -> None:
        """Once, where nothing is asked for."""
        driver_of(connection).execute(self._text(connection), values)

    def rows(self, connection: Connection, **values: Any) -> list[Any]:
        """The rows, as tuples."""
        return list(driver_of(connection).execute(self._text(connection), values).fetchall())

    def first(self, connection: Connection, **values: Any) -> Any:
        """The first row, as a tuple; None where there is none."""
        return driver_of(connection).execute(self._text(connection), values).fetchone()

    def _text(self, connection: Connection) -> str:
        dialect = connection.dialect
        text = self._texts.get(dialect.name)
        if text is None:
            named = sqlite.dialect(paramstyle="named") if dialect.name == "sqlite" else dialect
            text = self._texts[dialect.name] = str(self._statement.compile(dialect=named))
        return text


class RowLookup(PreparedStatement):
    """A query for rows by their keys: for one, or for many together."""

    def __init__(self, keys: Sequence[Column[Any]], wanted: Sequence[Column[Any]]) -> None:
        super().__init__(select(*wanted).where(*map(key, keys)))
        self._keys = keys
        self._all = select(*keys, *wanted)
        self._together = ""

    def ask(self, connection: Connection, many: Sequence[Mapping[str, Any]]) -> Callable[[], list[Any]]:
        """Ask for the row of each key; the result has them after the pipeline, None for a missing one. A server is
        asked once, with an array a key."""
        driver = driver_of(connection)
        if connection.dialect.name == "sqlite":
            found = [driver.execute(self._text(connection), values) for values in many]
            return lambda: [each.fetchone() for each in found]
        if not many:
            return list
        names = [column.name for column in self._keys]
        asked = driver.execute(self._join_text(connection), {name: [each[name] for each in many] for name in names})

        def rows() -> list[Any]:
            by_keys = {row[: len(names)]: row[len(names) :] for row in asked.fetchall()}
            return [by_keys.get(tuple(each[name] for name in names)) for each in many]

        return rows

    def _join_text(self, connection: Connection) -> str:
        if not self._together:
            dialect = connection.dialect
            names = ", ".join(dialect.identifier_preparer.quote(column.name) for column in self._keys)
            everything = str(self._all.compile(dialect=dialect))
            self._together = f"{everything} JOIN {_unnest(self._keys, dialect)} AS sought ({names}) USING ({names})"
        return self._together


class RowWrite:
    """Rows written together, to PostgreSQL as an array a column; `anew`: also over rows with the same keys. Columns
    that the database fills in are left out."""

    def __init__(self, table: Table, *, anew: bool = False) -> None:
        self._table = table
        self._anew = anew
        self._names = [column.name for column in table.columns if column.server_default is None]
        self._texts: dict[str, str] = {}

    def write(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        if not rows:
            return
        driver, text = driver_of(connection), self._text(connection)
        if connection.dialect.name == "sqlite":
            driver.executemany(text, rows)
        else:
            driver.execute(text, {name: [row[name] for row in rows] for name in self._names})

    def _text(self, connection: Connection) -> str:
        dialect = connection.dialect
        text = self._texts.get(dialect.name)
        if text is None:
            columns, quote = self._table.columns, dialect.identifier_preparer.quote
            if dialect.name == "sqlite":
                given = f"VALUES ({', '.join(f':{name}' for name in self._names)})"
            else:
                given = f"SELECT * FROM {_unnest([columns[name] for name in self._names], dialect)}"
            text = f"INSERT INTO {quote(self._table.name)} ({', '.join(map(quote, self._names))}) {given}"
            if self._anew:
                keys = ", ".join(quote(column.name) for column in self._table.primary_key)
                rest = (quote(column.name) for column in columns if not column.primary_key)
                text += f" ON CONFLICT ({keys}) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in rest)}"
            self._texts[dialect.name] = text
        return text


def _unnest(columns: Sequence[Column[Any]], dialect: Dialect) -> str:
    """Return SQL for rows from an array a column; binary, since text is escaped string by string."""
    return f"unnest({', '.join(f'%({each.name})b::{each.type.compile(dialect)}[]' for each in columns)})"


def pipeline(connection: Connection) -> AbstractContextManager[Any]:
    """Statements within it, of which nobody asks for a result, go to a server together."""
    together = getattr(driver_of(connection), "pipeline", nullcontext)
    return cast("AbstractContextManager[Any]", together())


def commit(connection: Connection) -> None:
    """At the end of a pipeline: have a server commit with what goes to it; SQLite does at the transaction's end."""
    if connection.dialect.name != "sqlite":
        driver_of(connection).execute("COMMIT", prepare=False)


def driver_of(connection: Connection) -> Any:
    """The connection as the driver has it."""
    return connection.connection.driver_connection


def key(column: Column[Any]) -> ColumnElement[bool]:
    """That a column has the value which is given by its name."""
    return column == bindparam(column.name)
