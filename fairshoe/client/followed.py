"""A table's part of the log without gaps: from some entry on, all of it, as a signed checkpoint has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import LogError, VerificationError
from ..log.canonical import MAX_ENTRY, Entry, parse
from ..log.checkpoint import Checkpoint
from ..log.proofs import Node
from ..log.tree import Tree
from .heads import tree_of
from .signed_table import SignedTable

if TYPE_CHECKING:
    from .client import Client

PAGE = 1_000
"""Entries that are asked for at once."""


class Followed:
    """`table` as the entries from number `start` on tell it; `opened` is its `table` entry."""

    def __init__(self, client: Client, opened: Entry, start: int) -> None:
        self._client = client
        self._marks = (f'"shoe":"{opened["table"]}/'.encode(), f'"table":"{opened["table"]}"'.encode())
        self._tree: Tree | None = None
        self.start = start
        self.table = SignedTable(opened)

    def go_on(self, head: Checkpoint, pause: int, look: Callable[[SignedTable], str]) -> str | None:
        """Follow the log to the signed head; gives what `look` says of the table when it had `pause` entries, None
        where that was passed before. VerificationError where what the service gives is not the signed
        log; KeyError, TypeError, ValueError where it cannot be followed."""
        said, due = None, (self.start if self._tree is None else self._tree.size) <= pause
        for place, line in self._new(head):
            if due and place >= pause:
                said, due = look(self.table), False
            self.table.take(parse(line))
        return look(self.table) if due else said

    def _new(self, head: Checkpoint) -> list[tuple[int, bytes]]:
        """The entries about the table that were not read yet, each with its number: all that the signed log has.
        VerificationError where what the service gives is not that."""
        try:
            tree = _begun(tree_of(self._client, head.size).node, self.start) if self._tree is None else self._tree
            tree = Tree(tree.size, tree.peaks)
        except LogError as error:
            raise _differs(head) from error
        lines: list[tuple[int, bytes]] = []
        while tree.size < head.size:
            page = self._page(tree.size, min(tree.size + PAGE, head.size))
            for line in page:
                if any(mark in line for mark in self._marks):
                    lines.append((tree.size, line))
                tree.append(line)
        if tree.root != head.root:
            raise _differs(head)
        self._tree = tree
        return lines

    def _page(self, start: int, stop: int) -> list[bytes]:
        path = f"/v1/log?from={start}&to={stop}"
        lines = self._client.raw("GET", path, most=(stop - start) * (MAX_ENTRY + 1)).split(b"\n")
        if len(lines) != stop - start + 1 or lines.pop():
            raise VerificationError("other entries than were asked for", where=path, expected=f"{stop - start}")
        return lines


def _begun(node: Node, size: int) -> Tree:
    """The tree over the first `size` entries."""
    heights = [height for height in range(size.bit_length()) if size >> height & 1]
    return Tree(size, [node(height, (size >> height) - 1) for height in reversed(heights)])


def _differs(head: Checkpoint) -> VerificationError:
    what = f"the entries are not those of the signed log of {head.size}"
    return VerificationError(what, where="log", expected=head.root.hex(), remedy="open no seed, and keep what you have")
