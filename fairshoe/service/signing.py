"""What the house signs: the log's tree heads, which witnesses cosign, and receipts."""

from __future__ import annotations

from ..ceremony.acting.answered import standing_receipt
from ..ceremony.acting.state import State
from ..log.canonical import Entry
from ..log.checkpoint import Checkpoint
from ..log.note import Signer
from ..receipts.notes import receipt_name, vouching_note, write_receipt
from .kept_head import KeptHead
from .store.cosignatures import cosigned_size, keep_cosignature, lines_at, newest_of
from .store.database import Database
from .store.journal import read_head
from .store.meta import find_meta, write_meta
from .vault import Vault


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
