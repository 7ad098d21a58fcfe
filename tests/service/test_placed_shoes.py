"""Shoes without a table whose cards a second dealer places: draws that wait for it, hidden hands, kills, its key."""

from __future__ import annotations

import json

import pytest

from audit_cli.cases.placement import audit_placement
from fairshoe.client import Client, ShoeSeat
from fairshoe.errors import VerificationError
from fairshoe.log.times import DAY, SECOND
from fairshoe.service.backup import check_database
from fairshoe.service.placement_file import FILE

from .copies import backup, codes, lose_database, restored, vault_of
from .place import refusal, wait_for
from .test_placers import KEY, BesidePlacer
from .test_shoes import Game


class PlacedGame(Game):
    """A shoe with a placer."""

    def __init__(self, place, name="war", players=("ann", "bob"), **fields):
        super().__init__(place, name, players, placer=KEY, **fields)

    def settled(self):
        """The shoe once nothing is awaited of its placer."""
        wait_for(lambda: not self.look()["placer"]["awaited"])
        return self.look()

    def ready(self):
        self.settled()
        return self.seal()


@pytest.fixture
def beside(tmp_path):
    with BesidePlacer(tmp_path) as place:
        place.come()
        yield place
        place.go()


def checked(place, shoes=1):
    """Wait for the placer's keys, and audit the log, and what the house kept of questions and notes."""
    wait_for(lambda: len(place.of_kind("placed")) == shoes)
    report = place.assert_clean()
    found = audit_placement(place.directory / FILE, place.directory / "audited", place.house.sequencer.signer.verifier)
    assert (found.faults, found.left) == ([], 0)
    return report


def test_a_game_with_a_second_dealer(beside):
    """By the Python client: hands, numbers, a card shown; the placer is asked once for a draw of up to 63 cards."""
    shoe = beside.operator.create_shoe(["ann", "bob"], shoe="war", deck="french:2", draws={"die": 6}, placer=KEY)
    assert shoe.wait_for_placer()["stage"] == "hash"
    seats = {who: ShoeSeat(Client(beside.address, shoe.tokens[who]), "war") for who in ("ann", "bob")}
    while any(seat.contribute() for seat in seats.values()):
        pass
    shoe.refresh()
    for who in seats:
        shoe.draw(30, to=who)
    public = shoe.draw(3, draws=["die"])
    assert shoe.draw(3, draws=["die"], pos=60)["cards"] == public["cards"]
    hands = {who: seats[who].hand() for who in seats}
    placed = [entry["placed"]["places"] for entry in beside.of_kind("drawn")]
    assert [[card.opening.pos for card in hands[who]] for who in seats] == placed[:2]
    assert [card.pos for card in hands["bob"]] == list(range(30, 60))
    assert seats["bob"].show(31) == {31: hands["bob"][1].label}
    refused = refusal(shoe.reshuffle)
    assert (refused["status"], refused["field"], "begin another" in refused["expected"]) == (409, "shoe", True)
    shoe.reveal()
    assert checked(beside).checks["cards"] == "pass"
    kept = [json.loads(line)["questions"][0] for line in (beside.directory / FILE).read_text().splitlines()]
    assert [text.count("\ncard ") for text in kept] == [0, 30, 30, 3, 0], "first the order is bound"
    assert seats["ann"].hand() == hands["ann"]
    assert refusal(beside.operator.post, "/v1/shoes/war/draw", {"pos": 63, "count": 1})["status"] == 409


def test_a_draw_waits_for_the_placer_and_goes_on_after_a_kill(beside):
    beside.go()
    game = PlacedGame(beside)
    assert game.look()["stage"] == "placer"
    assert refusal(game.hash, "ann")["status"] == 409
    beside.restart()
    beside.come()
    game.ready()
    game.ask("draw", pos=0, count=2, to="ann")
    game.settled()
    beside.go()
    assert game.ask("draw", pos=2, count=3)["awaited"]
    assert "question" in game.look()["placer"]
    assert game.ask("draw", pos=2, count=3)["awaited"], "the same again"
    for do, who, fields in (
        ("draw", None, {"pos": 2, "count": 2}),
        ("draw", None, {"pos": 2, "count": 3, "to": "bob"}),
        ("show", "ann", {"pos": [0]}),
        ("reveal", None, {}),
    ):
        assert refusal(game.ask, do, who, **fields)["status"] == 409
    beside.restart()
    assert game.look()["placer"]["awaited"]
    beside.come()
    game.settled()
    assert len(game.ask("draw", pos=2, count=3)["cards"]) == 3
    game.ask("show", "ann", pos=[0])
    game.ask("draw", pos=5, count=47)
    game.settled()
    assert sorted(game.look()["drawn"][-1]["cards"]) == sorted(set(game.look()["drawn"][-1]["cards"]))
    game.ask("reveal")
    checked(beside)


def test_more_cards_than_one_question_has(beside):
    game = PlacedGame(beside, "empty", (), deck="french:2")
    game.settled()
    assert game.ask("draw", pos=0, count=104, hidden=True)["awaited"]
    game.settled()
    assert game.ask("draw", pos=0, count=104, hidden=True)["hidden"] == 104
    large = PlacedGame(beside, "large", (), labels=["a"] * 2000)
    large.settled()
    assert refusal(large.ask, "draw", pos=0, count=1025)["field"] == "count"
    long = PlacedGame(beside, "long", (), labels=["x" * 60] * 1000)
    long.settled()
    assert refusal(long.ask, "draw", pos=0, count=1000)["field"] == "cards"
    assert not long.look()["placer"]["awaited"]
    for each in (game, large, long):
        each.ask("reveal")
    checked(beside, 3)


def test_a_shoe_waits_for_its_placer_beyond_its_age(beside):
    game, idle = PlacedGame(beside), PlacedGame(beside, "idle", policy={"hash": 30})
    game.ready()
    idle.settled()
    beside.go()
    game.ask("draw", pos=0, count=1)
    beside.clock.forward(DAY // SECOND + 5)
    assert game.look()["ended"] is None
    wait_for(lambda: idle.look()["ended"] is not None)  # a start refuses a log whose last entry is a day old
    beside.come()
    beside.restart()
    wait_for(lambda: game.look()["ended"] is not None)
    assert (game.look()["pos"], game.look()["ended"]["why"]) == (1, "age")
    assert idle.look()["ended"]["kind"] == "void"
    checked(beside, 2)
    assert {entry["shoe"]: entry["steps"] for entry in beside.of_kind("placed")} == {"war": 3, "idle": 1}


def test_a_restore_loses_the_shoe(beside):
    """The placer may have been asked for more than is known."""
    game, waiting = PlacedGame(beside), PlacedGame(beside, "waiting")
    game.ready()
    waiting.settled()
    game.ask("draw", pos=0, count=3, to="ann")
    game.settled()
    kept = backup(beside)
    assert check_database(beside.house.database, vault_of(beside), None).wrong == []
    lose_database(beside)
    assert sorted(restored(beside, kept).lost_shoes) == ["waiting", "war"]
    assert codes(beside) == ["shoe-lost"]


def test_the_operator_names_a_placer_that_the_house_knows(beside):
    for placer in ("player", KEY.replace("placer.", "other.")):
        body = {"deck": "french:1", "roster": [], "placer": placer}
        assert refusal(beside.operator.post, "/v1/shoes", body)["field"] == "placer"


def test_a_hand_from_other_places_is_noticed(beside):
    """The house shows cards that the seal bound, which the placer did not give."""
    shoe = beside.operator.create_shoe(["ann"], shoe="war", deck="french:1", placer=KEY)
    shoe.wait_for_placer()
    ann = ShoeSeat(Client(beside.address, shoe.tokens["ann"]), "war")
    ann.play_until_sealed()
    shoe.refresh()
    shoe.draw(2, to="ann")
    own = ann.hand()

    def swapped(path):
        form = Client.get(ann._client, path)
        return form | {"cards": form["cards"][::-1]} if path.endswith("/hand") else form

    ann._client.get = swapped
    with pytest.raises(VerificationError, match="other cards than were drawn"):
        ann.hand()
    assert len(own) == 2
