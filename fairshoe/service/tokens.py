"""Bearer tokens: an operator's, a seat's, a reader's of operations. Only their SHA-256 is stored; a player makes the
token of their seat and sends no more than that."""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

from sqlalchemy import Connection

from ..ceremony.acting.commands import Refused
from .errors import Forbidden, Unauthorized
from .store.answers import hand_on
from .store.tokens import Token, drop_seat, find_token, is_known, keep_token

PREFIX = "fs_"
OPERATOR, SEAT, READER = "operator", "seat", "reader"
ROLES = (OPERATOR, SEAT, READER)


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
    found = find_token(connection, digest_of(token), now)
    if found is None:
        raise Unauthorized("nobody has this token", where="token", remedy="take a seat, or see `fairshoe keys token`")
    return Caller(found.role, found.table, found.seat)


def issue(connection: Connection, role: str, expires: int | None = None) -> str:
    """A new token of an operator or a reader; `expires` in microseconds since 1970."""
    token = new_token()
    keep_token(connection, Token(digest_of(token), role, expires=expires))
    return token


def check_fresh(connection: Connection, digest: str) -> None:
    """Raise Refused for a token that somebody has already."""
    if is_known(connection, digest):
        remedy = "make a fresh one for every chair, of 32 random bytes"
        raise Refused("this token is in use", where="token_sha256", remedy=remedy)


def grant_seat(connection: Connection, table: str, seat: int, digest: str) -> None:
    """The token of a chair from here on, of which the player has sent the SHA-256; what an earlier one asked for is
    done. Raises Refused."""
    before = drop_seat(connection, table, seat)
    check_fresh(connection, digest)
    if before is not None:
        hand_on(connection, before, digest)
    keep_token(connection, Token(digest, SEAT, table, seat))
