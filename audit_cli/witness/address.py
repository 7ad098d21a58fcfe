"""A log at an address, as a witness looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fairshoe.client import Client, Unreachable
from fairshoe.client.log import LogAt


class Address:
    """One keep-alive connection to it."""

    def __init__(self, address: str, ca: Path | None) -> None:
        self._log = LogAt(Client(address, ca=ca))

    def note(self) -> str:
        return self._log.checkpoint()

    def entries(self, start: int, stop: int) -> Iterator[bytes]:
        """Asked for again as long as more comes."""
        while start < stop:
            before = start
            try:
                for entry in self._log.entries(start, stop):
                    yield entry
                    start += 1
            except Unreachable as error:
                if not error.dropped or start == before:
                    raise
            if start == before:
                return
