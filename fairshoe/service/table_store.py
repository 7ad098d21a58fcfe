"""Tables as they are stored: loaded, brought on, written with what goes to the log, inside one transaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from ..ceremony.acting.commands import Answer, Command
from ..ceremony.acting.machine import CommandResult, apply
from ..ceremony.acting.phase import due as next_due
from ..ceremony.acting.placers import PlacerRequests, placer_requests
from ..ceremony.acting.playing import rebuild_round
from ..ceremony.acting.state import Keys, LiveRound, State, dump, load
from ..ceremony.placer_steps import Question, record_tree
from ..ceremony.state_codec import UNREADABLE
from ..log.canonical import encode
from ..log.tree import Tree
from ..protocol.commitment import commitment_of, new_key
from .clock import HouseClock
from .errors import DAMAGED, AlreadyClaimed, NotFound, StorageDamaged
from .store.journal import LogEnd, read_head
from .store.schema import claims, tables
from .store.statements import PreparedStatement, RowWrite, key
from .tokens import Tokens
from .vault import Vault, key_name


def state_of(table: str, text: str) -> State:
    """A table's state as it stands in the database. Raises StorageDamaged where it is not what was written."""
    try:
        return load(text)
    except UNREADABLE as error:
        what = f"the state of table {table} cannot be read ({type(error).__name__})"
        raise StorageDamaged(what, where="database", remedy=DAMAGED) from None


class StoredTable(NamedTuple):
    """A table as it is stored: its state, its live shoe's key (encrypted), when something is due there, its version."""

    state: State
    key: bytes | None
    due: int | None
    version: int


OF_TABLE = PreparedStatement(select(tables).where(key(tables.c.id)))
WRITE = RowWrite(tables, anew=True)
CLAIM, CLAIMS = PreparedStatement(select(claims.c.digest).where(key(claims.c.digest))), RowWrite(claims)
CLAIMING = ("hash", "seed", "commitment")
"""The fields of commands that claim something."""
MAX_DRAWS = 4
"""How many keys are drawn for a shoe at most: one that was drawn before shows that the machine's chance is none."""


class TableStore:
    """No truth is kept in memory: whatever of it is not at hand is read or made anew.

    `_live` are the tables as the transaction sees them that began last, `_mark` the log's end up to which they go:
    where it ends elsewhere somebody else has written. What changes is in the database once it is `write`n. `_rounds`
    spares the shoe's order, `_keys` its decryption, `_awaited` the question of a state.
    `behind`: for how many microseconds the oldest command has waited; no limit that ran out since then
    decides anything before that command was heard."""

    def __init__(self, vault: Vault, clock: HouseClock, origin: str) -> None:
        self._vault = vault
        self._origin = origin
        self._clock = clock
        self.tokens = Tokens()
        self._rounds: dict[str, tuple[tuple[str, int, int], LiveRound]] = {}
        self._keys: dict[str, tuple[bytes, bytes]] = {}
        self._awaited: dict[str, tuple[State, PlacerRequests]] = {}
        self._live: dict[str, StoredTable] = {}
        self._end = LogEnd(Tree(), -1)
        self._mark = (-1, -1)
        self.behind: Callable[[], int] = lambda: 0
        self._changed: dict[str, int] = {}
        self._unwritten: set[str] = set()
        self._claimed: set[str] = set()

    def forget(self) -> None:
        """After what failed: what is at hand may be of what was not kept."""
        self._rounds.clear()
        self._live.clear()
        self._mark = (-1, -1)

    def begin(self, connection: Connection) -> dict[str, int]:
        """In a transaction, of which there is one at a time: gives what will hold each table that it writes, with its
        version."""
        self.again(connection)
        self._changed = {}
        return self._changed

    def again(self, connection: Connection) -> None:
        """Look where the log ends, at the beginning and wherever something was undone."""
        self._unwritten.clear()
        self._claimed.clear()
        self._end = end = read_head(connection, hold=True)
        if self._mark != (end.tree.size, end.at):
            self._live.clear()
            self._mark = (end.tree.size, end.at)

    @property
    def end(self) -> LogEnd:
        """The log's end as the transaction sees it."""
        return self._end

    def now(self, end: LogEnd) -> int:
        return self._clock.now(end.at)

    def load(self, connection: Connection, table: str) -> StoredTable:
        """The table as it is committed; of the version that is at hand nothing is parsed."""
        row = OF_TABLE.first(connection, id=table)
        if row is None:
            raise no_table(table)
        found = self._live.get(table)
        return found if found is not None and found.version == row[4] else _stored(row)

    def held(self, connection: Connection, table: str) -> StoredTable:
        """The table as the transaction sees it."""
        found = self._live.get(table)
        if found is None:
            found = self._live[table] = self.load(connection, table)
        return found

    def keys(self, table: str, key: bytes | None) -> Keys:
        """The live shoe's key, decrypted only where it is needed, and a fresh one."""
        return Keys(lambda: self._unlocked(table, key or b""), new_key(), self._origin)

    def _unlocked(self, table: str, box: bytes) -> bytes:
        kept = self._keys.get(table)
        if kept is None or kept[0] != box:
            kept = self._keys[table] = box, self._vault.unlock(box, key_name(table))
        return kept[1]

    def due(self, connection: Connection, table: str) -> tuple[StoredTable, int]:
        """The table with everything done whose time has come, and the time then."""
        stored, end = self.held(connection, table), self._end
        now = self.now(end)
        if stored.due is not None and stored.due <= now - self.behind():
            outcome = self.step(connection, stored, None, now)
            self.drop_left(connection, stored.state, outcome.state)
            self.store(outcome, now, stored.key)
            stored, now = self._live[table], self.now(end)
        return stored, now

    def drop_left(self, connection: Connection, before: State, after: State) -> None:
        """The seats that were left in between lose their tokens."""
        for seat in before.table.players.keys() - after.table.players.keys():
            self.tokens.drop(connection, after.id, seat)

    def step(
        self,
        connection: Connection,
        stored: StoredTable,
        command: Command | Answer | None,
        now: int,
        question: Question | None = None,
    ) -> CommandResult:
        """Apply a command, or with None what is due, whose claims are new in the log. If the commitment of a fresh key
        is not, another key is drawn. `question`: what an answer answers, as `awaited` has it. Raises FairshoeError if
        the command is not allowed: then nothing has happened."""
        for _ in range(MAX_DRAWS):
            keys = self.keys(stored.state.id, stored.key)._replace(question=question)
            outcome = apply(stored.state, command, now, keys)
            taken = [digest for digest in outcome.claims if self._is_claimed(connection, digest)]
            if not taken:
                return outcome
            if outcome.key is None or commitment_of(outcome.key) not in taken:
                break
        where = next((field for field in CLAIMING if hasattr(command, field)), "")
        what = f"{taken[0]} was used before in this log"
        raise AlreadyClaimed(what, where=where, remedy="draw a fresh random seed or key for every shoe")

    def _is_claimed(self, connection: Connection, digest: str) -> bool:
        return digest in self._claimed or CLAIM.first(connection, digest=digest) is not None

    def store(self, outcome: CommandResult, now: int, key: bytes | None) -> bytes | None:
        """Take up a step's state, entries and claims; gives the live shoe's key as it is stored."""
        state, end = outcome.state, self._end
        self._claimed.update(outcome.claims)
        for number, entry in enumerate(outcome.entries):
            end.append([encode(entry)], now + number)
            if state.book.placer:
                record_tree(state.book, entry, end.tree.size, end.tree.root)
        end.append((), now)
        self._clock.now(end.at)
        if outcome.key is not None:
            key = self._vault.lock(outcome.key, key_name(state.id))
        if not state.commitment:
            key = None
            self._keys.pop(state.id, None)
        self.take(state, now, key)
        if not state.cards_on_table:
            self._rounds.pop(state.id, None)
        elif outcome.dealt is not None:
            self._rounds[state.id] = _mark(state), outcome.dealt
        return key

    def at(self, table: str, version: int) -> StoredTable | None:
        """The table of this version, if it is at hand. From any thread."""
        found = self._live.get(table)
        return found if found is not None and found.version == version else None

    def awaited(self, state: State, key: bytes | None) -> PlacerRequests:
        """Return what a table in this state waits for of its placer."""
        kept = self._awaited.get(state.id)
        if kept is None or kept[0] is not state:
            kept = self._awaited[state.id] = state, placer_requests(state, self.keys(state.id, key))
        return kept[1]

    def take(self, state: State, now: int, key: bytes | None) -> None:
        """Take up a table's state, of which the log's end tells."""
        version = self._end.at
        self._live[state.id] = StoredTable(state, key, next_due(state, now), version)
        self._changed[state.id] = version
        self._unwritten.add(state.id)
        self._mark = (self._end.tree.size, version)

    def write(self, connection: Connection) -> None:
        """Write what was taken up since."""
        self._end.write(connection)
        CLAIMS.write(connection, [{"digest": digest} for digest in sorted(self._claimed)])
        self._claimed.clear()
        rows = [(table, self._live[table]) for table in sorted(self._unwritten)]
        WRITE.write(connection, [{"id": table} | each._asdict() | {"state": dump(each.state)} for table, each in rows])
        self._unwritten.clear()

    def dealt(self, state: State, key: bytes | None) -> LiveRound | None:
        """The open round that is dealt: the one that was made last, or made anew from the key."""
        if not state.cards_on_table or state.places_awaited:
            return None
        mark = _mark(state)
        kept = self._rounds.get(state.id)
        if kept is None or kept[0] != mark:
            found = rebuild_round(state, self.keys(state.id, key).current())
            if found is None:
                return None
            kept = self._rounds[state.id] = mark, found
        return kept[1]


def read_tables(connection: Connection) -> dict[str, StoredTable]:
    """Every table by its name. Raises StorageDamaged."""
    return {row.id: _stored(row) for row in connection.execute(select(tables).order_by(tables.c.id))}


def _stored(row: Any) -> StoredTable:
    id, state, key, due, version = row
    return StoredTable(state_of(id, state), key, due, version)


def check_table(connection: Connection, table: str) -> None:
    """Raise NotFound where there is no such table."""
    if connection.execute(select(tables.c.id).where(tables.c.id == table)).first() is None:
        raise no_table(table)


def no_table(table: str) -> NotFound:
    return NotFound(f"no table {table[:32]!r}", where="table", remedy="see GET /v1/tables")


def _mark(state: State) -> tuple[str, int, int]:
    """Which round it is that is open, and how far it is."""
    opened = state.book.open_round
    return state.shoe_id, 0 if opened is None else opened.number, len(state.decisions)
