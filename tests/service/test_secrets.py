"""What nobody may see: keys and unopened seeds, in answers or at rest; other seats' hidden cards; tokens."""

from __future__ import annotations

import json
import stat

import pytest

from fairshoe.ceremony.acting.state import State
from fairshoe.errors import InputError
from fairshoe.service.errors import UnusableData
from fairshoe.service.house import open_house
from fairshoe.service.vault import MASTER_FILE, MASTER_VARIABLE, Vault

from .place import at, refusal


def key_of(place, table="t1"):
    """The live shoe's key, as only the vault gives it out."""
    sequencer = place.house.sequencer
    with place.house.database.begin_read() as connection:
        stored = sequencer.tables.load(connection, table, State)
    return sequencer.tables.keys(table, stored.key).current()


def stored(place):
    """Everything on the disk."""
    return b"".join(path.read_bytes() for path in sorted(place.directory.iterdir()) if path.is_file())


def test_the_key_and_unopened_seeds_are_in_no_answer_and_not_on_the_disk(place):
    seats = place.casino()
    seats[0].send("shoe")
    key = key_of(place)
    answers = []
    for _ in range(3):
        for seat in seats:
            at(seat).contribute()
            answers += [json.dumps(seat.state), json.dumps(place.public.get("/v1/tables/t1"))]
    place.deal_until_asked(seats)
    answers += [json.dumps(at(seats[0]).state), "\n".join(map(str, place.entries()))]
    for text in answers:
        assert key.hex() not in text
    disk = stored(place)
    assert key not in disk
    assert key.hex().encode() not in disk
    for seat in seats:
        assert seat.token.encode() not in disk
    assert place.token.encode() not in disk


@pytest.fixture
def unlocked(monkeypatch):
    """The names of the secrets that were decrypted."""
    names = []
    unlock = Vault.unlock
    monkeypatch.setattr(Vault, "unlock", lambda self, box, name: [names.append(name), unlock(self, box, name)][1])
    return names


def test_a_look_decrypts_no_key(place, unlocked):
    seats = place.casino()
    seats[0].send("shoe")
    place.contribute(seats)
    place.deal_until_asked(seats)
    unlocked.clear()
    for _ in range(3):
        for seat in seats:
            assert at(seat).state["round"]["view"]
        assert place.public.get("/v1/tables/t1")["round"]["view"]
        place.public.get("/v1/tables")
        place.public.checkpoint()
        place.entries()
    assert unlocked == []


def test_a_refused_request_decrypts_no_key(place, unlocked):
    (alice, bob), _ = place.playing()
    unlocked.clear()
    for call in (
        lambda: place.public.post("/v1/tables/t1/decisions", {"round": 1, "step": 0, "move": "hit"}),
        lambda: alice.send("decisions", round=1, step=0),
        lambda: alice.send("decisions", round=1, step=0, move="HIT"),
        lambda: alice.send("hash", hash="a" * 64),
        lambda: alice.send("seed", seed="00" * 16),
        lambda: bob.send("shoe"),
        lambda: bob.send("reshuffle"),
        lambda: bob.send("waiver"),
        lambda: bob.bet(10),
        bob.leave,
        lambda: place.public.table("t1").sit("carol", 10),
        lambda: place.operator.table("t1").send("refund", player="p1", game=1, why="round"),
        lambda: place.operator.table("t1").send("no-more-bets"),
    ):
        assert 400 <= refusal(call)["status"] < 500
    assert unlocked == []


def test_files_are_for_their_owner_only(place):
    for name in (MASTER_FILE, "fairshoe.db"):
        assert stat.S_IMODE((place.directory / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(place.directory.stat().st_mode) == 0o700


def test_a_key_readable_by_others_is_refused(tmp_path):
    open_house(tmp_path).database.close()
    (tmp_path / MASTER_FILE).chmod(0o644)
    with pytest.raises(UnusableData, match="others may read"):
        open_house(tmp_path)


def test_a_lost_or_wrong_master_key_is_not_replaced_silently(tmp_path, monkeypatch):
    open_house(tmp_path).database.close()
    key = (tmp_path / MASTER_FILE).read_text()
    (tmp_path / MASTER_FILE).unlink()
    with pytest.raises(UnusableData, match="missing"):
        open_house(tmp_path)
    monkeypatch.setenv(MASTER_VARIABLE, "ab" * 32)
    with pytest.raises(UnusableData, match="does not open"):
        open_house(tmp_path)
    monkeypatch.setenv(MASTER_VARIABLE, "ab")
    with pytest.raises(InputError):
        open_house(tmp_path)
    monkeypatch.setenv(MASTER_VARIABLE, key.strip())
    assert open_house(tmp_path).token is None
