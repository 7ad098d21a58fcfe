"""`fairshoe backup`: copy a house while it runs, or its log alone, as tiles for any web server."""

from __future__ import annotations

from pathlib import Path

import click

from ..terminal import EXIT_OK
from ..terminal.commands import FOLDER, command
from ..terminal.screen import printable, progress
from . import COMMANDS
from ._settings import data_options

EPILOG = "The master key is not in it: keep that elsewhere, since both together are the cards."
TILES = (
    "Only the log, as tiles (c2sp.org/tlog-tiles) for any web server that serves files; of a directory that has some, "
    "only what is new."
)


@command("backup", help=COMMANDS["backup"], epilog=EPILOG, later=data_options)
@click.argument("directory", metavar="DIR", type=FOLDER)
@click.option("--tiles", is_flag=True, help=TILES)
def cli(directory: Path, tiles: bool, data: Path, database: str) -> int:
    return (_tiles if tiles else _copy)(directory, data, database)


def _copy(directory: Path, data: Path, database: str) -> int:
    from ..service.backup import take_backup
    from ..service.vault import MASTER_FILE, Vault, master_key

    head = take_backup(data, directory, Vault(master_key(data, fresh=False)), database)
    print(f"{directory} holds the house {head.origin} up to entry {head.size:,}, checked.")
    print(f"The master key is not in it: keep {data / MASTER_FILE} elsewhere, apart from the backups.")
    return EXIT_OK


def _tiles(directory: Path, data: Path, database: str) -> int:
    from ..log.checkpoint import checkpoint_of
    from ..log.directory import export
    from ..service.house import open_existing_house

    house = open_existing_house(data, database)
    try:
        sequencer = house.sequencer
        note = sequencer.log.checkpoint()
        with progress("exporting", checkpoint_of(note).size) as done:
            exported = export(directory, note, sequencer.signer.verifier, sequencer.log.lines, done)
    finally:
        house.close()
    origin, size, _ = exported.checkpoint
    print(printable(f"{directory} holds {size:,} entries of {origin} as tiles, {exported.new:,} new."))
    return EXIT_OK
