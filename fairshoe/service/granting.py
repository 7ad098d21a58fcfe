"""Tokens of operators and readers: whoever may read the data directory grants and revokes them."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import InputError
from ..log.times import DAY, timestamp
from .clock import wall_time
from .store.database import Database
from .store.tokens import drop_role, drop_token, list_tokens
from .tokens import OPERATOR, READER, issue

GRANTED = [OPERATOR, READER]


class Granting:
    """A running service sees each change at once. Days are counted from now on; None: for ever."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def renew_operator(self, days: int | None = None) -> str:
        """A new token for the operator; those before it are worth nothing from here on."""
        with self._database.writing() as connection:
            drop_role(connection, OPERATOR)
            return issue(connection, OPERATOR, _end(days))

    def reader(self, days: int | None = None) -> str:
        """One more token of a reader's."""
        with self._database.writing() as connection:
            return issue(connection, READER, _end(days))

    def listed(self) -> Iterator[str]:
        """The tokens that are good now, a line each: name, role, until when."""
        with self._database.reading() as connection:
            found = list_tokens(connection, GRANTED, wall_time())
        for token in found:
            ends = "" if token.expires is None else f" until {timestamp(token.expires)}"
            yield f"{token.name}  {token.role}{ends}"

    def revoke(self, name: str) -> None:
        """Make the token of that name worth nothing. Raises InputError."""
        with self._database.writing() as connection:
            found = [token for token in list_tokens(connection, GRANTED, 0) if token.name == name]
            if not found:
                raise InputError("no such token", where="--revoke", expected="a name that --list shows")
            for token in found:
                drop_token(connection, token.digest)


def _end(days: int | None) -> int | None:
    return None if days is None else wall_time() + days * DAY
