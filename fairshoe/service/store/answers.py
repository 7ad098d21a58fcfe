"""Answers to changing requests that had a key, so that whoever asks again gets the same."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from .schema import answers


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
