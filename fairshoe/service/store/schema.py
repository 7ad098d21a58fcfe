"""The tables. The log's entries are the truth; the rest is what is not finished yet."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, MetaData, String, Table, Text

VERSION = "3"

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
"""`version`, `origin` (the log's name), `signer` (its private key, encrypted); `kept` and `restored` where they are."""

head = Table(
    "head",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("peaks", LargeBinary, nullable=False),
)
"""One row: the log's size, its last entry's time, the tree's peaks. Whoever appends holds it."""

entries = Table(
    "entries",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("line", LargeBinary, nullable=False),
)

nodes = Table(
    "nodes",
    metadata,
    Column("level", Integer, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("hash", LargeBinary, nullable=False),
)
"""The tree's complete subtrees of 256**level entries, from level 1 on: what the log's tiles are made of."""

cosignatures = Table(
    "cosignatures",
    metadata,
    Column("witness", String(512), primary_key=True),
    Column("size", BigInteger, primary_key=True, autoincrement=False),
    Column("root", LargeBinary, nullable=False),
    Column("line", Text, nullable=False),
)
"""Cosignature lines of witnesses, by their verifier keys, over the head of the first `size` entries."""

places = Table(
    "places",
    metadata,
    Column("name", String(80), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
)
"""Where in the log something is told of a name: a table, a shoe, a round. An index over `entries`, and no more; under
the empty name stands up to which entry it goes."""

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("state", Text, nullable=False),
    Column("key", LargeBinary),
    Column("due", BigInteger, index=True),
)
"""A table's state, its live shoe's key (encrypted), and when something next happens by itself."""

tokens = Table(
    "tokens",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("role", String(16), nullable=False, server_default=""),
    Column("table", String(32)),
    Column("seat", Integer),
    Column("expires", BigInteger),
)
"""By the SHA-256 of each: whose it is, and until when (microseconds)."""

seeds = Table("seeds", metadata, Column("digest", String(64), primary_key=True))
"""Every hash of a client seed that was ever sent: none may stand twice."""
