"""The directory that a house is restored to: what stands there, and how it changes hands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ...errors import FairshoeError, InputError
from ...terminal.durable import PART, replace, settle
from ..founding import MARK, files_of
from ..house import DATABASE_FILE, SIGNER, kept_path
from ..kept_head import KEPT_FILE
from ..rotation import NEXT_FILE, opens
from ..running import RUNNING_FILE
from ..spared import SPARE
from ..vault import MASTER_FILE, Vault
from .checking import check_database
from .database_files import snapshot
from .stored_house import read_meta
from .vaults import key_in, vault_at

BROKEN = "broken"
OLD_LOG = "old-log"


class Place:
    """A directory that is empty, or holds a house that cannot start. Raises InputError, OSError."""

    def __init__(self, data: Path, vault: Vault | None) -> None:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.data = data
        self.database = data / DATABASE_FILE
        self.part = data / (DATABASE_FILE + PART)
        self.kept = data / KEPT_FILE
        ours = {path.name for path in files_of(self.database)} | {MASTER_FILE, KEPT_FILE, MARK}
        names = {path.name for path in data.iterdir() if not _is_made_here(path.name)}
        if names and not names & ours:
            raise InputError("holds something else", where=str(data), expected="a new directory, or a broken house's")
        if self._is_whole(vault):
            raise InputError(
                "the house here is whole: it can start",
                where=str(data),
                expected="a new directory, or a broken house's",
                remedy="start it with `fairshoe serve`; what was restored would be older",
            )
        self.clear_part()

    def clear_part(self) -> None:
        """Remove what is being made, or what an earlier restore left that ended early. Raises OSError."""
        for path in files_of(self.part):
            path.unlink(missing_ok=True)

    def _is_whole(self, vault: Vault | None) -> bool:
        """With that key, or with its own: the one that is given may be from before it was exchanged."""
        try:
            with snapshot(self.database) as connection:
                found = read_meta(connection, self.database)
            fitting = [each for each in self._vaults(vault) if opens(each, found["signer"], SIGNER)]
            kept = kept_path(found, self.data)
            return bool(fitting) and not check_database(self.database, fitting[0], kept).wrong
        except (FairshoeError, OSError):
            return False

    def _vaults(self, vault: Vault | None) -> Iterator[Vault]:
        if vault is not None:
            yield vault
        with suppress(FairshoeError, OSError):
            own = vault_at(self.data, None)
            if own is not None:
                yield own

    def aside(self, name: str) -> Path:
        """A new directory for what is kept: `name`, `name-2`, …"""
        number, path = 1, self.data / name
        while path.exists():
            number += 1
            path = self.data / f"{name}-{number}"
        path.mkdir(mode=0o700)
        return path

    def put(self, checkpoint: str, master: str | None, *, anew: Path | None = None) -> Path | None:
        """The restored database takes its place, and the broken one goes aside, with a master key that is replaced;
        `anew`: where the newest checkpoint of the log before goes, where another log begins. Gives where that key is.
        """
        (self.data / MARK).unlink(missing_ok=True)
        keys = self._replaced(master)
        broken = [path for path in files_of(self.database) if path.exists()] + keys
        folder = self.aside(BROKEN) if broken else None
        if folder is not None:
            for path in broken:
                os.replace(path, folder / path.name)
            settle(folder)
        if anew is not None and self.kept.exists():
            replace(anew / KEPT_FILE, self.kept.read_text())
            self.kept.unlink()
            self.kept.with_name(self.kept.name + SPARE).unlink(missing_ok=True)
            settle(self.kept.parent)
        if master is not None:
            replace(self.data / MASTER_FILE, master, mode=0o600)
        os.replace(self.part, self.database)
        settle(self.data)
        replace(self.data / KEPT_FILE if anew is not None else self.kept, checkpoint)
        return folder if keys else None

    def _replaced(self, master: str | None) -> list[Path]:
        """The files of master keys that do not stay: of another one than `master`, and of an exchange that a crash
        stopped, with whose key the broken database may be locked."""
        here, begun = self.data / MASTER_FILE, self.data / NEXT_FILE
        other = master is not None and here.exists() and not _holds(here, master)
        return [path for path, goes in ((here, other), (begun, begun.exists())) if goes]


def _holds(path: Path, master: str) -> bool:
    try:
        return key_in(path) == bytes.fromhex(master)
    except InputError:
        return False


def _is_made_here(name: str) -> bool:
    """Whether a restore made it, one that failed perhaps; or a start that came to nothing."""
    return name == RUNNING_FILE or name.startswith((BROKEN, OLD_LOG, DATABASE_FILE + PART))
