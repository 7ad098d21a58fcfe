"""Tokens, by their digests: whose they are, and until when. Expired ones are as if they were not there."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, delete, insert, or_, select

from .schema import tokens

SHORT = 8
"""So many digits of its digest name a token."""


class Token(NamedTuple):
    """A token as it is stored; `expires` in microseconds since 1970, None: never."""

    digest: str
    role: str
    table: str | None = None
    seat: int | None = None
    expires: int | None = None

    @property
    def name(self) -> str:
        return self.digest[:SHORT]


def keep_token(connection: Connection, token: Token) -> None:
    connection.execute(insert(tokens).values(**token._asdict()))


def find_token(connection: Connection, digest: str, now: int) -> Token | None:
    """The token that is good at `now` (microseconds)."""
    row = connection.execute(_good(now).where(tokens.c.digest == digest)).first()
    return None if row is None else Token(*row)


def is_known(connection: Connection, digest: str) -> bool:
    """Whether it is anybody's token, or was until it ended."""
    return connection.execute(select(tokens.c.digest).where(tokens.c.digest == digest)).first() is not None


def list_tokens(connection: Connection, roles: list[str], now: int) -> list[Token]:
    query = _good(now).where(tokens.c.role.in_(roles)).order_by(tokens.c.role, tokens.c.digest)
    return [Token(*row) for row in connection.execute(query)]


def _good(now: int) -> Select[Any]:
    columns = (tokens.c.digest, tokens.c.role, tokens.c.table, tokens.c.seat, tokens.c.expires)
    return select(*columns).where(or_(tokens.c.expires.is_(None), tokens.c.expires > now))


def drop_token(connection: Connection, digest: str) -> None:
    connection.execute(delete(tokens).where(tokens.c.digest == digest))


def drop_role(connection: Connection, role: str) -> None:
    """Revoke every token of a role."""
    connection.execute(delete(tokens).where(tokens.c.role == role))


def drop_seat(connection: Connection, table: str, seat: int) -> str | None:
    """Revoke the token of a chair; gives its digest."""
    mine = (tokens.c.table == table, tokens.c.seat == seat)
    digest = connection.execute(select(tokens.c.digest).where(*mine)).scalar()
    connection.execute(delete(tokens).where(*mine))
    return digest
