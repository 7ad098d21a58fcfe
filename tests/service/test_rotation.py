"""`fairshoe keys rotate`: everything is locked with another master key, at once or not at all."""

from __future__ import annotations

import json
import secrets
import sqlite3
from contextlib import closing

import pytest

from fairshoe.cli import main
from fairshoe.errors import InputError
from fairshoe.service import house
from fairshoe.service.errors import UnusableData
from fairshoe.service.house import SIGNER, open_house, rotate
from fairshoe.service.vault import MASTER_FILE, MASTER_VARIABLE, Vault, read_key

from .place import at, sitting


@pytest.fixture
def new(tmp_path):
    """The file of the new key."""
    (tmp_path / "new.key").write_text(bytes(range(32)).hex())
    return tmp_path / "new.key"


def file(place):
    return place.directory / MASTER_FILE


def receipts_key(place):
    """The note about the receipts' key, without its signature, which is made anew."""
    return place.public.receipt_key().split("\n\n")[0]


def boxes(place):
    with closing(sqlite3.connect(place.directory / "fairshoe.db")) as database:
        return [
            *database.execute("select value from meta where name in ('signer', 'receipts')"),
            *database.execute("select key from tables where key is not null"),
            *database.execute("select box from answers"),
        ]


def assert_plays_on(place, seats, before):
    """The same round goes on, with the same keys and tokens; answers that were given are given again."""
    path, body, key, answer = before["again"]
    headers = {"Content-Type": "application/json", "Idempotency-Key": key}
    assert place.public.raw("POST", path, body, headers) == answer
    assert receipts_key(place) == before["receipts"]
    assert place.public.verifier() == before["verifier"]
    again = [place.again(seat) for seat in seats]
    assert [at(seat).state["round"] for seat in again] == before["rounds"]
    place.finish(again)
    place.bet_and_finish(again)
    place.assert_clean()


@pytest.fixture
def playing(place):
    """Two seats in the middle of a round, and what has to be the same afterwards; the service is stopped."""
    seats, _ = place.playing(2)
    place.operator.create_table("casino", table="t2")
    path, body, key = "/v1/tables/t2/seats", json.dumps(sitting("zoe", 5)).encode(), secrets.token_hex(16)
    answer = place.public.raw("POST", path, body, {"Content-Type": "application/json", "Idempotency-Key": key})
    before = {
        "again": (path, body, key, answer),
        "receipts": receipts_key(place),
        "verifier": place.public.verifier(),
        "rounds": [at(seat).state["round"] for seat in seats],
        "boxes": boxes(place),
        "key": file(place).read_text(),
    }
    place.stop()
    yield seats, before
    place.start()


def test_everything_is_locked_anew_and_the_round_goes_on(place, playing, new):
    seats, before = playing
    place.start()
    with pytest.raises(InputError, match="a service runs"):
        rotate(place.directory, new)
    place.stop()
    assert rotate(place.directory, new) == len(before["boxes"])
    assert not set(boxes(place)) & set(before["boxes"])
    assert len(boxes(place)) == len(before["boxes"])
    disk = b"".join(path.read_bytes() for path in place.directory.iterdir() if "fairshoe.db" in path.name)
    for (box,) in before["boxes"]:
        assert box not in disk
    with pytest.raises(UnusableData, match="does not open"):
        open_house(place.directory)
    with pytest.raises(UnusableData):
        Vault(read_key(before["key"], "old")).unlock(boxes(place)[1][0], SIGNER)
    file(place).write_text(new.read_text())
    place.start()
    assert_plays_on(place, seats, before)
    place.stop()
    assert rotate(place.directory, new) == 0


def test_what_fails_in_the_middle_changes_nothing(place, playing, monkeypatch, new):
    """A crash does the same: it is one transaction."""
    seats, before = playing
    calls = iter(range(100))

    class Failing(Vault):
        def lock(self, secret, name):
            if next(calls) == 2:
                raise OSError(28, "full")
            return super().lock(secret, name)

    with monkeypatch.context() as patch:
        patch.setattr(house, "Vault", Failing)
        with pytest.raises(OSError, match="full"):
            rotate(place.directory, new)
    assert boxes(place) == before["boxes"]
    place.start()
    assert_plays_on(place, seats, before)
    place.stop()


def test_the_command_makes_a_key_and_says_what_to_do(place, playing, capsys, monkeypatch):
    seats, before = playing
    new, words = place.directory.parent / "new.key", ["keys", "rotate"]
    monkeypatch.setenv(MASTER_VARIABLE, before["key"].strip())
    assert main([*words, str(new), "--data", str(place.directory)]) == 0
    said = capsys.readouterr().out
    assert f"{len(before['boxes'])} secrets are locked anew" in said
    assert new.read_text().strip() not in said
    assert new.stat().st_mode & 0o777 == 0o600
    assert main([*words, str(new), "--data", str(place.directory)]) == 0
    assert "It was done before." in capsys.readouterr().out
    monkeypatch.delenv(MASTER_VARIABLE)
    new.replace(file(place))
    place.start()
    assert_plays_on(place, seats, before)
    place.stop()
    assert main([*words, str(new), "--data", str(place.directory / "nothing")]) == 2
    assert "no data here" in capsys.readouterr().err
