"""`fairshoe restore --check`: whether a data directory or a backup is whole, and agrees with itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from ...ceremony.acting.folding import fold
from ...ceremony.acting.state import State, dump
from ...errors import FairshoeError, InputError
from ...log.canonical import parse
from ...log.checkpoint import Checkpoint, checkpoint_of
from ...log.directory import read_text
from ...log.note import Verifier
from ...protocol.commitment import commitment_of
from ..errors import Unusable
from ..kept_head import KEPT, check_reached, read_kept
from ..store.schema import seeds
from ..vault import Vault
from .database_files import snapshot
from .findings import Checked, Wrong
from .hashes import hashes_in
from .stored_house import StoredTable, read_meta, read_tables, signer_of
from .stored_log import check_log, integrity, stored_lines

MASTER = "master key"


def check_database(path: Path, vault: Vault | None, kept: Path | None, *, deep: bool = True) -> Checked:
    """All that is wrong with a database. `vault` None: without its master key. `kept`: the checkpoint that its log must
    reach. `deep`: every table is made again from the log, too.

    Raises InputError, StorageError where it cannot be read as one.
    """
    wrong: list[Wrong] = []
    mark = _size_of(kept)  # before the database is read, to which somebody may append
    with snapshot(path) as connection:
        found = read_meta(connection, path)
        wrong += integrity(connection)
        if wrong:
            return Checked(None, 0, 0, wrong)
        tree, marked, faults = check_log(connection, mark)
        head = Checkpoint(found["origin"].decode(), tree.size, tree.root)
        wrong += faults
        stored = read_tables(connection)
        if vault is not None:
            wrong += _check_secrets(found, stored, vault)
        if deep and not faults:
            wrong += _check_tables(connection, stored, tree.size)
    if kept is not None and vault is not None and not any(each.where == MASTER for each in wrong):
        wrong += _check_kept(kept, signer_of(found, vault).verifier, KEPT in found, head, marked)
    return Checked(head, len(stored), sum(each.state.shoe is not None for each in stored.values()), wrong)


def _size_of(kept: Path | None) -> int:
    """How many entries a kept checkpoint covers, whoever signed it; 0 where that cannot be read."""
    with suppress(InputError):
        text = None if kept is None else read_text(kept)
        return 0 if text is None else checkpoint_of(text).size
    return 0


def _check_kept(kept: Path, verifier: Verifier, wanted: bool, head: Checkpoint, marked: bytes) -> list[Wrong]:
    try:
        checkpoint = read_kept(kept, verifier)
        check_reached(kept, checkpoint, wanted=wanted, size=head.size, root=lambda _: marked)
    except Unusable as error:
        return [Wrong(str(kept), error.what)]
    return []


def _check_secrets(found: dict[str, bytes], stored: Mapping[str, StoredTable], vault: Vault) -> list[Wrong]:
    """The master key opens the log's key; and with it the key of each live shoe, as it was committed to."""
    try:
        signer_of(found, vault)
    except Unusable as error:
        return [Wrong(MASTER, error.what)]
    return _check_keys(stored, vault)


def _check_keys(stored: Mapping[str, StoredTable], vault: Vault) -> list[Wrong]:
    wrong = []
    for name, table in stored.items():
        try:
            key = table.open_key(vault)
        except FairshoeError as error:
            wrong.append(Wrong(f"table {name}", error.what))
            continue
        shoe = table.state.shoe
        if shoe is not None and (key is None or commitment_of(key) != table.state.commitment):
            what = "no key" if key is None else "another key than the one that was committed to"
            wrong.append(Wrong(f"table {name}", f"shoe {shoe.id} has {what}"))
    return wrong


def _check_tables(connection: Connection, stored: Mapping[str, StoredTable], size: int) -> list[Wrong]:
    """Every table is what the log makes of it, and no logged hash of a seed may be sent again."""
    folded: dict[str, State] = {}
    hashes: set[str] = set()
    wrong = []
    for number, line in enumerate(stored_lines(connection, 0, size)):
        try:
            entry = parse(line)
            hashes.update(hashes_in(entry))
            fold(folded, [entry], {})
        except FairshoeError as error:
            return [Wrong(f"log, entry {number}", error.what)]
    for name in sorted(stored.keys() | folded.keys()):
        if name not in stored or name not in folded:
            wrong.append(Wrong(f"table {name}", "in the log only" if name in folded else "not in the log"))
        elif _told(stored[name].state) != _told(folded[name]):
            wrong.append(Wrong(f"table {name}", "its state is not what the log makes of it"))
    claimed = set(connection.execute(select(seeds.c.digest)).scalars())
    if not hashes <= claimed:
        wrong.append(Wrong("seeds", f"{len(hashes - claimed)} hashes of the log could be sent again"))
    return wrong


def _told(state: State) -> Any:
    """Of a table what its log tells, to be compared."""
    return json.loads(dump(State(state.book, commitment=state.commitment, burned=state.burned)))
