"""Who asks for too much: buckets of requests by token and by address, counted in the database."""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from sqlalchemy import Connection

from ...log.times import SECOND
from ...serving.addresses import Address, group
from ..errors import TooMany
from ..settings import Settings
from ..store.limits import drop_full_buckets, read_buckets, write_buckets
from ..tokens import digest_of
from .rate import Rate

COSTLY = {"reshuffle": "limit_reshuffles", "shoe": "limit_shoes", "seats": "limit_seats", "tables": "limit_tables"}
"""Which setting a request has besides those of all, by the last part of its route."""
SWEEP = 256
"""After so many new buckets those that are full again are dropped."""


@dataclass(slots=True)
class Visit:
    """A changing request as far as limits go: from where, with which token, the last part of its route, and whether
    it was counted."""

    address: Address
    token: str | None
    route: str
    counted: bool = False


class Limits:
    """Counts requests. `secret` hides the addresses from whoever reads the database."""

    def __init__(self, settings: Settings, secret: bytes) -> None:
        self._settings = settings
        self._secret = secret
        self._new = 0

    def check(self, connection: Connection, visit: Visit | None, now: int) -> None:
        """Raise TooMany where a request is too much at `now` (microseconds)."""
        self._after(connection, visit, now)

    def take(self, connection: Connection, visit: Visit | None, now: int) -> None:
        """Count a request. Raises TooMany, and then has counted nothing."""
        taken, known = self._after(connection, visit, now)
        if taken:
            write_buckets(connection, taken, known)
            self._sweep(connection, len(taken) - len(known), now)

    def hidden(self, address: Address) -> str:
        """What stands for an address in the database."""
        return hmac.digest(self._secret, group(address).encode(), "sha256").hex()

    def _after(self, connection: Connection, visit: Visit | None, now: int) -> tuple[dict[str, int], dict[str, int]]:
        """The buckets of a request after it, and before it where they have a row. Raises TooMany."""
        if visit is None or not self._settings.limits:
            return {}, {}
        wanted = self._buckets(visit)
        known = read_buckets(connection, wanted) if wanted else {}
        taken = {}
        for name, (rate, whose) in wanted.items():
            taken[name], early = rate.take(known.get(name, now), now)
            if early:
                raise _too_many(rate, whose, early)
        return taken, known

    def _buckets(self, visit: Visit) -> dict[str, tuple[Rate, str]]:
        """Each bucket's name, its rate, and whose it is in words."""
        settings = self._settings
        address = f"address {self.hidden(visit.address)}"
        token = address if visit.token is None else f"token {digest_of(visit.token)}"
        found = {address: (settings.limit_address, "this address")}
        if visit.token is not None:
            found[token] = (settings.limit_player, "this token")
        if visit.route in COSTLY:
            whose = address if visit.route == "seats" else token
            rate = getattr(settings, COSTLY[visit.route])
            found[f"{visit.route} {whose}"] = (rate, f"this {whose.partition(' ')[0]} for {visit.route}")
        return {name: (rate, whose) for name, (rate, whose) in found.items() if rate.many}

    def _sweep(self, connection: Connection, new: int, now: int) -> None:
        self._new += new
        if self._new >= SWEEP:
            drop_full_buckets(connection, now)
            self._new = 0


def _too_many(rate: Rate, whose: str, early: int) -> TooMany:
    seconds = -(-early // SECOND)
    return TooMany(
        f"too many requests of {whose}",
        seconds,
        expected=f"at most {rate}",
        remedy=f"wait {seconds} s, and send it again",
    )
