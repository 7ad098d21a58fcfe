"""Keep-alive connections of HTTP/1.1 for a generator that is to cost little."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit

Form = dict[str, Any]


class Refused(Exception):
    """An answer that is none of success."""


class Asking:
    """A connection to a service; not for several tasks at a time."""

    def __init__(self, address: str, token: str | None = None) -> None:
        self.host = urlsplit(address).netloc
        self.token = token
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, fields: Form, key: str = "") -> Form:
        """The answer's JSON. Raises Refused."""
        body = json.dumps(fields).encode()
        more = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        if key:
            more += f"Idempotency-Key: {key}\r\n"
        reader = await self.say("POST", path, more, body)
        status, length = await _head(reader)
        answer = await reader.readexactly(length)
        if status not in (200, 201):
            raise Refused(f"{path}: {status} {answer[:300]!r}")
        found: Form = json.loads(answer)
        return found

    async def say(self, method: str, path: str, more: str = "", body: bytes = b"") -> asyncio.StreamReader:
        """Send a request; gives where its answer comes."""
        if self._streams is None:
            host, _, port = self.host.partition(":")
            self._streams = await asyncio.open_connection(host, int(port))
        reader, writer = self._streams
        token = f"Authorization: Bearer {self.token}\r\n" if self.token else ""
        writer.write(f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\n{token}{more}\r\n".encode() + body)
        return reader

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _head(reader: asyncio.StreamReader) -> tuple[int, int]:
    """Status and length of an answer."""
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
    length = next(int(line[15:]) for line in lines if line.startswith("content-length:"))
    return int(lines[0].split()[1]), length
