"""Commitments and hashes of seeds are claims of one set, in the table `seeds`: the commitments of the house are
added."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision, down_revision = "8", "7"
BATCH = 1_000
CLAIMS = sa.table("seeds", sa.column("digest", sa.String))


def upgrade() -> None:
    connection = op.get_bind()
    entries = sa.table("entries", sa.column("seq", sa.BigInteger), sa.column("line", sa.LargeBinary))
    states = sa.select(sa.table("tables", sa.column("state", sa.Text)).c.state)
    _add(connection, set(map(_committed, connection.execute(states).scalars())))
    size = connection.execute(sa.select(sa.func.count()).select_from(entries)).scalar_one()
    for first in range(0, size, BATCH):
        batch = sa.select(entries.c.line).where(entries.c.seq >= first, entries.c.seq < first + BATCH)
        lines = connection.execute(batch).scalars()
        _add(connection, {_committed(line) for line in lines if b'"kind":"shoe"' in line})


def _committed(text: str | bytes) -> str:
    """Return the commitment in a `shoe` entry or a table's state; unreadable ones are reported at the opening."""
    try:
        return str(json.loads(text)["commitment"])
    except (ValueError, KeyError, TypeError):
        return ""


def _add(connection: sa.Connection, found: set[str]) -> None:
    """Add what is not there yet."""
    known = connection.execute(sa.select(CLAIMS.c.digest).where(CLAIMS.c.digest.in_(found))).scalars()
    if fresh := sorted(found.difference(known, [""])):
        connection.execute(sa.insert(CLAIMS), [{"digest": digest} for digest in fresh])
