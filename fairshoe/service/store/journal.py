"""The log in the database: entries as bytes, the tree's head over them, its tiles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, bindparam, insert, literal_column, select, update

from ...log.tiles import WIDTH, Bundle, Tile, bundle_of, completed_subtrees, leaf_tile
from ...log.tree import Tree
from ..errors import DAMAGED, StorageDamaged
from .schema import LEADER, entries, head, meta, nodes
from .statements import PreparedStatement, RowWrite

NODE = 32
HEAD = PreparedStatement(select(head.c.size, head.c.at, head.c.peaks))
_LEADER = select(meta.c.value).where(meta.c.name == literal_column(f"'{LEADER}'")).scalar_subquery()
HELD = PreparedStatement(select(head.c.size, head.c.at, head.c.peaks, _LEADER).with_for_update(of=head))
MOVE = PreparedStatement(update(head).values(size=bindparam("size"), at=bindparam("at"), peaks=bindparam("peaks")))
ENTRY, TREE_NODE = RowWrite(entries), RowWrite(nodes)


class LogEnd:
    """The log's end while a transaction holds it. `at`: the time of the last entry or act, in microseconds; `leader`:
    the number of the leading process. Entries are stored by `write`."""

    def __init__(self, tree: Tree, at: int, leader: int = 0) -> None:
        self.tree = tree
        self.at = at
        self.leader = leader
        self._entries: list[dict[str, Any]] = []
        self._nodes: list[dict[str, Any]] = []
        self._moved = False

    def append(self, lines: Iterable[bytes], at: int) -> None:
        """Entries, the last one of time `at`; without any only the time passes, which never goes back either."""
        for line in lines:
            self._entries.append({"seq": self.tree.size, "line": line})
            self._nodes += [node._asdict() for node in completed_subtrees(self.tree, line)]
            self.tree.append(line)
        self.at = max(at, self.at)
        self._moved = True

    def write(self, connection: Connection) -> None:
        if self._moved:
            ENTRY.write(connection, self._entries)
            TREE_NODE.write(connection, self._nodes)
            MOVE.run(connection, size=self.tree.size, at=self.at, peaks=b"".join(self.tree.peaks))
            self._entries, self._nodes, self._moved = [], [], False


def create_head(connection: Connection) -> None:
    connection.execute(insert(head).values(id=1, size=0, at=0, peaks=b""))


def read_head(connection: Connection, *, hold: bool = False) -> LogEnd:
    """The log's end; `hold` it until the transaction is over. Raises StorageDamaged where it is missing."""
    row = (HELD if hold else HEAD).first(connection)
    if row is None:
        raise StorageDamaged("the database is damaged: the log's head is missing", where="database", remedy=DAMAGED)
    size, at, peaks, *leader = row
    tree = Tree(size, [peaks[i : i + NODE] for i in range(0, len(peaks), NODE)])
    return LogEnd(tree, at, int(leader[0] or b"0") if leader else 0)


def read_lines(connection: Connection, start: int, stop: int) -> list[bytes]:
    """Entries `start` up to but not `stop`."""
    query = select(entries.c.line).where(entries.c.seq >= start, entries.c.seq < stop).order_by(entries.c.seq)
    return list(connection.execute(query).scalars())


def read_bundle(connection: Connection, bundle: Bundle) -> bytes:
    """The bytes of a bundle that the log has."""
    start = WIDTH * bundle.number
    return bundle_of(read_lines(connection, start, start + bundle.width))


def read_tile(connection: Connection, tile: Tile) -> bytes:
    """The bytes of a tile that the log has."""
    start = WIDTH * tile.number
    if tile.level:
        return b"".join(_hashes(connection, tile.level, start, start + tile.width))
    return leaf_tile(read_lines(connection, start, start + tile.width))


def _hashes(connection: Connection, level: int, start: int, stop: int) -> list[bytes]:
    query = select(nodes.c.hash).where(nodes.c.level == level, nodes.c.number >= start, nodes.c.number < stop)
    return list(connection.execute(query.order_by(nodes.c.number)).scalars())
