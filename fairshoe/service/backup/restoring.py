"""`fairshoe restore`: a house again from a backup and whatever newer copy of its log there is.

The log goes on only where it reaches the newest checkpoint that the house signed: else two histories would be signed.
A shoe goes on only where that checkpoint was kept by the house itself. So no card of a shoe that may have been shown
is dealt again.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, update

from ...errors import FairshoeError, VerificationError
from ...log.checkpoint import Checkpoint, checkpoint_of
from ...log.note import Signer, Verifier
from ...log.proofs import tree_head
from ...log.tiles import TiledTree
from ..clock import Clock
from ..errors import Unusable
from ..house import kept_path
from ..kept_head import KEPT, KEPT_FILE
from ..restored import note_restored
from ..running import stopped
from ..store.migrate import migrate
from ..store.schema import VERSION, meta, metadata
from ..store.tiles import make_up, read_tile
from ..vault import Vault
from .anew import Anew, Gone, Lost, begin_anew, claims_in, write_chips
from .database_files import alone_with, copy_database
from .history import History
from .known_heads import Known, known_head, verifier_beside
from .log_copy import LogCopy
from .old_log import write_old_log
from .place import OLD_LOG, Place
from .sources import check_source, source_of
from .stored_house import read_meta, signer_of


class Asked(NamedTuple):
    """`log` is a copy of the log, `newest` a checkpoint that is known to be the newest; `master`: the text of a master
    key to be kept in the directory; `vault` is None where the master key is lost."""

    backup: Path
    vault: Vault | None
    log: Path | None = None
    newest: Path | None = None
    master: str | None = None


class Restored(NamedTuple):
    """The head of the log now, how many entries the copy brought, the shoes that were lost, of how many that were
    live; where another log begins `token` is its operator's, `old_log` the directory of the one before, `missing` how
    many of its signed entries are gone, and `unknown` says that there may have been more; `key_aside` is where a master
    key is that was replaced."""

    head: Checkpoint
    newer: int
    live: int
    lost: list[Lost]
    token: str | None = None
    old_log: Path | None = None
    missing: int = 0
    unknown: bool = False
    key_aside: Path | None = None


class _Newest(NamedTuple):
    """The log as far as it is at hand; `reached`: up to the newest head that is known, which the house kept (`own`).
    `unknown`: nothing shows that no newer one was signed."""

    head: Checkpoint
    newer: int
    live: list[Lost]
    reached: bool
    own: bool
    unknown: bool


def restore(asked: Asked, data: Path, clock: Clock) -> Restored:
    """Raises InputError, also where a service runs on a directory that is read or restored, VerificationError,
    Unusable, LogError, OSError: then nothing of a house was changed there."""
    given = [path for path in (asked.backup, asked.log, asked.newest) if path is not None]
    with stopped(data, *(path if path.is_dir() else path.parent for path in given)):
        return _restore(asked, data, clock)


def _restore(asked: Asked, data: Path, clock: Clock) -> Restored:
    source = source_of(asked.backup)
    place = Place(data, asked.vault)
    check_source(source, data, asked.vault)
    copy_database(source, place.part)
    with alone_with(place.part) as connection:
        signer = _made_current(connection, source, asked.vault)
        place.kept = _kept_path(connection, source, data)
        verifier = signer.verifier if signer else verifier_beside(*filter(None, (asked.backup, asked.log)))
        known = _known(place, asked, verifier)
        history = History(connection, asked.vault)
        found = _brought_up(connection, history, asked, place.database, verifier, known)
        if signer is not None and found.reached:
            lost = history.go_on(clock.now(history.head.at), newest=found.own)
            note_restored(connection, clock.now(history.head.at))
            found = found._replace(head=_head(history, verifier))
    if signer is not None and found.reached:
        aside = place.put(found.head.signed(signer), asked.master)
        return Restored(found.head, found.newer, len(found.live), lost, key_aside=aside)
    return _anew(place, asked, signer, history, found, known, clock)


def _made_current(connection: Connection, source: Path, vault: Vault | None) -> Signer | None:
    """A backup of an earlier version is brought to this one; gives the log's key, if the master key is at hand."""
    found = read_meta(connection, source)
    metadata.create_all(connection)
    version = migrate(connection, found["version"].decode())
    if version != VERSION:
        raise Unusable(f"data of version {version}", where=str(source), expected=f"version {VERSION}")
    return None if vault is None else signer_of(found, vault)


def _kept_path(connection: Connection, source: Path, data: Path) -> Path:
    """Where the house kept its newest checkpoint: on another disk, where that is still there, else in its directory."""
    path = kept_path(read_meta(connection, source), data)
    if path.exists():
        return path
    connection.execute(update(meta).where(meta.c.name == KEPT).values(value=b""))
    return data / KEPT_FILE


def _known(place: Place, asked: Asked, verifier: Verifier) -> list[Known]:
    """The newest checkpoint that the house kept, and the one that the operator names."""
    named = None if asked.newest is None else known_head(asked.newest, verifier)
    found = [known_head(place.kept, verifier, own=True), named]
    return [each for each in found if each is not None]


def _brought_up(
    connection: Connection,
    history: History,
    asked: Asked,
    broken: Path,
    verifier: Verifier,
    known: Sequence[Known],
) -> _Newest:
    """`broken` is the database in the directory: what of it can be read is a copy of the log as well."""
    before = _head(history, verifier)
    heads = [each.head for each in known]
    copies = [] if asked.log is None else [LogCopy(asked.log, before, verifier, heads)]
    with suppress(FairshoeError, OSError):
        copies.append(LogCopy(broken, before, verifier, heads))
    history.extend(max(copies, key=lambda copy: copy.size).lines(before.size) if copies else ())
    size = history.head.tree.size
    make_up(connection, size)
    newest = max(known, key=lambda each: (each.head.size, each.own), default=None)
    reached = newest is not None and newest.head.size == size  # beyond it nothing is shown: it would not be the newest
    if newest is not None and newest.head.size <= size:
        nodes = TiledTree(size, lambda tile: read_tile(connection, tile))
        if tree_head(nodes.node, newest.head.size) != newest.head.root:
            raise VerificationError(
                f"the backup's first {newest.head.size} entries are not those that the house signed",
                where=str(asked.backup),
                expected=f"entries that hash to {newest.head.root.hex()}",
                remedy="look for a backup and a copy of the log of the same history",
            )
    own = newest is not None and newest.own
    unknown = newest is None or not own or newest.head.size < size
    return _Newest(_head(history, verifier), size - before.size, history.live(), reached, own, unknown)


def _head(history: History, verifier: Verifier) -> Checkpoint:
    tree = history.head.tree
    return Checkpoint(verifier.name, tree.size, tree.root)


def _anew(
    place: Place,
    asked: Asked,
    signer: Signer | None,
    history: History,
    found: _Newest,
    known: Sequence[Known],
    clock: Clock,
) -> Restored:
    """Another log begins, and the one before is kept beside it so that it can be audited."""
    folder = place.aside(OLD_LOG)
    continues = write_old_log(folder, place.part, found.head, signer, known, [asked.log, asked.backup])
    write_chips(folder, history.states, found.head)
    claims = claims_in(place.part)
    place.clear_part()
    master, vault = asked.master, asked.vault
    if vault is None:
        key = secrets.token_bytes(32)
        master, vault = key.hex() + "\n", Vault(key)
    missing = max(0, checkpoint_of(continues).size - found.head.size)
    short = found.head.size if missing else None
    begun: Anew = begin_anew(place.part, vault, Gone(continues, short, found.unknown, found.live), claims, clock)
    aside = place.put(begun.head.signed(begun.signer), master, anew=folder)
    live = found.live
    return Restored(begun.head, found.newer, len(live), live, begun.token, folder, missing, found.unknown, aside)
