"""Bearer tokens. Only their SHA-256 is stored."""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

PREFIX = "fs_"


class Caller(NamedTuple):
    """Whose token it is: the operator's (`table` and `seat` None) or a seat's."""

    table: str | None = None
    seat: int | None = None

    @property
    def operator(self) -> bool:
        return self.table is None


def new_token() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
