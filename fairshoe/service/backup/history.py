"""A backup brought up to the newest entries that there are: log and tables, in a database that nobody uses yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from ...ceremony.acting.phase import due
from ...ceremony.acting.shoes import lose, may_go_on, without_unlogged
from ...ceremony.acting.state import State, dump, fold
from ...errors import InputError, VerificationError
from ...log.canonical import encode, parse
from ...log.checkpoint import Checkpoint, open_checkpoint
from ...log.directory import CHECKPOINT, read_lines, read_text
from ...log.note import Verifier
from ...log.tiles import TiledTree
from ...log.times import microseconds
from ...log.tree import Tree, tree_head
from ..errors import StorageError
from ..store.files import snapshot
from ..store.journal import Head, append, read_head, read_tile
from ..store.schema import seeds, sitters, tables, tokens
from ..table_store import Stored, read_tables
from ..vault import Vault, key_name
from .copying import hashes_in, stored_lines

BATCH = 500
SQLITE = b"SQLite format 3\0"
"""How a database file begins."""


class Lost(NamedTuple):
    """A shoe that ends with the restore; `key` where it is known."""

    shoe: str
    key: bytes | None


class _Before(NamedTuple):
    """What of a table in the backup the log does not tell: its live shoe, that shoe's key (encrypted), the hashes that
    had come in for it; and who sat where, since when."""

    shoe: str | None
    key: bytes | None
    hashes: frozenset[str]
    chairs: dict[int, tuple[str, str]]


class History:
    """The database of a backup while it is brought up to date, within one transaction."""

    def __init__(self, connection: Connection, vault: Vault) -> None:
        """Raises Unusable."""
        self._connection = connection
        stored = read_tables(connection)
        self.states = {name: table.state for name, table in stored.items()}
        self._before = {name: _before(table) for name, table in stored.items()}
        self._keys: dict[str, bytes] = {}
        for name, table in stored.items():
            if table.state.shoe is not None and table.key is not None:
                self._keys[table.state.shoe.id] = vault.unlock(table.key, key_name(name))
        self.head: Head = read_head(connection, hold=True)

    def extend(self, lines: Iterable[bytes]) -> None:
        """Take newer entries up. Raises VerificationError."""
        rest = iter(lines)
        while batch := list(islice(rest, BATCH)):
            entries = [parse(line) for line in batch]
            fold(self.states, entries)
            append(self._connection, self.head, batch, microseconds(entries[-1]["at"]))
            digests = {digest for entry in entries for digest in hashes_in(entry)}
            known = set(self._connection.execute(select(seeds.c.digest).where(seeds.c.digest.in_(digests))).scalars())
            if fresh := sorted(digests - known):
                self._connection.execute(insert(seeds), [{"digest": digest} for digest in fresh])

    def root(self, size: int) -> bytes:
        """The log's head over its first entries."""
        nodes = TiledTree(self.head.tree.size, lambda tile: read_tile(self._connection, tile))
        return tree_head(nodes.node, size)

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
        before, shoe, key = self._before.get(name), state.shoe, None
        if before is not None and shoe is not None and before.shoe == shoe.id:
            key = before.key
            if not shoe.hashed:  # they are sent again
                self._connection.execute(delete(seeds).where(seeds.c.digest.in_(before.hashes)))
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


def _before(table: Stored) -> _Before:
    state = table.state
    shoe = None if state.shoe is None else state.shoe.id
    return _Before(shoe, table.key, frozenset(state.hashes.values()), _chairs(state))


def _chairs(state: State) -> dict[int, tuple[str, str]]:
    return {seat: (chair.player, chair.sat) for seat, chair in state.book.chairs.items()}


class LogCopy:
    """A copy of the log that somebody kept: a directory that was pulled or exported, a `log.jsonl`, or what can be read
    of a database that is damaged. `size` of its entries the house is known to have signed, and they begin with those of
    the backup."""

    def __init__(self, path: Path, backup: Checkpoint, verifier: Verifier, known: Sequence[Checkpoint]) -> None:
        """`known` are heads that the house signed. Raises VerificationError, InputError, LogError."""
        self._lines = _lines_of(path)
        note = read_text(path / CHECKPOINT) if path.is_dir() else None
        signed = [*known, *([] if note is None else [open_checkpoint(note, verifier)])]
        roots = self._roots({backup.size, *(head.size for head in signed)})
        if roots.get(backup.size, backup.root) != backup.root:
            raise VerificationError(
                f"its first {backup.size} entries are not those of the backup",
                where=str(path),
                expected="a copy of the same log",
                remedy="look for one that is; fairshoe-audit fork says where two differ",
            )
        if note is not None and roots.get(signed[-1].size) != signed[-1].root:
            raise VerificationError(
                "its entries are not what its checkpoint covers", where=str(path), remedy="pull anew"
            )
        self.size = max([head.size for head in signed if roots.get(head.size) == head.root], default=0)
        if not self.size:
            raise InputError(
                "nothing shows that the house signed it", where=str(path), expected=f"the {CHECKPOINT} beside it"
            )

    def lines(self, start: int) -> Iterator[bytes]:
        """The signed entries from number `start` on."""
        return islice(self._lines(), start, max(start, self.size))

    def _roots(self, sizes: set[int]) -> dict[int, bytes]:
        tree = Tree()
        roots = {0: tree.root}
        for line in islice(self._lines(), max(sizes)):
            tree.append(line)
            if tree.size in sizes:
                roots[tree.size] = tree.root
        return roots


def _lines_of(path: Path) -> Callable[[], Iterator[bytes]]:
    """Reads the entries without LF."""

    def of_database() -> Iterator[bytes]:
        with suppress(StorageError), snapshot(path) as connection:
            yield from stored_lines(connection, 0, read_head(connection).tree.size)

    def of_files() -> Iterator[bytes]:
        return (line.removesuffix(b"\n") for line in read_lines(path))

    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(SQLITE)) == SQLITE:
                return of_database
    return of_files
