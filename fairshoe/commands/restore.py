"""`fairshoe restore`: a house again from a backup; or whether a house's data, or a backup of it, is whole."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import InputError
from ..terminal import FINDINGS, FINE
from ..terminal.commands import command
from ..terminal.options import FILE, FOLDER
from ..terminal.style import printable
from .serve import data_option

if TYPE_CHECKING:
    from ..service.backup.restoring import Restored

ABOUT = """Make a house again from BACKUP, in an empty directory or in that of a house that cannot start.

Give with --log the newest copy of its log that there is: its entries are played again. Where all that the house signed
is there (it kept its newest checkpoint beside the database) the log goes on, and so do shoes of which no round is open;
others end as `lost`, for all to see. Else another log begins, which names the old one, and that is put beside it."""
CHECK = (
    "Change nothing, and say whether BACKUP, or the data directory where none is named, is whole: the database itself, "
    "every entry and the tree over them, the newest checkpoint, the keys of live shoes, each table against what the "
    "log makes of it. The service may run. Exit code 0: all is well, 1: something is wrong, 2: not readable."
)


@command("restore", help=ABOUT)
@click.argument("backup", metavar="[BACKUP]", required=False, type=FOLDER)
@click.option("--check", is_flag=True, help=CHECK)
@data_option
@click.option("--log", metavar="COPY", type=FILE, help="A newer copy of the log: pulled, exported, or a log.jsonl.")
@click.option(
    "--newest",
    metavar="FILE",
    type=FILE,
    help="The newest checkpoint that anybody has, where the house's own is gone. Shoes in play end as lost then.",
)
@click.option("--key-file", metavar="FILE", type=FILE, help="The master key, where it is not in the directory.")
@click.option("--key-is-lost", is_flag=True, help="Go on without the master key: another log begins.")
def cli(
    backup: Path | None,
    check: bool,
    data: Path,
    log: Path | None,
    newest: Path | None,
    key_file: Path | None,
    key_is_lost: bool,
) -> int:
    if check:
        if log is not None or newest is not None or key_is_lost:
            raise click.UsageError("--check takes BACKUP, --data and --key-file alone")
        return _check(backup, key_file, data)
    if backup is None:
        raise click.UsageError("name a BACKUP to restore, or give --check")
    from ..service.backup.restoring import Asked, restore
    from ..service.backup.sources import source_of
    from ..service.backup.vaults import key_in, vault_at
    from ..service.clock import Clock

    if key_is_lost and key_file is not None:
        raise click.UsageError("--key-file or --key-is-lost, not both")
    source_of(backup)
    vault = None if key_is_lost else vault_at(data, key_file)
    if vault is None and not key_is_lost:
        remedy = "put master.key there, or give it with --key-file; without it see docs/recovery.md"
        raise InputError("the master key is missing", where=str(data), remedy=remedy)
    master = None if key_file is None else key_in(key_file).hex() + "\n"
    _tell(data, restore(Asked(backup, vault, log, newest, master), data, Clock()))
    return FINE


def _tell(data: Path, done: Restored) -> None:
    if done.token is None:
        print(printable(f"{data} holds the house {done.head.origin} again: {done.head.size:,} entries."))
    else:
        print(printable(f"{data} holds a new log, {done.head.origin}: nothing shows that the old one is all there."))
        print(f"What there is of the old one is in {done.old_log}, and everybody's chips in {done.old_log}/chips.json.")
        print(f"The operator's token, shown this once: {done.token}")
    print(f"From the copy of the log: {done.newer:,} entries. Shoes in play: {done.live}, lost: {len(done.lost)}.")
    for shoe, key in done.lost:
        print(printable(f"  lost: {shoe}, its key {'is published' if key is not None else 'is not known'}"))
    if done.missing:
        print(f"Of the old log {done.missing:,} entries are gone: shoes and rounds in them are not named here.")
    if done.unknown:
        print("Nothing shows which entry of the old log was its newest: more may be gone. The new log says so.")
    if done.key_aside is not None:
        print(f"The master key that was here is in {done.key_aside}: it opens what was locked with it, backups too.")
    if done.token is None:
        print("Chairs taken since the backup have no token: the operator issues one.")


def _check(backup: Path | None, key_file: Path | None, data: Path) -> int:
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
        return FINDINGS
    print(f"{path} is whole: {checked.head.size:,} entries, {checked.tables} tables, {checked.live} live shoes.")
    if vault is None:
        print("Not checked without the master key: the keys of live shoes, and the checkpoint (give --key-file).")
    return FINE
