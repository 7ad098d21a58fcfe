"""A data directory: the database, the master key, the log's signing key, the operator's token."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import DatabaseError

from ..log.note import Signer
from .clock import Clock
from .errors import Unusable
from .sequencer import Sequencer
from .store.database import Database
from .store.journal import create_head, read_head
from .store.schema import VERSION, meta, metadata, tokens
from .store.tiles import make_up
from .tokens import digest_of, new_token
from .vault import Vault, master_key

DATABASE_FILE = "fairshoe.db"
SIGNER = "the log's signing key"


class House(NamedTuple):
    """An opened data directory; `token` is the operator's, at the first start only."""

    sequencer: Sequencer
    database: Database
    token: str | None


def open_house(directory: Path, clock: Clock | None = None) -> House:
    """Open a data directory, made and filled at the first start. Raises Unusable, InputError, OSError."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = directory / DATABASE_FILE
    fresh = not path.exists()
    vault = Vault(master_key(directory, fresh=fresh))
    if fresh:
        path.touch(mode=0o600)
    database = Database(f"sqlite:///{path}")
    try:
        with database.writing() as connection:
            metadata.create_all(connection)
            stored = {row.name: row.value for row in connection.execute(select(meta))}
            token = None if stored else _found(connection, vault)
            stored = stored or {row.name: row.value for row in connection.execute(select(meta))}
            _check_version(stored["version"].decode(), path)
            make_up(connection, read_head(connection, hold=True).tree.size)
    except DatabaseError as error:
        raise Unusable(f"not a fairshoe database: {error.orig}", where=str(path)) from None
    signer = Signer(stored["origin"].decode(), vault.unlock(stored["signer"], SIGNER))
    return House(Sequencer(database, vault, signer, clock or Clock()), database, token)


def _check_version(version: str, path: Path) -> None:
    if version != VERSION:
        raise Unusable(f"data of version {version}", where=str(path), expected=f"version {VERSION}")


def _found(connection: Connection, vault: Vault) -> str:
    """The first start: a name and a key for the log, a token for the operator."""
    values = {
        "version": VERSION.encode(),
        "origin": f"fairshoe.local/{secrets.token_hex(8)}".encode(),
        "signer": vault.lock(secrets.token_bytes(32), SIGNER),
    }
    connection.execute(insert(meta), [{"name": name, "value": value} for name, value in values.items()])
    create_head(connection)
    return _new_operator(connection)


def _new_operator(connection: Connection) -> str:
    connection.execute(delete(tokens).where(tokens.c.table.is_(None)))
    token = new_token()
    connection.execute(insert(tokens).values(digest=digest_of(token), table=None, seat=None))
    return token


def renew_operator(house: House) -> str:
    """A new token for the operator; the old one is worth nothing from here on."""
    with house.database.writing() as connection:
        return _new_operator(connection)
