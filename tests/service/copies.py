"""A house that is backed up, loses its database, and is restored."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from fairshoe.log.directory import write_log
from fairshoe.service.backup import take_backup
from fairshoe.service.clock import HouseClock
from fairshoe.service.restore import restore
from fairshoe.service.vault import Vault, master_key

from .place import at, step


def vault_of(place) -> Vault:
    return Vault(master_key(place.directory, fresh=False))


def backup(place, name="backup") -> Path:
    target = place.directory.parent / name
    take_backup(place.directory, target, vault_of(place), place.settings.database)
    return target


def change(database: Path, *statements: str) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def mirror(place, name="mirror") -> Path:
    """A copy of the log as it is served now."""
    path = place.directory.parent / name
    write_log(path, place.public.log(), place.house.sequencer.signer)
    return path


def lose_database(place) -> None:
    """The service stops, and its database is gone."""
    place.stop()
    for path in place.directory.glob("fairshoe.db*"):
        path.unlink()


def clock_of(place) -> HouseClock:
    return place.clock.clock()


def restored(place, backup, **more):
    """Restore in the same directory, or in the database that the settings name, and start; gives what the restore
    said."""
    done = restore(backup, place.directory, clock_of(place), url=place.settings.database, **more)
    place.start()
    return done


def play(seats, steps) -> None:
    for number in range(steps):
        step(seats[number % len(seats)])


def play_until(seats, reached) -> None:
    for number in range(500):
        if reached():
            return
        step(seats[number % len(seats)])
    raise AssertionError(at(seats[0]).state["phase"])


def codes(place) -> list[str]:
    """What an audit of the log as it is served finds and fails."""
    return sorted({finding.code for finding in place.audit().findings if finding.severity == "fail"})
