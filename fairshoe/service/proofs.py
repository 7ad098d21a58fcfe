"""Proof files of hands, from the stored entries and nodes."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import InputError
from ..log.canonical import parse
from ..log.hand_proof import HandProof, proof_over
from ..log.tiles import TiledTree
from ..record.hand_entries import HandEntries, round_of
from .errors import NotFound
from .heads import Heads
from .store.database import Database
from .store.places import index_upto, lines_named


class Proofs:
    """What a player takes away from a hand."""

    def __init__(self, database: Database, heads: Heads) -> None:
        self._database = database
        self._heads = heads

    def of(self, round: str, nodes: Callable[[int], TiledTree]) -> HandProof:
        """The proof of a round under the newest checkpoint; `nodes` gives the tree of a size. Raises NotFound."""
        head = self._heads.present()
        try:
            hand = HandEntries(*round_of(round))
        except InputError as error:
            raise self._missing(round) from error
        index_upto(self._database, head.size)
        with self._database.reading() as connection:
            opened = lines_named(connection, [round], head.size)
            if not opened:
                raise self._missing(round)
            for place, line in lines_named(connection, [hand.table, parse(opened[0][1])["shoe"]], head.size):
                hand.take(place, line)
        return proof_over(round, self._heads.signed(head), hand.lines, nodes(head.size).node)

    @staticmethod
    def _missing(round: str) -> NotFound:
        return NotFound(f"no round {round[:80]!r}", where="round", expected="TABLE#NUMBER of a round that was opened")
