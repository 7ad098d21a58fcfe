"""Proof files of hands, from the stored entries and nodes."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import InputError, RuleError
from ..log.canonical import parse
from ..log.checkpoint import checkpoint_of
from ..log.hand_proof import HandProof, proof_over
from ..log.tiles import TiledTree
from ..record.hand_entries import HandEntries, entries_of_shoe, names_for_shoe, round_of
from .errors import NotFound
from .signing import Heads
from .store.database import Database
from .store.places import index_upto, lines_named


class Proofs:
    """What a player takes away from a hand."""

    def __init__(self, database: Database, heads: Heads) -> None:
        self._database = database
        self._heads = heads

    def of(self, round: str, nodes: Callable[[int], TiledTree], witnesses: int = 0) -> HandProof:
        """The proof of a round under the newest checkpoint that so many witnesses cosigned; `nodes` gives the tree of a
        size. Raises NotFound, RuleError where there is no such checkpoint yet, or it is older than the round."""
        note = self._heads.witnessed(witnesses) if witnesses else self._heads.newest()
        if note is None:
            raise _not_yet("no checkpoint is cosigned by so many witnesses yet")
        size = checkpoint_of(note).size
        try:
            hand = HandEntries(*round_of(round))
        except InputError as error:
            raise self._missing(round) from error
        present = max(size, self._heads.present().size)
        index_upto(self._database, present)
        with self._database.reading() as connection:
            opened = lines_named(connection, [round], size)
            if not opened and lines_named(connection, [round], present):
                raise _not_yet(f"the round is newer than the {size} entries that so many witnesses cosigned")
            if not opened:
                raise self._missing(round)
            for place, line in lines_named(connection, [hand.table, parse(opened[0][1])["shoe"]], size):
                hand.take(place, line)
        return proof_over(round, note, hand.lines, nodes(size).node)

    def of_shoe(self, shoe: str, nodes: Callable[[int], TiledTree]) -> HandProof:
        """The proof, under the newest checkpoint, of how far a table's shoe has come. Raises NotFound."""
        missing = NotFound(f"no shoe {shoe[:80]!r}", where="number", expected="a shoe that was committed to")
        note = self._heads.newest()
        size = checkpoint_of(note).size
        try:
            names = names_for_shoe(shoe)
        except InputError as error:
            raise missing from error
        index_upto(self._database, size)
        with self._database.reading() as connection:
            found = entries_of_shoe(lines_named(connection, names, size), shoe)
        if not found:
            raise missing
        return proof_over(shoe, note, found, nodes(size).node)

    @staticmethod
    def _missing(round: str) -> NotFound:
        return NotFound(f"no round {round[:80]!r}", where="round", expected="TABLE#NUMBER of a round that was opened")


def _not_yet(what: str) -> RuleError:
    return RuleError(what, where="witnesses", remedy="ask for fewer, or again in a moment")
