"""What nobody may see: keys and unopened seeds, in answers or at rest; other seats' hidden cards; tokens."""

from __future__ import annotations

import json
import os
import stat

import pytest

from fairshoe.engine.view import PUBLIC, view
from fairshoe.errors import InputError
from fairshoe.service.ceremony.playing import live
from fairshoe.service.errors import Unusable
from fairshoe.service.house import open_house
from fairshoe.service.vault import MASTER_FILE, MASTER_VARIABLE, Vault

from .place import at


def key_of(place, table="t1"):
    """The live shoe's key, as only the service's own memory has it."""
    sequencer = place.house.sequencer
    with place.house.database.reading() as connection:
        return sequencer._load(connection, table)[0].shoe.key


def stored(place):
    """Everything on the disk."""
    return b"".join(path.read_bytes() for path in sorted(place.directory.iterdir()) if path.is_file())


def test_the_key_and_unopened_seeds_are_in_no_answer_and_not_on_the_disk(place):
    seats = place.casino()
    seats[0].send("shoe")
    key = key_of(place)
    answers = []
    for _ in range(2):
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


def test_a_seed_is_shown_to_nobody_before_all_are_open(place):
    alice, bob = place.casino()
    alice.send("shoe")
    alice.contribute()
    at(bob).contribute()
    at(alice).contribute()
    seed = alice._seed("t1/1").hex()
    assert at(bob).state["shoe"]["opened"] == ["p1"]
    assert seed not in json.dumps(bob.state)
    bob.contribute()
    assert seed in json.dumps(place.entries()[-1])


@pytest.mark.parametrize("rules", ["casino", "pontoon", "chinese", "banker", "boxes", "lounge"])
def test_a_seat_sees_its_own_view_and_nothing_else(place, rules):
    table = place.operator.create_table(rules, table="t1")
    seats = [table.sit(f"p{i}", 10_000) for i in range(min(3, table.state()["chairs"]))]
    seen = 0
    for _ in range(40):
        for seat in seats:
            wanted = at(seat).next()
            if wanted is None or seat.contribute(waive=True):
                continue
            if wanted["do"] in ("bets", "shoe"):
                seat.bet(wanted["low"]) if wanted["do"] == "bets" else seat.send("shoe")
                continue
            if wanted["about"] == "round":
                seen += check_views(place, seats)
            move = wanted["default"]
            seat.decide(move["move"], **({"chosen": move["among"][: move["most"]]} if "among" in move else {}))
    assert seen


def check_views(place, seats):
    """Every answer shows the engine's view for that audience, and a card that is hidden from it nowhere else."""
    with place.house.database.reading() as connection:
        state = place.house.sequencer._load(connection, "t1")[0]
    round, _ = live(state)
    for audience, answer in [(PUBLIC, place.public.get("/v1/tables/t1")), *((s.seat, at(s).state) for s in seats)]:
        assert answer["round"]["view"] == json.loads(json.dumps(view(round, audience)))
        shown = [
            label
            for hand in [answer["round"]["view"]["dealer"], *answer["round"]["view"]["hands"]]
            for label in hand["cards"]
            if label
        ]
        text = json.dumps({**answer, "last": None})
        for label in set(round.cards) - set(shown):
            assert f'"{label}"' not in text
    return 1


def test_files_are_for_their_owner_only(place):
    for name in (MASTER_FILE, "fairshoe.db"):
        assert stat.S_IMODE((place.directory / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(place.directory.stat().st_mode) == 0o700


def test_a_key_readable_by_others_is_refused(tmp_path):
    open_house(tmp_path).database.close()
    (tmp_path / MASTER_FILE).chmod(0o644)
    with pytest.raises(Unusable, match="others may read"):
        open_house(tmp_path)


def test_a_lost_or_wrong_master_key_is_not_replaced_silently(tmp_path, monkeypatch):
    open_house(tmp_path).database.close()
    key = (tmp_path / MASTER_FILE).read_text()
    (tmp_path / MASTER_FILE).unlink()
    with pytest.raises(Unusable, match="missing"):
        open_house(tmp_path)
    monkeypatch.setenv(MASTER_VARIABLE, "ab" * 32)
    with pytest.raises(Unusable, match="does not open"):
        open_house(tmp_path)
    monkeypatch.setenv(MASTER_VARIABLE, "ab")
    with pytest.raises(InputError):
        open_house(tmp_path)
    monkeypatch.setenv(MASTER_VARIABLE, key.strip())
    assert open_house(tmp_path).token is None


def test_the_master_key_of_the_environment_is_written_nowhere(tmp_path, monkeypatch):
    monkeypatch.setenv(MASTER_VARIABLE, "ab" * 32)
    open_house(tmp_path).database.close()
    assert not (tmp_path / MASTER_FILE).exists()


def test_something_else_in_the_place_of_the_database(tmp_path):
    open_house(tmp_path).database.close()
    for path in tmp_path.glob("fairshoe.db*"):
        path.unlink()
    (tmp_path / "fairshoe.db").write_bytes(os.urandom(4096))
    with pytest.raises(Unusable, match="not a fairshoe database"):
        open_house(tmp_path)


def test_a_secret_is_bound_to_its_name():
    vault = Vault(b"k" * 32)
    box = vault.lock(b"secret", "one")
    assert vault.unlock(box, "one") == b"secret"
    with pytest.raises(Unusable):
        vault.unlock(box, "two")
    assert vault.lock(b"secret", "one") != box
