"""One request, one transaction: load a table, do what is due, apply the command, append to the log, commit."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from ..engine.round import Round
from ..engine.rules import Rules
from ..errors import FairshoeError
from ..log.canonical import encode
from ..log.checkpoint import Checkpoint
from ..log.note import Signer
from ..protocol.commitment import new_key
from .ceremony.commands import Command, Resume, TakeSeat
from .ceremony.deadlines import due
from .ceremony.machine import Outcome, apply, create
from .ceremony.policy import Policy
from .ceremony.refusals import Refused
from .ceremony.state import State, dump, load
from .errors import Forbidden, NotFound, Unauthorized
from .store.database import Database
from .store.journal import Head, append, read_head, read_lines
from .store.schema import seeds, tables, tokens
from .tokens import Caller, digest_of, new_token
from .vault import Vault

BATCH = 500
"""Entries of the log that are read at once."""

Clock = Callable[[], int]
Make = Callable[[Caller], Command]
"""Makes a command of a caller's; raises Forbidden where the caller may not give it."""


def wall_clock() -> int:
    return time.time_ns() // 1_000_000


class Seen(NamedTuple):
    """A table after a request, for whoever asked: their seat, or None for everybody else."""

    state: State
    seat: int | None
    now: int
    round: Round | None = None
    token: str | None = None


class Sequencer:
    """Everything that changes a table or reads one. No truth is kept in memory."""

    def __init__(self, database: Database, vault: Vault, signer: Signer, clock: Clock = wall_clock) -> None:
        self._database = database
        self._vault = vault
        self._signer = signer
        self._clock = clock

    # Tables.

    def create_table(self, token: str | None, name: str, rules: Rules, policy: Policy) -> Seen:
        with self._database.writing() as connection:
            if not self._caller(connection, token).operator:
                raise Forbidden("this is the operator's", where="token", remedy="use the operator's token")
            if connection.execute(select(tables.c.id).where(tables.c.id == name)).first() is not None:
                raise Refused(f"table {name} exists", where="table", remedy="choose another id")
            end = read_head(connection, hold=True)
            now = self._now(end)
            outcome = create(name, rules, policy, now)
            connection.execute(insert(tables).values(id=name, state="", key=None, due=None))
            self._store(connection, end, outcome, now)
        return Seen(outcome.state, None, now)

    def sit(self, table: str, command: TakeSeat) -> Seen:
        """Take a seat: nobody needs a token for that, and the answer has the seat's own."""
        return self._run(table, lambda _: (None, command))

    def act(self, table: str, token: str | None, make: Make) -> Seen:
        """Apply a command of whoever has the token. Raises FairshoeError."""

        def prepare(connection: Connection) -> tuple[int | None, Command]:
            caller = self._caller(connection, token)
            self._at_table(caller, table)
            return caller.seat, make(caller)

        return self._run(table, prepare)

    def _run(self, table: str, prepare: Callable[[Connection], tuple[int | None, Command]]) -> Seen:
        """What is due is done first, and stays done where the command is refused."""
        refusal: FairshoeError | None = None
        with self._database.writing() as connection:
            state, end, now = self._due(connection, table)
            try:
                seat, command = prepare(connection)
                outcome = apply(state, command, now, new_key())
                self._claim(connection, outcome.claims)
                token = self._issue(connection, state, outcome)
                self._store(connection, end, outcome, now)
            except FairshoeError as error:
                refusal = error
        if refusal is not None:
            raise refusal
        return _seen(outcome.state, seat if outcome.seat is None else outcome.seat, now, outcome.round, token)

    def look(self, table: str, token: str | None) -> Seen:
        """A table as the token's seat may see it; without a token as everybody may."""
        with self._database.reading() as connection:
            caller = None if token is None else self._caller(connection, token)
            row = connection.execute(select(tables.c.due).where(tables.c.id == table)).first()
            late = row is not None and row.due is not None and row.due <= self._clock()
        if late:
            self.catch_up(table)
        with self._database.reading() as connection:
            state, _ = self._load(connection, table)
        if caller is not None:
            self._at_table(caller, table)
        return _seen(state, None if caller is None else caller.seat, self._clock())

    def all_tables(self) -> list[State]:
        with self._database.reading() as connection:
            return [load(text) for text in connection.execute(select(tables.c.state).order_by(tables.c.id)).scalars()]

    # Time.

    def late(self) -> list[str]:
        """The tables at which something is due."""
        with self._database.reading() as connection:
            return list(connection.execute(select(tables.c.id).where(tables.c.due <= self._clock())).scalars())

    def catch_up(self, table: str) -> None:
        """Do what is due at a table."""
        with self._database.writing() as connection:
            self._due(connection, table)

    def resume(self) -> None:
        """Begin every running wait anew: nobody loses time because the service was away."""
        with self._database.reading() as connection:
            waiting = list(connection.execute(select(tables.c.id).where(tables.c.due.is_not(None))).scalars())
        for table in waiting:
            with self._database.writing() as connection:
                state, _ = self._load(connection, table, hold=True)
                end = read_head(connection, hold=True)
                now = self._now(end)
                self._store(connection, end, apply(state, Resume(), now, new_key()), now)

    # The log.

    def checkpoint(self) -> str:
        """The signed tree head."""
        with self._database.reading() as connection:
            tree = read_head(connection).tree
        return Checkpoint(self._signer.verifier.name, tree.size, tree.root).signed(self._signer)

    @property
    def signer(self) -> Signer:
        return self._signer

    def log_size(self) -> int:
        with self._database.reading() as connection:
            return read_head(connection).tree.size

    def log_lines(self, start: int, stop: int) -> Iterator[bytes]:
        """Entries `start` up to but not `stop`, as their bytes without LF."""
        while start < stop:
            upto = min(start + BATCH, stop)
            with self._database.reading() as connection:
                lines = read_lines(connection, start, upto)
            yield from lines
            start = upto

    # Inside a transaction.

    def _now(self, end: Head) -> int:
        return max(self._clock(), end.at + 1)

    def _caller(self, connection: Connection, token: str | None) -> Caller:
        if token is None:
            raise Unauthorized("no token", where="token", remedy="send Authorization: Bearer TOKEN")
        query = select(tokens.c.table, tokens.c.seat).where(tokens.c.digest == digest_of(token))
        row = connection.execute(query).first()
        if row is None:
            raise Unauthorized("nobody has this token", where="token", remedy="take a seat, or see `fairshoe token`")
        return Caller(row.table, row.seat)

    def _at_table(self, caller: Caller, table: str) -> None:
        if not caller.operator and caller.table != table:
            raise Forbidden("this token is for another table", where="token", remedy=f"take a seat at {table}")

    def _load(self, connection: Connection, table: str, *, hold: bool = False) -> tuple[State, int | None]:
        """A table, and when something is due there."""
        query = select(tables.c.state, tables.c.key, tables.c.due).where(tables.c.id == table)
        row = connection.execute(query.with_for_update() if hold else query).first()
        if row is None:
            raise NotFound(f"no table {table[:32]!r}", where="table", remedy="see GET /v1/tables")
        key = b"" if row.key is None else self._vault.unlock(row.key, f"key of {table}")
        return load(row.state, key), row.due

    def _due(self, connection: Connection, table: str) -> tuple[State, Head, int]:
        """The table with everything done whose time has come."""
        state, moment = self._load(connection, table, hold=True)
        end = read_head(connection, hold=True)
        now = self._now(end)
        if moment is not None and moment <= now:
            outcome = apply(state, None, now, new_key())
            self._store(connection, end, outcome, now)
            state, now = outcome.state, self._now(end)
        return state, end, now

    def _claim(self, connection: Connection, digests: list[str]) -> None:
        for digest in digests:
            if connection.execute(select(seeds.c.digest).where(seeds.c.digest == digest)).first() is not None:
                raise Refused(
                    "this seed was used before", where="seed", remedy="make a fresh random one for every shoe"
                )
        for digest in digests:
            connection.execute(insert(seeds).values(digest=digest))

    def _issue(self, connection: Connection, before: State, outcome: Outcome) -> str | None:
        """Seats that were left lose their token; a seat that was taken gets one."""
        table = outcome.state
        for seat in before.table.players.keys() - table.table.players.keys():
            connection.execute(delete(tokens).where(tokens.c.table == table.id, tokens.c.seat == seat))
        if outcome.seat is None:
            return None
        token = new_token()
        connection.execute(insert(tokens).values(digest=digest_of(token), table=table.id, seat=outcome.seat))
        return token

    def _store(self, connection: Connection, end: Head, outcome: Outcome, now: int) -> None:
        state = outcome.state
        append(connection, end, map(encode, outcome.entries), now + len(outcome.entries) - 1)
        key = None if state.shoe is None else self._vault.lock(state.shoe.key, f"key of {state.id}")
        row = {"state": dump(state), "key": key, "due": due(state, now)}
        connection.execute(update(tables).where(tables.c.id == state.id).values(row))


def _seen(state: State, seat: int | None, now: int, round: Round | None = None, token: str | None = None) -> Seen:
    """A seat that has just been left sees what everybody sees."""
    return Seen(state, seat if seat in state.table.players else None, now, round, token)


def new_table_id() -> str:
    return f"table-{secrets.token_hex(4)}"
