"""The house's signed log as a seat knows it: the newest checkpoint that it was shown, and the entries under it."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import LogError, VerificationError
from ..log.canonical import MAX_ENTRY
from ..log.checkpoint import Checkpoint, checkpoint_of
from ..log.hand_proof import HandProof, check_proof
from ..log.note import Verifier, verifier_of
from ..log.tiles import MAX_BUNDLE, Tile, TiledTree
from ..log.tree import Node, Tree, check_consistency, consistency_proof
from .book import SeatBook
from .service import Service

PAGE = 1_000
"""Entries that are asked for at once."""
REMEDY = "open no seed, and keep what you have: the two checkpoints are the evidence"


class Checkpoints:
    """The seat's newest checkpoint, in its book, which only a longer log replaces; and the house's key, first seen if
    not given."""

    def __init__(self, client: Service, book: SeatBook) -> None:
        self._client = client
        self._book = book

    @property
    def house(self) -> Verifier:
        """The house's key. Raises Unreachable, Problem."""
        if not self._book.house:
            self._book.keep_house(str(self._client.key()))
        return verifier_of(self._book.house)

    def accept(self, proof: HandProof) -> Checkpoint:
        """Keep a proof's checkpoint. Raises VerificationError if it is not the house's, of another log, or of other
        entries."""
        note, head = proof.checkpoint, check_proof(proof, self.house)
        if self._book.checkpoint:
            self._check_extends(checkpoint_of(self._book.checkpoint), head)
        if note != self._book.checkpoint:
            self._book.keep_checkpoint(note)
        return head

    def _check_extends(self, old: Checkpoint, head: Checkpoint) -> None:
        if old.origin != head.origin:
            what = f"the log {head.origin}, after {old.origin}"
            raise VerificationError(what, where="checkpoint", expected="one log", remedy=REMEDY)
        if head.size < old.size or (head.size == old.size and head.root != old.root):
            what = f"a log of {head.size} entries, after another one of {old.size}"
            raise VerificationError(what, where="checkpoint", expected="one that goes on", remedy=REMEDY)
        if head.size > old.size:
            try:
                proof = consistency_proof(_nodes(self._client, head.size), old.size, head.size)
                check_consistency(old.size, old.root, head.size, head.root, proof)
            except (LogError, VerificationError) as error:
                what = f"nothing shows that the log of {head.size} entries goes on after the one of {old.size}"
                raise VerificationError(what, where="checkpoint", remedy=REMEDY) from error


class SignedLog:
    """All of the log from entry `start` on, without gaps, as signed checkpoints have it."""

    def __init__(self, client: Service, start: int) -> None:
        self._client = client
        self._tree: Tree | None = None
        self.start = start

    def entries(self, head: Checkpoint, marks: Sequence[bytes]) -> list[tuple[int, bytes, bytes]]:
        """Return unread entries up to a signed head that have one of the marks, each with size and root of the tree
        that it ends. VerificationError if they are not the signed log; nothing is read then."""
        try:
            tree = self._tree or _build_tree(_nodes(self._client, head.size), self.start)
            tree = Tree(tree.size, tree.peaks)
        except LogError as error:
            raise _log_differs(head) from error
        marked: list[tuple[int, bytes, bytes]] = []
        while tree.size < head.size:
            for line in self._page(tree.size, min(tree.size + PAGE, head.size)):
                tree.append(line)
                if any(mark in line for mark in marks):
                    marked.append((tree.size, tree.root, line))
        if tree.root != head.root:
            raise _log_differs(head)
        self._tree = tree
        return marked

    def _page(self, start: int, stop: int) -> list[bytes]:
        path = f"/v1/log?from={start}&to={stop}"
        lines = self._client.raw("GET", path, most=(stop - start) * (MAX_ENTRY + 1)).split(b"\n")
        if len(lines) != stop - start + 1 or lines.pop():
            raise VerificationError("other entries than were asked for", where=path, expected=f"{stop - start}")
        return lines


def _nodes(client: Service, size: int) -> Node:
    """The nodes of the log's tree over its first entries, as the service says: to be checked against a signed head."""

    def read(tile: Tile) -> bytes:
        return client.raw("GET", f"/{tile.path}", most=MAX_BUNDLE)

    return TiledTree(size, read).node


def _build_tree(node: Node, size: int) -> Tree:
    """Return the tree over the first `size` entries."""
    heights = [height for height in range(size.bit_length()) if size >> height & 1]
    return Tree(size, [node(height, (size >> height) - 1) for height in reversed(heights)])


def _log_differs(head: Checkpoint) -> VerificationError:
    what = f"the entries are not those of the signed log of {head.size}"
    return VerificationError(what, where="log", expected=head.root.hex(), remedy="open no seed, and keep what you have")
