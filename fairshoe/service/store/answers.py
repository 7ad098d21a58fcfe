"""Answers to changing requests that had a key, so that whoever asks again gets the same."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    LargeBinary,
    String,
    Table,
    delete,
    insert,
    select,
    update,
)

from .schema import metadata

answers = Table(
    "answers",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("whose", String(64), nullable=False),
    Column("asked", String(64), nullable=False),
    Column("said", String(64), nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
    Column("box", LargeBinary, nullable=False),
    Index("answers_of", "whose", "asked"),
)
"""`whose`: the digest of the token that asked, or of the one that took its place; `asked`: of the route and the key;
`said`: of the request; `box`: the answer, encrypted; `digest`: its name."""


class Kept(NamedTuple):
    """An answer as it is stored."""

    digest: str
    whose: str
    asked: str
    said: str
    box: bytes


def find_answer(connection: Connection, whose: str, asked: str) -> Kept | None:
    columns = [answers.c[name] for name in Kept._fields]
    row = connection.execute(select(*columns).where(answers.c.whose == whose, answers.c.asked == asked)).first()
    return None if row is None else Kept(*row)


def keep_answer(connection: Connection, kept: Kept, at: int, oldest: int) -> None:
    """Keep an answer that was given at `at`; those from before `oldest` are dropped. Times in microseconds."""
    connection.execute(delete(answers).where(answers.c.at < oldest))
    connection.execute(insert(answers).values(at=at, **kept._asdict()))


def hand_on(connection: Connection, before: str, after: str) -> None:
    """What one token asked for is answered to the token that took its place."""
    connection.execute(update(answers).where(answers.c.whose == before).values(whose=after))
