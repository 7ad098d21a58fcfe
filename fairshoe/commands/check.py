"""`fairshoe check`: whether a house's data, or a backup of it, is whole."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..errors import InputError
from ..terminal import FINE
from ..terminal.commands import command
from ..terminal.options import FOLDER
from .serve import data_option

FOUND = 1
ABOUT = (
    "Check the data directory, or BACKUP: the database itself, every entry and the tree over them, the newest "
    "checkpoint, the keys of live shoes, and each table against what the log makes of it. Changes nothing; the service "
    "may run. The master key is that of --data. Exit code 0: all is well, 1: something is wrong, 2: not readable."
)


@command("check", help=ABOUT)
@click.argument("backup", metavar="[BACKUP]", required=False, type=FOLDER)
@data_option
def cli(backup: Path | None, data: Path) -> int:
    from ..log.directory import CHECKPOINT
    from ..service.backup.checking import check_database
    from ..service.house import DATABASE_FILE
    from ..service.kept_head import KEPT_FILE
    from ..service.vault import Vault, master_key

    folder, kept = (data, KEPT_FILE) if backup is None else (backup, CHECKPOINT)
    path = folder / DATABASE_FILE
    if not path.exists():
        raise InputError("no database here", where=str(folder), expected="a data directory, or a backup of one")
    checked = check_database(path, Vault(master_key(data, fresh=False)), folder / kept)
    for each in checked.wrong:
        print(each, file=sys.stderr)
    if checked.wrong or checked.head is None:
        print(f"{path}: {len(checked.wrong)} things are wrong. docs/recovery.md says what to do.", file=sys.stderr)
        return FOUND
    print(f"{path} is whole: {checked.head.size:,} entries, {checked.tables} tables, {checked.live} live shoes.")
    return FINE
