"""A house copied while it runs (`fairshoe backup`), and whether such a copy or a data directory is whole and agrees
with itself (`fairshoe restore --check`)."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from ..ceremony.acting.lone_shoe import ROW, LoneShoe, fold_shoes
from ..ceremony.acting.state import State, copy, fold
from ..ceremony.book import UNKNOWN_TREES, LoggedPlacer
from ..ceremony.claims import noted_claims
from ..ceremony.state_codec import dump
from ..errors import FairshoeError, InputError
from ..log.canonical import parse
from ..log.checkpoint import Checkpoint
from ..log.directory import CHECKPOINT, VERIFIER
from ..log.note import Verifier
from ..log.tiles import completed_subtrees
from ..log.tree import Tree
from ..protocol.commitment import commitment_of
from ..terminal.durable import PART, replace, settle
from .errors import UnusableData
from .house import DATABASE_FILE, open_database, signer_of
from .signing import check_reached, read_kept, turn_in
from .store.database import Database
from .store.files import copy_database, snapshot
from .store.journal import read_head, read_lines
from .store.schema import claims, entries, nodes, read_meta
from .table_store import AnyState, Stored, read_live_shoes, read_tables
from .vault import Vault, key_name


def take_backup(data: Path, target: Path, vault: Vault, database: str = "") -> Checkpoint:
    """Make the directory `target`, whole and checked or not at all: a database file, the signed checkpoint that it
    reaches, the log's verifier key. Returns the log's head.

    The master key is not in it: a backup shows no card. Raises InputError, UnusableData, OSError.
    """
    if target.exists():
        raise InputError("there is something here", where=str(target), expected="a new directory for each backup")
    part = target.with_name(target.name + PART)
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(mode=0o700, parents=True)
    try:
        with open_database(data, database) as source:
            head = _fill(part, source, vault)
        os.rename(part, target)
        settle(target.parent)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return head


def _fill(part: Path, source: Path | Database, vault: Vault) -> Checkpoint:
    copy = part / DATABASE_FILE
    copy_database(source, copy)
    checked = check_database(copy, vault, None, deep=False)
    if checked.wrong or checked.head is None:
        raise UnusableData(
            f"the database is damaged, nothing was backed up: {checked.wrong[0]}",
            where=getattr(source, "where", str(source)),
            remedy="see docs/operations.md; keep the backups that there are",
        )
    with snapshot(copy) as connection:
        signer = signer_of(read_meta(connection, str(copy)), vault)
    replace(part / CHECKPOINT, checked.head.signed(signer))
    replace(part / VERIFIER, f"{signer.verifier}\n")
    return checked.head


BATCH = 1_000
MAX_PROBLEMS = 20
"""Maximum number of problems of one kind in a report."""


class BackupCheck(NamedTuple):
    """The head over the stored entries, how many tables and live shoes there are; all that is wrong, in words."""

    head: Checkpoint | None
    tables: int
    live: int
    wrong: list[str]


def check_database(source: Path | Database, vault: Vault, kept: Path | None, *, deep: bool = True) -> BackupCheck:
    """Find all that is wrong with a database. Its log must reach the checkpoint `kept`; `deep` makes every table again
    from the log.

    Raises InputError, StorageError if it cannot be read, UnusableData for another master key or another house's
    checkpoint.
    """
    read = source.begin_read if isinstance(source, Database) else partial(snapshot, source)
    with read() as connection:
        signer = signer_of(read_meta(connection, str(source)), vault)
    newest = None if kept is None else _read_newest(kept, signer.verifier)  # before the database, which may grow
    with read() as connection:
        if isinstance(source, Path):
            rows = connection.exec_driver_sql(f"PRAGMA integrity_check({MAX_PROBLEMS})").scalars()
            if wrong := [f"database: {text}" for text in rows if text != "ok"]:
                return BackupCheck(None, 0, 0, wrong)
        tree, wrong = _check_log(connection)
        stored, shoes = read_tables(connection), read_live_shoes(connection)
        whole = not wrong
        wrong += _check_keys({**stored, **shoes}, vault)
        if whole and deep:
            wrong += _check_tables(connection, stored, shoes, tree.size)
        if whole and kept is not None and newest is not None:
            try:
                check_reached(connection, kept, newest)
            except UnusableData as error:
                wrong.append(f"{kept}: {error.what}")
    head = Checkpoint(signer.verifier.name, tree.size, tree.root)
    live = sum(each.state.shoe is not None for each in stored.values())
    return BackupCheck(head, len(stored), live + len(shoes), wrong)


def _read_newest(kept: Path, verifier: Verifier) -> Checkpoint:
    """The checkpoint that is kept, also while a house writes it. Raises UnusableData."""
    with turn_in(kept.parent):
        return read_kept(kept, verifier)


def stored_lines(connection: Connection, start: int, stop: int) -> Iterator[bytes]:
    """Entries `start` up to but not `stop`, as they are stored."""
    for first in range(start, stop, BATCH):
        for line in read_lines(connection, first, min(first + BATCH, stop)):
            yield line if isinstance(line, bytes) else str(line).encode()  # whoever changed it need not have cared


def _check_log(connection: Connection) -> tuple[Tree, list[str]]:
    """The tree over the stored entries, and what of them, of their nodes and of the head does not fit."""
    wrong: list[str] = []
    head = read_head(connection)
    count, last = connection.execute(select(func.count(), func.max(entries.c.seq))).one()
    if count != head.tree.size or (count and last != count - 1):
        wrong.append(f"log: {count} entries up to number {last}, and its head covers {head.tree.size}")
    tree = Tree()
    stored = {(row.level, row.number): row.hash for row in connection.execute(select(nodes))}
    for line in stored_lines(connection, 0, 0 if last is None else last + 1):
        for node in completed_subtrees(tree, line):
            if stored.pop((node.level, node.number), b"") != node.hash and len(wrong) < MAX_PROBLEMS:
                wrong.append(f"log: node {node.number} of level {node.level} is not what its entries make it")
        tree.append(line)
    if stored:
        wrong.append(f"log: {len(stored)} nodes of entries that are not there")
    if (tree.size, tree.root) != (head.tree.size, head.tree.root):
        wrong.append(f"log: the {tree.size} entries are not those that its head covers: one was changed")
    return tree, wrong


def _check_keys(stored: Mapping[str, Stored[AnyState]], vault: Vault) -> list[str]:
    """The key of each live shoe is the one that was committed to."""
    wrong = []
    for name, table in stored.items():
        try:
            key = None if table.key is None else vault.unlock(table.key, key_name(name))
        except FairshoeError as error:
            wrong.append(f"table {name}: {error.what}")
            continue
        shoe = table.state.shoe
        if isinstance(table.state, LoneShoe) and table.state.key_awaited:
            continue
        if shoe is not None and (key is None or commitment_of(key) != table.state.commitment):
            what = "no key" if key is None else "another key than the one that was committed to"
            wrong.append(f"table {name}: shoe {shoe.id} has {what}")
    return wrong


def _check_tables(
    connection: Connection, stored: Mapping[str, Stored[State]], shoes: Mapping[str, Stored[LoneShoe]], size: int
) -> list[str]:
    """Every table is what the log makes of it, and what the log claims is claimed."""
    folded: dict[str, State] = {}
    folded_shoes: dict[str, LoneShoe] = {}
    logged: set[str] = set()
    wrong = []
    for number, line in enumerate(stored_lines(connection, 0, size)):
        try:
            entry = parse(line)
            logged |= noted_claims(entry)
            fold(folded, [entry])
            fold_shoes(folded_shoes, [entry])
        except FairshoeError as error:
            return [f"log, entry {number}: {error.what}"]
    for name in sorted(stored.keys() | folded.keys()):
        if name not in stored or name not in folded:
            wrong.append(f"table {name}: {'in the log only' if name in folded else 'not in the log'}")
        elif _logged_table(stored[name].state) != _logged_table(folded[name]):
            wrong.append(f"table {name}: its state is not what the log makes of it")
    live = {
        name: _logged_shoe(state) for name, state in folded_shoes.items() if state.ended is None or state.key_awaited
    }
    known = {name: _logged_shoe(shoe.state) for name, shoe in shoes.items() if shoe.state.uncommitted is None}
    for name in sorted(known.keys() | live.keys()):
        if known.get(name) != live.get(name):
            wrong.append(f"shoe {name.removeprefix(ROW)}: its state is not what the log makes of it")
    missing = logged.difference(connection.execute(select(claims.c.digest)).scalars())
    if missing:
        wrong.append(f"claims: {len(missing)} commitments and hashes of the log could be used again")
    return wrong


def _logged_shoe(state: LoneShoe) -> Any:
    """Return what the log tells of a shoe without a table, to be compared: not how far its placer's chain is."""
    shoe = copy(state.shoe)
    shoe.trees, shoe.placer = UNKNOWN_TREES, shoe.placer and LoggedPlacer(*shoe.placer[:3])
    return dump(shoe)


def _logged_table(state: State) -> Any:
    """Of a table what its log tells, to be compared."""
    return json.loads(dump(State(state.book, commitment=state.commitment, burned=state.burned)))
