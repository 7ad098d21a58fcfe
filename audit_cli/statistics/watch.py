"""Feeds the shuffle statistics while a log is audited."""

from __future__ import annotations

from functools import lru_cache

from fairshoe.errors import InputError
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.shuffle import dealt

from ..kinds.reveal import sealed_of
from ..walk.audit import Audit
from ..walk.state import CARDS_AN_ENTRY, FREE_CARDS, Shoe
from ..walk.watching import Watcher
from .collected import Collected


class ShuffleWatcher(Watcher):
    """Given to `verify` as its `watch`. Of every shoe that ends the commitment and the seeds are counted; of every one
    that is revealed with its key the whole order before the cut, as the key gives it, and the cards that were dealt.

    `unordered` counts revealed shoes without an order: the key or the cut does not fit, or the log asks for more
    cards than an audit puts in order.
    """

    def __init__(self, collected: Collected | None = None) -> None:
        super().__init__()
        self.collected = Collected() if collected is None else collected
        self.unordered = 0
        self._ordered = 0

    def after(self, audit: Audit, shoe: Shoe | None, line: bytes) -> None:
        if shoe is None or shoe.id in audit.shoes:
            return
        self.collected.commitments.add(bytes.fromhex(shoe.commitment))
        for seed in shoe.told.opened.values():
            self.collected.seeds.add(bytes.fromhex(seed))
        entry = audit.entry or {}
        if audit.followed and entry.get("kind") == "reveal" and shoe.told.sealed:
            self._add(audit, shoe, bytes.fromhex(entry["key"]))

    def _add(self, audit: Audit, shoe: Shoe, key: bytes) -> None:
        self._ordered += len(shoe.deck)
        if commitment_of(key) != shoe.commitment or self._ordered > FREE_CARDS + CARDS_AN_ENTRY * audit.index:
            self.unordered += 1
            return
        try:
            sealed = sealed_of(shoe, key)
        except InputError:
            self.unordered += 1
            return
        size = len(shoe.deck)
        self.collected.add(shoe.deck, dealt(key, sealed.transcript.digest, _indexes(size), 0, size))
        self.collected.add_dealt(shoe.deck, _row(shoe))


@lru_cache(maxsize=16)
def _indexes(size: int) -> list[int]:
    """A deck's indexes, as the list that is shuffled fastest."""
    return list(range(size))


def _row(shoe: Shoe) -> list[str]:
    """The cards that were dealt in rounds without a gap, up to a reshuffle in the middle of a deal; none, where the
    first of the shoe, but for a burned one, are missing, or found the first banker."""
    row: list[str] = []
    start = 0 if shoe.burn is None else 1
    for each in shoe.rounds:
        if each.position != start + len(row) or each.gatherings or not each.number:
            break
        row += each.cards
    return row
