"""A log at an address, of a fairshoe service or as tiles on any web server (c2sp.org/tlog-tiles); the key that is shown
with it, and the log that it says it took the place of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from ..errors import InputError, LogError
from ..log.canonical import NotCanonical, parse
from ..log.checkpoint import Checkpoint, checkpoint_of
from ..log.directory import CHECKPOINT, VERIFIER
from ..log.note import Verifier, verifier_of
from ..log.tile_source import TileSource
from ..log.tiles import MOST_BUNDLE
from .errors import NO_SERVICE, Problem, Unreachable
from .service import Service

ABSENT = (403, 404, 410)
"""How servers say that there is no such thing."""


class LogAt:
    """What there is shows with the first request; every one raises Problem or Unreachable."""

    def __init__(self, client: Service) -> None:
        self._client = client
        self._tiled: bool | None = None
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

    def verifier(self) -> str:
        """The key that is shown there to verify checkpoints with."""
        return self._text("/v1/log/vkey", f"/{VERIFIER}").strip()

    def entries(self, start: int, stop: int) -> Iterator[bytes]:
        """Entries `start` up to but not `stop`, as bytes without LF; of tiles those that the last checkpoint covers.

        They are read while they come: what was yielded before an error is good. LogError where a tile is missing or
        is none.
        """
        if not self._tiled:
            return islice(self._client.log(start, stop), stop - start)
        return islice(ServedTiles(self._client, self._size).entries(start), max(0, stop - start))

    def _text(self, of_service: str, of_tiles: str) -> str:
        if self._tiled:
            return self._client.text(of_tiles)
        try:
            text = self._client.text(of_service)
        except Problem as refusal:
            if self._tiled is not None or refusal.status not in ABSENT:
                raise
            try:
                text = self._client.text(of_tiles)
            except Problem:
                raise refusal from None
            self._tiled = True
        else:
            self._tiled = False
        return text


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


def key_shown(text: str, address: str) -> Verifier:
    """Read what an address shows as a log's key: worth as much as the service, until somebody compares it. Raises
    Unreachable where it is none: nobody's fault is known then."""
    try:
        return verifier_of(text)
    except InputError as error:
        what = f"the service shows no key: {error.what}"
        raise Unreachable(what, where=address, expected=error.expected, remedy=NO_SERVICE) from None


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
