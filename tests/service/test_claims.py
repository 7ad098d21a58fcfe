"""A value that was claimed in a log is refused to everybody else, whatever it was claimed as; nothing is lost by it."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from unittest.mock import patch

import pytest

from fairshoe.ceremony.acting.commands import GiveCommitment, GiveHash
from fairshoe.ceremony.acting.state import State
from fairshoe.ceremony.claims import claims_in
from fairshoe.errors import InputError
from fairshoe.log.note import open_note
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.placer_chain import shoe_of
from fairshoe.service import table_store
from fairshoe.service.batches import Job
from fairshoe.service.errors import AlreadyClaimed
from fairshoe.service.transactions import Task

from .place import at, refusal
from .test_player_places import SIGNER, Own

KEYS = [bytes([number]) * 32 for number in range(1, 10)]


@pytest.fixture
def place(tmp_path, store):
    """Two players of a table of one-round shoes, whose first shoe is committed to."""
    with Own(tmp_path / "house", direct=True) as found:
        found.one, found.two = found.sit("boxes", 2)
        found.one.send("shoe")
        yield found


def assert_both_pass(place):
    place.assert_both_pass()
    values = [claim.value for entry in place.entries() if entry["kind"] != "opened" for claim in claims_in(entry)]
    assert len(set(values)) == len(values)


def assert_refused(seat, what, **fields):
    """Nothing is lost: what the seat is asked for is the same as before."""
    log, wanted = at(seat).state["log"], seat.next()
    body = refusal(seat.send, what, **fields)
    assert (body["status"], body["type"], body["field"]) == (409, "/docs#already-claimed", what)
    assert "a fresh random seed" in body["remedy"]
    assert (at(seat).state["log"], seat.next()) == (log, wanted)


def play(place, *seats):
    """A round, on the shoe that is committed to."""
    place.contribute(seats)
    for seat in seats:
        if at(seat).next()["do"] == "bets":
            seat.bet(10)
    place.contribute(seats)
    place.finish(seats)
    assert place.kinds()[-2:] == ["round", "reveal"]


def ended_shoe(place):
    """A shoe of another table that was dealt; its `shoe` entry and its key."""
    seat = place.sit("banker", 1, name="t2")[0]
    seat.send("shoe")
    place.bet_and_finish([seat])
    return place.of_kind("shoe")[-1]["commitment"], place.of_kind("reveal")[-1]["key"]


def test_a_hash_is_no_commitment(place):
    """Of its own shoe, and of one whose key is public."""
    own, (other, _) = place.of_kind("shoe")[0]["commitment"], ended_shoe(place)
    for taken in (own, other):
        assert_refused(place.one, "hash", hash=taken, shoe="t1/1")
    play(place, place.one, place.two)
    assert_both_pass(place)


def test_a_sole_players_seed_is_no_revealed_key(place):
    commitment, key = ended_shoe(place)
    place.two.leave()
    at(place.one).send("reshuffle", shoe="t1/1")
    place.one.bet(10)
    assert sha256(bytes.fromhex(key)).hexdigest() == commitment
    assert at(place.one).next()["do"] == "seed"
    assert_refused(place.one, "seed", seed=key)
    play(place, place.one)
    assert_both_pass(place)


def own_table(place):
    """A table whose player places, and is asked for a commitment; what the house has signed of it."""
    place.operator.create_table("banker", table="t3", placer="player")
    place.at, place.keys = {}, 0
    place.alice = place.public.table("t3").sit("alice", 1000, placer=str(SIGNER.verifier))
    place.alice.send("shoe")
    return shoe_of(open_note(place.alice.refresh()["awaited"]["commit"], place.log_key))


def test_a_player_who_places_takes_nobodys_commitment(place):
    """The house's for the same shoe, which no entry has yet, that of another shoe, a hash that was sent."""
    place.one.contribute()
    (hashed,) = place.one.book.hashed
    _, shoe, commitment = own_table(place)
    for taken in (commitment, place.of_kind("shoe")[0]["commitment"], hashed):
        assert_refused(place.alice, "commitment", shoe=shoe, commitment=taken)
    assert_refused(place.two, "hash", hash=commitment, shoe="t1/1")
    place.play(1)
    assert_both_pass(place)


def test_a_placers_answer_takes_nobodys_commitment(place):
    _, shoe, _ = own_table(place)
    with pytest.raises(AlreadyClaimed, match="was used before"):
        place.house.sequencer.take_answer("t3", GiveCommitment(shoe, place.of_kind("shoe")[0]["commitment"]))
    assert "commit" in place.alice.refresh()["awaited"]


def test_of_two_in_one_transaction_one_is_refused(place):
    """At two tables: neither is on the disk when the other one is looked at."""
    other = place.sit("boxes", 2, name="t2")
    other[0].send("shoe")
    tables, hash = place.house.sequencer.tables, "ab" * 32

    def give(connection, table):
        stored, now = tables.advance(connection, table, State)
        tables.store(tables.step(connection, stored, GiveHash(1, hash), now), now, stored.key)

    jobs = [Job(Task(partial(give, table=table))) for table in ("t1", "t2")]
    place.house.sequencer.transactions._run(jobs)
    assert [type(job.error) for job in jobs] == [type(None), AlreadyClaimed]
    assert at(place.one).state["shoe"]["hashed"] == ["p1"]
    assert at(other[0]).state["shoe"]["hashed"] == []


def test_a_hash_stays_claimed(place):
    """Of a shoe that is void before its hashes are logged, by whoever, over a restart."""
    taken = sha256(b"a seed of sixteen bytes").hexdigest()
    place.one.send("hash", hash=taken, shoe="t1/1")
    assert at(place.one).send("hash", hash=taken, shoe="t1/1"), "no new claim"
    place.two.send("reshuffle", shoe="t1/1")
    place.restart()
    one, two = map(place.again, (place.one, place.two))
    for seat in (one, two):
        assert_refused(seat, "hash", hash=taken, shoe="t1/2")
    play(place, one, two)
    assert_both_pass(place)


def test_a_key_whose_commitment_is_claimed_is_drawn_again(place):
    """It was a hash's, or was drawn before."""
    hashed, fresh = KEYS[:2]
    place.one.send("hash", hash=commitment_of(hashed), shoe="t1/1")
    drawn = iter([hashed, fresh])
    with patch.object(table_store, "new_key", lambda: next(drawn)):
        place.two.send("reshuffle", shoe="t1/1")
    assert place.of_kind("shoe")[-1]["commitment"] == commitment_of(fresh)
    with patch.object(table_store, "new_key", lambda: fresh):
        assert refusal(place.one.send, "reshuffle", shoe="t1/2")["type"] == "/docs#already-claimed"
    place.one.send("reshuffle", shoe="t1/2")
    assert_both_pass(place)


def test_a_client_sends_another_hash_once(place):
    taken, fresh = bytes(32), bytes([1]) * 32
    place.two.send("hash", hash=commitment_of(taken), shoe="t1/1")
    made = iter([taken, taken, taken, fresh])
    place.one.book.fresh = lambda _: next(made)
    assert refusal(place.one.contribute)["type"] == "/docs#already-claimed"
    assert list(made) == [taken, fresh], "no loop"
    made = iter([fresh])
    place.one.contribute()
    assert [each.seed for each in place.one.book.pledges("t1/1")] == [fresh]
    place.clock.forward(31)
    assert place.of_kind("seeds")[0]["hashes"]["p1"] == commitment_of(fresh)


def test_a_short_seed_is_refused(place):
    place.contribute([place.one, place.two])
    with pytest.raises(InputError, match="16 bytes or more"):
        place.one.send("seed", seed="ab" * 15)
    answer = place.public.with_token(place.one.token)
    body = refusal(answer.post, "/v1/tables/t1/seed", {"seed": "ab" * 15})
    assert (body["type"], body["field"]) == ("/docs#invalid-fields", "seed")
