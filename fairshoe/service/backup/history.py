"""A backup brought up to the newest entries that there are: log and tables, in a database that nobody uses yet."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from ...ceremony.acting.folding import fold
from ...ceremony.acting.losing import lose, may_go_on, without_unlogged
from ...ceremony.acting.phase import due
from ...ceremony.acting.state import State, dump
from ...log.canonical import encode, parse
from ...log.times import microseconds
from ..store.journal import Head, append, read_head
from ..store.limits import sitters
from ..store.schema import seeds, tables, tokens
from ..vault import Vault
from .anew import Lost
from .hashes import hashes_in
from .stored_house import StoredTable, read_tables

BATCH = 500


class Before(NamedTuple):
    """What of a table in the backup the log does not tell: its live shoe, that shoe's key (encrypted), the hashes that
    had come in for it; and who sat where, since when."""

    shoe: str | None
    key: bytes | None
    hashes: frozenset[str]
    chairs: dict[int, tuple[str, str]]


class History:
    """The database of a backup while it is brought up to date, within one transaction."""

    def __init__(self, connection: Connection, vault: Vault | None) -> None:
        """`vault` None: without the master key. Raises Unusable."""
        self._connection = connection
        stored = read_tables(connection)
        self.states = {name: table.state for name, table in stored.items()}
        self._before = {name: _before(table) for name, table in stored.items()}
        self._keys: dict[str, bytes] = {}
        for table in stored.values():
            key = None if vault is None else table.open_key(vault)
            if table.state.shoe is not None and key is not None:
                self._keys[table.state.shoe.id] = key
        self.head: Head = read_head(connection, hold=True)

    def extend(self, lines: Iterable[bytes]) -> None:
        """Take newer entries up. Raises VerificationError."""
        rest = iter(lines)
        while batch := list(islice(rest, BATCH)):
            entries = [parse(line) for line in batch]
            fold(self.states, entries, self._keys)
            append(self._connection, self.head, batch, microseconds(entries[-1]["at"]))
            self._claim({digest for entry in entries for digest in hashes_in(entry)})

    def live(self) -> list[Lost]:
        """The shoes in play, with their keys where they are known."""
        shoes = [state.shoe for state in self.states.values() if state.shoe is not None]
        return [Lost(shoe.id, self._keys.get(shoe.id)) for shoe in shoes]

    def go_on(self, now: int, *, newest: bool) -> list[Lost]:
        """Store the tables, to be played on; gives the shoes that end as `lost`: all of them, unless the log is known
        to be the `newest`."""
        lost = []
        for name, state in self.states.items():
            shoe, after = state.shoe, state
            key = None if shoe is None else self._keys.get(shoe.id)
            if shoe is not None and not (newest and may_go_on(state, key)):
                now = max(now, self.head.at + 1)
                after, entries = lose(state, key, now)
                append(self._connection, self.head, map(encode, entries), now + len(entries) - 1)
                lost.append(Lost(shoe.id, key))
            self._store(name, without_unlogged(after, now), now)
        self._drop_tokens()
        return lost

    def _store(self, name: str, state: State, now: int) -> None:
        before, shoe = self._before.get(name), state.shoe
        same = before is not None and shoe is not None and before.shoe == shoe.id
        if before is not None and shoe is not None and same and not shoe.hashed:
            self._connection.execute(delete(seeds).where(seeds.c.digest.in_(before.hashes)))  # they are sent again
        key = before.key if before is not None and same else None
        self._connection.execute(delete(tables).where(tables.c.id == name))
        row = {"id": name, "state": dump(state), "key": key, "due": due(state, now)}
        self._connection.execute(insert(tables).values(row))

    def _drop_tokens(self) -> None:
        """Tokens of chairs that were left since the backup, or that others have taken; and from where those sat."""
        query = select(tokens.c.table, tokens.c.seat).where(tokens.c.table.is_not(None)).distinct()
        for row in self._connection.execute(query).all():
            before = self._before.get(row.table)
            sat = None if before is None else before.chairs.get(row.seat)
            if sat is None or _chairs(self.states[row.table]).get(row.seat) != sat:
                for stored in (tokens, sitters):
                    mine = (stored.c.table == row.table) & (stored.c.seat == row.seat)
                    self._connection.execute(delete(stored).where(mine))

    def _claim(self, digests: set[str]) -> None:
        known = set(self._connection.execute(select(seeds.c.digest).where(seeds.c.digest.in_(digests))).scalars())
        if fresh := sorted(digests - known):
            self._connection.execute(insert(seeds), [{"digest": digest} for digest in fresh])


def _before(table: StoredTable) -> Before:
    state = table.state
    shoe = None if state.shoe is None else state.shoe.id
    return Before(shoe, table.key, frozenset(state.hashes.values()), _chairs(state))


def _chairs(state: State) -> dict[int, tuple[str, str]]:
    return {seat: (chair.player, chair.sat) for seat, chair in state.book.chairs.items()}
