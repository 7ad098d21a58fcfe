"""`fairshoe check`: whether a house's data, or a backup of it, is whole."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..terminal import FINE
from ..terminal.commands import command
from ..terminal.options import FOLDER
from .serve import data_option

FOUND = 1
ABOUT = (
    "Check the data directory, or BACKUP: the database itself, every entry and the tree over them, the newest "
    "checkpoint, the keys of live shoes, and each table against what the log makes of it. Changes nothing; the service "
    "may run. Exit code 0: all is well, 1: something is wrong, 2: not readable."
)


@command("check", help=ABOUT)
@click.argument("backup", metavar="[BACKUP]", required=False, type=FOLDER)
@click.option("--key-file", metavar="FILE", type=FOLDER, help="The master key, where it is not in the data directory.")
@data_option
def cli(backup: Path | None, key_file: Path | None, data: Path) -> int:
    from ..log.directory import CHECKPOINT
    from ..service.backup.checking import check_database
    from ..service.backup.stored_house import stored_kept_path
    from ..service.backup.vaults import vault_at
    from ..service.house import DATABASE_FILE

    if backup is None:
        path, kept = data / DATABASE_FILE, None
    else:
        path = backup / DATABASE_FILE if backup.is_dir() else backup
        kept = path.with_name(CHECKPOINT)
    vault = vault_at(data, key_file)
    checked = check_database(path, vault, kept or stored_kept_path(path))
    for each in checked.wrong:
        print(each, file=sys.stderr)
    if checked.wrong or checked.head is None:
        print(f"{path}: {len(checked.wrong)} things are wrong. docs/recovery.md says what to do.", file=sys.stderr)
        return FOUND
    print(f"{path} is whole: {checked.head.size:,} entries, {checked.tables} tables, {checked.live} live shoes.")
    if vault is None:
        print("Not checked without the master key: the keys of live shoes, and the checkpoint (give --key-file).")
    return FINE
