"""`GET /v1/rounds/{id}/proof`: the file that a player takes away, from what the service stores."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from sqlalchemy import select

from audit_cli.proof.making import make
from audit_cli.proof.run import answer
from fairshoe.client import Problem
from fairshoe.log.directory import write_log
from fairshoe.log.hand_proof import proof_text
from fairshoe.service.store import places as index
from fairshoe.service.store.schema import places

from .place import step

OK = "is what the key and the rules give"


def proof(place, name):
    return place.public.raw("GET", f"/v1/rounds/{quote(name, safe='')}/proof")


def checked(place, name):
    return answer(proof(place, name), place.house.sequencer.signer.verifier, name=name).outcome


def test_a_hand_is_proved_while_it_is_dealt(place):
    place.playing()
    name = f"t1#{place.of_kind('open')[-1]['round']}"
    said = checked(place, name)
    assert said.line.startswith(f"PASS so far: round {name} is bound, cards not checked")
    assert not said.complete


@pytest.mark.parametrize(
    ("rules", "players"), [("banker", 1), ("boxes", 2), ("casino", 2), ("chinese", 2), ("lounge", 2), ("pontoon", 3)]
)
def test_each_game_is_proved_to_the_card(place, rules, players):
    seats = place.sit(rules, players)
    while not place.of_kind("round"):
        acted = [step(seat) for seat in seats]
        assert any(acted)
    dealt = place.of_kind("round")[0]
    name = f"t1#{dealt['round']}"
    if rules in ("casino", "pontoon"):
        assert checked(place, name).word == "PASS so far"
    for _ in range(48):  # until the shoe is too old, and a round that was open there is over
        if dealt["shoe"] not in {entry["shoe"] for entry in place.of_kind("reveal")}:
            place.clock.forward(3_600)
            place.house.sequencer.catch_up("t1")
    assert checked(place, name).line == f"PASS: every card, decision and payout of round {name} {OK}"


def test_the_service_and_the_auditor_make_the_same_bytes(place):
    seats = place.sealed()
    place.deal_until_asked(seats)
    log = place.directory / "copied"
    write_log(log, place.public.log(), place.house.sequencer.signer)
    for entry in place.of_kind("open"):
        name = f"t1#{entry['round']}"
        assert proof(place, name) == proof_text(make(log, name)).encode()
        assert proof(place, name) == proof(place, name)


@pytest.mark.parametrize("name", ["t1#99", "t2#1", "t1#0", "t1#01", "t1", "#1", "x" * 300])
def test_a_round_that_there_is_not_is_not_found(place, name):
    place.sealed()
    with pytest.raises(Problem) as caught:
        proof(place, name)
    assert caught.value.status == 404


def test_the_index_is_made_once_and_goes_on_where_it_ended(place, monkeypatch):
    monkeypatch.setattr(index, "BATCH", 3)
    seats = place.sealed()
    place.deal_until_asked(seats)
    first = proof(place, "t1#1")
    with place.house.database.reading() as connection:
        upto = connection.execute(select(places.c.seq).where(places.c.name == "")).scalar_one()
    assert upto == place.house.sequencer.log_size()
    place.sit("casino", 1, name="t2")
    again = json.loads(proof(place, "t1#1"))
    assert [each["line"] for each in again["entries"]] == [each["line"] for each in json.loads(first)["entries"]]
    place.restart()
    assert checked(place, "t1#1").good
