"""`fairshoe restore`: a house again from a backup and whatever newer copy of its log there is.

The log goes on only where both together reach the newest checkpoint that the house signed: else two histories would be
signed. A shoe goes on only where the house itself kept that checkpoint. So no card that may have been shown is dealt
again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from ..ceremony.acting.lone_shoe import ROW, LoneShoe, fold_shoes, lose_shoe
from ..ceremony.acting.shoes import drop_unlogged, lose, may_go_on
from ..ceremony.acting.state import State, copy, fold
from ..ceremony.claims import noted_claims
from ..ceremony.stages import Stage
from ..ceremony.state_codec import dump
from ..errors import InputError, VerificationError
from ..log.canonical import encode, parse
from ..log.checkpoint import Checkpoint, checkpoint_of, open_checkpoint
from ..log.directory import CHECKPOINT, read_lines, read_text
from ..log.note import Verifier
from ..log.times import microseconds, timestamp
from ..log.tree import Tree
from ..protocol.commitment import commitment_of
from ..terminal.durable import replace, settle
from .backup import check_database, stored_lines
from .clock import HouseClock
from .errors import StorageError, UnusableData
from .house import DATABASE_FILE, FOUNDING_FILE, signer_of
from .signing import KEPT_FILE
from .store.files import change_exclusively, copy_database, copy_to_server, remove, require_stopped, snapshot
from .store.journal import read_head
from .store.migrations import bring_up
from .store.schema import (
    ORDERED,
    RESTORED,
    claims,
    is_older,
    meta,
    read_meta,
    read_version,
    sitters,
    tables,
    tokens,
    write_meta,
)
from .table_store import MACHINES, AnyState, Stored, read_live_shoes, read_tables
from .vault import Vault, key_name, master_key

PART_FILE = "fairshoe.db.restoring"
BATCH = 500
SQLITE = b"SQLite format 3\0"
"""How a database file begins."""
UNREACHED = "find a newer copy of the log; where there is none, docs/operations.md says how to found another house"


class RestoredHouse(NamedTuple):
    """The head of the log now, how many entries the copy brought, the shoes that were live and those that were lost."""

    head: Checkpoint
    newer: int
    live: list[str]
    lost_shoes: list[str]


def restore(
    backup: Path, data: Path, clock: HouseClock, *, log: Path | None = None, newest: Path | None = None, url: str = ""
) -> RestoredHouse:
    """Make the house in `data`, which has its master key and no database; or in an empty server database at `url`.
    `log`: a copy of the log: a pulled directory, a `log.jsonl`, a damaged database. `newest`: a checkpoint known to be
    the newest, if the house's own is gone.

    Raises InputError, also if a service runs, VerificationError, UnusableData, LogError, OSError: then nothing was
    changed.
    """
    source, part, path = backup / DATABASE_FILE, data / PART_FILE, data / DATABASE_FILE
    if not source.is_file() or not (backup / CHECKPOINT).is_file():
        expected, remedy = "a directory that `fairshoe backup` made", "name with --data where the house is to be"
        raise InputError("no backup here", where=str(backup), expected=expected, remedy=remedy)
    if not data.is_dir():
        raise InputError("no such directory", where=str(data), expected="one with the house's master key")
    with require_stopped(data, *([] if log is None else [log.parent, log])):
        if path.exists():
            raise InputError(
                "there is a database here",
                where=str(path),
                expected="a directory without one",
                remedy="move fairshoe.db* away; with --log what can be read of it is taken up",
            )
        vault = Vault(master_key(data, fresh=False))
        remove(part)
        try:
            copy_database(source, part)
            with change_exclusively(part) as connection:
                if is_older(read_version(connection), str(source)):
                    bring_up(connection)
            checked = check_database(part, vault, backup / CHECKPOINT, deep=False)
            if checked.wrong:
                what = f"the backup is damaged: {checked.wrong[0]}"
                raise UnusableData(what, where=str(source), remedy="take another one")
            with change_exclusively(part) as connection:
                signer = signer_of(read_meta(connection, str(part)), vault)
                reached = _find_newest(data, newest, signer.verifier)
                done = _build_house(connection, vault, log, reached, clock, own=(data / KEPT_FILE).exists())
            # The database first: a log that goes on reaches the checkpoint that was kept before.
            if url:
                copy_to_server(part, url)
            else:
                os.replace(part, path)
            remove(data / FOUNDING_FILE)
            settle(data)
            replace((data / KEPT_FILE).resolve(), done.head.signed(signer))
        finally:
            remove(part)
    return done


def _find_newest(data: Path, named: Path | None, verifier: Verifier) -> Checkpoint:
    """The newest checkpoint: the house's own, else the one that the operator names. Raises InputError."""
    path = data / KEPT_FILE if named is None or (data / KEPT_FILE).exists() else named
    note = read_text(path)
    if note is None:
        raise InputError(
            "the newest checkpoint is missing: nothing shows how far the log went",
            where=str(path),
            expected="the one that the house kept, or the newest that anybody has, with --newest",
            remedy="take it from a mirror of the log or a witness",
        )
    try:
        return open_checkpoint(note, verifier)
    except VerificationError as error:
        raise InputError(error.what, where=str(path), expected=f"a checkpoint signed by {verifier}") from None


def _build_house(
    connection: Connection, vault: Vault, log: Path | None, newest: Checkpoint, clock: HouseClock, *, own: bool
) -> RestoredHouse:
    """The database of the backup, with the newer entries of the copy, and every table as it can be played on."""
    history = History(connection, vault)
    size = history.end.tree.size
    tree = Tree(size, history.end.tree.peaks)
    if log is not None:
        _check_no_newer(log, newest)
        for line in islice(_lines_of(log), size, max(size, newest.size)):
            tree.append(line)
    _check_reached(tree, newest)
    if log is not None:
        history.extend(islice(_lines_of(log), size, newest.size))
    live = history.live()
    lost = history.go_on(clock.now(history.end.at), newest=own)
    connection.execute(delete(meta).where(meta.c.name == ORDERED))
    write_meta(connection, RESTORED, timestamp(clock.now(history.end.at)).encode())
    head = Checkpoint(newest.origin, history.end.tree.size, history.end.tree.root)
    return RestoredHouse(head, newest.size - size, live, lost)


def _check_reached(tree: Tree, newest: Checkpoint) -> None:
    """Raise where backup and copy are not what the newest checkpoint covers."""
    if tree.size < newest.size:
        raise InputError(
            f"backup and copy have {tree.size} entries, and the house signed {newest.size}",
            where="--log",
            expected="a copy of the log that reaches the newest checkpoint",
            remedy=UNREACHED,
        )
    if tree.size > newest.size:
        raise InputError(
            f"the backup has {tree.size} entries: a checkpoint of {newest.size} is not the newest",
            where="--newest",
            expected="the newest checkpoint that anybody has",
        )
    if tree.root != newest.root:
        raise VerificationError(
            f"backup and copy are not the {newest.size} entries that the house signed",
            where="--log",
            expected=f"entries that hash to {newest.root.hex()}",
            remedy="look for a copy of the same log; fairshoe-audit fork says where two differ",
        )


def _check_no_newer(log: Path, newest: Checkpoint) -> None:
    """Raise InputError where the copy has a newer checkpoint than the newest."""
    note = read_text(log / CHECKPOINT) if log.is_dir() else None
    size = 0 if note is None else checkpoint_of(note).size
    if size > newest.size:
        raise InputError(
            f"the copy has a checkpoint of {size} entries: the one of {newest.size} is not the newest",
            where=str(log),
            expected="the newest checkpoint that anybody has, with --newest",
            remedy=f"move an old {KEPT_FILE} away from the data directory",
        )


def _lines_of(path: Path) -> Iterator[bytes]:
    """The entries of a copy of the log, without LF; of a damaged database as many as can be read."""
    if path.is_file():
        with path.open("rb") as file:
            begins = file.read(len(SQLITE))
        if begins == SQLITE:
            with suppress(StorageError), snapshot(path) as connection:
                yield from stored_lines(connection, 0, read_head(connection).tree.size)
            return
    yield from (line.removesuffix(b"\n") for line in read_lines(path))


class History:
    """The database of a backup while it is brought up to date, within one transaction; `end` is the log's."""

    def __init__(self, connection: Connection, vault: Vault) -> None:
        """Raises UnusableData."""
        self._connection = connection
        self._before = read_tables(connection)
        self._states = {name: table.state for name, table in read_tables(connection).items()}
        self._keys: dict[str, bytes] = {}
        self._shoes_before = read_live_shoes(connection)
        self._shoes = {name: copy(shoe.state) for name, shoe in self._shoes_before.items()}
        before: dict[str, Stored[AnyState]] = {**self._before, **self._shoes_before}
        for name, stored in before.items():
            if stored.state.shoe is not None and stored.key is not None:
                self._keys[stored.state.shoe.id] = vault.unlock(stored.key, key_name(name))
        self.end = read_head(connection, hold=True)

    def extend(self, lines: Iterable[bytes]) -> None:
        """Take newer entries up. Raises VerificationError."""
        rest = iter(lines)
        while batch := list(islice(rest, BATCH)):
            entries = [parse(line) for line in batch]
            fold(self._states, entries)
            fold_shoes(self._shoes, entries)
            self.end.append(batch, microseconds(entries[-1]["at"]))
            self.end.write(self._connection)
            digests = set[str]().union(*map(noted_claims, entries))
            known = select(claims.c.digest).where(claims.c.digest.in_(digests))
            if fresh := sorted(digests.difference(self._connection.execute(known).scalars())):
                self._connection.execute(insert(claims), [{"digest": digest} for digest in fresh])

    def live(self) -> list[str]:
        """The shoes in play."""
        tables = [state.shoe.id for state in self._states.values() if state.shoe is not None]
        return [*tables, *(state.shoe.id for state in self._shoes.values() if state.ended is None)]

    def go_on(self, now: int, *, newest: bool) -> list[str]:
        """Store the tables, and return the shoes that end as `lost`: all, unless the log is shown to be the
        `newest`."""
        lost = []
        for name, state in self._states.items():
            shoe, after = state.shoe, state
            key = None if shoe is None else self._keys.get(shoe.id)
            if shoe is not None and not (newest and may_go_on(state, key)):
                now = max(now, self.end.at + 1)
                after, entries = lose(state, key, now)
                self.end.append(map(encode, entries), now + len(entries) - 1)
                lost.append(shoe.id)
            self._store(name, drop_unlogged(after, now), now)
        for name, state_of_shoe in self._shoes.items():
            now = max(now, self.end.at + 1)
            lost += self._store_shoe(name, state_of_shoe, now, newest=newest)
        self.end.write(self._connection)
        self._drop_tokens()
        return lost

    def _store(self, name: str, state: State, now: int) -> None:
        before, shoe, key = self._before.get(name), state.shoe, None
        if before is not None and shoe is not None and before.state.shoe_id == shoe.id:
            key = before.key
            if shoe.stage is Stage.HASH:  # they are sent again
                self._connection.execute(delete(claims).where(claims.c.digest.in_(before.state.hashes.values())))
        self._write(name, state, key, now)

    def _write(self, name: str, state: AnyState, key: bytes | None, now: int) -> None:
        due = MACHINES[type(state)].due(state, now)
        row = {"id": name, "state": dump(state), "key": key, "due": due, "version": now}
        self._connection.execute(delete(tables).where(tables.c.id == name))
        self._connection.execute(insert(tables).values(row))

    def _store_shoe(self, name: str, state: LoneShoe, now: int, *, newest: bool) -> list[str]:
        """Store a shoe without a table, to be drawn from, or lost; gives its id if it was lost."""
        key, stored = self._keys.get(state.shoe.id), self._shoes_before.get(name)
        known = newest and key is not None and commitment_of(key) == state.commitment and state.shoe.placer is None
        lost = state.ended is None and state.uncommitted is None and not known
        if lost:
            state, entries = lose_shoe(state, key, now)
            self.end.append(map(encode, entries), now)
        elif state.ended is None and state.shoe.stage is Stage.HASH:  # they are sent again
            self._connection.execute(delete(claims).where(claims.c.digest.in_(state.hashes.values())))
            state.hashes, state.cuts = {}, {}
        self._write(name, state, None if stored is None or state.ended is not None else stored.key, now)
        return [state.shoe.id] if lost else []

    def _drop_tokens(self) -> None:
        """Tokens of chairs that were left since the backup, or that others have taken; and from where those sat."""
        query = select(tokens.c.table, tokens.c.seat).where(tokens.c.table.not_like(f"{ROW}%")).distinct()
        for table, seat in self._connection.execute(query).all():
            before = self._before.get(table)
            sat = None if before is None else _find_player(before.state, seat)
            if sat is None or _find_player(self._states[table], seat) != sat:
                for stored in (tokens, sitters):
                    mine = (stored.c.table == table) & (stored.c.seat == seat)
                    self._connection.execute(delete(stored).where(mine))


def _find_player(state: State, seat: int) -> tuple[str, str] | None:
    """The player in a chair, and since when."""
    chair = state.book.chairs.get(seat)
    return None if chair is None else (chair.player, chair.seated_at)
