"""The tree of RFC 6962 over a stretch of entries that begins anywhere: its complete subtrees, by their place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fairshoe.log.tree import Tree, node_hash


class Node(NamedTuple):
    """The root of the complete subtree of 2**height leaves that begins at leaf place * 2**height."""

    height: int
    place: int
    hash: bytes


def joined(nodes: Sequence[Node], more: Iterable[Node]) -> list[Node]:
    """The nodes of two stretches of which the second begins where the first ends."""
    found = list(nodes)
    for node in more:
        while found and not found[-1].place & 1 and found[-1][:2] == (node.height, node.place - 1):
            node = Node(node.height + 1, node.place >> 1, node_hash(found.pop().hash, node.hash))
        found.append(node)
    return found


def tree_of(nodes: Sequence[Node]) -> Tree:
    """The tree over a stretch that begins at leaf 0."""
    return Tree(sum(1 << node.height for node in nodes), [node.hash for node in nodes])


class Stretch:
    """Grows from entry number `first` on; `end` is the next one."""

    def __init__(self, first: int) -> None:
        self.end = first
        self.nodes: list[Node] = []

    def extend(self, entries: Sequence[bytes]) -> None:
        """Subtree by subtree, each as large as its place and the entries allow."""
        done = 0
        while done < len(entries):
            first, left = self.end, len(entries) - done
            height = left.bit_length() - 1
            if first:
                height = min(height, (first & -first).bit_length() - 1)
            tree = Tree()
            tree.extend(entries[done : done + (1 << height)])
            self.nodes = joined(self.nodes, [Node(height, first >> height, tree.root)])
            done += 1 << height
            self.end += 1 << height
