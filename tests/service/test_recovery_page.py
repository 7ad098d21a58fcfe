"""docs/recovery.md works as printed: a house that is backed up, pulled, lost, and restored in each of its ways."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fairshoe.service.vault import Vault, key_name, master_key

pytestmark = pytest.mark.wire

PAGE = Path(__file__).parents[2] / "docs" / "recovery.md"


def blocks():
    return re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.M | re.S)


def run(script, folder):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", f"set -eu -o pipefail\n{script}"],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_commands_of_the_page(place):
    """In their order, in a folder with the house beside its backups and its mirror."""
    backing_up, pulling, restoring, old_log, newest = blocks()
    folder = place.directory.parent
    os.symlink(place.directory, folder / "house")
    (folder / "backups").mkdir()
    seats = place.sealed()
    code, told = run(backing_up, folder)
    assert (code, told.count("is whole")) == (0, 1), told
    place.bet_and_finish(seats)
    code, told = run(pulling.replace("http://127.0.0.1:8000", place.address), folder)
    assert (code, "holds 10 entries" in told) == (0, True), told

    place.stop()
    code, told = run(restoring, folder)
    assert code == 0, told
    assert "Shoes in play: 1, lost: 0." in told
    assert "is whole: 10 entries" in told
    assert (place.directory / "fairshoe.db").exists()

    code, told = run(newest, folder)
    assert code == 0, told
    assert "Shoes in play: 1, lost: 1." in told
    code, told = run(
        "mkdir house-3 && cp -p house/master.key house-3/ && fairshoe restore backups/monday --data house-3", folder
    )
    assert code == 0, told
    assert "a new log" in told
    code, told = run(old_log.replace("house/", "house-3/"), folder)
    assert (code, "PASS so far" in told) == (0, True), told
    place.start(clock_is_right=True)


def test_the_master_key_and_a_backup_are_the_cards(place):
    """Why the page keeps them apart."""
    from fairshoe.service.backup.copying import take_backup
    from fairshoe.service.store.files import snapshot
    from fairshoe.service.table_store import read_tables

    place.sealed()
    master = master_key(place.directory, fresh=False)
    backup = place.directory.parent / "backup"
    take_backup(place.directory, backup, Vault(master))
    with snapshot(backup / "fairshoe.db") as connection:
        table = read_tables(connection)["t1"]
    assert table.key is not None
    assert master not in table.key
    assert Vault(master).unlock(table.key, key_name("t1"))


def test_every_file_that_the_page_names_is_there(place):
    page = PAGE.read_text()
    for path in place.directory.iterdir():
        assert path.name in page or path.name.startswith(("fairshoe.db-", "newest.checkpoint")), path.name
