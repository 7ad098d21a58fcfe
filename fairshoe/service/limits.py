"""How much of the service one player or one address may have: requests by token and by address, chairs."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select

from ..ceremony.acting.commands import Refused
from ..ceremony.acting.state import State
from ..log.times import SECOND
from .errors import RateLimited
from .settings import RateLimit, Settings
from .store.schema import buckets, sitters
from .store.statements import PreparedStatement, RowLookup, RowWrite
from .tokens import check_fresh, digest_of

FULL = RowLookup((buckets.c.name,), (buckets.c.full_at,))
FILLED = RowWrite(buckets, anew=True)
FULL_AGAIN = PreparedStatement(delete(buckets).where(buckets.c.full_at <= bindparam("now")))
SWEEP_INTERVAL = 256
"""After so many new buckets those that are full again are dropped."""


Address = ipaddress.IPv4Address | ipaddress.IPv6Address
UNKNOWN = ipaddress.IPv6Address("::")
"""In place of an address that nobody knows."""
IPV6_PREFIX_BITS = 64
"""Prefix of a household's IPv6 addresses, which count as one."""


def address_of(written: str) -> Address:
    """The address that a client has, UNKNOWN where it is none."""
    try:
        address = ipaddress.ip_address(written.partition("%")[0])
    except ValueError:
        return UNKNOWN
    return getattr(address, "ipv4_mapped", None) or address


def group(address: Address) -> str:
    """Return the part of an address that counts as one address."""
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, IPV6_PREFIX_BITS), strict=False))
    return str(address)


@dataclass(slots=True)
class Visit:
    """A changing request as far as limits go: from where, with which token, and whether it was counted."""

    address: Address
    token: str | None
    is_counted: bool = False


class Guest(NamedTuple):
    """A caller who asks for a chair: the token, of which they sent the SHA-256, and the address, if that is known."""

    token: str
    address: Address | None = None


class RateLimiter:
    """Counts requests. `secret` hides addresses from readers of the database. Counts are stored by `write`; `begin`
    drops those that were not. `_rows`: buckets looked up in this transaction, None for a full one."""

    def __init__(self, settings: Settings, secret: bytes) -> None:
        self._settings = settings
        self._secret = secret
        self._new = 0
        self._rows: dict[str, int | None] = {}
        self._unwritten: dict[str, int] = {}

    def check(self, connection: Connection, visit: Visit | None, now: int) -> None:
        """Raise RateLimited where a request is too much at `now` (microseconds)."""
        self._fill_buckets(visit, now, partial(_full_at, connection))

    def begin(self) -> None:
        self._rows.clear()
        self._unwritten.clear()

    def look_up(self, connection: Connection, visits: Iterable[Visit]) -> Callable[[], None]:
        """Ask for the buckets of many requests; what is given takes up the answer, until the next `begin`."""
        names = sorted({name for visit in visits for name in self._buckets(visit)})
        found = FULL.ask(connection, [{"name": name} for name in names])

        def take_up() -> None:
            self._rows = {name: row and row[0] for name, row in zip(names, found(), strict=True)}

        return take_up

    def take(self, connection: Connection, visit: Visit | None, now: int) -> None:
        """Count a request. Raises RateLimited, and then has counted nothing."""
        self._unwritten |= self._fill_buckets(visit, now, partial(self._find_full_at, connection))

    def _find_full_at(self, connection: Connection, name: str) -> int | None:
        if name in self._unwritten:
            return self._unwritten[name]
        if name not in self._rows:
            self._rows[name] = _full_at(connection, name)
        return self._rows[name]

    def write(self, connection: Connection, now: int) -> None:
        """Write what was counted, and now and then drop what is full again at `now`."""
        FILLED.write(connection, [{"name": name, "full_at": at} for name, at in sorted(self._unwritten.items())])
        self._new += sum(self._rows.get(name) is None for name in self._unwritten)
        if self._new >= SWEEP_INTERVAL:
            FULL_AGAIN.run(connection, now=now)
            self._new = 0
        self.begin()

    def hide_address(self, address: Address) -> str:
        """Return the text that stands for an address in the database."""
        return hmac.digest(self._secret, group(address).encode(), "sha256").hex()

    def _fill_buckets(self, visit: Visit | None, now: int, full_at: Callable[[str], int | None]) -> dict[str, int]:
        """The buckets of a request after it, by what they were before. Raises RateLimited."""
        taken = {}
        for name, (rate, whose) in self._buckets(visit).items():
            before = full_at(name)
            taken[name], early = rate.take(now if before is None else before, now)
            if early:
                raise _too_many(rate, whose, early)
        return taken

    def _buckets(self, visit: Visit | None) -> dict[str, tuple[RateLimit, str]]:
        """Each bucket's name, its rate, and whose it is in words."""
        settings = self._settings
        if visit is None or not settings.limits:
            return {}
        address = f"address {self.hide_address(visit.address)}"
        token = address if visit.token is None else f"token {digest_of(visit.token)}"
        found = {address: (settings.limit_address, "this address")}
        if visit.token is not None:
            found[token] = (settings.limit_player, "this token")
        return {name: (rate, whose) for name, (rate, whose) in found.items() if rate.many}

    # Chairs, in the transaction in which one is taken.

    def check_chair(self, connection: Connection, state: State, guest: Guest) -> None:
        """Raises Refused: as many chairs as one address may hold, somebody's token."""
        most = self._settings.chairs_by_address if self._settings.limits else 0
        if most and guest.address is not None and not guest.address.is_loopback:
            mine = (sitters.c.table == state.id) & (sitters.c.address == self.hide_address(guest.address))
            held = set(connection.execute(select(sitters.c.seat).where(mine)).scalars()) & state.table.players.keys()
            if len(held) >= most:
                raise Refused(
                    f"this address holds {len(held)} chairs here, and may hold {most}",
                    where="seat",
                    remedy="leave one of them, or choose another table",
                )
        check_fresh(connection, guest.token)

    def note_address(self, connection: Connection, table: str, seat: int, guest: Guest) -> None:
        """The chair was taken: the address is noted."""
        if guest.address is not None:
            connection.execute(delete(sitters).where(sitters.c.table == table, sitters.c.seat == seat))
            hidden = self.hide_address(guest.address)
            connection.execute(insert(sitters).values(table=table, seat=seat, address=hidden))


def _full_at(connection: Connection, name: str) -> int | None:
    row = FULL.first(connection, name=name)
    return None if row is None else int(row[0])


def _too_many(rate: RateLimit, whose: str, early: int) -> RateLimited:
    seconds = -(-early // SECOND)
    return RateLimited(
        f"too many requests of {whose}",
        seconds,
        expected=f"at most {rate}",
        remedy=f"wait {seconds} s, and send it again",
    )
