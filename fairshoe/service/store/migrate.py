"""Data of an earlier version is brought to this one at its next start, in the transaction that opens it."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, case, literal, update
from sqlalchemy.schema import CreateColumn

from .schema import VERSION, meta, tokens


def _roles(connection: Connection) -> None:
    """Version 2 knew no roles: a token without a table was the operator's."""
    for column in (tokens.c.role, tokens.c.expires):
        form = CreateColumn(column).compile(dialect=connection.dialect)
        connection.exec_driver_sql(f"ALTER TABLE tokens ADD COLUMN {form}")
    whose = case((tokens.c.table.is_(None), literal("operator")), else_=literal("seat"))
    connection.execute(update(tokens).values(role=whose))


STEPS: dict[str, Callable[[Connection], None]] = {"2": _roles}
"""What is to be done with data of a version to have that of the next one, whose number is greater by one."""


def migrate(connection: Connection, version: str) -> str:
    """Bring the data from its version on; gives the one that it has then: VERSION, or one that nobody here knows."""
    found = version
    while version != VERSION and version in STEPS:
        STEPS[version](connection)
        version = str(int(version) + 1)
    if version != found:
        connection.execute(update(meta).where(meta.c.name == "version").values(value=version.encode()))
    return version
