"""A log as a directory of tiles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from fairshoe.log.directory import CHECKPOINT, VERIFIER, export, read_lines
from fairshoe.log.note import verifier_of


def export_copy(log: Path, tiles: Path) -> None:
    """Export a log's directory into another one."""

    def lines(start: int, stop: int) -> Iterator[bytes]:
        return (line.removesuffix(b"\n") for line in islice(read_lines(log), start, stop))

    export(tiles, (log / CHECKPOINT).read_text(), verifier_of((log / VERIFIER).read_text()), lines)
