"""The browser's core places the cards of its own table: at honest houses by itself, and at none that lies."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import ExitStack

import pytest

from audit_cli.verify.evidence.placer_notes import read_signed_notes
from fairshoe.protocol.placer_chain import CHAIN, QUESTION, RECEIPT

from ..lying import LyingHouse
from ..lying_places import TO_PLACERS
from ..service.place import Place
from .test_honest import played

GAMES = ("banker", "boxes", "casino", "lounge")
ROUNDS = 6
"""Of each game."""


def test_each_game_is_played_to_its_end_and_every_hand_holds(tmp_path):
    """By random players, who hit, double, split and insure."""
    with Place(tmp_path / "data") as place:
        for rules in GAMES:
            place.operator.create_table(rules, table=rules, placer="player")
        sessions = played("honest.mjs", place.address, *(f"{rules}:{rules}:{ROUNDS}" for rules in GAMES))
        place.assert_clean()
        kinds = [entry["kind"] for entry in place.entries()]
    assert not {"seeds", "opened"} & set(kinds)
    assert kinds.count("placed") == kinds.count("shoe")
    assert {each["rules"] for each in sessions} == set(GAMES)
    for each in sessions:
        assert each["alarms"] == []
        assert [hand["mark"] for hand in each["hands"]] == ["pass"] * ROUNDS
        (tmp_path / "exported").write_text(each["exported"])
        signed = Counter(note.split("\n")[0] for note in read_signed_notes(tmp_path / "exported"))
        assert signed[RECEIPT] == signed[QUESTION] == signed[CHAIN] > ROUNDS


@pytest.fixture(scope="module")
def noticed(tmp_path_factory):
    """What was found at each house, and the house."""
    with Place(tmp_path_factory.mktemp("house") / "data") as place, ExitStack() as open_houses:
        houses = {name: open_houses.enter_context(LyingHouse(place, lie, name)) for name, lie in TO_PLACERS.items()}
        words = [f"{name}={house.address}:{house.lie.rounds}" for name, house in houses.items()]
        found = played("lied-to.mjs", str(tmp_path_factory.mktemp("evidence")), *words)
        yield {each["table"]: (each, houses[each["table"]]) for each in found}


@pytest.mark.parametrize("name", TO_PLACERS)
def test_no_place_is_given_to_a_house_that_lies(noticed, name):
    found, house = noticed[name]
    assert {code for code, _ in found["alarms"]} == {TO_PLACERS[name].code}
    assert all(len(words) > 40 for _, words in found["alarms"])
    assert house.lie.forged
    answered = {json.loads(body).get("question") for body in house.posted}
    assert not answered.intersection(house.lie.forged)
