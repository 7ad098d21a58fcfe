"""The log's tiles from the database: level 0 is hashed when it is asked for, the levels above are stored."""

from __future__ import annotations

from sqlalchemy import Connection, func, insert, select

from ...log.tiles import HEIGHT, WIDTH, Bundle, Subtree, Tile, bundle_of, leaf_tile, subtree_root
from ...log.tree import leaf_hash
from .journal import read_lines
from .schema import nodes


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


def make_up(connection: Connection, size: int) -> None:
    """Store the hashes that a log of `size` entries should have and has not: it was begun before there were tiles."""
    last = connection.execute(select(func.max(nodes.c.number)).where(nodes.c.level == 1)).scalar()
    for number in range(0 if last is None else last + 1, size >> HEIGHT):
        start = WIDTH * number
        hashes = [leaf_hash(line) for line in read_lines(connection, start, start + WIDTH)]
        level, place = 1, number
        while hashes:
            connection.execute(insert(nodes).values(Subtree(level, place, subtree_root(hashes))._asdict()))
            place, offset = divmod(place, WIDTH)
            hashes = _hashes(connection, level, WIDTH * place, WIDTH * (place + 1)) if offset == WIDTH - 1 else []
            level += 1
