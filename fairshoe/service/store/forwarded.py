"""Commands that one process hands on to another over PostgreSQL, and what is answered: boxes that only they can open.

The tables are not logged: where the server falls they are empty, and whoever waits is told to send it again. A command
is taken out in the transaction that does it, so that it is done once, whichever process does it."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Column, Connection, DateTime, LargeBinary, MetaData, String, Table, func, text

from .statements import PreparedStatement, RowWrite

shared = MetaData()
ORDERED, DONE = "fairshoe_ordered", "fairshoe_done"
"""The channels: a command waits; something was done."""
MAX_PARCELS = 64
"""Maximum number of parcels in one transaction, and of tables in one note."""
FRESH_SECONDS = 10
"""After which nobody waits for a command any more, and it is not done."""


def _boxes(name: str) -> Table:
    """`process`: whose command it is, `id` its name, `box` what is said, encrypted."""
    return Table(
        name,
        shared,
        Column("id", String(48), primary_key=True),
        Column("process", String(16), nullable=False, index=True),
        Column("box", LargeBinary, nullable=False),
        Column("at", DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp(), index=True),
        prefixes=["UNLOGGED"],
    )


orders, replies = _boxes("orders"), _boxes("replies")
ORDER = PreparedStatement(
    text(
        "WITH ordered AS (INSERT INTO orders (id, process, box) VALUES (:id, :process, :box)) "
        f"SELECT pg_notify('{ORDERED}', '')"
    )
)
TAKE = PreparedStatement(
    text(
        f"DELETE FROM orders WHERE id IN (SELECT id FROM orders ORDER BY at LIMIT {MAX_PARCELS}) "
        f"RETURNING id, process, box, at, at < clock_timestamp() - interval '{FRESH_SECONDS} seconds'"
    )
)
WAITS = PreparedStatement(text("SELECT 1 FROM orders LIMIT 1"))
WITHDRAW = PreparedStatement(text("DELETE FROM orders WHERE id = :id RETURNING id"))
ANSWER = RowWrite(replies)
FETCH = PreparedStatement(text("DELETE FROM replies WHERE process = :process RETURNING id, box"))
DROP_OLD = PreparedStatement(text("DELETE FROM replies WHERE at < clock_timestamp() - interval '1 minute'"))
NOTIFY = PreparedStatement(text("SELECT pg_notify(CAST(:channel AS text), CAST(:said AS text))"))


class SealedParcel(NamedTuple):
    """Commands or their answers as they are handed on."""

    id: str
    process: str
    box: bytes


def make_shared(connection: Connection) -> None:
    """Make what SQLite does not need, where it is missing."""
    shared.create_all(connection)


def take_orders(connection: Connection) -> list[SealedParcel]:
    """The commands that came first; old ones are dropped."""
    rows = sorted(TAKE.rows(connection), key=lambda row: row[3])
    return [SealedParcel(*row[:3]) for row in rows if not row[4]]
