"""`fairshoe backup`: copy a house while it runs."""

from __future__ import annotations

from pathlib import Path

import click

from ..terminal import FINE
from ..terminal.commands import command
from ..terminal.options import FOLDER
from .serve import data_option

ABOUT = (
    "Copy a house into a new directory while it runs: the database as it is at one moment, checked, with the signed "
    "checkpoint that it reaches. The master key is not in it: keep that elsewhere, since both together are the cards."
)


@command("backup", help=ABOUT)
@click.argument("directory", metavar="DIR", type=FOLDER)
@data_option
def cli(directory: Path, data: Path) -> int:
    from ..service.backup.taking import take_backup
    from ..service.vault import MASTER_FILE, Vault, master_key

    head = take_backup(data, directory, Vault(master_key(data, fresh=False)))
    print(f"{directory} holds the house {head.origin} up to entry {head.size:,}, checked.")
    print(f"The master key is not in it: keep {data / MASTER_FILE} elsewhere, apart from the backups.")
    return FINE
