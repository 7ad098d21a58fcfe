"""When a house was restored: answers of before may be forgotten, and players are told so in every table's state."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from ..log.times import timestamp
from .store.database import Database
from .store.schema import meta

RESTORED = "restored"
"""In `meta` once the house was restored: its own time then, as an entry's `at`."""


def note_restored(connection: Connection, now: int) -> None:
    """The log goes on from a backup and a copy, at `now` (microseconds)."""
    connection.execute(delete(meta).where(meta.c.name == RESTORED))
    connection.execute(insert(meta).values(name=RESTORED, value=timestamp(now).encode()))


def when_restored(database: Database) -> str | None:
    """The time of the last restore, None where there was none."""
    with database.reading() as connection:
        value = connection.execute(select(meta.c.value).where(meta.c.name == RESTORED)).scalar()
    return None if value is None else value.decode()
