"""The tables before there were revisions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "6", None


def upgrade() -> None:
    op.create_table(
        "meta",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "head",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("peaks", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "entries",
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("line", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "nodes",
        sa.Column("level", sa.Integer, primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "cosignatures",
        sa.Column("witness", sa.String(512), primary_key=True),
        sa.Column("size", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("root", sa.LargeBinary, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
    )
    op.create_table(
        "places",
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("key", sa.LargeBinary),
        sa.Column("due", sa.BigInteger, index=True),
        sa.Column("version", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("table", sa.String(32)),
        sa.Column("seat", sa.Integer),
    )
    op.create_table("seeds", sa.Column("digest", sa.String(64), primary_key=True))
    op.create_table(
        "answers",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("whose", sa.String(64), nullable=False),
        sa.Column("asked", sa.String(64), nullable=False),
        sa.Column("said", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False, index=True),
        sa.Column("box", sa.LargeBinary, nullable=False),
        sa.Index("answers_of", "whose", "asked"),
    )
    op.create_table(
        "buckets",
        sa.Column("name", sa.String(128), primary_key=True),
        sa.Column("full_at", sa.BigInteger, nullable=False, index=True),
    )
    op.create_table(
        "sitters",
        sa.Column("table", sa.String(32), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("address", sa.String(64), nullable=False),
    )
