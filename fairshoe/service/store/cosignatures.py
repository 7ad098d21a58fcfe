"""Cosignatures of witnesses over the log's tree heads."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select

from .schema import cosignatures

KEPT = 1_000
"""How many cosignatures of one witness are kept, the newest."""


def keep_cosignature(connection: Connection, witness: str, size: int, root: bytes, line: str) -> None:
    """Keep a witness's cosignature line over the head of `size` entries in the place of an earlier one."""
    table = cosignatures
    mine = table.c.witness == witness
    connection.execute(delete(table).where(mine, table.c.size == size))
    connection.execute(insert(table).values(witness=witness, size=size, root=root, line=line))
    oldest = select(table.c.size).where(mine).order_by(table.c.size.desc()).offset(KEPT - 1).limit(1)
    last = connection.execute(oldest).scalar()
    if last is not None:
        connection.execute(delete(table).where(mine, table.c.size < last))


def cosigned_size(connection: Connection, witness: str) -> int:
    """The size of the last head that a witness cosigned, 0 if there is none."""
    query = select(func.max(cosignatures.c.size)).where(cosignatures.c.witness == witness)
    return connection.execute(query).scalar() or 0


def lines_at(connection: Connection, size: int) -> str:
    """The cosignature lines over the head of `size` entries."""
    query = select(cosignatures.c.line).where(cosignatures.c.size == size).order_by(cosignatures.c.witness)
    return "".join(connection.execute(query).scalars())


def newest_of(connection: Connection, count: int) -> tuple[int, bytes] | None:
    """Size and root of the newest head that at least so many witnesses cosigned."""
    table = cosignatures
    query = select(table.c.size, func.min(table.c.root)).group_by(table.c.size).having(func.count() >= count)
    row = connection.execute(query.order_by(table.c.size.desc()).limit(1)).first()
    return None if row is None else (row[0], row[1])
