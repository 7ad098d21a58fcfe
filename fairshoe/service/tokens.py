"""Bearer tokens: an operator's, a seat's, a reader's of operations. Only their SHA-256 is stored; a player makes the
token of their seat and sends no more than that."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, delete, insert, or_, select, update

from ..ceremony.acting.commands import Refused
from ..errors import InputError
from ..log.times import DAY, timestamp
from .clock import wall_time
from .errors import Forbidden, Unauthorized
from .store.database import Database
from .store.schema import answers, tokens

PREFIX = "fs_"
OPERATOR, SEAT, READER = "operator", "seat", "reader"


class Caller(NamedTuple):
    """Whose token it is, by its role; a seat's has `table` and `seat`. Without a role it is nobody's."""

    role: str = ""
    table: str | None = None
    seat: int | None = None

    @property
    def operator(self) -> bool:
        return self.role == OPERATOR

    def check_role(self, *roles: str) -> None:
        """Raise Forbidden where the caller has none of these roles."""
        if self.role not in roles:
            whose = " or ".join(f"{'an' if role == OPERATOR else 'a'} {role}'s" for role in roles)
            raise Forbidden(f"this needs {whose} token", where="token", remedy=f"use {whose} token")

    def check_table(self, table: str | None) -> None:
        """Raise Forbidden for a seat of another table."""
        if self.role == SEAT and table is not None and self.table != table:
            raise Forbidden("this token is for another table", where="token", remedy=f"take a seat at {table}")


def new_token() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def caller_of(connection: Connection, token: str | None, now: int) -> Caller:
    """Whose token it is at `now` (microseconds). Raises Unauthorized."""
    if token is None:
        raise Unauthorized("no token", where="token", remedy="send Authorization: Bearer TOKEN")
    found = connection.execute(_good(now).where(tokens.c.digest == digest_of(token))).first()
    if found is None:
        raise Unauthorized("nobody has this token", where="token", remedy="take a seat, or see `fairshoe keys token`")
    return Caller(found.role, found.table, found.seat)


def issue(connection: Connection, role: str, expires: int | None = None) -> str:
    """A new token of an operator or a reader; `expires` in microseconds since 1970."""
    token = new_token()
    connection.execute(insert(tokens).values(digest=digest_of(token), role=role, expires=expires))
    return token


def check_fresh(connection: Connection, digest: str) -> None:
    """Raise Refused for a token that somebody has already."""
    if connection.execute(select(tokens.c.digest).where(tokens.c.digest == digest)).first() is not None:
        remedy = "make a fresh one for every chair, of 32 random bytes"
        raise Refused("this token is in use", where="token_sha256", remedy=remedy)


def grant_seat(connection: Connection, table: str, seat: int, digest: str) -> None:
    """The token of a chair from here on, of which the player has sent the SHA-256; what an earlier one asked for is
    done. Raises Refused."""
    before = drop_seat(connection, table, seat)
    check_fresh(connection, digest)
    if before is not None:
        connection.execute(update(answers).where(answers.c.whose == before).values(whose=digest))
    connection.execute(insert(tokens).values(digest=digest, role=SEAT, table=table, seat=seat))


def drop_seat(connection: Connection, table: str, seat: int) -> str | None:
    """Revoke the token of a chair; gives its digest."""
    mine = (tokens.c.table == table, tokens.c.seat == seat)
    digest = connection.execute(select(tokens.c.digest).where(*mine)).scalar()
    connection.execute(delete(tokens).where(*mine))
    return digest


def _good(now: int) -> Select[Any]:
    """The tokens that have not ended at `now` (microseconds)."""
    return select(tokens).where(or_(tokens.c.expires.is_(None), tokens.c.expires > now))


# Operators and readers: whoever may read the data directory grants and revokes their tokens.

SHORT = 8
"""So many digits of its digest name a token."""


class Granting:
    """A running service sees each change at once. Days are counted from now on; None: for ever."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def renew_operator(self, days: int | None = None) -> str:
        """A new token for the operator; those before it are worth nothing from here on."""
        with self._database.writing() as connection:
            connection.execute(delete(tokens).where(tokens.c.role == OPERATOR))
            return issue(connection, OPERATOR, _end(days))

    def reader(self, days: int | None = None) -> str:
        """One more token of a reader's."""
        with self._database.writing() as connection:
            return issue(connection, READER, _end(days))

    def listed(self) -> Iterator[str]:
        """The tokens that are good now, a line each: name, role, until when."""
        query = _good(wall_time()).where(tokens.c.role != SEAT).order_by(tokens.c.role, tokens.c.digest)
        with self._database.reading() as connection:
            found = connection.execute(query).all()
        for token in found:
            ends = "" if token.expires is None else f" until {timestamp(token.expires)}"
            yield f"{token.digest[:SHORT]}  {token.role}{ends}"

    def revoke(self, name: str) -> None:
        """Make the token of that name worth nothing. Raises InputError."""
        with self._database.writing() as connection:
            digests = connection.execute(select(tokens.c.digest).where(tokens.c.role != SEAT)).scalars()
            found = [digest for digest in digests if digest[:SHORT] == name]
            if not found:
                raise InputError("no such token", where="--revoke", expected="a name that --list shows")
            connection.execute(delete(tokens).where(tokens.c.digest.in_(found)))


def _end(days: int | None) -> int | None:
    return None if days is None else wall_time() + days * DAY
