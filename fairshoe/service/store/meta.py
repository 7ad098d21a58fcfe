"""What the database says of the house itself: a few named values."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, delete, insert, inspect, select

from ...errors import InputError
from ..errors import StorageDamaged
from .faults import DAMAGED
from .schema import VERSION, meta

ALWAYS = ("version", "origin", "signer")
"""What every house has."""
RESTORED = "restored"
"""Once the house was restored: its own time then, as an entry's `at`. Answers of before may be forgotten."""


def read_meta(connection: Connection, where: Path) -> dict[str, bytes]:
    """Raises InputError for a database of something else, or of another version; StorageDamaged where one of the values
    that every house has is missing."""
    if "meta" not in inspect(connection).get_table_names():
        raise InputError("not a fairshoe database", where=str(where), expected="fairshoe.db, or a backup of it")
    found = {row.name: row.value for row in connection.execute(select(meta.c.name, meta.c.value))}
    gone = sorted(set(ALWAYS) - set(found))
    if gone:
        raise StorageDamaged(
            f"the database is damaged: in meta {', '.join(gone)} is missing", where=str(where), remedy=DAMAGED
        )
    if (version := found["version"].decode()) != VERSION:
        raise InputError(f"data of version {version}", where=str(where), expected=f"version {VERSION}")
    return found


def find_meta(connection: Connection, name: str) -> bytes | None:
    """One value, None where it is not there."""
    return connection.execute(select(meta.c.value).where(meta.c.name == name)).scalar()


def write_meta(connection: Connection, name: str, value: bytes) -> None:
    connection.execute(delete(meta).where(meta.c.name == name))
    connection.execute(insert(meta).values(name=name, value=value))
