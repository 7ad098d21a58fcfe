"""Commands of processes that do not lead: handed on to the one that does, and what it answers.

What crosses is pickled, and locked with the house's key, which nobody else has."""

from __future__ import annotations

import pickle
import secrets
from collections.abc import Iterable
from concurrent.futures import Future
from itertools import count
from typing import Any, NamedTuple

from sqlalchemy import Connection

from .errors import StorageBusy
from .replies import Sent
from .store.database import Database
from .store.handed import ANSWER, FETCH, FRESH_SECONDS, ORDER, WITHDRAW, Boxed, take_orders
from .vault import Vault

PATIENCE = FRESH_SECONDS - 1
LAST_WORD = 2 * FRESH_SECONDS
"""Seconds for which an answer is waited for, and for one that is on its way."""


class Order(NamedTuple):
    """A command: the name of the sequencer's method that does it, what was sent, and the method's arguments."""

    what: str
    sent: Sent
    more: tuple[Any, ...]


class Handing:
    """What this process has handed on, and what it does for others."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self.process = secrets.token_hex(8)
        self._database = database
        self._vault = vault
        self._numbers = count(1)
        self._waiting: dict[str, Future[Any]] = {}

    @property
    def waits(self) -> bool:
        """Whether somebody here waits for an answer."""
        return bool(self._waiting)

    # Whoever asks.

    def hand_on(self, order: Order) -> Any:
        """What the leader answers: a reply, or the error that refuses. Raises StorageBusy where there is no leader for
        so long."""
        id, future = f"{self.process}-{next(self._numbers)}", Future[Any]()
        self._waiting[id] = future
        try:
            box = self._vault.lock(pickle.dumps(order), _order(id))
            with self._database.beside() as connection:
                ORDER.run(connection, id=id, process=self.process, box=box)
            try:
                return future.result(PATIENCE)
            except TimeoutError:
                with self._database.beside() as connection:
                    withdrawn = WITHDRAW.first(connection, id=id) is not None
                if not withdrawn:
                    return future.result(LAST_WORD)
                raise StorageBusy("no process of this house leads", remedy="send it again") from None
        except TimeoutError:
            raise StorageBusy("the process that leads was lost", remedy="send it again, with the same key") from None
        finally:
            del self._waiting[id]

    def fetch(self) -> list[tuple[str, Any]]:
        """What was answered to this process."""
        with self._database.beside() as connection:
            rows = FETCH.rows(connection, process=self.process)
        return [(id, pickle.loads(self._vault.unlock(box, _reply(id)))) for id, box in rows]

    def tell(self, fetched: Iterable[tuple[str, Any]]) -> None:
        """Let those who wait have their answers."""
        for id, answer in fetched:
            if (future := self._waiting.get(id)) is not None:
                future.set_result(answer)

    # Whoever leads, within a transaction.

    def take(self, connection: Connection) -> list[tuple[Boxed, Order]]:
        """The commands of others that came first."""
        return [(each, pickle.loads(self._vault.unlock(each.box, _order(each.id)))) for each in take_orders(connection)]

    def answer(self, connection: Connection, answers: Iterable[tuple[Boxed, Any]]) -> None:
        """Keep what they are answered, until they fetch it."""
        boxed = [each._replace(box=self._vault.lock(_packed(answer), _reply(each.id))) for each, answer in answers]
        ANSWER.each(connection, [each._asdict() for each in boxed])


def _order(id: str) -> str:
    return f"order {id}"


def _reply(id: str) -> str:
    return f"reply to {id}"


def _packed(answer: Any) -> bytes:
    """A fault of the program need not be one that can be handed on."""
    try:
        return pickle.dumps(answer)
    except Exception:
        return pickle.dumps(RuntimeError(repr(answer)))
