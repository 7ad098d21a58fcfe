"""Another master key: everything that is encrypted is locked with it, while the service is stopped."""

from __future__ import annotations

import secrets
from pathlib import Path

from sqlalchemy import select, update

from ..errors import InputError
from ..terminal.durable import replace
from .errors import Unusable
from .house import DATABASE_FILE, SIGNER, signer_of
from .repeated import name_of
from .running import Hold
from .signing import RECEIPTS, RECEIPTS_ROW
from .store.files import alone_with, snapshot
from .store.meta import read_meta
from .store.schema import answers, meta, tables
from .vault import Vault, key_name, master_key, read_key

LOCKED = (
    (meta.c.name, meta.c.value, {"signer": SIGNER, RECEIPTS_ROW: RECEIPTS}.get),
    (tables.c.id, tables.c.key, key_name),
    (answers.c.digest, answers.c.box, name_of),
)
"""What is encrypted: by which column a row is known, where its box stands, and under which name that is locked."""


def rotate(directory: Path, file: Path) -> int:
    """Lock what the directory's master key opens with the key in `file`, which is made if it is not there, all at once;
    gives how much it was, 0 where that was done before. Whoever asked puts the new key in the place of the old one.

    Raises InputError where a service is at work, or there is no house; Unusable, StorageError, OSError.
    """
    path = directory / DATABASE_FILE
    if not path.exists():
        raise InputError("no data here", where=str(directory), remedy="name the directory with --data")
    with Hold(directory, alone=True):
        if not file.exists():
            replace(file, secrets.token_bytes(32).hex() + "\n", mode=0o600)
        new, count = Vault(read_key(file.read_text(errors="replace"), str(file))), 0
        with snapshot(path) as connection:
            found = read_meta(connection, path)
        if _opens(found, new):
            return 0
        old = Vault(master_key(directory, fresh=False))
        with alone_with(path) as connection:
            connection.exec_driver_sql("PRAGMA secure_delete = ON")
            for known_by, box, locked_as in LOCKED:
                for id, locked in connection.execute(select(known_by, box).where(box.is_not(None))).all():
                    if (name := locked_as(id)) is not None:
                        values = {box.name: new.lock(old.unlock(locked, name), name)}
                        connection.execute(update(known_by.table).where(known_by == id).values(values))
                        count += 1
    return count


def _opens(found: dict[str, bytes], vault: Vault) -> bool:
    try:
        signer_of(found, vault)
    except Unusable:
        return False
    return True
