"""One transaction for all requests that wait; and time: what is due, and from when on limits begin anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import Connection, select, text

from ..ceremony.acting.lone_shoe import follow_shoe
from ..ceremony.acting.machine import restart
from ..ceremony.acting.state import copy
from ..errors import FairshoeError
from ..log.canonical import encode
from ..log.checkpoint import Checkpoint
from ..log.note import Signer
from ..log.times import timestamp
from ..record.entries import start_entry
from .batches import BatchQueue, Job
from .clock import HouseClock, Outages
from .errors import StorageDamaged, StorageError
from .leadership import Deposed, Leadership
from .limits import RateLimiter
from .replies import ReplyStore, SentRequest
from .signing import TreeHeadSigner
from .store.database import Database, check_room, write_probe
from .store.faults import translate_database_errors
from .store.journal import LogEnd
from .store.schema import tables
from .store.statements import PreparedStatement, commit, pipeline
from .table_store import TableStore, kind_of, read_live_shoes, read_tables
from .vault import Vault

SAVE, UNDO, SAVED = (
    PreparedStatement(text(f"{do} job")) for do in ("SAVEPOINT", "ROLLBACK TO SAVEPOINT", "RELEASE SAVEPOINT")
)


class Task(NamedTuple):
    """A function to run within a transaction, for a `request`."""

    do: Callable[[Connection], Any]
    request: SentRequest | None = None


class _Failed(Exception):
    """The program failed in one of several commands: nothing is kept of what was done so far."""


class Transactions:
    """Everything that is written goes through one of these, whoever asked for it."""

    def __init__(
        self,
        database: Database,
        vault: Vault,
        signer: Signer,
        heads: TreeHeadSigner,
        clock: HouseClock,
        limits: RateLimiter,
        lead: Leadership | None,
    ) -> None:
        self.signer = signer
        self.heads = heads
        self.lead = lead or Leadership()
        self.outages = Outages(clock)
        database.failed = lambda error: self.outages.log_fault(error)
        self.tables = TableStore(vault, clock, signer.verifier.name)
        self.answers = ReplyStore(vault)
        self.limits = limits
        self.clock = clock
        self.database = database
        self._turns = BatchQueue[Task](self._run)
        self._one_by_one = False
        self.changed: Callable[[Mapping[str, int]], None] = lambda _: None
        """Told after each commit which tables were changed by it, each with its version."""

    # Time.

    def overdue_tables(self) -> list[str]:
        """The tables at which something is due, and this process has to do it."""
        if not self.lead.is_leader:
            return []
        until = self.clock.present - self.tables.behind()
        with self.database.begin_read() as connection:
            return self._find_overdue(connection, until)

    def _find_overdue(self, connection: Connection, until: int) -> list[str]:
        """The tables at which something was due by then."""
        return list(connection.execute(select(tables.c.id).where(tables.c.due <= until)).scalars())

    def catch_up(self, id: str) -> None:
        """Do what is due at a table, or at a shoe without one."""
        self.take(lambda connection: self.tables.advance(connection, id, kind_of(id)))

    def start(self, *, clock_is_right: bool = False) -> None:
        """Lead the house, and log a `start`, with which every limit begins anew. Raises UnusableData if the database is
        older than what was signed, or the clock is far off the last entry (unless `clock_is_right`); StorageError."""
        self.tables.forget()
        self.heads.catch_up()  # if that fails, no `start` is logged
        with self.database.begin_write() as connection:
            self.lead.take(connection)
            changed = self._begin(connection)
            end = self.tables.end
            if not clock_is_right:
                self.clock.check(end.at)
            self._begin_anew(connection, end)
            write_probe(connection)
            self._write(connection, changed)
        self.outages.begin_anew()
        self.changed(changed)

    def beat(self) -> None:
        """Report an answered command. Silence is an outage only in the process that executes them. Raises
        StorageError."""
        if self.lead.is_leader:
            self.take(lambda _: None)
            self.outages.beat()
        else:
            self.outages.follow()

    # Transactions.

    def take(self, do: Callable[[Connection], Any], sent: SentRequest | None = None) -> Any:
        """Have something done in a transaction, together with whatever else waits. Raises what it raises."""
        return self._turns.take(Task(do, sent))

    def _run(self, batch: Sequence[Job[Task]]) -> None:
        """Do some jobs in one transaction. Limits may decide in it: after an outage, or a jump of the clock, they begin
        anew first, in the same transaction. Raises what storage or database refuse: then none of them was done."""
        try:
            while not self._try_batch(batch):
                pass
        except BaseException as error:
            self.tables.forget()
            if isinstance(error, StorageError) and not isinstance(error, Deposed | StorageDamaged):
                self.outages.refuse(error)
            raise
        finally:
            self._one_by_one = False

    def _try_batch(self, batch: Sequence[Job[Task]]) -> bool:
        """The same, unless the program failed in one of them, and each has to be written by itself."""
        if self.outages.refused is not None:
            self.heads.catch_up()  # if that fails, the log does not grow
        try:
            with self.begin_step() as connection:
                noticed = self.outages.take_change(lambda: bool(self._find_overdue(connection, self.clock.present)))
                if noticed is not None:
                    self._begin_anew(connection, self.tables.end)
                self.look_up(connection, [job.task.request for job in batch if job.task.request is not None])
                for job in batch:
                    self.do(job, connection)
        except _Failed:
            self.tables.forget()
            self._one_by_one = True
            return False
        if noticed is not None:
            self.outages.acknowledge(noticed)
        return True

    @contextmanager
    def begin_step(self) -> Iterator[Connection]:
        """A transaction that changes tables; once it is committed, everybody is told which."""
        with self.database.begin_write(head=self.head) as connection:
            changed = self._begin(connection)
            self.lead.check(self.tables.end.leader)
            self.heads.check(self.tables.end.tree.size)
            yield connection
            self._write(connection, changed)
        self.changed(changed)

    def _begin(self, connection: Connection) -> Mapping[str, int]:
        """Gives what will hold each table that is changed, with its version."""
        self.answers.begin()
        self.limits.begin()
        return self.tables.begin(connection)

    def head(self) -> Checkpoint:
        """The log's, as the transaction left it."""
        tree = self.tables.end.tree
        return Checkpoint(self.signer.verifier.name, tree.size, tree.root)

    def _write(self, connection: Connection, changed: Mapping[str, int]) -> None:
        """All that was done, in one go where the driver can; nothing comes after it."""
        with pipeline(connection):
            self._write_down(connection)
            self.lead.tell(connection, changed)
            commit(connection)

    def _write_down(self, connection: Connection) -> None:
        self.tables.write(connection)
        self.answers.write(connection)
        self.limits.write(connection, self.clock.present)

    def look_up(self, connection: Connection, sent: Sequence[SentRequest]) -> None:
        """Look up tokens, limits and earlier answers of all waiting requests together."""
        tokens = [each.token for each in sent if each.roles and each.token is not None]
        with pipeline(connection):
            found = (
                self.answers.look_up(connection, [each.digests for each in sent if each.digests is not None]),
                self.tables.tokens.look_up(connection, tokens),
                self.limits.look_up(connection, [each.visit for each in sent if each.visit is not None]),
            )
        for take_up in found:
            take_up()

    def do(self, job: Job[Task], connection: Connection) -> None:
        """One of them. A refusal undoes nothing; where the program fails, only what it has done itself is undone."""
        job.error = None
        if self._one_by_one:
            SAVE.run(connection)
        try:
            with translate_database_errors(self.database.path):
                job.result = job.task.do(connection)
        except StorageError:
            raise
        except FairshoeError as error:
            job.error = error
        except Exception as error:
            if not self._one_by_one:
                raise _Failed from error
            job.error = error
            UNDO.run(connection)
            self.tables.forget()
            self.tables.reload_log_end(connection)
            self.answers.begin()
            self.limits.begin()
        if self._one_by_one:
            self._write_down(connection)
            SAVED.run(connection)

    def _begin_anew(self, connection: Connection, end: LogEnd) -> None:
        """Log a `start`: every limit begins anew. Raises StorageFull if there is room for no more."""
        if self.outages.refused is not None:
            check_room(connection, self.database)
        if not end.tree.size:
            return
        now = self.tables.now(end)
        entry = start_entry(timestamp(now))
        end.append([encode(entry)], now)
        for table in read_tables(connection).values():
            self.tables.take(restart(table.state, entry, now), now, table.key)
        for shoe in read_live_shoes(connection).values():
            self.tables.take(follow_shoe(copy(shoe.state), entry), now, shoe.key)
        self.tables.write(connection)
