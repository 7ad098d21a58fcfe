"""`fairshoe restore`: a house again from a backup and whatever newer copy of its log there is.

The log goes on only where it reaches the newest checkpoint that the house signed: else two histories would be signed.
A shoe goes on only where that checkpoint was kept by the house itself. So no card of a shoe that may have been shown
is dealt again. Where the log cannot go on, another one begins, which names it and what was lost with it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import insert, select

from ...ceremony.acting.state import State
from ...errors import InputError, VerificationError
from ...log.canonical import Entry, encode
from ...log.checkpoint import Checkpoint, open_checkpoint
from ...log.directory import CHECKPOINT, read_text, write_log
from ...log.note import Signer, Verifier
from ...log.times import timestamp
from ...record.entries import start_entry
from ...terminal.durable import replace, settle
from ..clock import Clock
from ..errors import Unusable
from ..house import DATABASE_FILE, FOUNDING_FILE, found_house, signer_of
from ..running import stopped
from ..signing import KEPT_FILE
from ..store.files import alone_with, copy_database, remove, snapshot
from ..store.journal import append, read_head
from ..store.schema import RESTORED, read_meta, seeds, write_meta
from ..vault import Vault, master_key
from .copying import check_database, stored_lines
from .history import History, LogCopy, Lost

PART_FILE = "fairshoe.db.restoring"
OLD_LOG = "old-log"
CHIPS_FILE = "chips.json"
SHOES_AN_ENTRY = 256
"""So many lost shoes are named in one entry, which is far below what an entry may hold."""


class Asked(NamedTuple):
    """`log` is a copy of the log, `newest` a checkpoint that is known to be the newest."""

    backup: Path
    log: Path | None = None
    newest: Path | None = None


class Restored(NamedTuple):
    """The head of the log now, how many entries the copy brought, the shoes that were lost, of how many that were live.

    Where another log begins `token` is its operator's, `old_log` the directory of the one before, `missing` how many of
    its signed entries are gone, and `unknown` says that there may have been more."""

    head: Checkpoint
    newer: int
    live: int
    lost: list[Lost]
    token: str | None = None
    old_log: Path | None = None
    missing: int = 0
    unknown: bool = False


class _Known(NamedTuple):
    """A head that the house signed, with the note that says it. `own`: the house kept it as its newest."""

    head: Checkpoint
    note: str
    own: bool = False


class _Found(NamedTuple):
    """The log as far as it is at hand; `newest` is the newest head that is known, `unknown` says that nothing shows
    that no newer one was signed, `claims` are the hashes of seeds that were sent."""

    head: Checkpoint
    newer: int
    live: list[Lost]
    states: dict[str, State]
    newest: _Known | None
    unknown: bool
    claims: list[str]


def restore(asked: Asked, data: Path, clock: Clock) -> Restored:
    """Make the house in `data`, where its master key is, and its newest checkpoint if that is left, and no database.

    Raises InputError, also where a service runs there or beside the copy of the log, VerificationError, Unusable,
    LogError, OSError: then nothing was changed.
    """
    source, part, path = asked.backup / DATABASE_FILE, data / PART_FILE, data / DATABASE_FILE
    if not source.is_file() or not (asked.backup / CHECKPOINT).is_file():
        expected, remedy = "a directory that `fairshoe backup` made", "name with --data where the house is to be"
        raise InputError("no backup here", where=str(asked.backup), expected=expected, remedy=remedy)
    if not data.is_dir():
        raise InputError("no such directory", where=str(data), expected="one with the house's master key")
    with stopped(data, *([] if asked.log is None else [asked.log.parent, asked.log])):
        if path.exists():
            raise InputError(
                "there is a database here",
                where=str(path),
                expected="a directory without one",
                remedy="move fairshoe.db* away; with --log what can be read of it is taken up",
            )
        vault = Vault(master_key(data, fresh=False))
        checked = check_database(source, vault, asked.backup / CHECKPOINT, deep=False)
        if checked.wrong:
            raise Unusable(f"the backup is damaged: {checked.wrong[0]}", where=str(source), remedy="take another one")
        remove(part)
        try:
            return _restore(asked, data, vault, clock)
        finally:
            remove(part)


def _restore(asked: Asked, data: Path, vault: Vault, clock: Clock) -> Restored:
    part = data / PART_FILE
    copy_database(asked.backup / DATABASE_FILE, part)
    with alone_with(part) as connection:
        signer = signer_of(read_meta(connection, part), vault)
        known = list(_known(data, asked, signer.verifier))
        history = History(connection, vault)
        found = _brought_up(history, asked, signer.verifier, known)
        goes_on = found.newest is not None and found.newest.head == found.head
        if found.newest is not None and goes_on:
            lost = history.go_on(clock.now(history.head.at), newest=found.newest.own)
            write_meta(connection, RESTORED, timestamp(clock.now(history.head.at)).encode())
            head = _head(history, signer.verifier)
        else:
            found = found._replace(claims=list(connection.execute(select(seeds.c.digest)).scalars()))
    if not goes_on:
        return _begun_anew(data, vault, signer, found, clock)
    _put(data, head.signed(signer))
    return Restored(head, found.newer, len(found.live), lost)


def _put(data: Path, checkpoint: str) -> None:
    """The restored database takes its place, and then its checkpoint: where a crash comes between, a log that goes on
    reaches the one that was kept before, and another log does not start."""
    os.replace(data / PART_FILE, data / DATABASE_FILE)
    remove(data / FOUNDING_FILE)
    settle(data)
    replace((data / KEPT_FILE).resolve(), checkpoint)


def _known(data: Path, asked: Asked, verifier: Verifier) -> Iterator[_Known]:
    """The newest checkpoint that the house kept, and the one that the operator names. Raises InputError."""
    for path, own in ((data / KEPT_FILE, True), (asked.newest, False)):
        note = None if path is None else read_text(path)
        if note is not None:
            try:
                yield _Known(open_checkpoint(note, verifier), note, own)
            except VerificationError as error:
                raise InputError(error.what, where=str(path), expected=f"a checkpoint signed by {verifier}") from None


def _brought_up(history: History, asked: Asked, verifier: Verifier, known: Sequence[_Known]) -> _Found:
    before = _head(history, verifier)
    if asked.log is not None:
        copy = LogCopy(asked.log, before, verifier, [each.head for each in known])
        history.extend(copy.lines(before.size))
    head = _head(history, verifier)
    newest = max(known, key=lambda each: (each.head.size, each.own), default=None)
    if newest is not None and newest.head.size <= head.size and history.root(newest.head.size) != newest.head.root:
        raise VerificationError(
            f"the backup's first {newest.head.size} entries are not those that the house signed",
            where=str(asked.backup),
            expected=f"entries that hash to {newest.head.root.hex()}",
            remedy="look for a backup and a copy of the log of the same history",
        )
    unknown = newest is None or not newest.own or newest.head.size < head.size
    return _Found(head, head.size - before.size, history.live(), history.states, newest, unknown, [])


def _head(history: History, verifier: Verifier) -> Checkpoint:
    tree = history.head.tree
    return Checkpoint(verifier.name, tree.size, tree.root)


# Another log.


def _begun_anew(data: Path, vault: Vault, signer: Signer, found: _Found, clock: Clock) -> Restored:
    """Another log begins, and the one before is kept beside it so that it can be audited."""
    folder, part = _aside(data), data / PART_FILE
    with snapshot(part) as connection:
        write_log(folder, stored_lines(connection, 0, found.head.size), signer)
    continues, missing = found.head.signed(signer), 0
    if found.newest is not None and found.newest.head.size > found.head.size:
        continues, missing = found.newest.note, found.newest.head.size - found.head.size
        replace(folder / CHECKPOINT, continues)  # the house signed more than is here: whoever audits it learns that
    _write_chips(folder, found)
    remove(part)
    part.touch(mode=0o600)
    with alone_with(part) as connection:
        token, new = found_house(connection, vault)
        end = read_head(connection, hold=True)
        copy = found.head.size if missing else None
        for entry in _starts(found.live, clock.now(end.at), continues, copy=copy, unknown=found.unknown):
            append(connection, end, [encode(entry)], clock.now(end.at))
        if found.claims:  # none of the seeds of the log before is taken again
            connection.execute(insert(seeds), [{"digest": digest} for digest in found.claims])
        head = Checkpoint(new.verifier.name, end.tree.size, end.tree.root)
    _put(data, head.signed(new))
    return Restored(head, found.newer, len(found.live), found.live, token, folder, missing, found.unknown)


def _aside(data: Path) -> Path:
    """A new directory for the old log: `old-log`, `old-log-2`, …"""
    number, path = 1, data / OLD_LOG
    while path.exists():
        number += 1
        path = data / f"{OLD_LOG}-{number}"
    path.mkdir(mode=0o700)
    return path


def _starts(lost: Sequence[Lost], now: int, continues: str, **known: Any) -> Iterator[Entry]:
    """One `start` at least; where many shoes were lost several, which say after the same head."""
    rest = iter(lost)
    number = 0
    while (batch := list(islice(rest, SHOES_AN_ENTRY))) or not number:
        shoes = [(each.shoe, None if each.key is None else each.key.hex()) for each in batch]
        yield start_entry(timestamp(now + number), continues, shoes, **({} if number else known))
        number += 1


def _write_chips(folder: Path, found: _Found) -> None:
    """Who had how many chips when the log before ended, for the cashier."""
    tables = {name: _chips(state) for name, state in sorted(found.states.items())}
    form = {"log": found.head.origin, "entries": found.head.size, "tables": tables}
    replace(folder / CHIPS_FILE, json.dumps(form, ensure_ascii=False, indent=1) + "\n", mode=0o600)


def _chips(state: State) -> dict[str, object]:
    purse, chairs = state.book.table.purse, state.book.chairs
    players = {
        chair.player: {"seat": seat, "name": chair.name, "chips": purse[seat]} for seat, chair in sorted(chairs.items())
    }
    others = sum(chips for account, chips in purse.items() if account not in chairs)
    return {"players": players, "house and pool": others}
