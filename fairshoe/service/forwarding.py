"""Commands of processes that do not lead: handed on to the one that does, and what it answers.

Those that wait in a process cross together, as one parcel; the next one goes once that is answered. What crosses is
pickled, and locked with the house's key, which nobody else has; answers are much alike, and cross compressed."""

from __future__ import annotations

import pickle
import secrets
import zlib
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from itertools import count
from typing import Any, NamedTuple

from sqlalchemy import Connection

from ..log.checkpoint import Checkpoint
from .batches import BatchQueue, Job
from .errors import StorageBusy
from .replies import LEVEL, Reply, SentRequest
from .store.database import Database
from .store.forwarded import ANSWER, FETCH, FRESH_SECONDS, ORDER, WAITS, WITHDRAW, SealedParcel, take_orders
from .vault import Vault

ANSWER_TIMEOUT = FRESH_SECONDS - 1
MAX_ANSWER_AGE = 2 * FRESH_SECONDS
"""Seconds for which an answer is waited for, and for one that is on its way."""


class ForwardedCommand(NamedTuple):
    """A command: the name of the sequencer's method that does it, what was sent, and the method's arguments."""

    what: str
    request: SentRequest
    more: tuple[Any, ...]


Answers = Sequence[Reply | BaseException]
"""The answer to each command of a parcel: a reply, or the error that refuses."""
Answered = tuple[SealedParcel, Answers]


class CommandForwarder:
    """Hands this process's commands on to the leader, and does those of others."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self.process = secrets.token_hex(8)
        self._database = database
        self._vault = vault
        self._numbers = count(1)
        self._turns = BatchQueue[ForwardedCommand](self._send)
        self._pending: tuple[str, Future[Answers]] | None = None

    @property
    def waits(self) -> bool:
        """Whether somebody here waits for an answer."""
        return self._pending is not None

    # Whoever asks.

    def hand_on(self, order: ForwardedCommand) -> Any:
        """Have the leader execute a command; return its reply or error. Raises StorageBusy without a leader."""
        return self._turns.take(order)

    def _send(self, jobs: Sequence[Job[ForwardedCommand]]) -> None:
        """Have them done, whoever waits by now."""
        id, future = f"{self.process}-{next(self._numbers)}", Future[Answers]()
        self._pending = id, future
        try:
            box = self._vault.lock(pickle.dumps([job.task for job in jobs]), _order(id))
            with self._database.begin_autocommit() as connection:
                ORDER.run(connection, id=id, process=self.process, box=box)
            for job, answer in zip(jobs, self._await_answers(id, future), strict=True):
                job.result = answer
        finally:
            self._pending = None

    def _await_answers(self, id: str, future: Future[Answers]) -> Answers:
        try:
            return future.result(ANSWER_TIMEOUT)
        except TimeoutError:
            with self._database.begin_autocommit() as connection:
                withdrawn = WITHDRAW.first(connection, id=id) is not None
        if withdrawn:
            raise StorageBusy("no process of this house leads", remedy="send it again")
        try:
            return future.result(MAX_ANSWER_AGE)
        except TimeoutError:
            raise StorageBusy("the process that leads was lost", remedy="send it again, with the same key") from None

    def fetch(self) -> list[tuple[str, tuple[Checkpoint, Answers]]]:
        """Fetch the answers to this process, with a head that covers them."""
        with self._database.begin_autocommit() as connection:
            rows = FETCH.rows(connection, process=self.process)
        return [(id, pickle.loads(zlib.decompress(self._vault.unlock(box, _reply(id))))) for id, box in rows]

    def tell(self, id: str, answers: Answers) -> None:
        """Let those who wait have their answers."""
        sent = self._pending
        if sent is not None and sent[0] == id:
            sent[1].set_result(answers)

    # Whoever leads, within a transaction.

    def asked(self) -> bool:
        """Whether others have handed anything on."""
        with self._database.begin_autocommit() as connection:
            return WAITS.first(connection) is not None

    def take(self, connection: Connection) -> list[tuple[SealedParcel, list[ForwardedCommand]]]:
        """The commands of others that came first."""
        return [(each, pickle.loads(self._vault.unlock(each.box, _order(each.id)))) for each in take_orders(connection)]

    def answer(self, connection: Connection, head: Checkpoint, answers: Iterable[Answered]) -> None:
        """Keep what they are answered, until they fetch it; `head` covers it."""
        boxed = []
        for each, many in answers:
            said = zlib.compress(pickle.dumps((head, [_make_picklable(one) for one in many])), LEVEL)
            boxed.append(each._replace(box=self._vault.lock(said, _reply(each.id))))
        ANSWER.write(connection, [each._asdict() for each in boxed])


def _order(id: str) -> str:
    return f"order {id}"


def _reply(id: str) -> str:
    return f"reply to {id}"


def _make_picklable(answer: Reply | BaseException) -> Reply | BaseException:
    """A fault of the program need not be one that can be handed on."""
    if isinstance(answer, Reply):
        return answer
    try:
        pickle.dumps(answer)
    except Exception:
        return RuntimeError(repr(answer))
    return answer
