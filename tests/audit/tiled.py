"""A log as a directory of tiles, and which tiles a log has."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from fairshoe.log.directory import CHECKPOINT, VERIFIER, export, read_lines
from fairshoe.log.note import verifier_of
from fairshoe.log.tiles import HEIGHT, WIDTH, Bundle, Tile


def export_copy(log: Path, tiles: Path) -> None:
    """Export a log's directory into another one."""

    def lines(start: int, stop: int) -> Iterator[bytes]:
        return (line.removesuffix(b"\n") for line in islice(read_lines(log), start, stop))

    export(tiles, (log / CHECKPOINT).read_text(), verifier_of((log / VERIFIER).read_text()), lines)


def tiles_of(size: int, since: int = 0) -> Iterator[Tile]:
    """The tiles of a log of `size` entries, level by level; only those that a log of `since` entries has not."""
    level = 0
    while nodes := size >> HEIGHT * level:
        known = since >> HEIGHT * level
        for number in range(known >> HEIGHT, (nodes + WIDTH - 1) >> HEIGHT):
            width = min(WIDTH, nodes - WIDTH * number)
            if number * WIDTH + width > known:
                yield Tile(level, number, width)
        level += 1


def bundles_of(size: int, since: int = 0) -> Iterator[Bundle]:
    """The bundles of entries, in the same way."""
    return (Bundle(*tile[1:]) for tile in tiles_of(size, since) if not tile.level)
