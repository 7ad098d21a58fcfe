"""Everything that is encrypted in a database, locked with a new master key: at once, while no service has it open."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, bindparam, create_engine, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from ..errors import InputError
from .house import DATABASE_FILE, NAMED, SIGNER
from .kept_head import turn_in
from .receipt_key import RECEIPTS, RECEIPTS_ROW
from .repeated import name_of
from .rotation import begin_exchange, finish_exchange, opens, settled
from .store.answers import answers
from .store.faults import told_of_the_store
from .store.rows import check_named
from .store.schema import meta, tables
from .vault import MASTER_FILE, MASTER_VARIABLE, Vault, key_name, master_key, read_key

NEW_VARIABLE = "FAIRSHOE_NEW_MASTER_KEY"
ALONE = ("locking_mode = EXCLUSIVE", "synchronous = EXTRA", "secure_delete = ON", "journal_mode = DELETE")
"""Nobody else gets in; a commit is on the disk with its directory; freed pages are zeroed; there is no other file."""
BATCH = 500
"""Answers that are locked anew at once."""


def rotate(directory: Path) -> str:
    """Exchange the master key of a data directory; gives what its operator must know now.

    Raises InputError where a service has the database open, or the keys of the environment are not two; Unusable,
    StorageError, OSError.
    """
    path = directory / DATABASE_FILE
    if not path.exists():
        raise InputError("no data here", where=str(directory), remedy="name the directory with --data")
    with turn_in(directory), _alone_with(path) as connection:
        vault = Vault(master_key(directory, fresh=False))
        check_named(connection.execute(select(meta.c.name)).scalars().all(), NAMED, path)
        box = connection.execute(select(meta.c.value).where(meta.c.name == "signer")).scalar_one()
        new = _new_key()
        if new is not None and not opens(vault, box, SIGNER) and opens(Vault(new), box, SIGNER):
            return f"it was done before: start the service with {MASTER_VARIABLE} set to the new key"
        vault = settled(directory, vault, box, SIGNER)
        vault.unlock(box, SIGNER)
        key = secrets.token_bytes(32) if new is None else new
        if new is None:
            begin_exchange(directory, key)
        connection.exec_driver_sql("BEGIN EXCLUSIVE")
        count = relock(connection, vault, Vault(key))
        connection.exec_driver_sql("COMMIT")
        if new is not None:
            return f"{count} secrets are locked anew: from now on {MASTER_VARIABLE} must be the new key"
        old = finish_exchange(directory)
    return (
        f"{count} secrets are locked anew, with the key in {directory / MASTER_FILE}; the old key is in {old.name}: "
        "keep it as long as there is a backup from before now"
    )


def _new_key() -> bytes | None:
    """The new key of the environment; None where keys are in files. Raises InputError."""
    text, old = os.environ.get(NEW_VARIABLE), os.environ.get(MASTER_VARIABLE)
    if (text is None) != (old is None):
        missing = NEW_VARIABLE if text is None else MASTER_VARIABLE
        raise InputError(
            "only one of two keys is given",
            where=missing,
            expected=f"the old key in {MASTER_VARIABLE} and the new one in {NEW_VARIABLE}, or neither",
            remedy="make one with `head -c 32 /dev/urandom | xxd -p -c 64`",
        )
    if text is None:
        return None
    if text == old:
        raise InputError("the new key is the old one", where=NEW_VARIABLE, remedy="make a fresh one")
    return read_key(text, NEW_VARIABLE)


@contextmanager
def _alone_with(path: Path) -> Iterator[Connection]:
    """The database while nobody else has it open; what is written over is wiped. Raises InputError, StorageError."""
    engine = create_engine(
        "sqlite://", creator=lambda: sqlite3.connect(path, isolation_level=None, timeout=1), poolclass=NullPool
    )
    with told_of_the_store(path), engine.connect() as connection:
        try:
            for setting in ALONE:
                connection.exec_driver_sql(f"PRAGMA {setting}")
        except OperationalError as error:
            if "locked" not in str(error.orig):
                raise
            what, remedy = "a service, or another command, is at work here", "stop the service first"
            raise InputError(what, where=str(path.parent), remedy=remedy) from None
        yield connection


def relock(connection: Connection, old: Vault, new: Vault) -> int:
    """Lock everything anew; gives how much it was. Raises Unusable where the old key does not open it."""

    def anew(box: bytes, name: str) -> bytes:
        return new.lock(old.unlock(box, name), name)

    count = 0
    for row, name in (("signer", SIGNER), (RECEIPTS_ROW, RECEIPTS)):
        box = connection.execute(select(meta.c.value).where(meta.c.name == row)).scalar()
        if box is not None:
            connection.execute(update(meta).where(meta.c.name == row).values(value=anew(box, name)))
            count += 1
    keys = connection.execute(select(tables.c.id, tables.c.key).where(tables.c.key.is_not(None))).all()
    for table, box in keys:
        connection.execute(update(tables).where(tables.c.id == table).values(key=anew(box, key_name(table))))
    return count + len(keys) + _relock_answers(connection, old, new)


def _relock_answers(connection: Connection, old: Vault, new: Vault) -> int:
    count, last = 0, ""
    change = update(answers).where(answers.c.digest == bindparam("of")).values(box=bindparam("anew"))
    while True:
        query = select(answers.c.digest, answers.c.box).where(answers.c.digest > last)
        rows = connection.execute(query.order_by(answers.c.digest).limit(BATCH)).all()
        if not rows:
            return count
        named = ((digest, name_of(digest), box) for digest, box in rows)
        changed = [{"of": digest, "anew": new.lock(old.unlock(box, name), name)} for digest, name, box in named]
        connection.execute(change, changed)
        count, last = count + len(rows), rows[-1].digest
