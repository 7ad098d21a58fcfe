"""The house's key for receipts, and what it signs."""

from __future__ import annotations

from sqlalchemy import insert, select

from ..ceremony.acting.answered import standing_receipt
from ..ceremony.acting.state import State
from ..log.canonical import Entry
from ..log.note import Signer
from ..receipts.notes import receipt_name, vouching_note, write_receipt
from .store.database import Database
from .store.schema import meta
from .vault import Vault

RECEIPTS = "the receipts' key"
RECEIPTS_ROW = "receipts"
"""In `meta`: the key, locked."""


def receipts_secret(database: Database, vault: Vault, origin: str) -> bytes:
    """The 32 bytes of the receipts' key of the log `origin`: once made of the master key, and kept from then on, so
    that another master key changes nothing in receipts. Raises Unusable, StorageError."""
    query = select(meta.c.value).where(meta.c.name == RECEIPTS_ROW)
    with database.reading() as connection:
        box = connection.execute(query).scalar()
    if box is not None:
        return vault.unlock(box, RECEIPTS)
    secret = vault.derive(f"key of {receipt_name(origin)}")
    with database.writing() as connection:
        if connection.execute(query).scalar() is None:
            connection.execute(insert(meta).values(name=RECEIPTS_ROW, value=vault.lock(secret, RECEIPTS)))
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
