"""`fairshoe backup`: a copy of a house as it is at one moment, whether it runs or not."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ...errors import InputError
from ...log.checkpoint import Checkpoint
from ...log.directory import CHECKPOINT, VERIFIER
from ...terminal.durable import PART, replace, settle
from ..errors import Unusable
from ..house import DATABASE_FILE, signer_of
from ..store.files import copy_database, snapshot
from ..store.meta import read_meta
from ..vault import Vault
from .checking import check_database


def take_backup(data: Path, target: Path, vault: Vault) -> Checkpoint:
    """Make the directory `target`: the database, the signed checkpoint that it reaches, the log's verifier key. It is
    there whole and checked, or not at all; gives its head.

    The master key is not in it: whoever finds a backup learns no card. Raises InputError, Unusable, OSError.
    """
    if target.exists():
        raise InputError("there is something here", where=str(target), expected="a new directory for each backup")
    source = data / DATABASE_FILE
    if not source.exists():
        raise InputError("no data here", where=str(data), remedy="name the directory with --data")
    part = target.with_name(target.name + PART)
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(mode=0o700, parents=True)
    try:
        head = _fill(part, source, vault)
        os.rename(part, target)
        settle(target.parent)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return head


def _fill(part: Path, source: Path, vault: Vault) -> Checkpoint:
    copy = part / DATABASE_FILE
    copy_database(source, copy)
    checked = check_database(copy, vault, None, deep=False)
    if checked.wrong or checked.head is None:
        raise Unusable(
            f"the database is damaged, nothing was backed up: {checked.wrong[0]}",
            where=str(source),
            remedy="see docs/recovery.md; keep the backups that there are",
        )
    with snapshot(copy) as connection:
        signer = signer_of(read_meta(connection, copy), vault)
    replace(part / CHECKPOINT, checked.head.signed(signer))
    replace(part / VERIFIER, f"{signer.verifier}\n")
    return checked.head
