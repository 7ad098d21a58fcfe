"""`fairshoe backup` and `fairshoe restore --check`: a copy of a house that plays, and what is wrong with one."""

from __future__ import annotations

import shutil
import threading

import pytest

from fairshoe.cli import main
from fairshoe.errors import InputError
from fairshoe.log.checkpoint import open_checkpoint
from fairshoe.service import backup as backup_module
from fairshoe.service.backup import check_database, take_backup
from fairshoe.service.errors import UnusableData
from fairshoe.service.house import open_house

from .copies import backup, change, play, vault_of
from .place import Place


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A house with a shoe in play, and a backup of it."""
    with Place(tmp_path_factory.mktemp("kept") / "data", direct=True) as place:
        place.sealed()
        yield place, backup(place)


def wrong(place, path, kept=None):
    return check_database(path, vault_of(place), kept).wrong


def test_a_backup_while_running_is_whole(place):
    """Copies are taken while four tables are played as fast as they go."""
    tables = [place.sit("casino", 2, 10_000, name=f"t{number}") for number in range(4)]
    over = threading.Event()

    def go_on(seats):
        while not over.is_set():
            play(seats, 1)

    threads = [threading.Thread(target=go_on, args=(seats,)) for seats in tables]
    for thread in threads:
        thread.start()
    try:
        taken = [backup(place, f"backup-{number}") for number in range(5)]
    finally:
        over.set()
        for thread in threads:
            thread.join()
    sizes = []
    for path in taken:
        note = (path / "checkpoint").read_text()
        sizes.append(open_checkpoint(note, place.house.sequencer.signer.verifier).size)
        assert wrong(place, path / "fairshoe.db", path / "checkpoint") == []
        assert sorted(each.name for each in path.iterdir()) == ["checkpoint", "fairshoe.db", "log.vkey"]
    assert sizes == sorted(sizes)
    place.assert_clean()


def test_a_backup_takes_no_place_that_is_taken(place):
    path = backup(place)
    with pytest.raises(InputError, match="there is something here"):
        backup(place)
    assert [each.name for each in path.parent.iterdir() if "part" in each.name] == []


def test_a_damaged_house_is_not_backed_up_and_does_not_start(place):
    place.sealed()
    vault, database = vault_of(place), place.directory / "fairshoe.db"
    place.stop()
    whole = database.read_bytes()
    change(database, "UPDATE entries SET line = CAST('{}' AS BLOB) WHERE seq = 2")
    with pytest.raises(UnusableData, match="nothing was backed up"):
        take_backup(place.directory, place.directory.parent / "backup", vault)
    assert not (place.directory.parent / "backup").exists()
    assert not (place.directory.parent / "backup.part").exists()
    with pytest.raises(UnusableData, match="another history"):
        open_house(place.directory)
    for path in place.directory.glob("fairshoe.db*"):
        path.unlink()
    database.write_bytes(whole)
    place.start()


DAMAGES = {
    "an entry": ("UPDATE entries SET line = CAST('{}' AS BLOB) WHERE seq = 2", "one was changed"),
    "an entry dropped": ("DELETE FROM entries WHERE seq = 3", "and its head covers"),
    "the head": ("UPDATE head SET peaks = zeroblob(length(peaks))", "one was changed"),
    "the state": ("UPDATE tables SET state = replace(state, '\"shoes\":1', '\"shoes\":2')", "not what the log makes"),
    "a state that is none": ("UPDATE tables SET state = '{}'", "cannot be read"),
    "a table": ("DELETE FROM tables", "in the log only"),
    "the key": ("UPDATE tables SET key = zeroblob(60)", "the master key does not open"),
    "no key": ("UPDATE tables SET key = NULL", "shoe t1/1 has no key"),
    "a claim": ("DELETE FROM claims", "commitments and hashes of the log could be used again"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_what_is_wrong_is_told(kept, name, tmp_path, capsys):
    (place, whole), (statement, told) = kept, DAMAGES[name]
    path = shutil.copytree(whole, tmp_path / "backup")
    change(path / "fairshoe.db", statement)
    assert main(["restore", "--check", str(path), "--data", str(place.directory)]) in (1, 2)
    assert told in capsys.readouterr().err


def test_a_damaged_page_is_told(kept, tmp_path, capsys):
    place, whole = kept
    path = shutil.copytree(whole, tmp_path / "backup")
    data = bytearray((path / "fairshoe.db").read_bytes())
    data[4096 * 2 : 4096 * 3] = bytes(4096)
    (path / "fairshoe.db").write_bytes(bytes(data))
    assert main(["restore", "--check", str(path), "--data", str(place.directory)]) in (1, 2)
    assert "Traceback" not in capsys.readouterr().err


def test_check_says_that_all_is_well(kept, capsys):
    place, path = kept
    assert main(["restore", "--check", "--data", str(place.directory)]) == 0
    assert main(["restore", "--check", str(path), "--data", str(place.directory)]) == 0
    assert capsys.readouterr().out.count(" 8 entries, 1 tables, ") == 2
    assert main(["restore", "--check", str(path), "--data", str(path.parent / "nowhere")]) == 2
    assert "master key is missing" in capsys.readouterr().err


def test_check_tells_an_older_database_beside_a_newer_checkpoint(place, capsys):
    seats = place.sealed()
    path = backup(place)
    place.bet_and_finish(seats)
    (path / "checkpoint").write_text((place.directory / "newest.checkpoint").read_text())
    assert main(["restore", "--check", str(path), "--data", str(place.directory)]) == 1
    assert "an older copy" in capsys.readouterr().err


def test_check_while_the_house_plays_on(place, monkeypatch):
    """Entries come before and after the newest checkpoint is read: that is no damage."""
    (alice,) = place.casino(1)

    def read(*given):
        alice.send("chips", op="buy-in", amount=1)
        newest = kept(*given)
        alice.send("chips", op="buy-in", amount=1)
        return newest

    kept = backup_module._read_newest
    monkeypatch.setattr(backup_module, "_read_newest", read)
    assert main(["restore", "--check", "--data", str(place.directory)]) == 0
