"""A data directory: the database, the master key, the log's signing key, the operator's token."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from ..log.note import Signer
from ..log.proofs import tree_head
from ..log.tiles import TiledTree
from .clock import Clock
from .errors import Unusable
from .founding import founding
from .heads import present_head
from .kept_head import KEPT, KEPT_FILE, RESTORE, KeptHead, check_reached, read_kept, turn_in
from .rotation import settled
from .running import Running
from .sequencer import Sequencer
from .settings import Settings
from .store.condition import check_pages
from .store.database import Database
from .store.journal import create_head, read_head
from .store.migrate import migrate
from .store.rows import check_entries, check_named, check_tables
from .store.schema import VERSION, meta, metadata
from .store.tiles import make_up, read_tile
from .stored_state import check_states
from .tokens import OPERATOR, issue
from .vault import Vault, master_key

DATABASE_FILE = "fairshoe.db"
SIGNER = "the log's signing key"
NAMED = ("version", "origin", "signer")
"""What `meta` has of every house."""


class House(NamedTuple):
    """An opened data directory; `token` is the operator's, at the first start only. `running` keeps a restore away."""

    sequencer: Sequencer
    database: Database
    token: str | None
    running: Running

    def close(self) -> None:
        self.database.close()
        self.running.close()


def open_house(
    directory: Path, clock: Clock | None = None, newest: Path | None = None, settings: Settings | None = None
) -> House:
    """Open a data directory, made and filled at the first start; `newest` is where its newest checkpoint is kept.

    Raises Unusable, also where the database does not reach that checkpoint, InputError, OSError.
    """
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    running = Running(directory)
    newest = newest or (None if settings is None else settings.newest_checkpoint)
    path, kept = directory / DATABASE_FILE, directory / KEPT_FILE if newest is None else newest.absolute()
    with turn_in(directory), founding(path, kept) as fresh:
        vault = Vault(master_key(directory, fresh=fresh))
        if fresh:
            path.touch(mode=0o600)
        database = Database(f"sqlite:///{path}")
        if not fresh:
            check_pages(database)
        with database.writing() as connection:
            check_tables(connection, path)
            metadata.create_all(connection)
            stored = _stored(connection)
            if not stored and not fresh:
                raise Unusable("the database is empty", where=str(path), expected="a house's", remedy=RESTORE)
            token = None if stored else found_house(connection, vault)
            stored = stored or _stored(connection)
            check_named(stored, NAMED, path)
            _check_version(migrate(connection, stored["version"].decode()), path)
            check_entries(connection, path)
            check_states(connection)
        vault = settled(directory, vault, stored["signer"], SIGNER)
        signer = Signer(stored["origin"].decode(), vault.unlock(stored["signer"], SIGNER))
    before = kept_path(stored, directory)
    head = _kept_head(before if newest is None else kept, before, signer, database)
    sequencer = Sequencer(database, vault, signer, clock or Clock(), head, settings)
    return House(sequencer, database, token, running)


def _kept_head(path: Path, before: Path, signer: Signer, database: Database) -> KeptHead:
    """The newest checkpoint is kept at `path` from here on; the one that was kept there or at `before` must be reached.

    Raises Unusable, OSError.
    """
    kept = {each: read_kept(each, signer.verifier) for each in (before, path)}  # before the database is read
    with database.writing() as connection:
        tree = read_head(connection, hold=True).tree
        make_up(connection, tree.size)
        wanted = KEPT in _stored(connection)
        nodes = TiledTree(tree.size, lambda tile: read_tile(connection, tile))
        for each, head in kept.items():
            missed = wanted and each == before
            check_reached(each, head, wanted=missed, size=tree.size, root=lambda size: tree_head(nodes.node, size))
    keeper = KeptHead(path, signer, lambda: present_head(database, signer.verifier.name))
    keeper.catch_up()
    if not wanted or path != before:
        with database.writing() as connection:
            connection.execute(delete(meta).where(meta.c.name == KEPT))
            connection.execute(insert(meta).values(name=KEPT, value=_place(path, database)))
    if path != before:
        before.unlink(missing_ok=True)
    database.after = keeper.catch_up
    return keeper


def _place(path: Path, database: Database) -> bytes:
    """How `meta` says where the checkpoint is kept: nothing where that is beside the database."""
    beside = database.path is not None and path == database.path.parent / KEPT_FILE
    return b"" if beside else str(path).encode()


def kept_path(stored: Mapping[str, bytes], directory: Path) -> Path:
    """Where the newest checkpoint of the house in `directory` was kept last."""
    return directory / (stored.get(KEPT, b"").decode() or KEPT_FILE)


def _stored(connection: Connection) -> dict[str, bytes]:
    return {row.name: row.value for row in connection.execute(select(meta))}


def _check_version(version: str, path: Path) -> None:
    if version != VERSION:
        raise Unusable(f"data of version {version}", where=str(path), expected=f"version {VERSION}")


def found_house(connection: Connection, vault: Vault) -> str:
    """The first start: a name and a key for the log, a token for the operator."""
    values = {
        "version": VERSION.encode(),
        "origin": f"fairshoe.local/{secrets.token_hex(8)}".encode(),
        "signer": vault.lock(secrets.token_bytes(32), SIGNER),
    }
    connection.execute(insert(meta), [{"name": name, "value": value} for name, value in values.items()])
    create_head(connection)
    return issue(connection, OPERATOR)
