"""A data directory: the database, the master key and its exchange, the log's signing key, the operator's token."""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, inspect, select, update

from ..errors import InputError
from ..log.checkpoint import Checkpoint
from ..log.note import Signer
from ..log.tree import Tree
from ..terminal.durable import replace, settle
from .clock import HouseClock
from .errors import UnusableData
from .leadership import LeaderElection, check_nobody_leads, require_no_leader
from .limits import RateLimiter
from .replies import name_of
from .sequencer import Sequencer
from .settings import Settings
from .signing import KEPT_FILE, RECEIPTS, RECEIPTS_ROW, RESTORE, TreeHeadSigner, check_reached, read_kept, turn_in
from .store import schema
from .store.database import Database, check_pages, check_whole
from .store.files import DirectoryLock, change_exclusively, remove, snapshot
from .store.forwarded import make_shared
from .store.journal import create_head
from .store.migrations import bring_up
from .store.postgresql import warn_of_unsafe
from .table_store import read_live_shoes, read_tables
from .tokens import OPERATOR, issue
from .transactions import Transactions
from .vault import MASTER_FILE, Vault, key_name, master_key, read_key

DATABASE_FILE = "fairshoe.db"
logger = logging.getLogger("fairshoe.service")
FOUNDING_FILE = "fairshoe.db.founding"
"""A database that no first start has finished: nobody was shown anything of it."""
SIGNER = "the log's signing key"


class OpenedHouse(NamedTuple):
    """An opened data directory. `token`: the operator's, at the first start only. `hold` keeps a restore away. `lead`:
    whether this process executes the commands, None if that is no question."""

    sequencer: Sequencer
    database: Database
    token: str | None
    hold: DirectoryLock
    lead: LeaderElection | None

    def begin(self, *, clock_is_right: bool = False) -> None:
        """Have this process lead, unless another one does. Raises UnusableData."""
        if self.lead is None:
            self.sequencer.transactions.start(clock_is_right=clock_is_right)
        else:
            self.lead.run(self.sequencer, clock_is_right=clock_is_right)

    def close(self) -> None:
        if self.lead is not None:
            self.lead.close()
        self.database.close()
        self.hold.close()


def open_house(directory: Path, clock: HouseClock | None = None, settings: Settings | None = None) -> OpenedHouse:
    """Open a data directory and its database, or the one that the settings name; made at the first start.

    Raises UnusableData, also if the database does not reach the newest checkpoint, InputError, OSError.
    """
    settings = settings or Settings()
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    hold = DirectoryLock(directory)
    path, kept = directory / DATABASE_FILE, directory / KEPT_FILE
    with turn_in(directory):
        if settings.database:
            database = Database(settings.database)
            token = _found_on_server(database, directory)
        else:
            token = None if path.exists() else _found_in_file(directory)
            database = Database(f"sqlite:///{path}")
        remove(directory / FOUNDING_FILE)
        vault = Vault(master_key(directory, fresh=False))
        check_pages(database)
        with database.begin_write() as connection:
            _bring_up(connection, database, hold)
            check_whole(connection, database)
            signer = signer_of(schema.read_meta(connection, database.where), vault)
            read_tables(connection)
            read_live_shoes(connection)
            check_reached(connection, kept, read_kept(kept, signer.verifier))
    heads = TreeHeadSigner(database, signer, kept)
    heads.catch_up()
    database.after = heads.catch_up
    lead = LeaderElection(database, vault, heads) if settings.database else None
    limits = RateLimiter(settings, vault.derive("addresses"))
    transactions = Transactions(database, vault, signer, heads, clock or HouseClock(), limits, lead)
    return OpenedHouse(Sequencer(transactions, vault, settings), database, token, hold, lead)


def _bring_up(connection: Connection, database: Database, hold: DirectoryLock) -> None:
    """Migrate an older database. Raises InputError if a service runs on it, or its version is not known."""
    if not schema.is_older(version := schema.read_version(connection), database.where):
        return
    if database.path is None:
        check_nobody_leads(connection, database.where)
    with hold.alone():
        bring_up(connection)
    logger.warning("the database had version %s, and has version %s now", version, schema.VERSION)


@contextmanager
def open_database(directory: Path, url: str = "") -> Iterator[Path | Database]:
    """Open a house's database: the file in its directory, or a server's. Raises InputError if there is none."""
    if not url:
        if not (directory / DATABASE_FILE).exists():
            remedy = "name the directory with --data, or the PostgreSQL database with --database"
            raise InputError("no data here", where=str(directory), remedy=remedy)
        yield directory / DATABASE_FILE
        return
    database = Database(url)
    try:
        with database.begin_read() as connection:
            if not inspect(connection).has_table(schema.meta.name):
                raise InputError("no house in it", where=database.where, remedy="name the house's with --database")
        yield database
    finally:
        database.close()


def open_existing_house(directory: Path, url: str = "") -> OpenedHouse:
    """A house that is there, for whoever asks something of it and plays nothing. Raises as `open_house`."""
    with open_database(directory, url):
        return open_house(directory, settings=Settings(database=url))


def _found_in_file(directory: Path) -> str:
    """Found a house, and return the operator's token. Raises UnusableData if one was here and its database is gone."""
    path, coming = directory / DATABASE_FILE, directory / FOUNDING_FILE
    vault = _prepare_founding(directory, (KEPT_FILE, MASTER_FILE), str(path))
    with change_exclusively(coming) as connection:
        token, signer = found_house(connection, vault)
    _keep_empty_head(directory, signer)
    os.replace(coming, path)
    settle(directory)
    return token


def _found_on_server(database: Database, directory: Path) -> str | None:
    """The same in a database that is a server's; None where there is a house in it. Many may start at once."""
    with database.begin_write() as connection:
        warn_of_unsafe(connection)
        founded = inspect(connection).has_table(schema.meta.name)
        make_shared(connection)
        if founded:
            return None
        if (directory / DATABASE_FILE).exists():
            raise UnusableData(
                "the database is empty: the house of this directory is in fairshoe.db",
                where=database.where,
                expected="the database of that house, or a directory of no house",
                remedy="leave --database out; or move the house into it, as docs/operations.md says",
            )
        token, signer = found_house(connection, _prepare_founding(directory, (KEPT_FILE,), database.where))
        _keep_empty_head(directory, signer)
    return token


def _prepare_founding(directory: Path, told: Sequence[str], where: str) -> Vault:
    """Make a directory with a master key for a new house. Raises UnusableData if a file shows that one was here."""
    coming = directory / FOUNDING_FILE
    left = [name for name in told if (directory / name).exists()]
    if left and not coming.exists():
        raise UnusableData(
            f"the database is gone: {left[0]} of a house is here",
            where=where,
            expected="the database of that house, or a directory of no house",
            remedy=f"put it back, or name it with --database; {RESTORE}",
        )
    remove(coming)
    coming.touch(mode=0o600)
    settle(directory)
    return Vault(master_key(directory, fresh=True))


def _keep_empty_head(directory: Path, signer: Signer) -> None:
    """Keep the head of a log without an entry."""
    head = Checkpoint(signer.verifier.name, 0, Tree().root)
    replace((directory / KEPT_FILE).resolve(), head.signed(signer))


def found_house(connection: Connection, vault: Vault) -> tuple[str, Signer]:
    """Fill an empty database: a name and a key for the log, which is empty, and a token for the operator."""
    schema.metadata.create_all(connection)
    values = {
        "version": schema.VERSION.encode(),
        "origin": f"fairshoe.local/{secrets.token_hex(8)}".encode(),
        "signer": vault.lock(secrets.token_bytes(32), SIGNER),
    }
    for name, value in values.items():
        schema.write_meta(connection, name, value)
    create_head(connection)
    return issue(connection, OPERATOR), signer_of(values, vault)


def signer_of(found: Mapping[str, bytes], vault: Vault) -> Signer:
    """The log's key, of what a database says of its house. Raises UnusableData where the master key is another one."""
    return Signer(found["origin"].decode(), vault.unlock(found["signer"], SIGNER))


LOCKED = (
    (schema.meta.c.name, schema.meta.c.value, {"signer": SIGNER, RECEIPTS_ROW: RECEIPTS}.get),
    (schema.tables.c.id, schema.tables.c.key, key_name),
    (schema.answers.c.digest, schema.answers.c.box, name_of),
)
"""Encrypted columns: the column that identifies a row, the column of the box, and the name that it is locked under."""


def rotate(directory: Path, file: Path, url: str = "") -> int:
    """Encrypt with the key in `file`, made if missing, all that the master key opens; return how much that was, 0 if it
    was done before. The caller then replaces the old key file.

    Raises InputError if a service runs or there is no house; Unusable, StorageError, OSError.
    """
    with open_database(directory, url) as found, DirectoryLock(directory, alone=True):
        if not file.exists():
            replace(file, secrets.token_bytes(32).hex() + "\n", mode=0o600)
        new, count = Vault(read_key(file.read_text(errors="replace"), str(file))), 0
        with snapshot(found) if isinstance(found, Path) else found.begin_read() as connection:
            said = schema.read_meta(connection, str(found))
        with suppress(UnusableData):
            signer_of(said, new)
            return 0  # it was done before
        old = Vault(master_key(directory, fresh=False))
        with change_exclusively(found) if isinstance(found, Path) else require_no_leader(found) as connection:
            for known_by, box, locked_as in LOCKED:
                for id, locked in connection.execute(select(known_by, box).where(box.is_not(None))).all():
                    if (name := locked_as(id)) is not None:
                        values = {box.name: new.lock(old.unlock(locked, name), name)}
                        connection.execute(update(known_by.table).where(known_by == id).values(values))
                        count += 1
    return count
