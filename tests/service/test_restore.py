"""`fairshoe restore`: from a backup and a newer copy of the log; no shown card is dealt again."""

from __future__ import annotations

import shutil

import pytest

from fairshoe.cli import main
from fairshoe.client import Client, Problem
from fairshoe.errors import InputError, VerificationError
from fairshoe.service.errors import UnusableData
from fairshoe.service.house import open_house
from fairshoe.service.restore import restore
from fairshoe.service.settings import Settings
from fairshoe.service.store.files import require_stopped
from fairshoe.service.vault import MASTER_FILE
from tests.house import find_chairs

from .copies import backup, change, clock_of, codes, lose_database, mirror, play, play_until, restored
from .place import Place, at


def sit(place, rules):
    return place.sit(rules, len(find_chairs(rules, 3)), 10_000)


def again(place, seats):
    return [place.again(seat) for seat in seats]


def shown(entries):
    """The cards of each round, by the shoe's key where it is revealed."""
    return {(entry["shoe"], entry["round"]): entry["cards"] for entry in entries if entry["kind"] == "round"}


@pytest.mark.parametrize(
    ("rules", "newer"), [("casino", 40), ("boxes", 1), ("banker", 40), ("lounge", 1), ("chinese", 40), ("pontoon", 1)]
)
def test_a_lost_database_goes_on_from_a_backup_and_a_mirror(place, rules, newer):
    """All that was logged is there; a round whose decisions are gone costs its shoe, and nothing else is found."""
    seats = sit(place, rules)
    play(seats, 25)
    kept = backup(place)
    play(seats, newer)
    before, size = place.entries(), len(place.entries())
    chips = place.public.get("/v1/tables/t1")["chips"]
    dealt = place.public.get("/v1/tables/t1")["phase"] == "round"
    log = mirror(place)
    lose_database(place)
    done = restored(place, kept, log=log)
    assert place.entries()[:size] == before
    assert len(done.lost_shoes) <= len(done.live) <= 1
    assert not dealt or len(done.lost_shoes) == 1
    assert place.public.get("/v1/tables/t1")["chips"] == chips or done.lost_shoes
    seats = again(place, seats)
    play_until(seats, lambda: len(place.of_kind("round")) >= len(shown(before)) + 2)
    assert codes(place) == (["shoe-lost"] if done.lost_shoes else [])
    after = shown(place.entries())
    assert {name: after[name] for name in shown(before)} == shown(before)


def test_a_house_moves_to_postgresql_is_lost_there_and_goes_on_in_another_database(place, postgresql):
    """Its shoe goes on at the same card; an old dump is refused, a backup of it and a mirror are the house again."""
    seats = sit(place, "casino")
    play_until(seats, lambda: len(place.of_kind("round")) >= 2 and place.last() == "round")
    moving = backup(place)
    place.stop()
    first = place.settings = Settings(database=postgresql.database())
    with pytest.raises(UnusableData, match=r"is in fairshoe\.db"):
        place.start()
    lose_database(place)
    done = restored(place, moving)
    assert done.live
    assert not done.lost_shoes
    seats = again(place, seats)
    play_until(seats, lambda: len(place.of_kind("round")) >= 5)
    old = backup(place, "old")
    words = ["--data", str(place.directory), "--database"]
    assert main(["restore", "--check", *words, first.database]) == 0
    play(seats, 40)
    before, log = place.entries(), mirror(place)
    assert main(["keys", "rotate", str(place.directory / "new.key"), *words, first.database]) == 2
    place.stop()
    with pytest.raises(InputError, match="a house in it"):
        restore(old, place.directory, clock_of(place), log=log, url=first.database)
    dump = postgresql.database()
    assert main(["restore", str(old), *words, dump]) == 2
    place.settings = Settings(database=dump)
    restored(place, old, log=log)
    assert place.entries()[: len(before)] == before
    seats = again(place, seats)
    play_until(seats, lambda: len(place.of_kind("round")) >= 20)
    assert set(codes(place)) <= {"shoe-lost"}
    place.stop()
    assert main(["keys", "rotate", str(place.directory / "new.key"), *words, dump]) == 0
    (place.directory / "new.key").replace(place.directory / MASTER_FILE)
    place.start()
    play_until(again(place, seats), lambda: len(place.of_kind("round")) >= 22)
    place.stop()
    place.settings = first
    with pytest.raises(UnusableData):
        place.start()
    place.settings = Settings(database=dump)
    place.start()


def test_a_seed_of_the_log_is_not_taken_again(place):
    seats = place.casino(1)
    kept = backup(place)
    seats[0].send("shoe")
    place.contribute(seats)
    digest = place.of_kind("seeds")[0]["hashes"]["p1"]
    log = mirror(place)
    lose_database(place)
    restored(place, kept, log=log)
    seat = place.again(seats[0])
    at(seat).send("shoe")
    with pytest.raises(Problem, match="used before"):
        seat.send("hash", hash=digest, cut=9)


def test_who_sat_down_after_the_backup_needs_a_new_token(place):
    alice, bob = place.casino(2)
    kept = backup(place)
    bob.leave()
    carol = place.public.table("t1").sit("carol", 500)
    assert carol.seat == bob.seat
    log = mirror(place)
    lose_database(place)
    restored(place, kept, log=log)
    assert at(place.again(alice)).state["you"]["seat"] == alice.seat
    for gone in (bob, carol):
        with pytest.raises(Problem) as refused:
            Client(place.address, gone.token).table("t1").state()
        assert refused.value.status == 401


def test_an_operators_word_for_the_newest_checkpoint_lets_the_log_go_on_and_no_shoe(place):
    seats = place.sealed()
    kept = backup(place)
    place.bet_and_finish(seats)
    log, data = mirror(place, "newer"), place.directory.parent / "two"
    data.mkdir()
    shutil.copy(place.directory / MASTER_FILE, data)
    with pytest.raises(InputError, match="how far the log"):
        restore(kept, data, clock_of(place), log=log)
    with pytest.raises(InputError, match="of 8 "):
        restore(kept, data, clock_of(place), log=log, newest=kept / "checkpoint")
    assert restore(kept, data, clock_of(place), log=log, newest=log / "checkpoint").lost_shoes == ["t1/1"]
    with Place(data) as other:
        assert other.kinds()[-2:] == ["lost", "start"]
        assert codes(other) == ["shoe-lost"]


def test_without_the_newest_entries_nothing_is_restored(place):
    """Else the house would sign a second history."""
    seats = place.sealed()
    older = backup(place, "older")
    place.bet_and_finish(seats)
    kept = backup(place)
    lose_database(place)
    with pytest.raises(InputError, match="house signed 10"):
        restore(older, place.directory, clock_of(place))
    assert not list(place.directory.glob("fairshoe.db*"))
    newest = place.directory / "newest.checkpoint"
    whole = newest.read_bytes()
    newest.write_text((older / "checkpoint").read_text())
    with pytest.raises(InputError, match="checkpoint of 8 "):
        restore(kept, place.directory, clock_of(place))
    newest.write_bytes(whole)
    assert restored(place, kept).lost_shoes == []


@pytest.fixture
def kept(place):
    """A backup of a house with a shoe in play."""
    place.sealed()
    return backup(place)


def test_nothing_is_restored_beside_a_service_that_runs(place, kept, tmp_path):
    """Nor out of its database: two would go on from there, and the shoes in play would be public."""
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(place.directory / MASTER_FILE, other)
    for target, log in ((place.directory, None), (other, place.directory / "fairshoe.db")):
        with pytest.raises(InputError, match="a service runs"):
            restore(kept, target, clock_of(place), log=log)
    place.stop()
    with pytest.raises(InputError, match="a database here"):
        restore(kept, place.directory, clock_of(place))
    place.start()
    assert [path.name for path in other.iterdir()] == [MASTER_FILE]
    assert main(["restore", "--check", "--data", str(place.directory)]) == 0
    assert main(["backup", str(tmp_path / "another"), "--data", str(place.directory)]) == 0


def test_no_service_starts_while_a_restore_is_at_work_and_two_share_a_directory(place, kept):
    """While a new service replaces the old one; a restore waits for both."""
    other = open_house(place.directory, clock_of(place))
    place.stop()
    with pytest.raises(InputError, match="a service runs"):
        restore(kept, place.directory, clock_of(place))
    other.close()
    with require_stopped(place.directory), pytest.raises(InputError, match="`fairshoe restore` or `keys`"):
        open_house(place.directory)
    place.start()


def test_a_directory_without_the_right_master_key_is_refused(place, kept, tmp_path):
    with pytest.raises(UnusableData, match="master key is missing"):
        restore(kept, tmp_path, clock_of(place))
    (tmp_path / MASTER_FILE).write_text("11" * 32)
    (tmp_path / MASTER_FILE).chmod(0o600)
    with pytest.raises(UnusableData, match="master key does not"):
        restore(kept, tmp_path, clock_of(place))
    with pytest.raises(InputError, match="no such directory"):
        restore(kept, tmp_path / "nowhere", clock_of(place))


def test_a_damaged_backup_is_refused(place, kept):
    change(kept / "fairshoe.db", "UPDATE entries SET line = CAST('{}' AS BLOB) WHERE seq = 2")
    lose_database(place)
    with pytest.raises(UnusableData, match="the backup is damaged"):
        restore(kept, place.directory, clock_of(place))


def test_a_copy_of_another_history_is_refused(place, tmp_path):
    """Of another house, or changed."""
    place.sealed()
    kept = backup(place)
    place.casino(1, name="t2")
    newer = mirror(place, "newer")
    with Place(tmp_path / "another") as other:
        other.sealed()
        other.casino(1, 999, name="t2")
        foreign = mirror(other, "foreign")
    lose_database(place)
    lines = (newer / "log.jsonl").read_bytes().split(b"\n")
    (newer / "log.jsonl").write_bytes(b"\n".join([*lines[:-2], lines[-2].replace(b"1000", b"9000"), b""]))
    for bad in (foreign, newer):
        with pytest.raises(VerificationError):
            restore(kept, place.directory, clock_of(place), log=bad)
    shutil.copy(kept / "fairshoe.db", place.directory)
    shutil.copy(kept / "checkpoint", place.directory / "newest.checkpoint")
    place.start()


def lost_after_a_round(place):
    """A backup of before the round and a mirror of after it; the database is lost."""
    seats = place.sealed()
    kept = backup(place)
    place.bet_and_finish(seats)
    log = mirror(place)
    lose_database(place)
    return kept, log


def test_a_newest_checkpoint_that_is_itself_old_is_not_taken_for_the_newest(place):
    """The whole directory came back from an image of the disk, and a mirror knows more: there may be more still."""
    kept, log = lost_after_a_round(place)
    shutil.copy(kept / "checkpoint", place.directory / "newest.checkpoint")
    with pytest.raises(InputError, match="10 entries: the one of 8"):
        restore(kept, place.directory, clock_of(place), log=log)
    (place.directory / "newest.checkpoint").unlink()
    assert restored(place, kept, log=log, newest=log / "checkpoint").lost_shoes == ["t1/1"]


def test_a_restore_that_failed_is_done_again(place, monkeypatch):
    """At each step of its end."""
    from fairshoe.service import restore as steps

    kept, log = lost_after_a_round(place)
    for name in ("settle", "replace"):
        with monkeypatch.context() as broken:
            broken.setattr(steps, name, lambda *_, **__: (_ for _ in ()).throw(OSError(28, "full")))
            with pytest.raises(OSError, match="full"):
                restore(kept, place.directory, clock_of(place), log=log)
        for path in place.directory.glob("fairshoe.db*"):
            path.unlink()
    assert restored(place, kept, log=log).lost_shoes == []
    place.assert_clean()


def test_what_can_be_read_of_a_damaged_database_is_a_copy_of_the_log(place):
    """Its tables are gone, its entries are not: no mirror is needed."""
    seats = place.sealed()
    kept = backup(place)
    place.bet_and_finish(seats)
    size = len(place.entries())
    place.stop()
    broken = place.directory.parent / "fairshoe.db"
    (place.directory / "fairshoe.db").rename(broken)
    change(broken, "DROP TABLE tables")
    done = restored(place, kept, log=broken)
    assert (done.newer, done.lost_shoes) == (2, [])
    assert len(place.entries()) == size + 1
    place.assert_clean()
