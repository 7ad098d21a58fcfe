"""`fairshoe restore`: a house again from a backup; or whether a house's data, or a backup of it, is whole."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..terminal import EXIT_FINDINGS, EXIT_OK
from ..terminal.commands import FILE, FOLDER, command
from ..terminal.screen import printable
from . import COMMANDS
from ._settings import data_options

EPILOG = """Make a house again from BACKUP, in a directory that has its master key and no database: that of the house,
after its broken fairshoe.db was moved away, or a new one; with --database in an empty one of PostgreSQL.

Give with --log the newest copy of its log that there is: its entries are played again. Both together must reach the
newest checkpoint that the house signed, which it kept beside the database: then the log goes on, and so do shoes of
which no round is open; others end as `lost`, for all to see."""
CHECK = (
    "Change nothing, and say whether BACKUP, or the data directory where none is named, is whole: the database itself, "
    "every entry and the tree over them, the newest checkpoint, the keys of live shoes, each table against what the "
    "log makes of it. The service may run. Exit code 0: all is well, 1: something is wrong, 2: not readable."
)


@command("restore", help=COMMANDS["restore"], epilog=EPILOG, later=data_options)
@click.argument("backup", metavar="[BACKUP]", required=False, type=FOLDER)
@click.option("--check", is_flag=True, help=CHECK)
@click.option(
    "--log",
    metavar="COPY",
    type=FILE,
    help="A newer copy of the log: pulled, exported, log.jsonl, a broken database.",
)
@click.option(
    "--newest",
    metavar="FILE",
    type=FILE,
    help="The newest checkpoint that anybody has, where the house's own is gone. Shoes in play end as lost then.",
)
def cli(backup: Path | None, check: bool, data: Path, database: str, log: Path | None, newest: Path | None) -> int:
    if check:
        if log is not None or newest is not None:
            raise click.UsageError("--check takes BACKUP and --data alone")
        return _check(backup, data, database)
    if backup is None:
        raise click.UsageError("name a BACKUP to restore, or give --check")
    from ..service.clock import HouseClock
    from ..service.restore import restore

    done = restore(backup, data, HouseClock(), log=log, newest=newest, url=database)
    print(printable(f"{data} holds the house {done.head.origin} again: {done.head.size:,} entries."))
    live, lost = done.live, done.lost_shoes
    print(f"From the copy of the log: {done.newer:,} entries. Shoes in play: {len(live)}, lost: {len(lost)}.")
    for shoe in lost:
        print(printable(f"  lost: {shoe}"))
    if done.newer:
        print("Chairs taken since the backup have no token: the operator lets in the one that their player makes.")
    return EXIT_OK


def _check(backup: Path | None, data: Path, database: str) -> int:
    from ..log.directory import CHECKPOINT
    from ..service.backup import check_database
    from ..service.house import open_database
    from ..service.signing import KEPT_FILE
    from ..service.vault import Vault, master_key

    folder, kept = (data, KEPT_FILE) if backup is None else (backup, CHECKPOINT)
    with open_database(folder, database if backup is None else "") as found:
        checked = check_database(found, Vault(master_key(data, fresh=False)), folder / kept)
        where = found if isinstance(found, Path) else found.where
    for each in checked.wrong:
        print(each, file=sys.stderr)
    if checked.wrong or checked.head is None:
        print(f"{where}: {len(checked.wrong)} things are wrong. docs/operations.md says what to do.", file=sys.stderr)
        return EXIT_FINDINGS
    print(f"{where} is whole: {checked.head.size:,} entries, {checked.tables} tables, {checked.live} live shoes.")
    return EXIT_OK
