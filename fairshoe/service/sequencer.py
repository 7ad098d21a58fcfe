"""One request, one transaction: load a table, do what is due, apply the command, append to the log, commit."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from ..ceremony.acting.commands import Command, TakeSeat
from ..ceremony.acting.machine import Outcome, apply, create, restart
from ..ceremony.acting.phase import due
from ..ceremony.acting.playing import live
from ..ceremony.acting.receipts import receipt_of
from ..ceremony.acting.refusals import Refused
from ..ceremony.acting.state import State, dump, load
from ..ceremony.acting.work import Dealt, Keys
from ..ceremony.policy import Policy
from ..engine.rules import Rules
from ..errors import FairshoeError
from ..log.canonical import encode
from ..log.note import Signer
from ..log.tiles import Bundle, Tile, TiledTree, is_in
from ..log.times import timestamp
from ..protocol.commitment import new_key
from ..record.entries import start_entry
from .clock import Clock
from .errors import Forbidden, NotFound, Unauthorized
from .heads import Heads
from .proofs import Proofs
from .receipts import Receipts
from .store.database import Database
from .store.journal import Head, append, read_head, read_lines
from .store.schema import seeds, tables, tokens
from .store.tiles import read_bundle, read_tile
from .tokens import Caller, digest_of, new_token
from .vault import Vault

BATCH = 500
"""Entries of the log that are read at once."""

Make = Callable[[Caller], Command]
"""Makes a command of a caller's; raises Forbidden where the caller may not give it."""


class Seen(NamedTuple):
    """A table after a request, for whoever asked: their seat, or None for everybody else; `size` is the log's then.

    `receipt` is what the seat keeps of what it sent."""

    state: State
    seat: int | None
    now: int
    size: int
    dealt: Dealt | None = None
    token: str | None = None
    receipt: str | None = None


class Stored(NamedTuple):
    """A table as it is stored: its state, its live shoe's key (encrypted), when something is due there."""

    state: State
    key: bytes | None
    due: int | None


class Sequencer:
    """Everything that changes a table or reads one. No truth is kept in memory: `_rounds` only spares looks at an
    open round the key, and is made anew where it is not at hand."""

    def __init__(self, database: Database, vault: Vault, signer: Signer, clock: Clock) -> None:
        self._database = database
        self._vault = vault
        self._signer = signer
        self.heads = Heads(database, signer)
        self.receipts = Receipts(vault, signer)
        self.proofs = Proofs(database, self.heads)
        self._clock = clock
        self._rounds: dict[str, tuple[tuple[str, int, int], Dealt]] = {}

    # Tables.

    def create_table(self, token: str | None, name: str, rules: Rules, policy: Policy) -> Seen:
        if not self._caller(token).operator:
            raise Forbidden("this is the operator's", where="token", remedy="use the operator's token")
        with self._database.writing() as connection:
            if connection.execute(select(tables.c.id).where(tables.c.id == name)).first() is not None:
                raise Refused(f"table {name} exists", where="table", remedy="choose another id")
            end = read_head(connection, hold=True)
            now = self._now(end)
            outcome = create(name, rules, policy, now)
            connection.execute(insert(tables).values(id=name, state="", key=None, due=None))
            self._store(connection, end, outcome, now, None)
        return Seen(outcome.state, None, now, end.tree.size)

    def sit(self, table: str, command: TakeSeat) -> Seen:
        """Take a seat: nobody needs a token for that, and the answer has the seat's own."""
        return self._run(table, None, lambda _: command)

    def act(self, table: str, token: str | None, make: Make) -> Seen:
        """Apply a command of whoever has the token, which is checked before anything is begun. Raises FairshoeError."""
        self._at_table(self._caller(token), table)
        return self._run(table, token, make)

    def _run(self, table: str, token: str | None, make: Make) -> Seen:
        """What is due is done first, and stays done where the command is refused."""
        refusal: FairshoeError | None = None
        with self._database.writing() as connection:
            stored, end, now = self._due(connection, table)
            try:
                caller = Caller() if token is None else self._known(connection, token)
                command, first = make(caller), end.tree.size
                outcome = apply(stored.state, command, now, self._keys(table, stored.key))
                self._claim(connection, outcome.claims)
                issued = self._issue(connection, stored.state, outcome)
                key = self._store(connection, end, outcome, now, stored.key)
            except FairshoeError as error:
                refusal = error
        if refusal is not None:
            raise refusal
        seat = caller.seat if outcome.seat is None else outcome.seat
        dealt = self._dealt(outcome.state, key)
        said = receipt_of(stored.state, command, outcome, now, first=first, size=end.tree.size)
        receipt = None if said is None else self.receipts.sign(said)
        return _seen(outcome.state, seat, now, end.tree.size, dealt, issued)._replace(receipt=receipt)

    def look(self, table: str, token: str | None) -> Seen:
        """A table as the token's seat may see it; without a token as everybody may."""
        caller = None if token is None else self._caller(token)
        with self._database.reading() as connection:
            row = connection.execute(select(tables.c.due).where(tables.c.id == table)).first()
            late = row is not None and row.due is not None and row.due <= self._clock.present
        if late:
            self.catch_up(table)
        with self._database.reading() as connection:
            stored = self._load(connection, table)
            size = read_head(connection).tree.size
        if caller is not None:
            self._at_table(caller, table)
        dealt = self._dealt(stored.state, stored.key)
        return _seen(stored.state, None if caller is None else caller.seat, self._clock.present, size, dealt)

    def _dealt(self, state: State, key: bytes | None) -> Dealt | None:
        """The open round that is dealt: the one that was made last, or made anew from the key."""
        if not state.dealt:
            return None
        mark = _mark(state)
        kept = self._rounds.get(state.id)
        if kept is None or kept[0] != mark:
            found = live(state, self._keys(state.id, key).current())
            if found is None:
                return None
            kept = self._rounds[state.id] = mark, found
        return kept[1]

    def all_tables(self) -> list[State]:
        with self._database.reading() as connection:
            return [load(text) for text in connection.execute(select(tables.c.state).order_by(tables.c.id)).scalars()]

    # Time.

    def late(self) -> list[str]:
        """The tables at which something is due."""
        with self._database.reading() as connection:
            return list(connection.execute(select(tables.c.id).where(tables.c.due <= self._clock.present)).scalars())

    def catch_up(self, table: str) -> None:
        """Do what is due at a table."""
        with self._database.writing() as connection:
            self._due(connection, table)

    def start(self, *, clock_is_right: bool = False) -> None:
        """Log that the service started: every limit that runs begins anew, so that nobody loses time. Raises Unusable
        where the machine's clock is far off the last entry and nobody says that it is right."""
        with self._database.writing() as connection:
            end = read_head(connection, hold=True)
            if not end.tree.size:
                return
            if not clock_is_right:
                self._clock.check(end.at)
            now = self._now(end)
            append(connection, end, [encode(start_entry(timestamp(now)))], now)
            for row in connection.execute(select(tables.c.id, tables.c.state)).all():
                state = restart(load(row.state), timestamp(now), now)
                values = {"state": dump(state), "due": due(state, now)}
                connection.execute(update(tables).where(tables.c.id == row.id).values(values))

    # The log.

    def checkpoint(self) -> str:
        """The signed tree head, with the cosignatures over it that there are."""
        return self.heads.newest()

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

    def tile(self, tile: Tile | Bundle) -> bytes | None:
        """The bytes of a tile or bundle, None where the log has not all of it yet."""
        with self._database.reading() as connection:
            if not is_in(tile, read_head(connection).tree.size):
                return None
            return read_tile(connection, tile) if isinstance(tile, Tile) else read_bundle(connection, tile)

    def nodes(self, size: int) -> TiledTree:
        """The nodes of the tree over the first `size` entries, for proofs."""
        return TiledTree(size, lambda tile: self.tile(tile) or b"")

    # Inside a transaction.

    def _now(self, end: Head) -> int:
        return self._clock.now(end.at)

    def _caller(self, token: str | None) -> Caller:
        """Whose token it is. Raises Unauthorized."""
        if token is None:
            raise Unauthorized("no token", where="token", remedy="send Authorization: Bearer TOKEN")
        with self._database.reading() as connection:
            return self._known(connection, token)

    def _known(self, connection: Connection, token: str) -> Caller:
        query = select(tokens.c.table, tokens.c.seat).where(tokens.c.digest == digest_of(token))
        row = connection.execute(query).first()
        if row is None:
            raise Unauthorized("nobody has this token", where="token", remedy="take a seat, or see `fairshoe token`")
        return Caller(row.table, row.seat)

    def _at_table(self, caller: Caller, table: str) -> None:
        if not caller.operator and caller.table != table:
            raise Forbidden("this token is for another table", where="token", remedy=f"take a seat at {table}")

    def _load(self, connection: Connection, table: str, *, hold: bool = False) -> Stored:
        query = select(tables.c.state, tables.c.key, tables.c.due).where(tables.c.id == table)
        row = connection.execute(query.with_for_update() if hold else query).first()
        if row is None:
            raise NotFound(f"no table {table[:32]!r}", where="table", remedy="see GET /v1/tables")
        return Stored(load(row.state), row.key, row.due)

    def _keys(self, table: str, key: bytes | None) -> Keys:
        """The live shoe's key, decrypted only where it is needed, and a fresh one."""
        return Keys(lambda: self._vault.unlock(key or b"", f"key of {table}"), new_key())

    def _due(self, connection: Connection, table: str) -> tuple[Stored, Head, int]:
        """The table with everything done whose time has come."""
        stored = self._load(connection, table, hold=True)
        end = read_head(connection, hold=True)
        now = self._now(end)
        if stored.due is not None and stored.due <= now:
            outcome = apply(stored.state, None, now, self._keys(table, stored.key))
            key = self._store(connection, end, outcome, now, stored.key)
            stored, now = Stored(outcome.state, key, None), self._now(end)
        return stored, end, now

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

    def _store(self, connection: Connection, end: Head, outcome: Outcome, now: int, key: bytes | None) -> bytes | None:
        """Write a step's state and entries; gives the live shoe's key as it is stored."""
        state = outcome.state
        append(connection, end, map(encode, outcome.entries), now + max(0, len(outcome.entries) - 1))
        self._clock.now(end.at)
        if outcome.key is not None:
            key = self._vault.lock(outcome.key, f"key of {state.id}")
        key = None if state.shoe is None else key
        row = {"state": dump(state), "key": key, "due": due(state, now)}
        connection.execute(update(tables).where(tables.c.id == state.id).values(row))
        if not state.dealt:
            self._rounds.pop(state.id, None)
        elif outcome.dealt is not None:
            self._rounds[state.id] = _mark(state), outcome.dealt
        return key


def _mark(state: State) -> tuple[str, int, int]:
    """Which round it is that is open, and how far it is."""
    opened = state.book.open
    return state.shoe_id, 0 if opened is None else opened.number, len(state.decisions)


def _seen(
    state: State, seat: int | None, now: int, size: int, dealt: Dealt | None = None, token: str | None = None
) -> Seen:
    """A seat that has just been left sees what everybody sees."""
    return Seen(state, seat if seat in state.table.players else None, now, size, dealt, token)


def new_table_id() -> str:
    return f"table-{secrets.token_hex(4)}"
