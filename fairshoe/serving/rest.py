"""An answer whose parts are pulled as fast as its client takes them."""

from __future__ import annotations

from collections.abc import Iterator

from . import wsgi
from .lanes import Lane

PART = 1 << 15
"""Bytes of an answer that are pulled and sent at once."""


class Rest:
    """An answer of many parts: the first, and where the others come from."""

    def __init__(self, first: bytes, parts: Iterator[bytes], source: object, lane: Lane) -> None:
        self.first = first
        self._parts = parts
        self._source = source
        self._lane = lane

    def __iter__(self) -> Iterator[bytes]:
        return self._parts

    async def pull(self) -> bytes:
        """The next bytes, by the lane; empty at the end."""
        return await self._lane.run(lambda: wsgi.pull(self._parts, PART))

    def close(self) -> None:
        wsgi.close(self._source)
