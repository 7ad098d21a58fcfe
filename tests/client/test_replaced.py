"""A house that lost its log begins another one, which says so: `fairshoe pull` and the client tell it."""

from __future__ import annotations

import pytest

from fairshoe.cli import main
from fairshoe.client import Client, LogReplaced, Problem
from fairshoe.client.log_before import log_before
from fairshoe.log.canonical import encode
from fairshoe.log.note import Signer
from fairshoe.record.entries import start_entry

from ..service.copies import backup, lose_database, restored
from .house import NAME, FakeHouse, entries

BOOK = "alice.seat"
AT = "2026-01-01T00:00:00.000000Z"


@pytest.fixture
def lost(place, tmp_path):
    """A house with a seat, a copy of whose log was pulled; then its database is gone, and another log begins."""
    place.operator.create_table("casino", table="t1")
    alice = place.public.table("t1").sit("alice", 1000, book=tmp_path / BOOK)
    kept = backup(place)
    alice.play(1)
    assert main(["pull", place.address, str(tmp_path / "copy")]) == 0
    lose_database(place)
    assert restored(place, kept).token is not None
    return place, alice


def test_a_pull_says_which_log_this_one_came_for(lost, tmp_path, capsys):
    place, _ = lost
    old = (tmp_path / "copy" / "checkpoint").read_text()
    origin = old.splitlines()[0]
    capsys.readouterr()
    assert main(["pull", place.address, str(tmp_path / "copy")]) == 1
    said = capsys.readouterr().err
    assert f"; its log says that it took the place of {origin}, lost after" in said
    assert "pull into a new directory, and audit both: fairshoe-audit verify NEW --before OLD" in said
    assert "fault:    unknown" in said
    assert (tmp_path / "copy" / "checkpoint").read_text() == old
    assert main(["pull", place.address, str(tmp_path / "new")]) == 0
    assert f"Its log says that it took the place of {origin}, lost after" in capsys.readouterr().out
    assert main(["pull", place.address, str(tmp_path / "new")]) == 0
    assert "took the place" not in capsys.readouterr().out


def test_a_seat_says_why_its_table_is_gone(lost, tmp_path):
    place, alice = lost
    origin = (tmp_path / "copy" / "checkpoint").read_text().splitlines()[0]
    alice.table.client = Client(place.address, alice.token)
    for act in (alice.refresh, lambda: resume(place, tmp_path)):
        with pytest.raises(LogReplaced, match=f"took the place of {origin}.*ask the house for the chips") as caught:
            act()
        assert caught.value.before.head.origin == origin
    alice.close()
    with pytest.raises(LogReplaced):
        resume(place, tmp_path)


def resume(place, folder):
    for each in folder.glob(f"{BOOK}*"):
        (folder / f"copy-of-{each.name}").write_bytes(each.read_bytes())
    return place.public.table("t1").resume(folder / f"copy-of-{BOOK}")


def test_a_table_that_never_was_is_told_as_before(place):
    place.operator.create_table("casino", table="t1")
    alice = place.public.table("t1").sit("alice", 1000)
    alice.table.name = "t2"
    with pytest.raises(Problem, match="404: table: no table") as caught:
        alice.refresh()
    assert type(caught.value) is Problem


def test_only_a_checkpoint_by_the_known_key_counts(tmp_path, capsys):
    """Anybody can write that a log took the place of another."""
    with FakeHouse() as house:
        assert main(["pull", house.address, str(tmp_path / "log")]) == 0
        real = house.checkpoint()
        house.signer = Signer(NAME, b"o" * 32)
        forged = house.checkpoint()
        house.signer = house.shown = Signer("other.example/log", b"n" * 32)
        house.origin = "other.example/log"
        for note, told in ((real, True), (forged, False)):
            house.lines = [encode(start_entry(AT, note)), *entries(3)]
            capsys.readouterr()
            assert main(["pull", house.address, str(tmp_path / "log")]) == 1
            assert ("took the place of house.example/log" in capsys.readouterr().err) is told


@pytest.mark.parametrize(
    "line", [b"", b"{}", b"[]", b"nothing", encode(start_entry(AT)), encode({"kind": "start", "continues": "x"})]
)
def test_an_entry_that_names_no_log(line):
    assert log_before(line) is None
