"""One request, one transaction: load a table, do what is due, apply the command, append to the log, commit."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection, insert, select

from ..ceremony.acting.commands import Refused, TakeSeat
from ..ceremony.acting.machine import apply, create, receipt_of, restart
from ..ceremony.acting.state import Dealt, State
from ..ceremony.policy import Policy
from ..engine.rules import Rules
from ..errors import FairshoeError
from ..log.canonical import encode
from ..log.note import Signer
from ..log.times import timestamp
from ..record.entries import start_entry
from .clock import Clock, Outages
from .errors import Forbidden, NotFound, StorageError, Unauthorized
from .limits import Guest, Limits, Visit
from .log_reading import LogReading
from .replies import Answers, Make, Reply, Seen, Sent
from .settings import Settings
from .signing import Heads, Receipts, receipts_secret
from .store.database import Database, try_again
from .store.journal import Head, append, read_head
from .store.schema import RESTORED, find_meta, tables
from .table_store import Stored, TableStore, check_table, drop_left, no_table, read_tables, state_of
from .tokens import Caller, caller_of, drop_seat, grant_seat
from .vault import Vault

Read = TypeVar("Read")


class Glance(NamedTuple):
    """A table's version, and which seat looks at it."""

    version: int
    seat: int | None


class Sequencer(LogReading):
    """Everything that changes a table or reads one."""

    def __init__(
        self,
        database: Database,
        vault: Vault,
        signer: Signer,
        heads: Heads,
        clock: Clock,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(database, signer, heads)
        self.receipts = Receipts(receipts_secret(database, vault, signer.verifier.name), signer)
        self._answers = Answers(vault)
        with database.reading() as connection:
            restored = find_meta(connection, RESTORED)
        self.restored = None if restored is None else restored.decode()
        """The time of the last restore, if there was any: players are told so in every table's state."""
        self._clock = clock
        self.settings = settings or Settings()
        self._limits = Limits(self.settings, vault.derive("addresses"))
        self.outages = Outages(clock)
        self.tables = TableStore(vault, clock)
        self.changed: Callable[[Mapping[str, int]], None] = lambda _: None
        """Told after each commit which tables were changed by it, each with its version."""

    # Tables.

    def admit(self, sent: Sent, roles: tuple[str, ...], table: str | None) -> Reply | None:
        """The answer that a request had when it came before; else None, if a caller of one of these roles may send it
        to that table. Without roles everybody may. Raises TooMany, Unauthorized, Forbidden, NotFound, KeyReused."""
        with self._database.reading() as connection:
            self._limits.check(connection, sent.visit, self._clock.present)
            reply = self._answers.find(connection, sent.asked)
            size = read_head(connection).tree.size
            if reply is None and roles:
                caller = caller_of(connection, sent.token)
                caller.check_role(*roles)
                caller.check_table(table)
            if reply is None and table is not None:
                check_table(connection, table)
        if reply is not None:
            self.heads.cover(size)
        return reply

    def count(self, visit: Visit) -> None:
        """Count a request that was refused before anything was begun. Raises TooMany."""
        with self._database.writing(lightly=True) as connection:
            self._limits.take(connection, visit, self._clock.present)
        visit.counted = True

    def create_table(self, sent: Sent, name: str, rules: Rules, policy: Policy) -> Reply:
        """A new table, by a caller who was admitted as the operator."""

        def do(connection: Connection) -> Seen:
            if connection.execute(select(tables.c.id).where(tables.c.id == name)).first() is not None:
                raise Refused(f"table {name} exists", where="table", remedy="choose another id")
            end = read_head(connection, hold=True)
            now = self.tables.now(end)
            outcome = create(name, rules, policy, now)
            connection.execute(insert(tables).values(id=name, state="", key=None, due=None, version=0))
            self.tables.store(connection, end, outcome, now, None)
            return Seen(outcome.state, None, now, end.tree.size)

        return self._once(sent, do)

    def sit(self, table: str, sent: Sent, command: TakeSeat, token: str) -> Reply:
        """Take a seat: nobody needs a token for that. `token`: the SHA-256 of the one that is the seat's from then
        on."""
        address = None if sent.visit is None else sent.visit.address
        return self.act(table, sent, lambda _: command, Caller(), Guest(token, address))

    def act(
        self, table: str, sent: Sent, make: Make, caller: Caller | None = None, guest: Guest | None = None
    ) -> Reply:
        """Apply a command of the `caller`, or of whoever has the token. What is due is done first, and stays done where
        the command is refused. Raises FairshoeError."""

        def do(connection: Connection) -> Seen | FairshoeError:
            stored, end, now = self.tables.due(connection, table)
            try:
                who = caller_of(connection, sent.token) if caller is None else caller
                who.check_table(table)
                command = make(who)
                if guest is not None:
                    self._limits.check_chair(connection, stored.state, guest)
                outcome = apply(stored.state, command, now, self.tables.keys(table, stored.key))
                self.tables.claim(connection, outcome.claims)
                drop_left(connection, stored.state, outcome.state)
                if guest is not None:
                    grant_seat(connection, table, outcome.seat or 0, guest.token)
                    self._limits.seated(connection, table, outcome.seat or 0, guest)
                said = receipt_of(stored.state, command, outcome, now)
                key = self.tables.store(connection, end, outcome, now, stored.key)
            except FairshoeError as error:
                return error
            seat = who.seat if outcome.seat is None else outcome.seat
            dealt = self.tables.dealt(outcome.state, key)
            receipt = None if said is None else self.receipts.sign(said)
            return _seen(outcome.state, seat, now, end.tree.size, dealt)._replace(receipt=receipt)

        return self._once(sent, do)

    def renew_token(self, table: str, sent: Sent, seat: int, token: str | None) -> Reply:
        """A chair's token is worth nothing any more, by a caller who was admitted as the operator; in its place comes
        the one of which `token` is the SHA-256, if there is one."""

        def do(connection: Connection) -> Seen:
            state = self.tables.load(connection, table, hold=True).state
            if seat not in state.table.players:
                raise NotFound(f"nobody sits in chair {seat}", where="seat", remedy="see `seats` of the table")
            if token is None:
                drop_seat(connection, table, seat)
            else:
                grant_seat(connection, table, seat, token)
            return Seen(state, None, self._clock.present, read_head(connection).tree.size)

        return self._once(sent, do)

    def _once(self, sent: Sent, do: Callable[[Connection], Seen | FairshoeError]) -> Reply:
        """Do what was asked and keep the answer, in one transaction; what was done before is only answered again.

        A refusal that `do` gives, and does not raise, leaves standing what was done before it was refused."""
        with self._writing() as connection:
            self._limits.take(connection, sent.visit, self._clock.present)
            reply = self._answers.find(connection, sent.asked)
            if reply is not None:
                return reply
            done = do(connection)
            if isinstance(done, Seen):
                reply = Reply(sent.status, sent.body(done), sent.location)
                self._answers.keep(connection, sent.asked, reply, done.now)
                return reply
        if sent.visit is not None:
            sent.visit.counted = True
        raise done

    def glance(self, table: str, token: str | None) -> Glance:
        """How far a table is that the token's holder may see, or without a token everybody. Raises Unauthorized,
        NotFound, Forbidden."""

        def read(connection: Connection) -> tuple[int | None, Glance]:
            caller = Caller() if token is None else caller_of(connection, token)
            row = connection.execute(select(tables.c.version, tables.c.due).where(tables.c.id == table)).first()
            if row is None:
                raise no_table(table)
            caller.check_table(table)
            return row.due, Glance(row.version, caller.seat)

        return self._brought_on(table, read)

    def look(self, table: str, tokens: Sequence[str | None]) -> dict[str | None, Seen]:
        """A table as each of these tokens' seats may see it, None as everybody may; tokens that are worth nothing
        there are left out. Raises NotFound."""

        def read(connection: Connection) -> tuple[int | None, tuple[Stored, dict[str | None, int | None], int]]:
            seats = dict[str | None, int | None]()
            for token in tokens:
                with suppress(Unauthorized, Forbidden):
                    caller = Caller() if token is None else caller_of(connection, token)
                    caller.check_table(table)
                    seats[token] = caller.seat
            stored = self.tables.load(connection, table)
            return stored.due, (stored, seats, read_head(connection).tree.size)

        stored, seats, size = self._brought_on(table, read)
        self.heads.cover(size)
        dealt, now = self.tables.dealt(stored.state, stored.key), self._clock.present
        return {
            token: _seen(stored.state, seat, now, size, dealt)._replace(version=stored.version)
            for token, seat in seats.items()
        }

    def _brought_on(self, table: str, read: Callable[[Connection], tuple[int | None, Read]]) -> Read:
        """What is read of a table, with everything done whose time has come; `read` gives when that is, too."""
        with self._database.reading() as connection:
            due, found = read(connection)
        if due is not None and due <= self._clock.present - self.tables.behind():
            with suppress(StorageError):  # what cannot be written now is shown as it stands
                self.catch_up(table)
                with self._database.reading() as connection:
                    found = read(connection)[1]
        return found

    def all_tables(self, after: str = "", most: int | None = None) -> list[State]:
        """By their ids; those after `after`, at most `most` of them."""
        query = select(tables.c.id, tables.c.state).where(tables.c.id > after).order_by(tables.c.id).limit(most)
        with self._database.reading() as connection:
            return [state_of(row.id, row.state) for row in connection.execute(query)]

    # Time.

    def late(self) -> list[str]:
        """The tables at which something is due."""
        until = self._clock.present - self.tables.behind()
        with self._database.reading() as connection:
            return list(connection.execute(select(tables.c.id).where(tables.c.due <= until)).scalars())

    def catch_up(self, table: str) -> None:
        """Do what is due at a table."""
        with self._writing() as connection:
            self.tables.due(connection, table)

    def start(self, *, clock_is_right: bool = False) -> None:
        """Log that the service started: every limit that runs begins anew, so that nobody loses time. Raises Unusable
        where the machine's clock is far off the last entry and nobody says that it is right."""
        with self._database.writing() as connection:
            end = read_head(connection, hold=True)
            if not end.tree.size:
                return
            if not clock_is_right:
                self._clock.check(end.at)
            changed = self.tables.begin()
            self._begin_anew(connection, end)
        self.changed(changed)

    def beat(self) -> None:
        """Say that commands are answered: this one was. Raises StorageError while nothing can be written."""
        try_again(self._database)
        with self._writing():
            pass
        self.outages.beat()

    def caller(self, token: str | None) -> Caller:
        """Whose token it is. Raises Unauthorized."""
        with self._database.reading() as connection:
            return caller_of(connection, token)

    # Inside a transaction.

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction in which limits may decide: after an outage, or a jump of the clock, they begin anew first."""
        try:
            while True:
                with self._database.writing() as connection:
                    outage = self.outages.noticed()
                    if outage is None:
                        changed = self.tables.begin()
                        yield connection
                if outage is None:
                    self.changed(changed)
                    return
                self._after_outage()
        except Exception:
            self.tables.forget_rounds()
            raise

    def _after_outage(self) -> None:
        """Once, whoever of several noticed it."""
        with self.outages.turn:
            noticed = self.outages.noticed()
            if noticed is None:
                return
            with self._database.writing() as connection:
                changed, end = self.tables.begin(), read_head(connection, hold=True)
                if end.tree.size:
                    self._begin_anew(connection, end)
            self.outages.over(noticed)
        self.changed(changed)

    def _begin_anew(self, connection: Connection, end: Head) -> None:
        """Log a `start`, from which on every limit that runs has its whole time."""
        now = self.tables.now(end)
        entry = start_entry(timestamp(now))
        append(connection, end, [encode(entry)], now)
        for stored in read_tables(connection).values():
            self.tables.write(connection, end, restart(stored.state, entry, now), now, stored.key)


def _seen(state: State, seat: int | None, now: int, size: int, dealt: Dealt | None = None) -> Seen:
    """A seat that has just been left sees what everybody sees."""
    return Seen(state, seat if seat in state.table.players else None, now, size, dealt)


def new_table_id() -> str:
    return f"table-{secrets.token_hex(4)}"
