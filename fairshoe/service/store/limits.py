"""What is counted to limit requests and chairs, and invitations to tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from .schema import buckets, guarded, invitations, sitters

_READ = select(buckets.c.name, buckets.c.full_at).where(buckets.c.name.in_(bindparam("names", expanding=True)))
_WRITE = update(buckets).where(buckets.c.name == bindparam("of")).values(full_at=bindparam("moment"))
_ADD = insert(buckets).values(name=bindparam("of"), full_at=bindparam("moment"))


def read_buckets(connection: Connection, names: Iterable[str]) -> dict[str, int]:
    return {row.name: row.full_at for row in connection.execute(_READ, {"names": list(names)})}


def write_buckets(connection: Connection, full_at: Mapping[str, int], known: Iterable[str]) -> None:
    """`known`: the names that have a row."""
    there = set(known)
    rows = [{"of": name, "moment": moment} for name, moment in full_at.items()]
    for statement, some in (
        (_WRITE, [row for row in rows if row["of"] in there]),
        (_ADD, [row for row in rows if row["of"] not in there]),
    ):
        if some:
            connection.execute(statement, some)


def drop_full_buckets(connection: Connection, now: int) -> None:
    connection.execute(delete(buckets).where(buckets.c.full_at <= now))


def seats_from(connection: Connection, table: str, address: str) -> set[int]:
    query = select(sitters.c.seat).where(sitters.c.table == table, sitters.c.address == address)
    return set(connection.execute(query).scalars())


def note_sitter(connection: Connection, table: str, seat: int, address: str) -> None:
    connection.execute(delete(sitters).where(sitters.c.table == table, sitters.c.seat == seat))
    connection.execute(insert(sitters).values(table=table, seat=seat, address=address))


def guard(connection: Connection, table: str) -> None:
    connection.execute(insert(guarded).values(table=table))


def is_guarded(connection: Connection, table: str) -> bool:
    return connection.execute(select(guarded.c.table).where(guarded.c.table == table)).first() is not None


def guarded_tables(connection: Connection) -> set[str]:
    return set(connection.execute(select(guarded.c.table)).scalars())


def add_invitation(connection: Connection, digest: str, table: str, ends: int | None, now: int) -> None:
    """Those that ended before `now` are dropped."""
    connection.execute(delete(invitations).where(invitations.c.ends <= now))
    connection.execute(insert(invitations).values(digest=digest, table=table, ends=ends))


def has_invitation(connection: Connection, digest: str, table: str, now: int) -> bool:
    query = select(invitations.c.ends).where(invitations.c.digest == digest, invitations.c.table == table)
    row = connection.execute(query).first()
    return row is not None and (row.ends is None or row.ends > now)


def use_invitation(connection: Connection, digest: str) -> None:
    connection.execute(delete(invitations).where(invitations.c.digest == digest))
