"""A start on data that are not whole: one clear word each, and nothing is deleted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fairshoe.cli import main
from fairshoe.service.errors import StorageDamaged, UnusableData
from fairshoe.service.house import FOUNDING_FILE, open_house

from .copies import change
from .place import Place


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Path:
    """The directory of a house that was stopped in the middle of a shoe."""
    with Place(tmp_path_factory.mktemp("house") / "data") as place:
        place.bet_and_finish(place.sealed())
    return place.directory


@pytest.fixture
def data(house, tmp_path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(house, tmp_path / "data"))


def files(data):
    return {path.name: path.read_bytes() for path in data.iterdir() if path.suffix not in (".db-wal", ".db-shm")}


DAMAGE = {
    "UPDATE tables SET state = substr(state, 1, 50)": "state of table t1",
    "UPDATE tables SET state = '[]'": "state of table t1",
    "UPDATE tables SET state = '{\"book\": {}}'": "state of table t1",
    "DELETE FROM meta WHERE name = 'signer'": "in meta signer is missing",
    "DELETE FROM meta WHERE name <> 'signer'": "in meta origin, version is missing",
    "DELETE FROM entries WHERE seq = 3": "entries 1 are missing",
    "DELETE FROM entries WHERE seq = (SELECT max(seq) FROM entries)": "the log's last entry is",
    "DELETE FROM entries": "the log's last entry is None",
    "DELETE FROM head": "the log's head is missing",
    "DROP TABLE head": "without head",
    "DROP TABLE tables": "without tables",
}


@pytest.mark.parametrize("statement", DAMAGE)
def test_damage_is_told_in_one_line_and_what_to_do(data, statement, capsys):
    change(data / "fairshoe.db", statement)
    assert main(["serve", "--data", str(data), "--port", "0", "--clock-is-right"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("fairshoe: ")
    assert DAMAGE[statement] in said.err.splitlines()[0]
    assert "restore a backup: docs/operations.md" in said.err
    assert main(["restore", "--check", "--data", str(data)]) in (1, 2)
    assert main(["restore", str(data), "--data", str(data)]) == 2
    assert "Traceback" not in said.err + capsys.readouterr().err


def test_a_damaged_table_is_told_when_it_is_asked_for(place):
    place.casino(1)
    with place.house.database.begin_write() as connection:
        connection.exec_driver_sql("UPDATE tables SET state = substr(state, 1, 50)")
    with pytest.raises(StorageDamaged, match="state of table t1"):
        place.house.sequencer.all_tables()


@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_a_master_key_that_is_a_directory(data, mode):
    (data / "master.key").unlink()
    (data / "master.key").mkdir(mode=mode)
    with pytest.raises(UnusableData, match=r"master\.key: not a file"):
        open_house(data)


def test_a_master_key_that_is_no_text(data, capsys):
    (data / "master.key").write_bytes(b"\xff" * 32)
    assert main(["serve", "--data", str(data), "--port", "0"]) == 2
    assert "not a master key" in capsys.readouterr().err


@pytest.mark.parametrize("statement", ["DELETE FROM meta WHERE name = 'signer'", "DROP TABLE meta"])
def test_no_master_key_is_exchanged_in_a_damaged_database(data, statement, capsys):
    change(data / "fairshoe.db", statement)
    before = (data / "master.key").read_text()
    assert main(["keys", "rotate", str(data.parent / "new"), "--data", str(data)]) == 2
    assert "database" in capsys.readouterr().err
    assert (data / "master.key").read_text() == before


@pytest.mark.parametrize("gone", [[], ["newest.checkpoint"]])
def test_nothing_of_a_house_is_deleted_for_the_beginning_of_another(data, gone):
    for name in gone:
        (data / name).unlink()
    before = files(data)
    (data / FOUNDING_FILE).touch()
    if gone:
        with pytest.raises(UnusableData, match="nothing shows"):
            open_house(data)
    else:
        open_house(data).close()
    assert files(data) == before
