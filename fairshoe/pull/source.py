"""A log at an address, of a fairshoe service or as tiles on any web server (c2sp.org/tlog-tiles), and the log that it
says it took the place of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from ..client.errors import NO_SERVICE, Problem, Unreachable
from ..client.service import Service, key_shown
from ..errors import InputError, LogError
from ..log.canonical import NotCanonical, parse
from ..log.checkpoint import Checkpoint, checkpoint_of
from ..log.directory import CHECKPOINT, VERIFIER
from ..log.note import Verifier
from ..log.tile_source import TileSource
from ..log.tiles import MOST_BUNDLE

ABSENT = (403, 404, 410)
"""How servers say that there is no such thing."""


class LogAt:
    """What there is shows with the first request; every one raises Problem or Unreachable."""

    def __init__(self, client: Service) -> None:
        self._client = client
        self._tiled = False
        self._size = 0

    @property
    def address(self) -> str:
        return self._client.address

    def checkpoint(self, witnesses: int = 0) -> str:
        """The signed checkpoint; of a service, the newest that at least so many witnesses cosigned. Unreachable where
        what comes is none, whoever signed it."""
        asked = f"?witnesses={witnesses}" if witnesses else ""
        note = self._text(f"/v1/log/checkpoint{asked}", f"/{CHECKPOINT}")
        try:
            self._size = checkpoint_of(note).size
        except InputError as error:
            what = "what comes is no checkpoint of a log"
            raise Unreachable(what, where=self.address, expected=error.expected, remedy=NO_SERVICE) from None
        return note

    def verifier(self) -> Verifier:
        """The key that is shown there. Raises InputError where a log is served without one."""
        try:
            text = self._text("/v1/log/vkey", f"/{VERIFIER}")
        except Problem as refusal:
            try:
                self.checkpoint()
            except (Problem, Unreachable):
                raise refusal from None
            what, remedy = "a log without its key", "give the house's key with --key"
            raise InputError(what, where=self.address, expected=VERIFIER, remedy=remedy) from None
        return key_shown(text, self.address)

    def entries(self, start: int, stop: int) -> Iterator[bytes]:
        """Entries `start` up to but not `stop`, as bytes without LF; of tiles those that the last checkpoint covers.

        They are read while they come: what was yielded before an error is good. LogError where a tile is missing or
        is none.
        """
        log = ServedTiles(self._client, self._size).entries(start) if self._tiled else self._client.log(start, stop)
        return islice(log, max(0, stop - start))

    def before(self) -> LogBefore | None:
        """What the log says of the one whose place it took."""
        return log_before(next(self.entries(0, 1), b""))

    def _text(self, of_service: str, of_tiles: str) -> str:
        if not self._tiled:
            try:
                return self._client.text(of_service)
            except Problem as refusal:
                if refusal.status not in ABSENT:
                    raise
                try:
                    text = self._client.text(of_tiles)
                except Problem:
                    raise refusal from None
            self._tiled = True
            return text
        return self._client.text(of_tiles)


class ServedTiles(TileSource):
    """Tiles on a web server."""

    def __init__(self, client: Service, size: int) -> None:
        super().__init__(size)
        self._client = client

    def fetch(self, path: str) -> bytes | None:
        try:
            return self._client.raw("GET", f"/{path}", headers={"Accept-Encoding": "gzip"}, most=MOST_BUNDLE)
        except Problem as error:
            if error.status not in ABSENT:
                raise
            return None

    def refusal(self, path: str, what: str, expected: str) -> LogError:
        remedy = "try again in a moment; if it stays so, ask whoever runs the server"
        return LogError(what, where=f"{self._client.address}/{path}", expected=expected, remedy=remedy)

    def entries(self, start: int = 0) -> Iterator[bytes]:
        for number, entry in enumerate(super().entries(start), start):
            if b"\n" in entry:
                raise LogError("an entry with a line feed", where=f"entry {number}", expected="JSON in one line")
            yield entry


class LogBefore(NamedTuple):
    """The newest checkpoint of a log that another one took the place of, as far as the house knew: the signed `note`,
    and the `head` that this says. Nothing of it is checked."""

    note: str
    head: Checkpoint

    @property
    def said(self) -> str:
        """What the first entry says, in words."""
        return f"its log says that it took the place of {self.head.origin}, lost after {self.head.size:,} entries"


def log_before(first: bytes) -> LogBefore | None:
    """What the first entry of a log says (docs/log.md, `start`); None where it names no log before."""
    try:
        entry = parse(first)
        note = entry["continues"] if entry["kind"] == "start" else None
        return LogBefore(note, checkpoint_of(note)) if isinstance(note, str) else None
    except (NotCanonical, InputError, KeyError, TypeError):
        return None
