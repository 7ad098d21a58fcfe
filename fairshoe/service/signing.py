"""Signatures of the house: the log's tree heads, which witnesses cosign, and receipts.

The newest head is kept outside the database, and is what a start has to reach. It is on the disk before anybody is
answered, so that a database that lost what somebody was told is noticed: an older copy of it, one that was damaged, one
that is gone. It is written in place, and by `turn_in` nobody reads it meanwhile.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import Connection, delete, func, insert, select

from ..ceremony.acting.machine import standing_receipt
from ..ceremony.acting.state import State
from ..errors import InputError, VerificationError
from ..log.canonical import Entry
from ..log.checkpoint import Checkpoint, checkpoint_of, open_checkpoint
from ..log.directory import read_text
from ..log.note import Signer, Verifier
from ..log.tiles import TiledTree
from ..log.tree import tree_head
from ..receipts import receipt_name, vouching_note, write_receipt
from ..terminal.durable import rewrite
from .errors import StorageDamaged, StorageError, UnusableData
from .store.database import Database
from .store.faults import translate_checkpoint_errors
from .store.journal import read_head, read_tile
from .store.schema import cosignatures, find_meta, write_meta
from .vault import Vault

KEPT_FILE = "newest.checkpoint"
"""In the data directory; it may be a symbolic link to a file on another disk."""
RESTORE = "see docs/operations.md: `fairshoe restore` goes on from a backup and a copy of the log"
MAX_COSIGNATURES = 1_000
"""How many cosignatures of one witness are kept, the newest."""


def read_kept(path: Path, verifier: Verifier) -> Checkpoint:
    """The head that is kept. Raises UnusableData, also where there is none."""
    try:
        note = read_text(path)
        if note is not None:
            return open_checkpoint(note, verifier)
    except (InputError, VerificationError) as error:
        raise UnusableData(
            f"not a checkpoint of the house whose database is here: {error.what}",
            where=str(path),
            expected=f"signed by {verifier}",
            remedy=f"put the right one back; {RESTORE}",
        ) from None
    raise UnusableData(
        "missing: nothing shows that this database is the newest",
        where=str(path),
        expected="the newest checkpoint, which is kept beside every database",
        remedy=f"put it back; {RESTORE}",
    )


def check_reached(connection: Connection, path: Path, kept: Checkpoint) -> None:
    """Raise UnusableData unless the database's log has or extends the head that is kept at `path`."""
    size = read_head(connection).tree.size
    if kept.size > size:
        raise UnusableData(
            f"the database has {size} entries, and {kept.size} were signed: it is an older copy, or damaged",
            where=str(path),
            expected="a database whose log reaches the newest checkpoint",
            remedy=RESTORE,
        )
    nodes = TiledTree(size, lambda tile: read_tile(connection, tile))
    if tree_head(nodes.node, kept.size) != kept.root:
        raise UnusableData(
            f"the database's first {kept.size} entries are not those that were signed: it has another history",
            where=str(path),
            expected=f"entries that hash to {kept.root.hex()}",
            remedy=RESTORE,
        )


@contextmanager
def turn_in(directory: Path) -> Iterator[None]:
    """Wait until no other process is at work here for a moment, where the system can tell. Raises OSError."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


class TreeHeadSigner:
    """Signer of the log's tree heads. `kept` is the file that has the newest one."""

    def __init__(self, database: Database, signer: Signer, kept: Path) -> None:
        self._database = database
        self._signer = signer
        self.verifier = signer.verifier
        self.path = kept
        self._file = kept.resolve()
        self._turn = threading.Lock()
        self._newest = Checkpoint(signer.verifier.name, -1, b"")

    # The newest head.

    def catch_up(self, committed: Checkpoint | None = None) -> None:
        """Sign all that is committed, in one write for all who wait: then it may be shown. Raises StorageError."""
        if committed is not None and committed.size <= self._newest.size:
            return
        with self._turn, turn_in(self.path.parent), translate_checkpoint_errors():
            head = committed or self._read_head()
            if head.size > self._newest.size:
                rewrite(self._file, self._read_newer_head(head) or self.signed(head))
                self._newest = head

    def _read_newer_head(self, head: Checkpoint) -> str | None:
        """Return the stored head if another process has written a newer one, maybe not yet durably."""
        with suppress(InputError):
            note = read_text(self.path)
            return note if note is not None and checkpoint_of(note).size > head.size else None
        return None

    def wait_for_size(self, size: int) -> None:
        """Return once the head that is kept covers `size` entries or more. Raises StorageError."""
        if size > self._newest.size:
            self.catch_up()

    def check(self, size: int) -> None:
        """Raise StorageDamaged if a database of `size` entries has fewer than were signed."""
        if size < self._newest.size:
            what = f"the database has {size} entries, and {self._newest.size} were signed"
            raise StorageDamaged(what, where="database", remedy=RESTORE)

    def signed_size(self) -> int:
        """Return the number of entries signed by this process or, by the stored head, by another one."""
        with suppress(InputError):
            if (note := read_text(self.path)) is not None:
                return max(self._newest.size, checkpoint_of(note).size)
        return self._newest.size

    def present(self) -> Checkpoint:
        """Return the head over all entries that may be shown: the stored one, if a newer one cannot be stored."""
        head = self._read_head()
        try:
            self.wait_for_size(head.size)
        except StorageError:
            return self._newest
        return head

    def newest_checkpoint(self) -> str:
        """The newest head, signed, with whatever cosignatures there are over this very head."""
        head = self.present()
        with self._database.begin_read() as connection:
            return self.signed(head) + _cosignatures(connection, head.size)

    def signed(self, head: Checkpoint) -> str:
        """The head as a note with the house's signature alone."""
        return head.signed(self._signer)

    def _read_head(self) -> Checkpoint:
        with self._database.begin_read() as connection:
            tree = read_head(connection).tree
        return Checkpoint(self._signer.verifier.name, tree.size, tree.root)

    # Cosignatures.

    def witnessed(self, count: int) -> str | None:
        """The newest head that at least so many witnesses cosigned; None where there is none."""
        of = cosignatures.c
        query = select(of.size, of.root).group_by(of.size, of.root).having(func.count() >= count)
        with self._database.begin_read() as connection:
            row = connection.execute(query.order_by(of.size.desc()).limit(1)).first()
            if row is None:
                return None
            return self.signed(Checkpoint(self._signer.verifier.name, *row)) + _cosignatures(connection, row[0])

    def cosigned_size(self, witness: str) -> int:
        """The size of the last head that a witness cosigned, 0 if there is none."""
        query = select(func.max(cosignatures.c.size)).where(cosignatures.c.witness == witness)
        with self._database.begin_read() as connection:
            return connection.execute(query).scalar() or 0

    def keep(self, witness: str, head: Checkpoint, line: str) -> None:
        """Keep a cosignature, which was verified, in the place of an earlier one. Raises StorageError."""
        of = cosignatures.c
        mine, row = of.witness == witness, {"witness": witness, "size": head.size, "root": head.root, "line": line}
        oldest = select(of.size).where(mine).order_by(of.size.desc()).offset(MAX_COSIGNATURES - 1).limit(1)
        with self._database.begin_write() as connection:
            connection.execute(delete(cosignatures).where(mine, of.size == head.size))
            connection.execute(insert(cosignatures).values(row))
            if (last := connection.execute(oldest).scalar()) is not None:
                connection.execute(delete(cosignatures).where(mine, of.size < last))


def _cosignatures(connection: Connection, size: int) -> str:
    """The cosignature lines over the head of `size` entries."""
    query = select(cosignatures.c.line).where(cosignatures.c.size == size).order_by(cosignatures.c.witness)
    return "".join(connection.execute(query).scalars())


RECEIPTS = "the receipts' key"
RECEIPTS_ROW = "receipts"
"""In `meta`: the key, locked."""


def receipts_secret(database: Database, vault: Vault, origin: str) -> bytes:
    """Return the log's 32-byte receipts secret, made once from the master key and stored, so that a new master key
    changes no receipt. Raises UnusableData, StorageError."""
    with database.begin_read() as connection:
        box = find_meta(connection, RECEIPTS_ROW)
    if box is not None:
        return vault.unlock(box, RECEIPTS)
    secret = vault.derive(f"key of {receipt_name(origin)}")
    with database.begin_write() as connection:
        if find_meta(connection, RECEIPTS_ROW) is None:
            write_meta(connection, RECEIPTS_ROW, vault.lock(secret, RECEIPTS))
    return secret


class ReceiptSigner:
    """Signs receipts with a key of its own. `vouched` is the note in which the log's key vouches for it."""

    def __init__(self, secret: bytes, log: Signer) -> None:
        self._signer = Signer(receipt_name(log.verifier.name), secret)
        self.vouched = vouching_note(log, self._signer.verifier)
        self._standing: dict[tuple[str, int], tuple[Entry, str]] = {}

    def sign(self, form: Entry) -> str:
        return write_receipt(form, self._signer)

    def sign_standing_bets(self, state: State, seat: int) -> str | None:
        """The receipt of a seat's bets as they stood at the last `open`: the same bytes at each look."""
        form = standing_receipt(state, seat)
        if form is None:
            return None
        signed = self._standing.get((state.id, seat))
        if signed is None or signed[0] != form:
            signed = self._standing[state.id, seat] = form, self.sign(form)
        return signed[1]
