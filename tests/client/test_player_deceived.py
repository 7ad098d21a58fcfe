"""A player who places, and a house that would have the client give more than a place, or forget what it did."""

from __future__ import annotations

import json
from contextlib import ExitStack
from unittest.mock import patch

import pytest

from fairshoe.ceremony.acting import shoes
from fairshoe.ceremony.placer_steps import decision_text
from fairshoe.client import Client, PlacesKept, RemoteTable, SeedKept
from fairshoe.client.book import new_request
from fairshoe.client.player_placer import may_need
from fairshoe.engine.moves import TABLE, Decision
from fairshoe.engine.rules import rules_of
from fairshoe.engine.table import Bet, fresh_table
from fairshoe.errors import VerificationError
from fairshoe.log.times import SECOND

from ..lying import LyingHouse
from ..lying_places import TO_PLACERS
from ..service.place import Place
from .test_player_places import own_question, refused, turn, until
from .test_player_places import sit as sit


@pytest.fixture(scope="module")
def lying_houses(tmp_path_factory):
    """One house of each kind, before an honest one."""
    with Place(tmp_path_factory.mktemp("house") / "data") as place, ExitStack() as houses:
        yield {name: houses.enter_context(LyingHouse(place, lie, name)) for name, lie in TO_PLACERS.items()}


REASONS = {
    "places-another-bet": "other bets stand in round 1 than were sent",
    "places-another-decision": "said to be hit, and was sent: stand",
    "places-decision-by-the-table": "said to be the table's, and was sent: stand",
    "places-decision-never-sent": "said to be hit, and none was sent",
    "places-card-ahead": "by the cards so far it needs none",
    "places-more-cards": "expected at most card",
    "places-another-tree": "the tree that ends with what began round 1",
    "places-key-before-the-end": "does not show how shoe .* ended",
    "places-question-by-another-key": "no signature",
}


@pytest.mark.parametrize("name", TO_PLACERS)
def test_no_place_is_given_to_a_house_that_lies(lying_houses, name):
    """The same houses as the browser is held against (tests/player/test_places.py)."""
    house = lying_houses[name]
    alice = RemoteTable(Client(house.address), name).sit("alice", 1000)
    with pytest.raises(VerificationError, match=REASONS.get(name)):
        alice.play(house.lie.rounds, lambda _, wanted: wanted["default"], stake=10)
    alice.close()
    assert house.lie.forged
    answered = {json.loads(body).get("question") for body in house.posted}
    assert not answered.intersection(house.lie.forged)


def test_its_key_is_no_seed(place, sit):
    """Where the bets stand and the shoe is not sealed it would give the whole order away."""
    alice = sit("banker")
    until(alice, "bets")
    with patch.object(shoes.contributing, "may_seal", lambda *_: False):
        alice.bet(10)
        alice.table.client.state = lambda answer: answer["you"].update(expects=[{"do": "seed", "shoe": "t1/1"}])
        alice.refresh()
        with pytest.raises(SeedKept, match="t1/1 is a key"):
            alice.contribute()
    assert place.kinds()[-1] == "open"
    assert alice.table.client.heard == []


def test_another_round_does_not_make_it_forget(place, sit):
    """The house takes a decision in a round that nobody deals, and says then that it heard none in this one."""
    alice = sit("banker")
    round, step = turn(alice)
    alice.decide("hit")
    (shown,) = alice.state["awaited"]["questions"]
    later = new_request("decisions", {"round": round + 1, "step": 0, "move": "stand"})
    alice.book.ask(later)
    alice.book.mark_answered(later, done=True)
    told = decision_text(Decision(1, "stand", by=TABLE), "2027-01-15T08:00:31.000000Z")
    alice.state["awaited"] = {"questions": [own_question(place, alice, ["card 4"], [told], shown["cards"])]}
    alice._placer._clock = lambda: place.clock.wall / SECOND + 3600
    sent = "hit" if step == 1 else "decline"  # a dealer's ace asks for insurance first
    refused(place, alice, f"decision 1 of round {round} is said to be the table's, and was sent: {sent}")


def test_the_table_decides_in_no_time_and_needs_no_card(place, sit):
    """Its log runs ahead of the clock, and the dealer's hidden card is good enough: the next round is not placed."""
    alice = sit("banker")
    limit = place.operator.table("t1").state()["policy"]["decision"]
    while True:
        turn(alice)
        now = place.clock.wall / SECOND
        place.clock.forward(limit + 1)
        if alice.refresh()["phase"] != "places":
            break
        while alice.place():
            pass
    alice._placer._clock = lambda: now
    with pytest.raises(PlacesKept, match=f"the limit of {limit} s is not over"):
        alice.play(1)


@pytest.mark.parametrize("rules", ["banker", "boxes"])
def test_a_card_that_lies_open_is_shown_as_hidden(rules):
    """By it the player could have 21, so that the dealer would draw."""
    table = fresh_table(rules_of(rules, {}))
    table = type(table)(table.rules, {1: "alice"}, {**table.purse, 1: 100}, table.bank, table.memory)
    cards = ["Th", "6c", "4s", None]
    assert not may_need(table, [*cards, None], 0, [Bet(1, 10, 1)], [Decision(1, "hit")])
    assert may_need(table, cards, 0, [Bet(1, 10, 1)], [Decision(1, "hit")])
