"""What the house signs: the log's tree heads, which witnesses cosign, and receipts.

The newest head is kept outside the database, and is what a start has to reach. It is on the disk before anybody is
answered, so that a database that lost what somebody was told is noticed: an older copy of it, one that was damaged, one
that is gone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, delete, func, insert, select

from ..ceremony.acting.answered import standing_receipt
from ..ceremony.acting.state import State
from ..errors import InputError, VerificationError
from ..log.canonical import Entry
from ..log.checkpoint import Checkpoint, open_checkpoint
from ..log.directory import read_text
from ..log.note import Signer, Verifier
from ..receipts.notes import receipt_name, vouching_note, write_receipt
from ..terminal.durable import replace
from .errors import Unusable
from .running import turn_in
from .store.database import Database, told_of_the_kept
from .store.journal import read_head
from .store.schema import cosignatures, find_meta, write_meta
from .vault import Vault

KEPT_FILE = "newest.checkpoint"
"""In the data directory; it may be a symbolic link to a file on another disk."""
RESTORE = "see docs/recovery.md: `fairshoe restore` goes on from a backup and a copy of the log"


class KeptHead:
    """The file of a house. `present` gives the head over all entries that are committed."""

    def __init__(self, path: Path, signer: Signer, present: Callable[[], Checkpoint]) -> None:
        self._path = path
        self._signer = signer
        self._present = present
        self._turn = threading.Lock()
        self._size = -1

    def catch_up(self) -> None:
        """Have all that is committed covered. Raises StorageError."""
        self.cover(self._present().size)

    def cover(self, size: int) -> None:
        """Return once a head over `size` entries or more is on the disk; one write covers all who wait.

        Raises StorageError."""
        if size <= self._size:
            return
        with self._turn, turn_in(self._path.parent):
            if size <= self._size:
                return
            head = self._present()  # under the lock: of two services here neither writes an older one over a newer
            with told_of_the_kept():
                replace(self._path.resolve(), head.signed(self._signer))
            self._size = head.size


def read_kept(path: Path, verifier: Verifier) -> Checkpoint:
    """The head that is kept. Raises Unusable, also where there is none."""
    try:
        note = read_text(path)
        if note is not None:
            return open_checkpoint(note, verifier)
    except (InputError, VerificationError) as error:
        raise Unusable(
            f"not a checkpoint of the house whose database is here: {error.what}",
            where=str(path),
            expected=f"signed by {verifier}",
            remedy=f"put the right one back; {RESTORE}",
        ) from None
    raise Unusable(
        "missing: nothing shows that this database is the newest",
        where=str(path),
        expected="the newest checkpoint, which is kept beside every database",
        remedy=f"put it back; {RESTORE}",
    )


def check_reached(path: Path, kept: Checkpoint, *, size: int, root: Callable[[int], bytes]) -> None:
    """Raise Unusable unless the log, of `size` entries, has or extends the head that was kept; `root` gives the log's
    head over its first entries."""
    if kept.size > size:
        raise Unusable(
            f"the database has {size} entries, and {kept.size} were signed: it is an older copy, or damaged",
            where=str(path),
            expected="a database whose log reaches the newest checkpoint",
            remedy=RESTORE,
        )
    if root(kept.size) != kept.root:
        raise Unusable(
            f"the database's first {kept.size} entries are not those that were signed: it has another history",
            where=str(path),
            expected=f"entries that hash to {kept.root.hex()}",
            remedy=RESTORE,
        )


class Heads:
    """What the house stands for at each size of its log."""

    def __init__(self, database: Database, signer: Signer, kept: KeptHead) -> None:
        self._database = database
        self._signer = signer
        self._kept = kept

    def cover(self, size: int) -> None:
        """Return once the head that is kept outside the database covers `size` entries: then they may be shown."""
        self._kept.cover(size)

    def present(self) -> Checkpoint:
        """The tree head over all entries."""
        head = present_head(self._database, self._signer.verifier.name)
        self.cover(head.size)
        return head

    def dated(self) -> tuple[Checkpoint, int]:
        """The tree head over all entries, and when the last of them was written, in microseconds."""
        with self._database.reading() as connection:
            end = read_head(connection)
        self.cover(end.tree.size)
        return Checkpoint(self._signer.verifier.name, end.tree.size, end.tree.root), end.at

    def signed(self, head: Checkpoint) -> str:
        """The head as a note with the house's signature alone."""
        return head.signed(self._signer)

    def newest(self) -> str:
        """The newest head, signed, with whatever cosignatures there are over this very head."""
        with self._database.reading() as connection:
            tree = read_head(connection).tree
            lines = lines_at(connection, tree.size)
        self.cover(tree.size)
        return self.signed(Checkpoint(self._signer.verifier.name, tree.size, tree.root)) + lines

    def witnessed(self, count: int) -> str | None:
        """The newest head that at least so many witnesses cosigned; None where there is none."""
        with self._database.reading() as connection:
            found = newest_of(connection, count)
            if found is None:
                return None
            size, root = found
            return self.signed(Checkpoint(self._signer.verifier.name, size, root)) + lines_at(connection, size)

    def cosigned(self, witness: str) -> int:
        """The size of the last head that a witness cosigned, 0 if there is none."""
        with self._database.reading() as connection:
            return cosigned_size(connection, witness)

    def keep(self, witness: str, head: Checkpoint, line: str) -> None:
        """Keep a cosignature, which was verified. Raises OSError."""
        with self._database.writing() as connection:
            keep_cosignature(connection, witness, head.size, head.root, line)


def present_head(database: Database, origin: str) -> Checkpoint:
    """The tree head over all entries that are committed."""
    with database.reading() as connection:
        tree = read_head(connection).tree
    return Checkpoint(origin, tree.size, tree.root)


RECEIPTS = "the receipts' key"
RECEIPTS_ROW = "receipts"
"""In `meta`: the key, locked."""


def receipts_secret(database: Database, vault: Vault, origin: str) -> bytes:
    """The 32 bytes of the receipts' key of the log `origin`: once made of the master key, and kept from then on, so
    that another master key changes nothing in receipts. Raises Unusable, StorageError."""
    with database.reading() as connection:
        box = find_meta(connection, RECEIPTS_ROW)
    if box is not None:
        return vault.unlock(box, RECEIPTS)
    secret = vault.derive(f"key of {receipt_name(origin)}")
    with database.writing() as connection:
        if find_meta(connection, RECEIPTS_ROW) is None:
            write_meta(connection, RECEIPTS_ROW, vault.lock(secret, RECEIPTS))
    return secret


class Receipts:
    """Signs receipts with a key of its own. `vouched` is the note in which the log's key vouches for it."""

    def __init__(self, secret: bytes, log: Signer) -> None:
        self._signer = Signer(receipt_name(log.verifier.name), secret)
        self.vouched = vouching_note(log, self._signer.verifier)

    def sign(self, form: Entry) -> str:
        return write_receipt(form, self._signer)

    def standing(self, state: State, seat: int) -> str | None:
        """The receipt of a seat's bets as they stood at the last `open`: the same bytes at each look."""
        form = standing_receipt(state, seat)
        return None if form is None else self.sign(form)


KEPT = 1_000
"""How many cosignatures of one witness are kept, the newest."""


def keep_cosignature(connection: Connection, witness: str, size: int, root: bytes, line: str) -> None:
    """Keep a witness's cosignature line over the head of `size` entries in the place of an earlier one."""
    table = cosignatures
    mine = table.c.witness == witness
    connection.execute(delete(table).where(mine, table.c.size == size))
    connection.execute(insert(table).values(witness=witness, size=size, root=root, line=line))
    oldest = select(table.c.size).where(mine).order_by(table.c.size.desc()).offset(KEPT - 1).limit(1)
    last = connection.execute(oldest).scalar()
    if last is not None:
        connection.execute(delete(table).where(mine, table.c.size < last))


def cosigned_size(connection: Connection, witness: str) -> int:
    """The size of the last head that a witness cosigned, 0 if there is none."""
    query = select(func.max(cosignatures.c.size)).where(cosignatures.c.witness == witness)
    return connection.execute(query).scalar() or 0


def lines_at(connection: Connection, size: int) -> str:
    """The cosignature lines over the head of `size` entries."""
    query = select(cosignatures.c.line).where(cosignatures.c.size == size).order_by(cosignatures.c.witness)
    return "".join(connection.execute(query).scalars())


def newest_of(connection: Connection, count: int) -> tuple[int, bytes] | None:
    """Size and root of the newest head that at least so many witnesses cosigned."""
    table = cosignatures
    query = select(table.c.size, func.min(table.c.root)).group_by(table.c.size).having(func.count() >= count)
    row = connection.execute(query.order_by(table.c.size.desc()).limit(1)).first()
    return None if row is None else (row[0], row[1])
