"""The log in a database file: is it whole, and is its tree the one that was written down?"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from ...log.tiles import completed
from ...log.tree import Tree
from ..store.journal import read_head, read_lines
from ..store.schema import entries, nodes
from .findings import Wrong

BATCH = 1_000
MOST = 20
"""So many things of one kind are told."""


def integrity(connection: Connection) -> list[Wrong]:
    """What SQLite itself finds damaged."""
    rows = connection.exec_driver_sql(f"PRAGMA integrity_check({MOST})").scalars()
    return [Wrong("database", text) for text in rows if text != "ok"]


def stored_lines(connection: Connection, start: int, stop: int) -> Iterator[bytes]:
    """Entries `start` up to but not `stop`, as they are stored."""
    for first in range(start, stop, BATCH):
        for line in read_lines(connection, first, min(first + BATCH, stop)):
            yield line if isinstance(line, bytes) else str(line).encode()  # whoever changed it need not have cared


def check_log(connection: Connection, mark: int = 0) -> tuple[Tree, bytes, list[Wrong]]:
    """The tree over the stored entries, its head after `mark` of them (empty where there are fewer), and what of them,
    of their nodes and of the head does not fit."""
    wrong: list[Wrong] = []
    head = read_head(connection)
    count, last = connection.execute(select(func.count(), func.max(entries.c.seq))).one()
    if count != head.tree.size or (count and last != count - 1):
        wrong.append(Wrong("log", f"{count} entries up to number {last}, and its head covers {head.tree.size}"))
    tree = Tree()
    marked = tree.root if mark == 0 else b""
    stored = _nodes(connection)
    for line in stored_lines(connection, 0, 0 if last is None else last + 1):
        for node in completed(tree, line):
            if stored.pop((node.level, node.number), node.hash) != node.hash and len(wrong) < MOST:
                wrong.append(Wrong("log", f"node {node.number} of level {node.level} is not what its entries make it"))
        tree.append(line)
        if tree.size == mark:
            marked = tree.root
    if stored:
        wrong.append(Wrong("log", f"{len(stored)} nodes of entries that are not there"))
    if (tree.size, tree.root) != (head.tree.size, head.tree.root):
        wrong.append(Wrong("log", f"the {tree.size} entries are not those that its head covers: one was changed"))
    return tree, marked, wrong


def _nodes(connection: Connection) -> dict[tuple[int, int], bytes]:
    rows = connection.execute(select(nodes.c.level, nodes.c.number, nodes.c.hash))
    return {(row.level, row.number): row.hash for row in rows}
