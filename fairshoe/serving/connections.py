"""The open connections: how many there are, of whom, and which of them have been waited for too long."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto

from .addresses import UNKNOWN, Address, address_of, group
from .bounds import Bounds
from .open_files import room_for

Peer = tuple[object, object]
"""Both ends of a connection: no two open ones have the same."""


class Doing(Enum):
    """What the server is waiting for on a connection."""

    REQUEST = auto()
    BODY = auto()
    WORK = auto()
    TAKING = auto()


class Connection:
    """One connection, with the time since when it does what it does, in the loop's seconds."""

    def __init__(self, transport: asyncio.Transport, address: str, now: float, *, exempt: bool = False) -> None:
        self.transport = transport
        self.address = address
        self.exempt = exempt
        self.doing = Doing.REQUEST
        self.since = now
        self.lost = False
        self.last = False
        self.begun = True
        """Whether something of the next request is here; a first one has begun with the connection."""
        self.timer: asyncio.TimerHandle | None = None

    def end(self) -> bool:
        """The client sends no more; gives whether an answer is still owed, after which the connection is closed."""
        self.last = self.doing in (Doing.WORK, Doing.TAKING)
        return self.last

    def drop(self) -> None:
        """Let go of it at once: nobody waits for what it has not taken."""
        self.lost = True
        self.transport.abort()

    def rest(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Connections:
    """All of them; used by the loop's thread alone."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._most = room_for(bounds.connections)
        self._open: dict[Peer, Connection] = {}
        self._by_address: Counter[str] = Counter()
        self._looking: Counter[str] = Counter()
        self.stopping = False
        self.refused = 0
        self.dropped = 0

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, transport: asyncio.Transport) -> Connection | None:
        """Take a new connection in; None where its address has too many."""
        peer = peer_of(transport)
        found = address_of(str(peer[0][0])) if isinstance(peer[0], tuple) else None
        address = group(found or UNKNOWN)
        exempt = self._is_exempt(found)
        if self._by_address[address] >= self._bounds.connections_by_address and not exempt:
            self.refused += 1
            return None
        if len(self._open) >= self._most:
            self._make_room()
        connection = Connection(transport, address, _now(), exempt=exempt)
        self._open[peer] = connection
        self._by_address[address] += 1
        self._expect(connection, self._bounds.head_seconds)
        return connection

    def may_look(self, connection: Connection) -> bool:
        """Whether its address asks for no more at once than one may."""
        return connection.exempt or self._looking[connection.address] < self._bounds.looking_by_address

    @contextmanager
    def looking(self, connection: Connection) -> Iterator[None]:
        """While a request is worked on, or waits for that."""
        self._looking[connection.address] += 1
        try:
            yield
        finally:
            self._looking[connection.address] -= 1
            if not self._looking[connection.address]:
                del self._looking[connection.address]

    def of(self, peer: Peer) -> Connection | None:
        return self._open.get(peer)

    def forget(self, transport: asyncio.Transport) -> None:
        """It is closed."""
        connection = self._open.get(peer := peer_of(transport))
        if connection is None or connection.transport is not transport:
            return
        del self._open[peer]
        connection.lost = True
        connection.rest()
        self._by_address[connection.address] -= 1
        if not self._by_address[connection.address]:
            del self._by_address[connection.address]

    def now(self, connection: Connection, doing: Doing) -> None:
        """It does something else from here on. A request that is waited for has its time; the rest is for whoever
        does the waiting."""
        connection.rest()
        connection.doing, connection.since = doing, _now()
        if doing is Doing.REQUEST and connection.last:
            connection.transport.close()
        if doing is Doing.REQUEST and not connection.lost:
            idle = 0 if connection.begun else self._bounds.idle_seconds
            self._expect(connection, idle + self._bounds.head_seconds)

    def has_begun(self, connection: Connection, begun: bool) -> None:
        """Whether something of the next request is here: from its first byte on its head has its time."""
        first, connection.begun = begun and not connection.begun, begun
        if first and connection.doing is Doing.REQUEST and not connection.lost:
            connection.rest()
            self._expect(connection, self._bounds.head_seconds)

    def stop(self) -> None:
        """Wait for the rest of no request any more; each answer is its connection's last."""
        self.stopping = True
        for connection in list(self._open.values()):
            if connection.doing is Doing.BODY:
                connection.drop()

    def drop(self, connection: Connection) -> None:
        self.dropped += 1
        connection.drop()

    def _expect(self, connection: Connection, seconds: float) -> None:
        connection.timer = asyncio.get_running_loop().call_later(seconds, self.drop, connection)

    def _make_room(self) -> None:
        """Drop the one that has been waited for longest; work that was begun is finished."""
        waited = [each for each in self._open.values() if each.doing is not Doing.WORK and not each.lost]
        if waited:
            self.drop(min(waited, key=lambda each: each.since))

    def _is_exempt(self, address: Address | None) -> bool:
        return address is None or any(address in network for network in self._bounds.exempt)


def peer_of(transport: asyncio.Transport) -> Peer:
    return _two(transport.get_extra_info("peername")), _two(transport.get_extra_info("sockname"))


def _two(end: object) -> object:
    """Host and port; IPv6 has more."""
    return tuple(end[:2]) if isinstance(end, tuple | list) else end


def _now() -> float:
    return asyncio.get_running_loop().time()
