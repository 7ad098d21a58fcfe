"""uvicorn's HTTP/1.1 with our connections: who may have one, how long a request may take to come, what is broken."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .answer import Answer, whole
from .connections import Connections, peer_of
from .refusals import BROKEN, TOO_MANY_CONNECTIONS, Refuse
from .request_id import HEADER, fresh_id
from .sockets import MOST_UNSENT


def protocol_of(connections: Connections, refuse: Refuse) -> type[asyncio.Protocol]:
    """The protocol class for a server with these connections."""

    def last(answer: Answer) -> bytes:
        dressed = refuse.dressed(answer)
        return whole(dressed._replace(headers=[*dressed.headers, (HEADER, fresh_id().encode())]))

    class Guarded(H11Protocol):
        """Adds to asyncio's methods; `send_400_response` is what uvicorn answers a broken request with."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            if connections.admit(transport) is None:
                transport.write(last(refuse(TOO_MANY_CONNECTIONS, "One address may not have so many.")))
                transport.close()
                return
            super().connection_made(transport)
            transport.set_write_buffer_limits(MOST_UNSENT)

        def data_received(self, data: bytes) -> None:
            try:
                super().data_received(data)
            except h11.ProtocolError:  # something broken after a request whose answer has begun
                self.transport.abort()
            self._look_for_a_head()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._look_for_a_head()

        def _look_for_a_head(self) -> None:
            """What is left unread is the beginning of the next request."""
            connection = connections.of(peer_of(self.transport))
            if connection is not None:
                connections.has_begun(connection, bool(self.conn.trailing_data[0]))

        def eof_received(self) -> bool:  # type: ignore[override]
            connection = connections.of(peer_of(self.transport))
            return connection is not None and connection.end()

        def connection_lost(self, exc: Exception | None) -> None:
            if self.transport is not None:
                connections.forget(self.transport)
                super().connection_lost(exc)

        def send_400_response(self, msg: str) -> None:
            self.transport.write(last(refuse(BROKEN, msg)))
            self.transport.close()

    return Guarded
