"""What stands in a database file besides the log: the house's name and keys, its tables."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, inspect, select

from ...ceremony.acting.state import State
from ...errors import InputError
from ...log.note import Signer
from ..house import NAMED, SIGNER, kept_path
from ..store.rows import check_named
from ..store.schema import meta, tables
from ..stored_state import state_of
from ..vault import Vault
from .database_files import snapshot

KEY_OF_TABLE = "key of {}"


class StoredTable(NamedTuple):
    """A table's state, and its live shoe's key as it is stored: encrypted."""

    state: State
    key: bytes | None

    def open_key(self, vault: Vault) -> bytes | None:
        """The key, None where the table has none. Raises Unusable."""
        return None if self.key is None else vault.unlock(self.key, KEY_OF_TABLE.format(self.state.id))


def read_meta(connection: Connection, where: Path) -> dict[str, bytes]:
    """Raises InputError for a database of something else, StorageDamaged where rows of `meta` are missing."""
    if "meta" not in inspect(connection).get_table_names():
        raise InputError("not a fairshoe database", where=str(where), expected="fairshoe.db, or a backup of it")
    found = {row.name: row.value for row in connection.execute(select(meta.c.name, meta.c.value))}
    if not found:
        raise InputError("no house was founded in this database", where=str(where))
    check_named(found, NAMED, where)
    return found


def stored_kept_path(database: Path) -> Path:
    """Where the newest checkpoint of a data directory's database is kept. Raises InputError, StorageError."""
    with snapshot(database) as connection:
        return kept_path(read_meta(connection, database), database.parent)


def signer_of(found: dict[str, bytes], vault: Vault) -> Signer:
    """Raises Unusable where the master key is another one."""
    return Signer(found["origin"].decode(), vault.unlock(found["signer"], SIGNER))


def read_tables(connection: Connection) -> dict[str, StoredTable]:
    """Every table by its name. Raises StorageDamaged."""
    found = {}
    for row in connection.execute(select(tables.c.id, tables.c.state, tables.c.key).order_by(tables.c.id)):
        found[row.id] = StoredTable(state_of(row.id, row.state), row.key)
    return found
