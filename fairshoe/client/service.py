"""Requests to a service, with and without a token."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any, Self
from urllib.parse import quote

from urllib3 import BaseHTTPResponse

from ..connection import TRY_AGAIN, Connection, Unreachable
from ..errors import InputError
from ..log.canonical import MAX_ENTRY
from ..log.hand_proof import MAX_PROOF
from ..log.note import Verifier, verifier_of
from .book import Request
from .errors import NO_SERVICE, Form, Problem, read_problem
from .retries import BUSY, GATEWAY_ERRORS, new_key, wait_before

READING = "GET"
KEY = "Idempotency-Key"
TIMEOUT = 60.0
REQUEST_TIMEOUT = 60.0
POLL_PAUSE = 0.2
"""Seconds between two looks at a table, where waiting for a change is not possible."""
LONG_POLL_SECONDS = 25
"""Seconds in which a change is waited for by one request."""
RETRY_WAIT_AFTER = 60.0
"""Seconds after which waiting is tried again where it was not possible."""
CHUNK = 1 << 16
MAX_PROBLEM = 1 << 16
"""Bytes that are read of an answer that refuses."""


class Service:
    """One keep-alive connection; not for several threads.

    `address`: http or https, with a path where the service has one (`https://host/games/`). Proxies are those of the
    environment. `token`: sent with every request, but not in clear to another machine, unless `insecure`.
    `ca`: a file of the CAs to trust instead of this machine's. `timeout`: seconds to wait for more of an answer.
    A changing request has a key, by which the service does it once: it is sent again with growing pauses while no
    answer comes, for `patience` seconds (0: never). So is a reading one, if the service has answered before. While the
    service is busy both wait as long as it says, within that time.
    Raises InputError; every request Problem where it is refused, and Unreachable (an OSError too).
    """

    def __init__(
        self,
        address: str,
        token: str | None = None,
        *,
        ca: str | Path | None = None,
        insecure: bool = False,
        timeout: float = TIMEOUT,
        patience: float = REQUEST_TIMEOUT,
    ) -> None:
        self._settings: dict[str, Any] = {"ca": ca, "insecure": insecure, "timeout": timeout, "patience": patience}
        self._given_address = address
        self._patience, self._timeout = patience, timeout
        self._has_answered = False
        self._closed = Event()
        self._connection = Connection(address, token, None if ca is None else Path(ca), insecure, timeout)

    @property
    def address(self) -> str:
        return str(self._connection.address)

    def with_token(self, token: str | None, **settings: Any) -> Self:
        """Another client of the same service, where nothing else is said with the same settings."""
        other = type(self)(self._given_address, token, **self._settings | settings)
        other._has_answered = self._has_answered
        return other

    def get(self, path: str) -> Any:
        return self._json(READING, path, None)

    def post(self, path: str, body: Form | None = None, key: str | None = None) -> Any:
        """`key`: the request's own, to send the same one again; a fresh one where none is given."""
        return self._json("POST", path, body or {}, key or new_key())

    def raw(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        *,
        most: int | None = None,
    ) -> bytes:
        """Return the answer's body, of at most `most` bytes. Without a key a change is sent once. Raises Problem,
        Unreachable."""
        repeats = method == READING or KEY in (headers or {})
        end, number = time.monotonic() + self._patience, 0
        while True:
            number += 1
            try:
                return self._once(method, path, body, headers, most)[0]
            except (Problem, Unreachable) as error:
                wait = (
                    wait_before(error, number, reads=method == READING, known=self._has_answered) if repeats else None
                )
                if wait is None or wait > self._patience or (number > 1 and time.monotonic() + wait > end):
                    raise
                if self._closed.wait(wait):
                    raise

    def _once(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str] | None, most: int | None = None
    ) -> tuple[bytes, str]:
        """Return the answer's body and its ETag."""
        with self._connection.answer(method, path, body, headers) as response:
            self._has_answered = True
            if response.status >= 400:
                raise _problem(response)
            data, tag = response.read() if most is None else response.read(most + 1), response.headers.get("ETag", "")
        if most is not None and len(data) > most:
            raise Unreachable("the answer is too long", where=self.address + path, expected=f"at most {most} bytes")
        return data, tag

    def newer(self, path: str, tag: str) -> tuple[Any, str]:
        """Return content and tag once the tag is not `tag`, None if it still is after a while. Sent once. Problem,
        Unreachable."""
        seconds = max(1, min(LONG_POLL_SECONDS, int(self._timeout / 2)))
        data, found = self._once(READING, f"{path}?wait={seconds}", None, {"If-None-Match": tag} if tag else None)
        return (self._read(data, path) if data else None), found

    def _json(self, method: str, path: str, body: Form | None, key: str = "") -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {} if data is None else {"Content-Type": "application/json", KEY: key}
        return self._read(self.raw(method, path, data, headers), path)

    def _read(self, answer: bytes, path: str) -> Any:
        try:
            return json.loads(answer)
        except ValueError:
            raise self.no_service("the answer is not JSON", path) from None

    def no_service(self, what: str, path: str) -> Unreachable:
        """Return the error for an answer that no fairshoe service gives."""
        return Unreachable(what, where=self.address + path, remedy=NO_SERVICE)

    def log(self, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """Yield the log's entries from `start` up to `stop` or its end, without LF, as they come: those before an
        Unreachable are good."""
        path = f"/v1/log?from={start}" if stop is None else f"/v1/log?from={start}&to={stop}"
        with self._connection.answer(READING, path) as response:
            if response.status >= 400:
                raise _problem(response)
            rest = b""
            while chunk := response.read1(CHUNK):
                *lines, rest = (rest + chunk).split(b"\n")
                yield from lines
                if len(rest) > MAX_ENTRY:
                    raise self.no_service("what comes is no log", path)
        if rest:
            what = "the answer ended inside an entry"
            raise Unreachable(what, where=self.address + path, remedy=TRY_AGAIN, dropped=True)

    def checkpoint(self, witnesses: int = 0) -> str:
        """Return the log's signed checkpoint: the newest that at least so many witnesses cosigned."""
        return self.text(f"/v1/log/checkpoint?witnesses={witnesses}" if witnesses else "/v1/log/checkpoint")

    def verifier(self) -> str:
        """Return the key that the service says to verify checkpoints with."""
        return self.text("/v1/log/vkey").strip()

    def key(self) -> Verifier:
        """Return the service's verifier key, unverified. Raises Unreachable if it is none."""
        try:
            return verifier_of(self.verifier())
        except InputError as error:
            what = f"the service shows no key: {error.what}"
            raise Unreachable(what, where=self.address, expected=error.expected, remedy=NO_SERVICE) from None

    def receipt_key(self) -> str:
        """Return the note in which the log's key vouches for the receipts' key."""
        return self.text("/v1/log/receipts")

    def proof(self, round: str) -> str:
        """Return the proof file of the round `TABLE#NUMBER` under the newest checkpoint (docs/proof.md)."""
        return self.text(f"/v1/rounds/{quote(round, safe='')}/proof", most=MAX_PROOF)

    def shoe_proof(self, table: str, number: int) -> str:
        """Fetch the proof of how far a shoe has come, by entries that are shown to stand in the log (docs/proof.md)."""
        return self.text(f"/v1/tables/{quote(table, safe='')}/shoes/{number}/proof", most=MAX_PROOF)

    def text(self, path: str, most: int = CHUNK) -> str:
        """A text of at most so many bytes."""
        try:
            return self.raw(READING, path, most=most).decode()
        except UnicodeDecodeError:
            raise self.no_service("the answer is not text", path) from None

    def form_of(self, answer: Any, path: str, *names: str) -> Form:
        """An answer with at least these names. Raises Unreachable where it is another site's."""
        if not isinstance(answer, dict) or not answer.keys() >= set(names):
            raise self.no_service("the answer is not that of a fairshoe service", path)
        return answer

    def close(self) -> None:
        """Let go of the connection; what is not answered is not sent again."""
        self._closed.set()
        self._connection.close()


class TableRoutes:
    """A table's routes, as the service's token sees them."""

    def __init__(self, client: Service, name: str) -> None:
        self.client = client
        self.name = name
        self._tag = ""
        self._look_until = 0.0

    def path(self, what: str = "") -> str:
        return f"/v1/tables/{quote(self.name, safe='')}{what and '/' + what}"

    def state(self) -> Form:
        return self._form(self.client.get(self.path()), "", "log", "at", "phase")

    def newer(self) -> Form | None:
        """Return the table once it has changed since the last call, None if it has not after a while."""
        began = time.monotonic()
        if began >= self._look_until:
            tag = self._tag
            try:
                found, self._tag = self.client.newer(self.path(), tag)
            except (Problem, Unreachable) as error:
                if isinstance(error, Problem) and error.status not in (*GATEWAY_ERRORS, *BUSY):
                    raise
                self._look_until = time.monotonic() + RETRY_WAIT_AFTER
            else:
                if tag == self._tag and time.monotonic() < began + POLL_PAUSE:
                    time.sleep(POLL_PAUSE)  # something on the way answers at once
                return None if found is None else self._form(found, "", "log", "at", "phase")
        time.sleep(POLL_PAUSE)
        return self.state()

    def send(self, what: str, **fields: Any) -> Form:
        return self._form(self.client.post(self.path(what), fields), what)

    def ask(self, request: Request) -> Form:
        """Send a request by its own key."""
        answer = self.client.post(self.path(request.what), request.fields, request.key)
        return self._form(answer, request.what, "log", "at", "phase")

    def _form(self, answer: Any, what: str, *names: str) -> Form:
        return self.client.form_of(answer, self.path(what), *names)


def _problem(response: BaseHTTPResponse) -> Problem:
    after = response.headers.get("Retry-After", "")
    seconds = float(after) if after.isascii() and after.isdigit() and len(after) < 7 else None
    return read_problem(response.status, response.read(MAX_PROBLEM), seconds)
