"""Another log in the place of one that cannot go on: it begins by saying after which head, and what was lost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select

from ...ceremony.acting.state import State
from ...log.canonical import Entry, encode
from ...log.checkpoint import Checkpoint
from ...log.note import Signer
from ...log.times import timestamp
from ...record.entries import start_entry
from ...terminal.durable import replace
from ..clock import Clock
from ..house import found_house
from ..kept_head import KEPT
from ..store.journal import append, read_head
from ..store.schema import meta, metadata, seeds
from ..vault import Vault
from .database_files import alone_with, snapshot
from .stored_house import read_meta, signer_of

SHOES_AN_ENTRY = 256
"""So many lost shoes are named in one entry, which is far below what an entry may hold."""
CHIPS_FILE = "chips.json"


class Lost(NamedTuple):
    """A shoe that ends with the restore; `key` where it is known."""

    shoe: str
    key: bytes | None


class Anew(NamedTuple):
    """A log that was begun: its key, its head, the operator's token."""

    signer: Signer
    head: Checkpoint
    token: str


class Gone(NamedTuple):
    """What is gone of the log before: `continues` is the note of its newest known head, `copy` how many entries were
    at hand where that covers more, `unknown` that there may be a newer one, `lost` its shoes in play, of those at
    hand."""

    continues: str
    copy: int | None
    unknown: bool
    lost: Sequence[Lost]


def begin_anew(database: Path, vault: Vault, gone: Gone, claims: Sequence[str], clock: Clock) -> Anew:
    """Found a house in a new file. `claims` are the hashes of seeds in the log before: none of them is taken again."""
    database.touch(mode=0o600)
    with alone_with(database) as connection:
        metadata.create_all(connection)
        token = found_house(connection, vault)
        connection.execute(insert(meta).values(name=KEPT, value=b""))
        signer = signer_of(read_meta(connection, database), vault)
        end = read_head(connection, hold=True)
        for entry in _entries(gone, clock.now(end.at)):
            append(connection, end, [encode(entry)], clock.now(end.at))
        if claims:
            connection.execute(insert(seeds), [{"digest": digest} for digest in claims])
        head = Checkpoint(signer.verifier.name, end.tree.size, end.tree.root)
    return Anew(signer, head, token)


def _entries(gone: Gone, now: int) -> Iterator[Entry]:
    """One `start` at least; where many shoes were lost several, which say after the same head."""
    rest = iter(gone.lost)
    number = 0
    while (batch := list(islice(rest, SHOES_AN_ENTRY))) or not number:
        lost = [(each.shoe, _hex(each.key)) for each in batch]
        known: dict[str, Any] = {} if number else {"copy": gone.copy, "unknown": gone.unknown}
        yield start_entry(timestamp(now + number), gone.continues, lost, **known)
        number += 1


def _hex(key: bytes | None) -> str | None:
    return None if key is None else key.hex()


def claims_in(database: Path) -> list[str]:
    """Every hash of a seed that may not be sent again."""
    with snapshot(database) as connection:
        return _claims(connection)


def _claims(connection: Connection) -> list[str]:
    return list(connection.execute(select(seeds.c.digest).order_by(seeds.c.digest)).scalars())


def write_chips(folder: Path, states: dict[str, State], head: Checkpoint) -> None:
    """Who had how many chips when the log before ended, for the cashier."""
    tables = {name: _chips(state) for name, state in sorted(states.items())}
    form = {"log": head.origin, "entries": head.size, "tables": tables}
    replace(folder / CHIPS_FILE, json.dumps(form, ensure_ascii=False, indent=1) + "\n", mode=0o600)


def _chips(state: State) -> dict[str, object]:
    book = state.book
    players = {
        chair.player: {"seat": seat, "name": chair.name, "chips": book.table.purse[seat]}
        for seat, chair in sorted(book.chairs.items())
    }
    others = {account: chips for account, chips in book.table.purse.items() if account not in book.chairs}
    return {"players": players, "house and pool": sum(others.values())}
