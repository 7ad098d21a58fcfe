"""What a house may be restored from: a whole backup, and no house that could go on by itself."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ...errors import FairshoeError, InputError
from ...log.directory import CHECKPOINT
from ..errors import Unusable
from ..house import DATABASE_FILE
from ..rotation import NEXT_FILE, OLD_FILE, old_keys
from ..running import RUNNING_FILE
from ..vault import MASTER_FILE, Vault
from .checking import MASTER, check_database
from .database_files import snapshot
from .stored_house import read_meta, signer_of, stored_kept_path
from .vaults import key_in


def source_of(backup: Path) -> Path:
    """The database of a backup, or what is one. Raises InputError."""
    source = backup / DATABASE_FILE if backup.is_dir() else backup
    if not source.is_file():
        raise InputError(
            "no backup here",
            where=str(backup),
            expected=f"a directory that `fairshoe backup` made, or a {DATABASE_FILE}",
            remedy="name the backup, and with --data the directory that is to hold the house",
        )
    return source


def check_source(source: Path, data: Path, vault: Vault | None) -> None:
    """`data` is where it is restored to. Raises InputError, Unusable."""
    _check_no_house(source, data, vault)
    beside = source.with_name(CHECKPOINT)
    checked = check_database(source, vault, beside if beside.exists() else None, deep=False)
    if checked.wrong and checked.wrong[0].where == MASTER:
        raise Unusable(
            "the backup was made with another master key",
            where=str(source),
            expected="the master key of its time",
            remedy=_remedy(source, data),
        )
    if checked.wrong:
        raise Unusable(f"the backup is damaged: {checked.wrong[0]}", where=str(source), remedy="take another one")


def _remedy(source: Path, data: Path) -> str:
    """Where the key is, if it is in one of the two directories; else where it may be."""
    folders = (data, source.parent)
    for key in (key for at in folders for key in (at / MASTER_FILE, at / NEXT_FILE, *old_keys(at))):
        with suppress(FairshoeError), snapshot(source) as connection:
            signer_of(read_meta(connection, source), Vault(key_in(key)))
            return f"it is in {key}: give --key-file {key}"
    return f"give it with --key-file: after `fairshoe keys rotate` it was {OLD_FILE}"


def _check_no_house(source: Path, data: Path, vault: Vault | None) -> None:
    """There would be two of a house whose own database is copied, and its shoes in play would be made public."""
    house = vault is not None and (source.parent / RUNNING_FILE).exists() and source.parent.resolve() != data.resolve()
    if house and not check_database(source, vault, stored_kept_path(source), deep=False).wrong:
        raise InputError(
            "this is a house that can start, and no backup",
            where=str(source.parent),
            expected="a backup of it, or a house that cannot start",
            remedy="start it there, or move the whole directory; `fairshoe backup` makes a backup",
        )
