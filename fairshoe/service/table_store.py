"""Tables as they are stored: loaded, brought on, written with what goes to the log, inside one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import Connection, select

from ..ceremony.acting.commands import Command, Refused
from ..ceremony.acting.lone_shoe import ROW, LoneShoe, due_of_shoe
from ..ceremony.acting.machine import apply
from ..ceremony.acting.phase import due as next_due
from ..ceremony.acting.placed_draws import requests_of_shoe
from ..ceremony.acting.placers import PlacerRequests, placer_requests
from ..ceremony.acting.playing import rebuild_round
from ..ceremony.acting.shoe_machine import ShoeCommand, apply_to_shoe
from ..ceremony.acting.state import CommandResult, Keys, LiveRound, State
from ..ceremony.placer_steps import PlacerQuestion, record_shoe_tree, record_tree
from ..ceremony.policy import CARDS_OF_SHOES, FREE_CARDS
from ..ceremony.state_codec import UNREADABLE, dump, load
from ..log.canonical import encode
from ..log.tree import Tree
from ..protocol.commitment import commitment_of, new_key
from .clock import HouseClock
from .errors import DAMAGED, AlreadyClaimed, NotFound, StorageDamaged
from .store.journal import LogEnd, read_head
from .store.schema import ORDERED, claims, find_meta, tables, write_meta
from .store.statements import PreparedStatement, RowWrite, key
from .tokens import Tokens
from .vault import Vault, key_name

AnyState = State | LoneShoe
S = TypeVar("S", bound=AnyState)
S_co = TypeVar("S_co", bound=AnyState, covariant=True)


class Machine(NamedTuple):
    """What brings a table, or a shoe without one, on: `apply` a command or do what is due, when something is `due`
    next, and its `requests` to a placer."""

    apply: Callable[[Any, Any, int, Keys], CommandResult[Any]]
    due: Callable[[Any, int], int | None]
    requests: Callable[[Any, Keys], PlacerRequests]


MACHINES: dict[type[Any], Machine] = {
    State: Machine(apply, next_due, placer_requests),
    LoneShoe: Machine(apply_to_shoe, due_of_shoe, requests_of_shoe),
}


def kind_of(id: str) -> type[State] | type[LoneShoe]:
    """Return which states the row has: a table's, or a shoe's without one."""
    return LoneShoe if id.startswith(ROW) else State


def state_of(id: str, text: str, kind: type[S]) -> S:
    """A state as it stands in the database. Raises StorageDamaged where it is not what was written."""
    try:
        return load(text, kind)
    except UNREADABLE as error:
        what = f"the state of {id if id.startswith(ROW) else f'table {id}'} cannot be read ({type(error).__name__})"
        raise StorageDamaged(what, where="database", remedy=DAMAGED) from None


class Stored(NamedTuple, Generic[S_co]):
    """A table, or a shoe without one, as it is stored: its state, its live shoe's key (encrypted), when something is
    due there, its version."""

    state: S_co
    key: bytes | None
    due: int | None
    version: int


OF_TABLE = PreparedStatement(select(tables).where(key(tables.c.id)))
WRITE = RowWrite(tables, anew=True)
CLAIM, CLAIMS = PreparedStatement(select(claims.c.digest).where(key(claims.c.digest))), RowWrite(claims)
ARE_TABLES = tables.c.id.not_like(f"{ROW}%")
CLAIMING = ("hash", "seed", "commitment")
"""The fields of commands that claim something."""
MAX_DRAWS = 4
"""How many keys are drawn for a shoe at most: one that was drawn before shows that the machine's chance is none."""


class TableStore:
    """Tables and shoes in the database, cached between transactions; the cache may be dropped at any time."""

    def __init__(self, vault: Vault, clock: HouseClock, origin: str) -> None:
        self._vault = vault
        self.origin = origin
        self._clock = clock
        self.tokens = Tokens()
        self._rounds: dict[str, tuple[tuple[str, int, int], LiveRound]] = {}  # orders
        self._keys: dict[str, tuple[bytes, bytes]] = {}  # decrypted
        self._requests: dict[str, tuple[AnyState, PlacerRequests]] = {}  # the requests of a state
        self._live: dict[str, Stored[AnyState]] = {}  # as of the log's end `_mark`; `write` stores changes
        self._end = LogEnd(Tree(), -1)
        self._mark = (-1, -1)
        self._began = 0  # limits that ran out since the transaction began decide nothing before it
        self.behind: Callable[[], int] = lambda: 0  # nor since the oldest command has waited (microseconds)
        self._changed: dict[str, int] = {}
        self._unwritten: set[str] = set()
        self._claimed: set[str] = set()

    def forget(self) -> None:
        """After what failed: what is at hand may be of what was not kept."""
        self._rounds.clear()
        self._live.clear()
        self._mark = (-1, -1)

    def begin(self, connection: Connection) -> dict[str, int]:
        """Begin the one transaction; return the tables that it will write, with their versions. Its limits are judged
        by the time before the look for outages: a machine that stands still after that look decides nothing."""
        self.reload_log_end(connection)
        self._began = self._clock.present
        self._changed = {}
        return self._changed

    def reload_log_end(self, connection: Connection) -> None:
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

    def load(self, connection: Connection, id: str, kind: type[S]) -> Stored[S]:
        """The table, or the shoe without one, as it is committed."""
        return _of_kind(id, self.load_any(connection, id), kind)

    def load_any(self, connection: Connection, id: str) -> Stored[AnyState]:
        """The same of either kind; of the version that is at hand nothing is parsed."""
        row = OF_TABLE.first(connection, id=id)
        if row is None:
            raise no_table(id)
        found = self._live.get(id)
        return found if found is not None and found.version == row[4] else _row_of(row)

    def get(self, connection: Connection, id: str, kind: type[S]) -> Stored[S]:
        """The table, or the shoe without one, as the transaction sees it."""
        found = self._live.get(id)
        if found is None:
            found = self._live[id] = self.load_any(connection, id)
        return _of_kind(id, found, kind)

    def keys(self, table: str, key: bytes | None) -> Keys:
        """The live shoe's key, decrypted only where it is needed, and a fresh one."""
        return Keys(lambda: self._decrypt_key(table, key or b""), new_key(), self.origin)

    def _decrypt_key(self, table: str, box: bytes) -> bytes:
        kept = self._keys.get(table)
        if kept is None or kept[0] != box:
            kept = self._keys[table] = box, self._vault.unlock(box, key_name(table))
        return kept[1]

    def advance(self, connection: Connection, id: str, kind: type[S]) -> tuple[Stored[S], int]:
        """The table, or the shoe without one, with everything done whose time has come, and the time then."""
        stored, now = self.get(connection, id, kind), self.now(self._end)
        if stored.due is not None and stored.due <= self._began - self.behind():  # a limit decides
            outcome = self.step(connection, stored, None, now)
            self.drop_left(connection, stored.state, outcome.state)
            self.store(outcome, now, stored.key)
            stored, now = self.get(connection, id, kind), self.now(self._end)
        return stored, now

    def reserve_cards(self, connection: Connection, cards: int) -> None:
        """Count cards that an auditor puts in order for a shoe without a table. Raises Refused if the log is too
        short."""
        counted = find_meta(connection, ORDERED)
        before = _count_cards(connection) if counted is None else int(counted)
        most = FREE_CARDS + CARDS_OF_SHOES * self._end.tree.size
        if before + cards > most:
            expected = f"at most {max(0, most - before)} cards while the log has {self._end.tree.size} entries"
            remedy = "take a smaller deck, or go on with a shoe that you have"
            raise Refused(f"{cards} cards", where="deck", expected=expected, remedy=remedy)
        write_meta(connection, ORDERED, str(before + cards).encode())

    def drop_left(self, connection: Connection, before: AnyState, after: AnyState) -> None:
        """The seats of a table that were left in between lose their tokens."""
        if isinstance(before, State) and isinstance(after, State):
            for seat in before.table.players.keys() - after.table.players.keys():
                self.tokens.drop(connection, after.id, seat)

    def step(
        self,
        connection: Connection,
        stored: Stored[S],
        command: Command | ShoeCommand | None,
        now: int,
        question: PlacerQuestion | None = None,
    ) -> CommandResult[S]:
        """Apply a command to a table, or to a shoe without one; with None do what is due. A fresh key whose commitment
        is not new is drawn again. `question`: what an answer answers. Raises FairshoeError if the command is not
        allowed: then nothing happened."""
        for _ in range(MAX_DRAWS):
            keys = self.keys(stored.state.id, stored.key)._replace(question=question)
            outcome: CommandResult[S] = MACHINES[type(stored.state)].apply(stored.state, command, now, keys)
            taken = [digest for digest in outcome.claims if self.is_claimed(connection, digest)]
            if not taken:
                return outcome
            if outcome.key is None or commitment_of(outcome.key) not in taken:
                break
        raise already_claimed(taken[0], command)

    def check_claims(self, connection: Connection, digests: Iterable[str]) -> None:
        """Raise AlreadyClaimed for a value that stands among the claims."""
        for digest in digests:
            if self.is_claimed(connection, digest):
                raise already_claimed(digest, None)

    def is_claimed(self, connection: Connection, digest: str) -> bool:
        """Whether a value stands among the claims."""
        return digest in self._claimed or CLAIM.first(connection, digest=digest) is not None

    def store(self, outcome: CommandResult[AnyState], now: int, key: bytes | None) -> bytes | None:
        """Take up a step's state, entries and claims; gives the live shoe's key as it is stored."""
        state, end = outcome.state, self._end
        self._claimed.update(outcome.claims)
        for number, entry in enumerate(outcome.entries):
            end.append([encode(entry)], now + number)
            if isinstance(state, State) and state.book.placer:
                record_tree(state.book, entry, end.tree.size, end.tree.root)
            elif isinstance(state, LoneShoe) and entry["kind"] != "deck":
                record_shoe_tree(state.shoe, entry, end.tree.size, end.tree.root)
        end.append((), now)
        self._clock.now(end.at)
        if outcome.key is not None:
            key = self._vault.lock(outcome.key, key_name(state.id))
        if not state.holds_key:
            key = None
            self._keys.pop(state.id, None)
        self.take(state, now, key)
        if isinstance(state, State) and not state.cards_on_table:
            self._rounds.pop(state.id, None)
        elif isinstance(state, State) and outcome.live_round is not None:
            self._rounds[state.id] = _mark(state), outcome.live_round
        return key

    def find_version(self, id: str, version: int) -> Stored[AnyState] | None:
        """The table, or the shoe without one, of this version, if it is at hand. From any thread."""
        found = self._live.get(id)
        return found if found is not None and found.version == version else None

    def awaited(self, state: AnyState, key: bytes | None) -> PlacerRequests:
        """Return what a table, or a shoe without one, waits for of its placer in this state."""
        kept = self._requests.get(state.id)
        if kept is None or kept[0] is not state:
            asked = MACHINES[type(state)].requests(state, self.keys(state.id, key))
            kept = self._requests[state.id] = state, asked
        return kept[1]

    def take(self, state: AnyState, now: int, key: bytes | None) -> None:
        """Take up the state of a table, or of a shoe without one, of which the log's end tells."""
        version = self._end.at
        self._live[state.id] = Stored(state, key, MACHINES[type(state)].due(state, now), version)
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
        return self._rebuild(state, key) if state.cards_on_table and not state.places_awaited else None

    def shown(self, state: State, key: bytes | None) -> LiveRound | None:
        """While places are awaited, the open round as it lay before the newest decision; None if it is being dealt."""
        if not (state.cards_on_table and state.places_awaited and state.decisions):
            return None
        return self._rebuild(replace(state, decisions=state.decisions[:-1]), key)

    def _rebuild(self, state: State, key: bytes | None) -> LiveRound | None:
        mark = _mark(state)
        kept = self._rounds.get(state.id)
        if kept is None or kept[0] != mark:
            found = rebuild_round(state, self.keys(state.id, key).current())
            if found is None:
                return None
            kept = self._rounds[state.id] = mark, found
        return kept[1]


def read_tables(connection: Connection) -> dict[str, Stored[State]]:
    """Every table by its name. Raises StorageDamaged."""
    query = select(tables).where(ARE_TABLES).order_by(tables.c.id)
    return {row.id: _of_kind(row.id, _row_of(row), State) for row in connection.execute(query)}


def read_live_shoes(connection: Connection) -> dict[str, Stored[LoneShoe]]:
    """Return the shoes without a table that are live or await a placer's key, by row. Raises StorageDamaged."""
    goes_on = tables.c.key.is_not(None) | tables.c.state.like('%"key_awaited":true%')
    query = select(tables).where(~ARE_TABLES, goes_on).order_by(tables.c.id)
    return {row.id: _of_kind(row.id, _row_of(row), LoneShoe) for row in connection.execute(query)}


def _count_cards(connection: Connection) -> int:
    """Return how many cards the shoes without a table have."""
    query = select(tables).where(~ARE_TABLES, tables.c.state != "")
    return sum(_of_kind(row.id, _row_of(row), LoneShoe).state.cards_ordered for row in connection.execute(query))


def _row_of(row: Any) -> Stored[AnyState]:
    id, state, key, due, version = row
    return Stored(state_of(id, state, kind_of(id)), key, due, version)


def _of_kind(id: str, found: Stored[Any], kind: type[S]) -> Stored[S]:
    if not isinstance(found.state, kind):
        raise no_table(id)
    return found


def already_claimed(digest: str, command: object) -> AlreadyClaimed:
    """The refusal of what claims a value that stands in the log."""
    where = next((field for field in CLAIMING if hasattr(command, field)), "")
    what = f"{digest} was used before in this log"
    return AlreadyClaimed(what, where=where, remedy="draw a fresh random seed or key for every shoe")


def check_table(connection: Connection, table: str) -> None:
    """Raise NotFound where there is no such table."""
    if connection.execute(select(tables.c.id).where(tables.c.id == table)).first() is None:
        raise no_table(table)


def no_table(table: str) -> NotFound:
    """The refusal of an id that no table has, or no shoe without one."""
    if table.startswith(ROW):
        return NotFound(f"no shoe {table.removeprefix(ROW)[:32]!r}", where="shoe", remedy="POST /v1/shoes makes one")
    return NotFound(f"no table {table[:32]!r}", where="table", remedy="see GET /v1/tables")


def _mark(state: State) -> tuple[str, int, int]:
    """Which round it is that is open, and how far it is."""
    opened = state.book.open_round
    return state.shoe_id, 0 if opened is None else opened.number, len(state.decisions)
