"""A log as a directory of tiles."""

from __future__ import annotations

from pathlib import Path

from fairshoe.commands._publishing import of_copy
from fairshoe.log.export import export


def export_copy(log: Path, tiles: Path) -> None:
    """Export a log's directory into another one."""
    with of_copy(log) as (note, verifier, lines):
        export(tiles, note, verifier, lines)
