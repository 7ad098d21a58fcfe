"""`fairshoe keys rotate`: everything is locked with a new master key, and a crash at any moment harms nothing."""

from __future__ import annotations

import json
import os
import secrets
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from fairshoe.errors import InputError
from fairshoe.service.errors import Unusable
from fairshoe.service.house import SIGNER, open_house
from fairshoe.service.relocking import NEW_VARIABLE, rotate
from fairshoe.service.rotation import NEXT_FILE, OLD_FILE, old_keys
from fairshoe.service.vault import MASTER_FILE, MASTER_VARIABLE, Vault, read_key

from .place import at, sitting

CRASH = """
import os, signal, sys
from pathlib import Path
from fairshoe.service import relocking, rotation
from fairshoe.terminal import durable

def dying(module, name, after):
    whole = getattr(module, name)
    def once(*args, **kwargs):
        if not after:
            os.kill(os.getpid(), signal.SIGKILL)
        whole(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)
    setattr(module, name, once)

step, after = sys.argv[2].split()
module, name = {
    "begin": (relocking, "begin_exchange"),
    "answers": (relocking, "_relock_answers"),
    "relock": (relocking, "relock"),
    "finish": (relocking, "finish_exchange"),
    "old": (rotation, "replace"),
    "rename": (rotation.os, "replace"),
    "settle": (rotation, "settle"),
}[step]
if step in ("old", "rename", "settle"):  # these also serve what comes before
    begin = relocking.begin_exchange
    def begun(*args):
        begin(*args)
        dying(module, name, after == "after")
    relocking.begin_exchange = begun
else:
    dying(module, name, after == "after")
relocking.rotate(Path(sys.argv[1]))
"""
STEPS = [f"{step} {when}" for step in ("begin", "answers", "relock", "finish", "old", "rename", "settle")
         for when in ("before", "after")]  # fmt: skip


def file(place, name=MASTER_FILE):
    return place.directory / name


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


def test_everything_is_locked_anew_and_the_round_goes_on(place, playing):
    seats, before = playing
    said = rotate(place.directory)
    assert OLD_FILE in said
    assert file(place, OLD_FILE).read_text() == before["key"] != file(place).read_text()
    assert file(place).stat().st_mode & 0o777 == 0o600
    assert not file(place, NEXT_FILE).exists()
    assert not set(boxes(place)) & set(before["boxes"])
    assert len(boxes(place)) == len(before["boxes"])
    disk = b"".join(path.read_bytes() for path in place.directory.iterdir() if "fairshoe.db" in path.name)
    for (box,) in before["boxes"]:
        assert box not in disk
    place.start()
    assert_plays_on(place, seats, before)
    place.stop()


def test_no_exchange_costs_an_older_key(place, playing):
    """A backup from before the first of them is still to be opened."""
    keys, names = [file(place).read_text()], ["master.key.old", "master.key.old.2", "master.key.old.3"]
    for name in names:
        assert f"the old key is in {name}:" in rotate(place.directory)
        keys.append(file(place).read_text())
    assert [file(place, name).read_text() for name in names] == keys[:-1]
    assert old_keys(place.directory) == [file(place, name) for name in names]
    assert all(each.stat().st_mode & 0o777 == 0o600 for each in old_keys(place.directory))
    assert len(set(keys)) == 4


def test_the_old_key_opens_nothing_any_more(place, playing):
    _, before = playing
    rotate(place.directory)
    new = file(place).read_text()
    file(place).write_text(before["key"])
    with pytest.raises(Unusable, match="does not open"):
        open_house(place.directory)
    with pytest.raises(Unusable):
        Vault(read_key(before["key"], "old")).unlock(boxes(place)[1][0], SIGNER)
    file(place).write_text(new)


@pytest.mark.parametrize("step", STEPS)
def test_a_crash_at_any_step_leaves_a_house_that_goes_on(place, playing, step):
    seats, before = playing
    words = [sys.executable, "-c", CRASH, str(place.directory), step]
    assert subprocess.run(words).returncode == -signal.SIGKILL
    place.start()
    assert not file(place, NEXT_FILE).exists()
    place.stop()
    rotate(place.directory)
    held = [each.read_text() for each in old_keys(place.directory)]
    assert before["key"] in held
    assert len(held) == len(set(held)), "one that a crash left is not kept twice"
    place.start()
    assert_plays_on(place, seats, before)
    place.stop()


def test_a_running_service_is_not_disturbed(place):
    seats, _ = place.playing(2)
    key = file(place).read_text()
    with pytest.raises(InputError, match="stop the service first"):
        rotate(place.directory)
    assert file(place).read_text() == key
    assert not file(place, NEXT_FILE).exists()
    place.finish(seats)
    place.assert_clean()


def test_keys_of_the_environment_are_exchanged_there(place, playing, monkeypatch):
    seats, before = playing
    old, new = before["key"].strip(), secrets.token_hex(32)
    monkeypatch.setenv(MASTER_VARIABLE, old)
    with pytest.raises(InputError, match=NEW_VARIABLE):
        rotate(place.directory)
    monkeypatch.setenv(NEW_VARIABLE, old)
    with pytest.raises(InputError, match="the old one"):
        rotate(place.directory)
    monkeypatch.setenv(NEW_VARIABLE, new)
    assert f"{MASTER_VARIABLE} must be the new key" in rotate(place.directory)
    assert "it was done before" in rotate(place.directory)
    with pytest.raises(Unusable, match="does not open"):
        open_house(place.directory)
    monkeypatch.setenv(MASTER_VARIABLE, new)
    place.start()
    assert_plays_on(place, seats, before)
    place.stop()
    file(place).write_text(new)


def test_the_receipts_key_of_an_older_house_stays_what_it_was(place, playing):
    seats, before = playing
    with closing(sqlite3.connect(place.directory / "fairshoe.db")) as database, database:
        database.execute("delete from meta where name = 'receipts'")
    place.start()
    assert receipts_key(place) == before["receipts"]
    place.stop()
    rotate(place.directory)
    place.start()
    assert_plays_on(place, seats, before)
    place.stop()


def test_the_command_says_what_to_do(place, playing):
    def command(data):
        words = [sys.executable, "-m", "fairshoe", "keys", "rotate", "--data", str(data)]
        return subprocess.run(words, capture_output=True, text=True, env=os.environ)

    done = command(place.directory)
    assert done.returncode == 0, done.stderr
    assert "secrets are locked anew" in done.stdout
    assert file(place).read_text().strip() not in done.stdout
    nothing = command(place.directory / "nothing")
    assert nothing.returncode == 2
    assert "no data here" in nothing.stderr
