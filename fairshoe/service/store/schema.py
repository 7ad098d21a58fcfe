"""The tables, and what `meta` says of the house itself. The log's entries are the truth; the rest is what is not
finished yet."""

from __future__ import annotations

import sqlalchemy as sa

from ...errors import InputError
from ..errors import DAMAGED, StorageDamaged
from .statements import PreparedStatement, key

VERSION = "1"
"""Of the tables; an older one is brought up to it by `migrations`."""

metadata = sa.MetaData()

meta = sa.Table(
    "meta",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)
"""`version`, `origin` (the log's name), `signer` and `receipts` (private keys, encrypted); `restored` and `probe`,
where there was a restore, or trouble with the disk; `ordered`."""

head = sa.Table(
    "head",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("peaks", sa.LargeBinary, nullable=False),
)
"""One row: the log's size, its last entry's time, the tree's peaks. Whoever appends holds it."""

entries = sa.Table(
    "entries",
    metadata,
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("line", sa.LargeBinary, nullable=False),
)

nodes = sa.Table(
    "nodes",
    metadata,
    sa.Column("level", sa.Integer, primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
)
"""The tree's complete subtrees of 256**level entries, from level 1 on: what the log's tiles are made of."""

cosignatures = sa.Table(
    "cosignatures",
    metadata,
    sa.Column("witness", sa.String(512), primary_key=True),
    sa.Column("size", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("root", sa.LargeBinary, nullable=False),
    sa.Column("line", sa.Text, nullable=False),
)
"""Cosignature lines of witnesses, by their verifier keys, over the head of the first `size` entries."""

places = sa.Table(
    "places",
    metadata,
    sa.Column("name", sa.String(80), primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
)
"""Index over `entries`: in which entries a name occurs, of a table, a shoe or a round. The empty name has the number of
entries indexed."""

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("key", sa.LargeBinary),
    sa.Column("due", sa.BigInteger, index=True),
    sa.Column("version", sa.BigInteger, nullable=False),
)
"""A table's state, its live shoe's key (encrypted), when something next happens by itself, and the house's time when
the state was written, which rises with each change."""

tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("table", sa.String(32)),
    sa.Column("seat", sa.Integer),
)
"""By the SHA-256 of each: whose it is."""

claims = sa.Table("claims", metadata, sa.Column("digest", sa.String(64), primary_key=True))
"""Every commitment of the house and of placers, and every hash of a client seed that was ever sent: none may stand
twice."""

answers = sa.Table(
    "answers",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("caller", sa.String(64), nullable=False),
    sa.Column("request", sa.String(64), nullable=False),
    sa.Column("content", sa.String(64), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False, index=True),
    sa.Column("box", sa.LargeBinary, nullable=False),
    sa.Index("answers_of", "caller", "request", unique=True),
)
"""`caller`: the digest of the token that asked, or of the one that took its place; `request`: of the route and the key;
`content`: of all that the request says; `box`: the answer, encrypted; `digest`: its name."""

buckets = sa.Table(
    "buckets",
    metadata,
    sa.Column("name", sa.String(128), primary_key=True),
    sa.Column("full_at", sa.BigInteger, nullable=False, index=True),
)
"""When a bucket of requests is full again, in microseconds; one that is full already needs no row."""

sitters = sa.Table(
    "sitters",
    metadata,
    sa.Column("table", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("address", sa.String(64), nullable=False),
)
"""From which address (its keyed hash) a chair was last taken."""


ALWAYS = ("version", "origin", "signer")
"""The tables that every house has."""
RESTORED = "restored"
"""Once the house was restored: its own time then, as an entry's `at`. Answers of before may be forgotten."""
LEADER = "leader"
"""The number of the process that leads; on PostgreSQL alone."""
ORDERED = "ordered"
"""The cards of all shoes without a table, as a decimal, once one was made."""
PROBE = "probe"
"""Random bytes that were written at the start, or after writing had failed, to see whether it works."""


VALUE = PreparedStatement(sa.select(meta.c.value).where(key(meta.c.name)))


def read_meta(connection: sa.Connection, where: str) -> dict[str, bytes]:
    """Read `meta`. Raises InputError for another kind or version of database, StorageDamaged for a missing value."""
    if "meta" not in sa.inspect(connection).get_table_names():
        raise InputError("not a fairshoe database", where=where, expected="fairshoe.db, or a backup of it")
    found = {row.name: row.value for row in connection.execute(sa.select(meta.c.name, meta.c.value))}
    gone = sorted(set(ALWAYS) - set(found))
    if gone:
        raise StorageDamaged(
            f"the database is damaged: in meta {', '.join(gone)} is missing", where=where, remedy=DAMAGED
        )
    if is_older(version := found["version"].decode(), where):
        remedy = "`fairshoe serve` brings it up to date"
        raise InputError(f"data of version {version}", where=where, expected=f"version {VERSION}", remedy=remedy)
    return found


def read_version(connection: sa.Connection) -> str:
    """Read the version of the tables' schema; "" if it is not told."""
    found = find_meta(connection, "version") if sa.inspect(connection).has_table(meta.name) else None
    return "" if found is None else found.decode(errors="replace")


def is_older(version: str, where: str) -> bool:
    """Whether a database of that version must be migrated. Raises InputError if this release cannot use it."""
    if version in ("", VERSION):
        return False
    if version.isdigit() and 0 < int(version) < int(VERSION):
        return True
    remedy = "use the release that wrote it"
    raise InputError(f"data of version {version}", where=where, expected=f"version {VERSION}", remedy=remedy)


def find_meta(connection: sa.Connection, name: str) -> bytes | None:
    """One value, None where it is not there."""
    row = VALUE.first(connection, name=name)
    return None if row is None else bytes(row[0])


def write_meta(connection: sa.Connection, name: str, value: bytes) -> None:
    connection.execute(sa.delete(meta).where(meta.c.name == name))
    connection.execute(sa.insert(meta).values(name=name, value=value))
