"""`GET /v1/rounds/{id}/proof`: the file that a player takes away, from what the service stores."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from sqlalchemy import select

from audit_cli.cases.hand.parts import make
from audit_cli.cases.hand.run import TrustedInputs, check_hand_proof
from audit_cli.verify.evidence.witnesses import required_witnesses
from fairshoe.client import Problem
from fairshoe.log.directory import write_log
from fairshoe.log.hand_proof import proof_of, proof_text
from fairshoe.service import log_reader
from fairshoe.service.store.schema import places
from tests.witness.logs import SECOND, TIME, WITNESS

from .place import at


def proof(place, name, query=""):
    return place.public.raw("GET", f"/v1/rounds/{quote(name, safe='')}/proof{query}")


def cosign(place, *witnesses):
    """Witnesses cosign the head as it is; its checkpoint."""
    heads = place.house.sequencer.heads
    head = heads.present()
    for each in witnesses:
        heads.keep(str(each.key), head, each.cosign(head.text, TIME))
    return head


def checked(place, name):
    return check_hand_proof(proof(place, name), place.house.sequencer.signer.verifier, name=name).outcome


def test_the_service_and_the_auditor_make_the_same_bytes(place):
    seats = place.sealed()
    place.deal_until_asked(seats)
    log = place.directory / "copied"
    write_log(log, place.public.log(), place.house.sequencer.signer)
    for entry in place.of_kind("open"):
        name = f"t1#{entry['round']}"
        file = proof_of(proof(place, name))
        assert file._replace(openings=()) == make(log, name), "only the house has openings"
        assert proof(place, name) == proof_text(file).encode()


def test_a_hand_is_bound_to_the_seal_until_its_shoe_ends(place):
    seats = place.sealed()
    place.bet_and_finish(seats)
    (dealt,) = place.of_kind("round")
    assert [each.label for each in proof_of(proof(place, "t1#1")).openings] == dealt["cards"]
    assert "bound to the seal" in checked(place, "t1#1").what
    for seat in seats:
        at(seat).leave()
    assert proof_of(proof(place, "t1#1")).openings == ()
    assert checked(place, "t1#1").word == "PASS"


def test_a_round_that_there_is_not_is_not_found(place):
    place.sealed()
    for name in ("t1#99", "t2#1", "t1#0", "t1#01", "t1", "#1", "x" * 300):
        with pytest.raises(Problem) as caught:
            proof(place, name)
        assert caught.value.status == 404


def test_the_index_is_made_once_and_goes_on_where_it_ended(place, monkeypatch):
    monkeypatch.setattr(log_reader, "INDEX_BATCH", 3)
    seats = place.sealed()
    place.deal_until_asked(seats)
    first = proof(place, "t1#1")
    with place.house.database.begin_read() as connection:
        upto = connection.execute(select(places.c.seq).where(places.c.name == "")).scalar_one()
    assert upto == place.house.sequencer.log.size()
    place.sit("casino", 1, name="t2")
    again = json.loads(proof(place, "t1#1"))
    assert [each["line"] for each in again["entries"]] == [each["line"] for each in json.loads(first)["entries"]]
    place.restart()
    assert checked(place, "t1#1").good


def test_the_index_follows_the_log_before_anybody_asks(place, monkeypatch):
    monkeypatch.setattr(log_reader, "INDEX_BATCH", 3)
    place.sealed()
    size = place.house.sequencer.log.size()
    for _ in range(size // 3):
        place.house.sequencer.log.index()
    with place.house.database.begin_read() as connection:
        upto = connection.execute(select(places.c.seq).where(places.c.name == "")).scalar()
    assert upto == size - size % 3


def test_the_cosignatures_of_the_newest_checkpoint_stand_in_the_proof(place):
    place.deal_until_asked(place.sealed())
    number = f"t1#{place.public.get('/v1/tables/t1')['round']['round']}"  # naturals may have ended one before it
    cosign(place, WITNESS, SECOND)
    data = proof(place, number)
    verifier = place.house.sequencer.signer.verifier
    wanted = required_witnesses([str(WITNESS.key), str(SECOND.key)], None)
    assert check_hand_proof(data, verifier, against=TrustedInputs(witnesses=wanted)).outcome.good
    log = place.directory / "copied"
    write_log(log, place.public.log(), place.house.sequencer.signer)
    assert proof_text(make(log, number)).encode() != data
    (log / "checkpoint").write_bytes(place.public.raw("GET", "/v1/log/checkpoint"))
    assert proof_text(make(log, number)).encode() == data


@pytest.mark.both
def test_a_proof_is_made_under_what_so_many_witnesses_cosigned(place):
    seats = place.sealed()
    place.deal_until_asked(seats)
    both = cosign(place, WITNESS, SECOND)
    place.sit("casino", 1, name="t2")
    one = cosign(place, WITNESS)
    place.sit("casino", 1, name="t3")
    for query, head, count in (("?witnesses=2", both, 2), ("?witnesses=1", one, 1)):
        found = proof_of(proof(place, "t1#1", query))
        assert (found.head, found.checkpoint.count("\n— ")) == (head, 1 + count)
    assert proof_of(proof(place, "t1#1")).head.size > one.size


def test_a_proof_that_nobody_can_make_yet_is_refused(place):
    seats = place.sealed()
    cosign(place, WITNESS)
    place.deal_until_asked(seats)
    with pytest.raises(Problem, match="newer than the"):
        proof(place, "t1#1", "?witnesses=1")
    for name, query, status in (("t1#1", "1", 409), ("t1#1", "2", 409), ("t1#99", "1", 404), ("t1#1", "none", 422)):
        with pytest.raises(Problem) as caught:
            proof(place, name, f"?witnesses={query}")
        assert caught.value.status == status
