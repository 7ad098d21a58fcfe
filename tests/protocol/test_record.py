"""A lone shoe's record: every step is stored before it is told, and whoever kept the notes replays them."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import fairshoe
from fairshoe import InputError, Record, RuleError, VerificationError, check_record
from tests.second.vectors import load

SECRET = bytes(range(32))
SEEDS = {"ann": b"a" * 16, "bob": b"b" * 16, "cid": b"c" * 16}
Notes = list[dict[str, Any]]


def hash_of(who: str) -> str:
    return sha256(SEEDS[who]).hexdigest()


class House:
    """Records in one file, with a clock of its own, and what a player kept of the notes."""

    def __init__(self, folder: Path) -> None:
        self.file, self.time = folder / "shoe", 1000.0
        self.kept: Notes = []

    def commit(self, shoe: str = "s", **more: Any) -> Record:
        given = {"roster": list(SEEDS), "publish": self.kept.append, "now": lambda: self.time} | more
        return Record.commit(self.file, SECRET, shoe, fairshoe.french(1), draws={"tie": 6}, **given)

    def resume(self, record: Record) -> Record:
        record.close()
        return Record.resume(self.file, SECRET, publish=self.kept.append, now=lambda: self.time)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def pledged(record: Record) -> Record:
    for who in SEEDS:
        record.pledge(who, hash_of(who))
    return record


def opened(record: Record) -> Record:
    for who in reversed(pledged(record).roster):
        record.contribute(who, SEEDS[who])
    return record


def played(house: House) -> Notes:
    """A game with every kind of step, and a crash after each."""
    record = house.commit(cut=7)
    record.game = {"round": 1}
    steps: list[Callable[[Record], object]] = [
        lambda record, who=who: record.pledge(who, hash_of(who)) for who in SEEDS
    ]  # type: ignore[misc]
    steps += [lambda record, who=who: record.contribute(who, SEEDS[who]) for who in reversed(SEEDS)]  # type: ignore[misc]
    steps += [
        lambda record: record.seal(),
        lambda record: record.draw(3),
        lambda record: record.draw(2, to="bob"),
        lambda record: record.show(4),
        lambda record: record.number("tie"),
        lambda record: record.reshuffle([0, 1, 2, 3]),
        lambda record: record.draw(),
        lambda record: record.reveal(),
    ]
    for step in steps:
        step(record)
        record = house.resume(record)
        assert record.game == {"round": 1}
    assert (record.ended, record.waits_for) == (True, ())
    record.close()
    notes = {note["n"]: note for note in house.kept}  # the last one comes again after each crash
    assert len(house.kept) == 2 * len(notes) - 1
    assert check_record(house.kept) == check_record([*notes.values()])
    return json.loads(json.dumps([*notes.values()]))


def test_a_game_that_fails_after_each_step_has_notes_that_hold(house: House) -> None:
    notes = played(house)
    found = check_record(notes, seeds={"ann": SEEDS["ann"]})
    assert found.verified is not None
    assert found.verified.remembered
    assert [len(cards) for cards in found.verified.dealt] == [5, 1]
    with pytest.raises(VerificationError):
        check_record(notes, seeds={"ann": b"another"})


def changed(n: int, **changes: Any) -> Callable[[Notes], None]:
    return lambda notes: notes[n].update(changes)


def exchanged(notes: Notes) -> None:
    """Two hashes in another order."""
    notes[1], notes[2] = notes[2] | {"n": 1}, notes[1] | {"n": 2}


CHANGES: dict[str, Callable[[Notes], None]] = {
    "another commitment": changed(0, commitment="00" * 32),
    "another shoe": changed(0, shoe="t"),
    "another deck": changed(0, deck=fairshoe.french(2)),
    "another draw": changed(0, draws={"tie": 7}),
    "another cut": changed(0, cut=8),
    "a beacon": changed(0, beacon=1000),
    "somebody outside the roster": changed(0, roster=["ann", "bob"]),
    "somebody without a hash": changed(0, roster=[*SEEDS, "dan"]),
    "another hash": changed(1, hash="00" * 32),
    "hashes in another order": exchanged,
    "another seed": changed(4, seed="00" * 16),
    "a seed of another": changed(5, player="ann"),
    "another root": changed(7, cards_root="00" * 32),
    "another card": changed(8, cards=["Ac", "Ac", "Ac"]),
    "another position": changed(9, pos=4),
    "a hidden card more": changed(9, hidden=3),
    "another card shown": lambda notes: notes[10]["shown"].update(label="A?"),
    "another number": lambda notes: notes[11].update(value=(notes[11]["value"] + 1) % 6),
    "other cards gathered": changed(12, gathered=[0, 1, 2, 4]),
    "a proof of fewer cards": lambda notes: notes[14]["proof"].update(dealt=0),
    "another key": lambda notes: notes[14]["proof"].update(key="00" * 32),
    "sealed twice, to deal again": lambda notes: notes.__setitem__(11, notes[7] | {"n": 11}),
    "a note of another form": lambda notes: notes.__setitem__(3, {"n": 3}),
    "a field more": changed(8, to="bob"),
    "a field more in the first note": changed(0, rules="none"),
    "a field more in the last note": changed(14, rules="none"),
    "no limit": changed(0, limit=0),
    "a limit below 0": changed(0, limit=-(10**6)),
    "a limit of half a second": changed(0, limit=0.5),
    "a limit that is no number": changed(0, limit=float("nan")),
    "a time that is no number": changed(3, at=float("nan")),
    "a time before all others": changed(3, at=float("-inf")),
    "a time that is true": changed(3, at=True),
    "a time before the note before it": changed(3, at=999),
    "a player twice": changed(0, roster=[*SEEDS, "ann"]),
    "voids that are none": changed(0, voids={"ann": [1, 2]}),
    "cards to nobody": changed(9, to=5),
    "a number that is no integer": lambda notes: notes[11].update(value=float(notes[11]["value"])),
    "two notes with one number": lambda notes: notes.insert(9, notes[8] | {"cards": ["Ac", "Ac", "Ac"]}),
    "a number missing": lambda notes: notes[9].update(n=10),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_note_is_found(house: House, change: str) -> None:
    notes = played(house)
    CHANGES[change](notes)
    with pytest.raises(VerificationError):
        check_record(notes)


def test_notes_that_are_none_are_refused(house: House) -> None:
    notes = played(house)
    for bad in ([], [{}], [1], notes[:-1], None):
        with pytest.raises(InputError):
            check_record(bad)  # type: ignore[arg-type]


def test_who_is_late_is_struck_until_a_seed_is_open_and_then_makes_the_shoe_void(house: House) -> None:
    record = house.commit()
    record.pledge("ann", hash_of("ann"))
    record.pledge("bob", hash_of("bob"))
    with pytest.raises(RuleError, match="cid has sent no hash"):
        record.contribute("bob", SEEDS["bob"])
    assert (record.waits_for, record.due, record.enforce()) == (("cid",), 1060, False)
    house.time = 1060
    with pytest.raises(RuleError, match="too late"):
        record.pledge("cid", hash_of("cid"))
    assert record.enforce()
    record = house.resume(record)
    assert (record.roster, record.waits_for, record.due) == (["ann", "bob"], ("bob",), 1120)
    record.contribute("bob", SEEDS["bob"])
    record.contribute("bob", SEEDS["bob"])
    with pytest.raises(RuleError, match="ann is waited for"):
        record.seal()
    house.time = 1120
    with pytest.raises(RuleError, match="too late"):
        record.contribute("ann", SEEDS["ann"])
    assert record.enforce()
    assert (record.ended, record.voids, record.enforce()) == (True, {"ann": [1, 1]}, False)
    assert {name: house.kept[-1][name] for name in ("void", "heard")} == {"void": ["ann"], "heard": ["bob"]}
    assert check_record(record.notes) == (None, {"ann": [1, 1]})
    for lie in (
        {"void": ["bob"]},
        {"void": []},
        {"heard": []},
        {"voids": {}},
        {"voids": {"ann": [1, 0]}},
        {"key": "00" * 32},
    ):
        with pytest.raises(VerificationError):
            check_record([*record.notes[:-1], record.notes[-1] | lie])
    for call in (record.void, record.seal, record.draw, record.reveal):
        with pytest.raises(RuleError, match="is over"):
            call()
    record.close()
    again = house.commit("t")
    assert house.kept[-1]["voids"] == {"ann": [1, 1]}
    house.time = 1180
    assert again.enforce()
    assert again.voids == {"ann": [2, 1], "bob": [1, 0], "cid": [1, 0]}
    with pytest.raises(VerificationError):
        check_record([again.notes[0], again.notes[1] | {"key": "00" * 32}])


def test_the_first_who_does_not_open_is_struck(house: House) -> None:
    record = pledged(house.commit())
    house.time = 2000
    assert record.enforce()
    assert (record.roster, house.kept[-1]["struck"], record.waits_for) == (["ann", "bob"], ["cid"], ("bob",))
    for who in ("bob", "ann"):
        record.contribute(who, SEEDS[who])
    record.seal()
    record.draw()
    record.reveal()
    assert check_record(record.notes).verified is not None


@pytest.mark.parametrize(("late", "at"), [(["ann"], 2000), (["zed"], 2000), (["cid", "bob"], 2000), (["cid"], 1059)])
def test_a_house_strikes_only_whom_it_waited_for_and_not_too_early(late: list[str], at: int, house: House) -> None:
    record = pledged(house.commit())
    house.time = 2000
    record.enforce()
    for who in ("bob", "ann"):
        record.contribute(who, SEEDS[who])
    record.seal()
    record.reveal()
    assert check_record(record.notes).verified is not None
    told = [note | {"struck": late, "at": at} if "struck" in note else note for note in record.notes]
    with pytest.raises(VerificationError, match="note 4"):
        check_record(told)


def test_a_house_blames_nobody_for_a_void_before_the_limit(house: House) -> None:
    record = pledged(house.commit())
    record.contribute("cid", SEEDS["cid"])
    house.time = 1060
    record.enforce()
    assert check_record(record.notes).voids == {"bob": [1, 1]}
    with pytest.raises(VerificationError, match="before the time limit"):
        check_record([*record.notes[:-1], record.notes[-1] | {"at": 1059}])


def test_a_house_voids_a_live_shoe_and_is_counted(house: House) -> None:
    record = opened(house.commit())
    record.seal()
    cards = record.draw(2)
    record.void()
    assert record.voids == {"house": [1, 1]}
    assert check_record(record.notes).verified is None
    for n, changes in ((-1, {"at": None}), (7, {"signature": "00" * 48})):
        notes = json.loads(json.dumps(record.notes))
        notes[n] = {name: value for name, value in (notes[n] | changes).items() if name != "at" or value is not None}
        with pytest.raises(VerificationError):
            check_record(notes)
    key = bytes.fromhex(record.notes[-1]["key"])
    assert fairshoe.shuffle(key=key, shoe="s", deck=fairshoe.french(1), seeds=[*SEEDS.items()])[:2] == cards
    record.notes[-2]["cards"] = ["Ac", "Ac"]
    with pytest.raises(VerificationError):
        check_record(record.notes)


def test_a_beacon_and_nobody_else(house: House) -> None:
    number, signature = (load("beacons")[0][name] for name in ("round", "signature"))
    record = house.commit(roster=[], beacon=fairshoe.drand_quicknet(number))
    with pytest.raises(RuleError, match="signature is missing"):
        record.seal()
    record.seal(signature)
    record.draw()
    record.reveal()
    assert check_record(record.notes).verified is not None
    for n, lie in ((1, {"signature": load("beacons")[1]["signature"]}), (0, {"at": 1_700_000_000})):
        with pytest.raises(VerificationError):
            check_record([note | lie if note["n"] == n else note for note in record.notes])
    record.close()
    beacon = fairshoe.drand_quicknet(number)
    house.time = beacon.time - 60 * (len(SEEDS) + 1)
    with pytest.raises(RuleError, match="before the time limits end"):
        house.commit("t", beacon=beacon)
    house.time -= 1
    record = house.commit("t", beacon=beacon)
    house.time = beacon.time
    with pytest.raises(RuleError, match="is too late"):
        record.pledge("ann", hash_of("ann"))
    record.void()
    record.close()
    with pytest.raises(RuleError, match="is out"):
        house.commit("u", beacon=fairshoe.drand_quicknet(number))


def test_a_step_is_checked_and_noted_at_one_time(house: House) -> None:
    """The last seed comes just before the beacon, and the clock goes on meanwhile; later it is set back."""
    beacon = fairshoe.drand_quicknet(int(load("beacons")[0]["round"]))
    step = 0.0

    def now() -> float:
        house.time += step
        return house.time

    house.time = beacon.time - 400
    record = pledged(house.commit(beacon=beacon, limit=90, now=now))
    house.time = beacon.time - 50
    assert record.enforce(), "the program was away"
    record.contribute("bob", SEEDS["bob"])
    house.time, step = beacon.time - 0.00005, 0.00002
    record.contribute("ann", SEEDS["ann"])
    house.time, step = beacon.time - 50, 0
    record.seal(load("beacons")[0]["signature"])
    record.reveal()
    assert check_record(record.notes).verified is not None


def test_nothing_changes_the_order_once_the_beacon_is_out(house: House) -> None:
    beacon = fairshoe.drand_quicknet(int(load("beacons")[0]["round"]))
    house.time = beacon.time - 300
    record = opened(house.commit(beacon=beacon))
    record.seal(load("beacons")[0]["signature"])
    record.reveal()
    assert check_record(record.notes).verified is not None
    for n, note in enumerate(record.notes[1:7], 1):
        late = [each | {"at": beacon.time} if each["n"] >= n else each for each in record.notes]
        with pytest.raises(VerificationError, match="is out"):
            check_record(late)
        assert {"hash", "seed"} & set(note)
    record.close()
    record = pledged(house.commit("t", beacon=beacon, limit=3))
    house.time = beacon.time - 1
    assert record.enforce(), "the program was away: the next limit ends after the round"
    house.time = beacon.time + 1
    with pytest.raises(RuleError, match="the beacon"):
        record.contribute(record.waits_for[0], SEEDS[record.waits_for[0]])
    house.time += 1
    assert record.enforce()
    assert "void" in record.notes[-1]
    check_record(record.notes)
    struck = [*record.notes[:-1], {"n": 5, "at": beacon.time + 2, "struck": record.notes[-1]["void"]}]
    with pytest.raises(VerificationError, match="is out"):
        check_record([*struck, record.notes[-1] | {"n": 6}])
    record.close()
    house.time = beacon.time - 1
    record = house.commit("u", roster=[], beacon=beacon)
    with pytest.raises(RuleError, match="roster"):
        record.contribute("ann", SEEDS["ann"])
    record.seal(load("beacons")[0]["signature"])
    record.reveal()
    added = {"n": 1, "at": beacon.time - 1, "player": "ann", "seed": SEEDS["ann"].hex()}
    with pytest.raises(VerificationError, match="not in the roster"):
        check_record([record.notes[0], added, *(note | {"n": note["n"] + 1} for note in record.notes[1:])])


def test_what_is_refused_changes_nothing(house: House) -> None:
    for roster in (["a", "a"], ["house"], "ab", ["a b"], [f"p{i}" for i in range(65)]):
        with pytest.raises(InputError):
            house.commit(roster=roster)
    record = opened(house.commit())
    with pytest.raises(RuleError, match="another process"):
        Record.resume(house.file, SECRET, publish=print)
    with pytest.raises(RuleError, match="not sealed yet"):
        record.draw()
    record.seal()
    with pytest.raises(RuleError, match="is sealed"):
        record.pledge("dan", "00" * 32)
    stored = house.file.read_bytes()
    for call in (lambda: record.draw(53), lambda: record.open(0), lambda: record.show(0), lambda: record.number("x")):
        with pytest.raises((RuleError, InputError)):
            call()
    assert house.file.read_bytes() == stored
    record.close()
    with pytest.raises(RuleError, match="is live"):
        house.commit()
    with pytest.raises(InputError, match="secret"):
        Record.resume(house.file, bytes(32), publish=print)
    house.file.write_text("{}")
    with pytest.raises(InputError, match="not a record"):
        Record.resume(house.file, SECRET, publish=print)


def test_what_was_stored_and_not_published_comes_after_the_crash(house: House) -> None:
    record = house.commit()

    def fail(note: dict[str, Any]) -> None:
        raise OSError("nobody listens")

    record._publish = fail
    with pytest.raises(OSError, match="nobody"):
        record.pledge("ann", hash_of("ann"))
    with pytest.raises(OSError, match="nobody"):
        record.pledge("bob", hash_of("bob"))
    assert [note["n"] for note in house.kept] == [0]
    record = house.resume(record)
    assert [note["n"] for note in house.kept] == [0, 1, 2]
    assert house.file.stat().st_mode & 0o777 == 0o600
