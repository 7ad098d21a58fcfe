"""Which of a house's processes does the commands: on SQLite each that is asked, on PostgreSQL one that leads.

Whoever holds the database's lock leads, under a number that each leader raises by one, and that each of its
transactions compares: one that stopped, was replaced and wakes is refused. The server itself lets go of the lock where
its holder says nothing, so that another one has it."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, func, select

from ..errors import FairshoeError, InputError
from ..log.checkpoint import Checkpoint
from .clock import Outages
from .errors import StorageBusy, StorageError
from .forwarding import Answered, CommandForwarder, ForwardedCommand
from .signing import TreeHeadSigner, check_reached, read_kept
from .store.database import Database
from .store.faults import translate_database_errors
from .store.forwarded import DONE, DROP_OLD, MAX_PARCELS, NOTIFY, ORDERED, SealedParcel
from .store.postgresql import OTHERS_REFUSE, REFUSING, TERMINATE_LEADER, session_at
from .store.schema import LEADER, find_meta, tables, write_meta
from .vault import Vault

if TYPE_CHECKING:
    import psycopg

    from .sequencer import Sequencer

LOCK = 0x6C656164
"""The advisory lock of whoever leads."""
LOCK_CHECK_INTERVAL = 0.25
"""Seconds between two looks at the lock."""
SILENT_SECONDS = 1.5
"""After which the server takes the lock from a session that says nothing."""
RETRY_PAUSE = 5.0
"""Seconds before one that may not lead tries again."""
logger = logging.getLogger("fairshoe.service")


class Deposed(StorageBusy):
    """Another process leads by now: nothing was done here."""


@contextmanager
def require_no_leader(database: Database) -> Iterator[Connection]:
    """A transaction in a server's database, on which no service runs meanwhile. Raises InputError where one does."""
    with database.begin_write() as connection:
        check_nobody_leads(connection, database.where)
        yield connection


def check_nobody_leads(connection: Connection, where: str) -> None:
    """Take the leader lock for this transaction. Raises InputError if a process leads."""
    if not connection.execute(select(func.pg_try_advisory_xact_lock(LOCK))).scalar():
        raise InputError("a service runs on this database", where=where, remedy="stop it first")


class Leadership:
    """Whether this process executes commands: on SQLite each does its own, since it sees what the others wrote."""

    @property
    def is_leader(self) -> bool:
        return True

    def take(self, connection: Connection) -> None:
        """Lead from here on, if this is committed: whoever led before is refused."""

    def check(self, leader: int) -> None:
        """In a transaction, before it does anything: raise Deposed where it sees that another process leads by now."""

    def tell(self, connection: Connection, changed: Mapping[str, int]) -> None:
        """At its end: have other processes hear of it, once it is committed."""

    def hand_on(self, order: ForwardedCommand) -> Any:
        """Return the answer of the process that leads. Raises StorageBusy if there is none."""

    def orders(self, connection: Connection) -> list[tuple[SealedParcel, list[ForwardedCommand]]]:
        """Take out, in a transaction, the orders that other processes have handed on to this one."""
        return []

    def answer(self, connection: Connection, head: Checkpoint, answers: Sequence[Answered]) -> None:
        """Answer those orders once their commands are committed; `head` is the log's, which the others keep first."""


class LeaderElection(Leadership):
    """One process among several. `number`: the one under which it leads, None if it does not. `run` tries once to lead;
    `start` repeats that, and reports what others commit, until `close`."""

    def __init__(self, database: Database, vault: Vault, heads: TreeHeadSigner) -> None:
        self.handing = CommandForwarder(database, vault)
        self.number: int | None = None
        self._database = database
        self._heads = heads
        self._session: psycopg.Connection[Any] | None = None
        self._locked, self._refusing, self._checked_at = False, False, 0.0
        self._processes: set[str] = set()
        self._stopping, self._ordered = threading.Event(), threading.Event()
        self._threads: list[threading.Thread] = []
        self._last_error = ""

    @property
    def is_leader(self) -> bool:
        return self.number is not None

    # In transactions.

    def take(self, connection: Connection) -> None:
        check_reached(connection, self._heads.path, read_kept(self._heads.path, self._heads.verifier))
        self.number = self._read_number(connection) + 1
        write_meta(connection, LEADER, str(self.number).encode())
        DROP_OLD.run(connection)
        self._processes.clear()

    def check(self, leader: int) -> None:
        self._processes.clear()
        if leader != self.number:
            self.number = None
            raise Deposed("another process of this house leads", remedy="send it again")

    def tell(self, connection: Connection, changed: Mapping[str, int]) -> None:
        names = sorted(changed)
        for first in range(0, max(len(names), len(self._processes) and 1), MAX_PARCELS):
            part = {name: changed[name] for name in names[first : first + MAX_PARCELS]}
            NOTIFY.run(connection, channel=DONE, said=json.dumps([part, sorted(self._processes) if first == 0 else []]))

    def hand_on(self, order: ForwardedCommand) -> Any:
        return self.handing.hand_on(order)

    def orders(self, connection: Connection) -> list[tuple[SealedParcel, list[ForwardedCommand]]]:
        return self.handing.take(connection)

    def answer(self, connection: Connection, head: Checkpoint, answers: Sequence[Answered]) -> None:
        self.handing.answer(connection, head, answers)
        self._processes |= {boxed.process for boxed, _ in answers}

    def _read_number(self, connection: Connection) -> int:
        return int(find_meta(connection, LEADER) or b"0")

    # The session that holds the lock and hears what others tell.

    def run(self, house: Sequencer, *, clock_is_right: bool = False) -> None:
        """Raises what keeps this process from leading, where nobody leads; StorageError."""
        with translate_database_errors(None):
            session = self._open_session(house)
            if time.monotonic() >= self._checked_at + LOCK_CHECK_INTERVAL:
                self._share_refusals(session, house.transactions.outages)
                if self._locked:
                    session.execute(TERMINATE_LEADER)  # and the server hears that somebody is here
                self._checked_at = time.monotonic()
            if self._locked:
                return
            (self._locked,) = session.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,)).fetchone() or (False,)
            with self._database.begin_read() as connection:
                mine = self._read_number(connection) == self.number
            if not mine:
                self.number = None
            if not self._locked:
                return
            try:
                if not mine:
                    session.execute(TERMINATE_LEADER)  # on who led before, if it stopped while it wrote
                    house.transactions.start(clock_is_right=clock_is_right)
                    logger.info("this process leads, as number %s", self.number)
            except BaseException:
                self._hang_up()
                raise
            session.execute(f"LISTEN {ORDERED}; UNLISTEN {DONE}")  # what is done from here on is done by this process
            self._ordered.set()

    def _share_refusals(self, session: psycopg.Connection[Any], outages: Outages) -> None:
        """Share with the other processes whether commands are refused, by a lock, since that needs no disk."""
        if self._refusing != outages.is_refusing:
            self._refusing = not self._refusing
            session.execute(f"SELECT pg_advisory_{'' if self._refusing else 'un'}lock_shared({REFUSING})")
        if session.execute(OTHERS_REFUSE).fetchone() is not None:
            outages.refuse(StorageBusy("another process of this house refuses commands"), here=False)

    def _open_session(self, house: Sequencer) -> psycopg.Connection[Any]:
        if self._session is None:
            self._session = session_at(self._database.engine, SILENT_SECONDS)
            self._session.execute(f"LISTEN {DONE}")
            self._fetch()
            with self._database.begin_read() as connection:
                rows = connection.execute(select(tables.c.id, tables.c.version))
                house.transactions.changed({row.id: row.version for row in rows})
        return self._session

    def _hang_up(self) -> None:
        session, self._session, self._locked, self._refusing = self._session, None, False, False
        if session is not None:
            session.close()

    def start(self, house: Sequencer) -> None:
        for name, run in (("lead", self._keep_leading), ("orders", self._do_orders)):
            thread = threading.Thread(target=run, args=(house,), name=f"fairshoe-{name}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def close(self) -> None:
        self._stopping.set()
        self._ordered.set()
        for thread in self._threads:
            thread.join()
        self._hang_up()

    def _keep_leading(self, house: Sequencer) -> None:
        while not self._stopping.is_set():
            try:
                self.run(house)
                self._handle_note(house)
                self._last_error = ""
            except Exception as error:
                self._hang_up()
                if str(error) != self._last_error:  # once for each trouble
                    self._last_error = str(error)
                    known = isinstance(error, FairshoeError)
                    logger.error("this process cannot lead: %s", error, exc_info=None if known else error)
                self._stopping.wait(LOCK_CHECK_INTERVAL if isinstance(error, StorageError) else RETRY_PAUSE)

    def _handle_note(self, house: Sequencer) -> None:
        """Wait for a note of another process, and act on it."""
        session = self._session
        if session is None:
            return
        with translate_database_errors(None):
            for note in session.notifies(timeout=LOCK_CHECK_INTERVAL, stop_after=1):
                if note.channel == ORDERED:
                    self._ordered.set()
                    continue
                changed, processes = json.loads(note.payload)
                if self.handing.process in processes:
                    self._fetch()
                house.transactions.changed(changed)

    def _fetch(self) -> None:
        """Let those who wait here have what was answered, which the checkpoint that is kept here covers first."""
        for id, (head, answers) in self.handing.fetch():
            self._heads.catch_up(head)
            self.handing.tell(id, answers)

    def _do_orders(self, house: Sequencer) -> None:
        """Execute the commands of other processes as long as this process leads."""
        while self._ordered.wait() and not self._stopping.is_set():
            self._ordered.clear()
            try:
                while self.is_leader and self.handing.asked() and house.do_orders():
                    if self.handing.waits:  # since before this process led
                        self._fetch()
            except Deposed:
                continue
            except StorageError as error:
                with suppress(StorageError):
                    house.refuse_orders(error)
            except Exception:
                logger.exception("what was handed on could not be done")
