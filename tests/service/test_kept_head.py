"""The newest checkpoint outside the database: a start on a history that does not reach it refuses."""

from __future__ import annotations

import shutil
import sqlite3
import threading

import pytest

from fairshoe.log.checkpoint import Checkpoint, open_checkpoint
from fairshoe.service.errors import UnusableData
from fairshoe.service.house import open_house
from fairshoe.service.signing import KEPT_FILE
from fairshoe.service.store.files import RUNNING_FILE
from fairshoe.service.vault import MASTER_FILE

from .place import Place


def kept(place) -> Checkpoint:
    return open_checkpoint((place.directory / KEPT_FILE).read_text(), place.house.sequencer.signer.verifier)


def copied(place, name="older"):
    """The database as it is now, by itself."""
    target = place.directory.parent / name
    with sqlite3.connect(place.directory / "fairshoe.db") as old, sqlite3.connect(target) as new:
        old.backup(new)
    new.close()
    old.close()
    return target


def put(place, database):
    for path in place.directory.glob("fairshoe.db*"):
        path.unlink()
    shutil.copy(database, place.directory / "fairshoe.db")


def test_what_is_read_is_covered(place, monkeypatch):
    """Somebody may read between the commit and the answer to whoever wrote."""
    place.casino(1)
    monkeypatch.setattr(place.house.database, "after", lambda _: None)
    place.operator.create_table("casino", table="t2")
    behind = kept(place).size
    assert place.public.get("/v1/tables/t2")["log"] == kept(place).size > behind
    place.operator.create_table("casino", table="t3")
    assert f"\n{kept(place).size + 1}\n" in place.public.text("/v1/log/checkpoint")
    assert kept(place).size == place.house.sequencer.log.size()


def test_one_write_covers_all_who_wait(place, monkeypatch):
    """Many at once: each is covered, with fewer writes than commands."""
    from fairshoe.service import signing

    tables = [place.operator.create_table("casino", table=f"t{number}") for number in range(12)]
    written = []
    rewrite = signing.rewrite
    monkeypatch.setattr(signing, "rewrite", lambda *words: (written.append(words), rewrite(*words)))
    threads = [threading.Thread(target=table.sit, args=("alice", 1000)) for table in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert kept(place).size == place.house.sequencer.log.size() == 24
    assert 1 <= len(written) <= 12
    sizes = [int(note.split("\n")[1]) for _, note in written]
    assert sizes == sorted(set(sizes))


def test_an_older_copy_of_the_database_does_not_start(place):
    seats = place.sealed()
    older = copied(place)
    place.bet_and_finish(seats)
    place.stop()
    put(place, older)
    with pytest.raises(UnusableData, match="an older copy") as caught:
        open_house(place.directory)
    assert "fairshoe restore" in caught.value.remedy
    place.directory.joinpath("fairshoe.db").unlink()
    with Place(place.directory.parent / "other") as other:
        other.casino(1)
        put(place, copied(other))
        with pytest.raises(UnusableData, match="does not open"):
            open_house(place.directory)
    put(place, older)


def test_another_history_of_the_same_house_does_not_start(place):
    """Two copies of one house that went on apart."""
    seats = place.sealed()
    place.stop()
    twin = place.directory.parent / "twin"
    shutil.copytree(place.directory, twin)
    place.start()
    seats = [place.again(seat) for seat in seats]
    place.bet_and_finish(seats)
    with Place(twin) as other:
        for _ in range(9):
            other.clock.forward(1)
            other.restart()
        longer = copied(other, "longer")
    place.stop()
    put(place, longer)
    with pytest.raises(UnusableData, match="another history"):
        open_house(place.directory)
    put(place, longer)
    shutil.copy(twin / KEPT_FILE, place.directory / KEPT_FILE)
    place.start()


@pytest.mark.parametrize("left", [MASTER_FILE, KEPT_FILE])
def test_a_house_whose_database_is_gone_is_not_founded_anew(tmp_path, left):
    open_house(tmp_path).database.close()
    for path in tmp_path.iterdir():
        if path.name != left:
            path.unlink()
    with pytest.raises(UnusableData, match="the database is gone"):
        open_house(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {left, RUNNING_FILE}


@pytest.mark.parametrize("text", ["", "not a checkpoint\n", "a\n1\nb\n\n"])
def test_a_checkpoint_that_was_changed_is_told(tmp_path, text):
    open_house(tmp_path).database.close()
    (tmp_path / KEPT_FILE).write_text(text)
    with pytest.raises(UnusableData, match="checkpoint of the house"):
        open_house(tmp_path)


def test_the_checkpoint_may_be_kept_on_another_disk(tmp_path):
    """Through a symbolic link, which stays one."""
    data, disk = tmp_path / "data", tmp_path / "disk"
    data.mkdir()
    disk.mkdir()
    link, newest = data / KEPT_FILE, disk / "house.checkpoint"
    link.symlink_to(newest)
    open_house(data).close()
    open_house(data).close()
    assert link.is_symlink()
    assert newest.read_text().split("\n")[1] == "0"
    newest.rename(disk / "away")
    with pytest.raises(UnusableData, match="nothing shows"):
        open_house(data)
