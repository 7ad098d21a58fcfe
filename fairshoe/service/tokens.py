"""Bearer tokens: an operator's, a seat's, a reader's of operations. Only their SHA-256 is stored; a player makes the
token of their seat and sends no more than that."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from ..ceremony.acting.commands import Refused
from ..ceremony.acting.lone_shoe import ROW
from .errors import Forbidden, Unauthorized
from .store.database import Database
from .store.schema import answers, tokens
from .store.statements import RowLookup

PREFIX = "fs_"
OPERATOR, SEAT, READER = "operator", "seat", "reader"
HOLDER = RowLookup((tokens.c.digest,), (tokens.c.role, tokens.c.table, tokens.c.seat))


class Caller(NamedTuple):
    """The holder of a token, by its role; a seat's has `table` and `seat`. A token without a role is nobody's."""

    role: str = ""
    table: str | None = None
    seat: int | None = None

    def check_role(self, *roles: str) -> None:
        """Raise Forbidden where the caller has none of these roles."""
        if self.role not in roles:
            whose = " or ".join(f"{'an' if role == OPERATOR else 'a'} {role}'s" for role in roles)
            raise Forbidden(f"this needs {whose} token", where="token", remedy=f"use {whose} token")

    def check_table(self, table: str | None) -> None:
        """Raise Forbidden for a seat of another table."""
        if self.role == SEAT and table is not None and self.table != table:
            of_shoe = table.startswith(ROW)
            what = "this token is for another shoe" if of_shoe else "this token is for another table"
            remedy = "use the token for this one" if of_shoe else f"take a seat at {table}"
            raise Forbidden(what, where="token", remedy=remedy)


def new_token() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def caller_of(connection: Connection, token: str | None) -> Caller:
    """Return the caller whose token it is. Raises Unauthorized."""
    if token is None:
        raise Unauthorized("no token", where="token", remedy="send Authorization: Bearer TOKEN")
    found = HOLDER.first(connection, digest=digest_of(token))
    if found is None:
        raise Unauthorized("nobody has this token", where="token", remedy="take a seat, or see `fairshoe keys token`")
    return Caller(*found)


def seats_of(connection: Connection, tokens: Sequence[str | None], table: str) -> dict[str | None, int | None]:
    """Return each token's seat at a table or shoe, None if it has none; bad tokens are left out."""
    seats = dict[str | None, int | None]()
    for token in tokens:
        with suppress(Unauthorized, Forbidden):
            caller = Caller() if token is None else caller_of(connection, token)
            caller.check_table(table)
            seats[token] = caller.seat
    return seats


def issue(connection: Connection, role: str) -> str:
    """A new token of an operator or a reader."""
    token = new_token()
    connection.execute(insert(tokens).values(digest=digest_of(token), role=role))
    return token


def check_fresh(connection: Connection, digest: str, table: str = "", seat: int = 0) -> None:
    """Raise Refused for a token that somebody has already, other than that chair."""
    found = HOLDER.first(connection, digest=digest)
    if found is not None and Caller(*found) != Caller(SEAT, table, seat):
        remedy = "make a fresh one for every chair, of 32 random bytes"
        raise Refused("this token is in use", where="token_sha256", remedy=remedy)


class Tokens:
    """Tokens in the transaction of whoever writes. Those that many commands came with are looked up together."""

    def __init__(self) -> None:
        self._rows: dict[str, Any] = {}

    def look_up(self, connection: Connection, came: Iterable[str]) -> Callable[[], None]:
        """Ask for them; what is given takes up the answer."""
        digests = sorted({digest_of(token) for token in came})
        found = HOLDER.ask(connection, [{"digest": digest} for digest in digests])

        def take_up() -> None:
            self._rows = dict(zip(digests, found(), strict=True))

        return take_up

    def caller(self, connection: Connection, token: str | None) -> Caller:
        """Return the caller whose token it is. Raises Unauthorized."""
        found = None if token is None else self._rows.get(digest_of(token))
        return caller_of(connection, token) if found is None else Caller(*found)

    def grant(self, connection: Connection, table: str, seat: int, digest: str) -> None:
        """Give a chair the token with this SHA-256; requests by its earlier one are over. Raises Refused."""
        check_fresh(connection, digest, table, seat)
        before = self.drop(connection, table, seat)
        if before is not None:
            connection.execute(update(answers).where(answers.c.caller == before).values(caller=digest))
        connection.execute(insert(tokens).values(digest=digest, role=SEAT, table=table, seat=seat))

    def drop(self, connection: Connection, table: str, seat: int) -> str | None:
        """Revoke the token of a chair; gives its digest."""
        self._rows.clear()
        mine = (tokens.c.table == table, tokens.c.seat == seat)
        digest = connection.execute(select(tokens.c.digest).where(*mine)).scalar()
        connection.execute(delete(tokens).where(*mine))
        return digest


def renew(database: Database, role: str) -> str:
    """Make a new operator's or reader's token; the old one ends at once. Needs read access to the data directory."""
    with database.begin_write() as connection:
        connection.execute(delete(tokens).where(tokens.c.role == role))
        return issue(connection, role)
