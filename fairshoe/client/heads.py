"""The newest checkpoint that a seat was shown, which it keeps: signed by the house, and of a log that goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import LogError, VerificationError
from ..log.checkpoint import Checkpoint, checkpoint_of
from ..log.hand_proof import HandProof, check_proof
from ..log.note import Verifier
from ..log.proofs import check_consistency, consistency_proof
from ..log.tiles import MOST_BUNDLE, Tile, TiledTree
from .book import Book
from .shown import key_shown

if TYPE_CHECKING:
    from .client import Client

REMEDY = "open no seed, and keep what you have: the two checkpoints are the evidence"


class Heads:
    """`newest` is in the book where there is one. `verifier`: the house's key, else the one that the service shows."""

    def __init__(self, client: Client, verifier: Verifier | None, book: Book | None) -> None:
        self._client = client
        self._verifier = verifier
        self._book = book
        self.newest = "" if book is None else book.checkpoint

    @property
    def origin(self) -> str:
        """The log that the seat plays in, "" where it has not been shown yet."""
        if self.newest:
            return checkpoint_of(self.newest).origin
        return "" if self._verifier is None else self._verifier.name

    @property
    def size(self) -> int:
        """How many entries the newest checkpoint covers, 0 without one."""
        return checkpoint_of(self.newest).size if self.newest else 0

    def accept(self, proof: HandProof) -> Checkpoint:
        """Keep the checkpoint of a proof. Raises VerificationError where the house did not sign it or has signed
        another log, or where an entry of the proof does not stand in it."""
        if self._verifier is None:
            self._verifier = key_shown(self._client.verifier(), self._client.address)
        head = check_proof(proof, self._verifier)
        if self.newest:
            self._extends(checkpoint_of(self.newest), head)
        if proof.checkpoint != self.newest:
            if self._book is not None:
                self._book.keep_checkpoint(proof.checkpoint)
            self.newest = proof.checkpoint
        return head

    def _extends(self, old: Checkpoint, head: Checkpoint) -> None:
        if old.origin != head.origin:
            return
        if head.size < old.size or (head.size == old.size and head.root != old.root):
            what = f"a log of {head.size} entries, after another one of {old.size}"
            raise VerificationError(what, where="checkpoint", expected="one that goes on", remedy=REMEDY)
        if head.size > old.size:
            try:
                proof = consistency_proof(tree_of(self._client, head.size).node, old.size, head.size)
                check_consistency(old.size, old.root, head.size, head.root, proof)
            except (LogError, VerificationError) as error:
                what = f"nothing shows that the log of {head.size} entries goes on after the one of {old.size}"
                raise VerificationError(what, where="checkpoint", remedy=REMEDY) from error


def tree_of(client: Client, size: int) -> TiledTree:
    """The nodes of the log's tree over its first entries, as the service says: to be checked against a signed head."""

    def read(tile: Tile) -> bytes:
        return client.raw("GET", f"/{tile.path}", most=MOST_BUNDLE)

    return TiledTree(size, read)
