"""Requests to the sequencer and their answers. A request sent again after its answer was lost is executed once, and
answered the same to the byte.

A client names a changing request by a key of its own. The answer is stored with what the request changed, in one
transaction, encrypted since it may hold what nobody else may know, and found by the key, whoever asks, and the route.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import Connection, delete

from ..ceremony.acting.commands import Answer, Command
from ..ceremony.acting.lone_shoe import LoneShoe
from ..ceremony.acting.placers import PlacerRequests
from ..ceremony.acting.state import LiveRound, State
from ..log.times import DAY, SECOND
from .errors import KeyReused
from .limits import Visit
from .store.schema import answers
from .store.statements import RowLookup, RowWrite
from .tokens import digest_of
from .vault import Vault

KEPT, SWEEP = DAY, 60 * SECOND
"""How long an answer is kept, and how often one that is older is looked for, in microseconds."""
FIND_ANSWER = RowLookup((answers.c.caller, answers.c.request), (answers.c.digest, answers.c.content, answers.c.box))
STORE_ANSWER = RowWrite(answers)
LEVEL, WINDOW, MEMORY = 1, 13, 6
"""Of zlib; what it takes by itself is for longer texts, and costs five times as much to begin with."""


class RequestDigests(NamedTuple):
    """The digests by which a repetition is known: of the caller's token, of the route and the key, of the request."""

    caller: str
    request: str
    content: str


class Reply(NamedTuple):
    """An answer: its HTTP status, body and Location. `again`: it was given before, and nothing was changed now."""

    status: int
    body: bytes
    location: str = ""
    again: bool = False


def digest_request(key: str, token: str | None, route: str, content: bytes) -> RequestDigests:
    """`content`: everything that another request with the same key would have to say."""
    caller = "no token" if token is None else digest_of(token)
    return RequestDigests(caller, sha256(f"{route}\n{key}".encode()).hexdigest(), sha256(content).hexdigest())


class ReplyStore:
    """The answers of the last day. `digests` is None for a request without a key, which keeps nothing. Answers are
    stored by `write`; `begin` drops those that were not."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._swept = 0
        self._unwritten: dict[tuple[str, str], dict[str, Any]] = {}
        self._rows: dict[tuple[str, str], Any] = {}

    def begin(self) -> None:
        self._unwritten.clear()
        self._rows.clear()

    def look_up(self, connection: Connection, many: Sequence[RequestDigests]) -> Callable[[], None]:
        """Ask what many requests may have been answered; what is given takes up the answer, until the next `write`."""
        found = FIND_ANSWER.ask(connection, [{"caller": each.caller, "request": each.request} for each in many])

        def take_up() -> None:
            self._rows = {each[:2]: row for each, row in zip(many, found(), strict=True)}

        return take_up

    def write(self, connection: Connection) -> None:
        STORE_ANSWER.write(connection, list(self._unwritten.values()))
        self.begin()

    def find(self, connection: Connection, digests: RequestDigests | None, *, unwritten: bool = False) -> Reply | None:
        """Return a request's earlier answer, with `unwritten` ones for a writer. Raises KeyReused for another
        request."""
        if digests is None:
            return None
        kept = self._find_row(digests) if unwritten else None
        if kept is None and not (unwritten and digests[:2] in self._rows):
            kept = FIND_ANSWER.first(connection, caller=digests.caller, request=digests.request)
        if kept is None:
            return None
        digest, content, box = kept
        if content != digests.content:
            raise KeyReused(
                "this key was another request's",
                where="Idempotency-Key",
                expected="the same body as before",
                remedy="make a fresh key for every request, and keep it only to send the same one again",
            )
        head, _, body = zlib.decompress(self._vault.unlock(box, name_of(digest))).partition(b"\n")
        status, _, location = head.decode().partition(" ")
        return Reply(int(status), body, location, again=True)

    def _find_row(self, digests: RequestDigests) -> Any:
        row = self._unwritten.get(digests[:2])
        return self._rows.get(digests[:2]) if row is None else (row["digest"], row["content"], row["box"])

    def keep(self, connection: Connection, digests: RequestDigests | None, reply: Reply, now: int) -> None:
        """Keep the answer that was made at `now` (microseconds); those of a day before are dropped."""
        if digests is not None:
            text = f"{reply.status} {reply.location}\n".encode() + reply.body
            digest = sha256("\n".join(digests).encode()).hexdigest()
            box = self._vault.lock(_compress(text), name_of(digest))
            self._unwritten[digests[:2]] = {"digest": digest, **digests._asdict(), "at": now, "box": box}
            if now >= self._swept + SWEEP:
                connection.execute(delete(answers).where(answers.c.at < now - KEPT))
                self._swept = now


def _compress(text: bytes) -> bytes:
    packing = zlib.compressobj(LEVEL, wbits=WINDOW, memLevel=MEMORY)
    return packing.compress(text) + packing.flush()


def name_of(digest: str) -> str:
    """Under which name an answer is encrypted."""
    return f"answer {digest}"


Make = Command | Answer | Callable[[Any], Command]
"""A command, or what makes it of the caller's seat; picklable, since another process may do it."""


S_co = TypeVar("S_co", bound=State | LoneShoe, covariant=True)


class TableReply(NamedTuple, Generic[S_co]):
    """A table, or a shoe without one, after a request, as the caller may see it."""

    state: S_co  # after the request
    seat: int | None  # the caller's; None without one
    now: int  # time of the request, in microseconds since 1970
    size: int  # of the log then, in entries
    live_round: LiveRound | None = None  # the open round with its cards
    receipt: str | None = None  # what the seat keeps of what it sent
    version: int = 0  # the table's, for a caller who only looks
    placer_requests: PlacerRequests | None = None  # what is awaited of the placer
    placer_receipt: str | None = None  # the receipt of a placer's answer


class SentRequest(NamedTuple):
    """A changing request: its token, the `roles` that may send it (empty: anybody) and to which `table`, the maker of
    its answer's body, its digests, its rate limits, the answer's status and Location. Picklable."""

    token: str | None
    roles: tuple[str, ...]
    table: str | None
    body: Callable[[TableReply[Any], Any], bytes]
    digests: RequestDigests | None = None
    visit: Visit | None = None
    status: int = 200
    location: str = ""
