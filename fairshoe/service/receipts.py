"""The house's key for receipts, and what it signs."""

from __future__ import annotations

from ..ceremony.acting.receipts import standing_receipt
from ..ceremony.acting.state import State
from ..log.canonical import Entry
from ..log.note import Signer
from ..log.receipts import receipt_name, vouching_note, write_receipt
from .vault import Vault


class Receipts:
    """Signs receipts with a key of its own, made of the master key and the log's name. `vouched` is the note in which
    the log's key vouches for it."""

    def __init__(self, vault: Vault, log: Signer) -> None:
        name = receipt_name(log.verifier.name)
        self._signer = Signer(name, vault.derive(f"key of {name}"))
        self.vouched = vouching_note(log, self._signer.verifier)

    def sign(self, form: Entry) -> str:
        return write_receipt(form, self._signer)

    def standing(self, state: State, seat: int) -> str | None:
        """The receipt of a seat's bets as they stood at the last `open`: the same bytes at each look."""
        form = standing_receipt(state, seat)
        return None if form is None else self.sign(form)
