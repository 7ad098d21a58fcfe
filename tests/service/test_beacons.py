"""Beacons at shoes without a table: the round is named at the commitment, its signature comes from a relay or a file of
the operator, and the shoe is void if it does not come."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager

import pytest

from fairshoe.connection import Connection
from fairshoe.log.times import DAY, HOUR, SECOND
from fairshoe.protocol.beacons import QUICKNET, drand_quicknet
from fairshoe.service import beacons
from fairshoe.service.settings import Settings
from tests.beacons import EARLY, LATE, SIGNATURES, out
from tests.relay import Relay
from tests.witness.stand_in import answering

from .place import START, Place, at, refusal, wait_for
from .test_shoes import SEEDS, Game

AHEAD = 120
"""Seconds between the beginning and the round."""


@pytest.fixture
def relay():
    relay = Relay()
    with answering(relay) as relay.address:
        yield relay


@contextmanager
def house(tmp_path, *sources, number=EARLY, direct=True):
    """A service two minutes before a round, which asks these sources."""
    place = Place(tmp_path / "data", Settings(beacons=sources, limits=False), direct=direct)
    place.clock.set_wall((out(number) - START) / SECOND - AHEAD)
    with place:
        yield place


@pytest.fixture
def place(tmp_path, relay):
    with house(tmp_path, relay.address) as place:
        yield place


def looked(place, seconds=0):
    """Time passes; the service does what is due, and looks for beacons."""
    place.clock.forward(seconds)
    for table in place.house.sequencer.transactions.overdue_tables():
        place.house.sequencer.transactions.catch_up(table)
    place.server.beacons.serve()


def test_a_game_whose_order_needs_a_beacon(place, relay):
    game = Game(place, beacon={"round": EARLY}).seal()
    named = {"round": EARLY, "at": "2023-08-23T15:59:24.000000Z", "address": drand_quicknet(EARLY).address}
    assert (game.state["stage"], game.state["beacon"]) == ("beacon", {**named, "randomness": None})
    assert refusal(game.ask, "draw", pos=0, count=1)["status"] == 409
    looked(place)
    assert relay.asked == [], "nobody asks for a round that is not out"
    looked(place, AHEAD)
    assert relay.asked == [f"/{QUICKNET}/public/{EARLY}"]
    state = game.look()
    assert state["stage"] == "draw"
    assert state["beacon"]["randomness"] == "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
    game.ask("draw", pos=0, count=5)
    game.ask("reveal")
    shoe, seal = place.of_kind("shoe")[0], place.of_kind("seal")[0]
    assert (shoe["v"], shoe["beacon_round"]) == (2, EARLY)
    assert (seal["v"], seal["beacon_signature"]) == (2, SIGNATURES[EARLY])
    assert place.assert_clean().checks["contributions"] == "pass"


def test_nobody_needs_to_be_present_with_a_beacon(place):
    game = Game(place, players=(), beacon={"delay": AHEAD - 1}, draws={"prize": 1000})
    assert (game.state["stage"], game.state["beacon"]["round"]) == ("beacon", EARLY)
    assert game.state["limits"] == {"beacon": "2023-08-23T16:59:24.000000Z"}
    for do in ("void", "reveal"):
        assert refusal(game.ask, do)["status"] == 409, "who may know the order ends nothing"
    looked(place, AHEAD)
    assert 0 <= game.ask("draw", pos=0, draws=["prize"])["draws"]["prize"] < 1000
    game.ask("draw", pos=0, count=3)
    game.ask("reshuffle", pos=3, out=[1])
    game.ask("draw", pos=3, count=2)
    game.ask("reveal")
    report = place.assert_both_pass()
    assert [each.code for each in report.findings] == [], "no `entropy-house-only`"


def test_the_first_source_that_has_it_counts_and_a_false_one_never(tmp_path, relay):
    file = tmp_path / "rounds.jsonl"
    relay.answers[EARLY] = ("200 OK", json.dumps({"round": EARLY, "signature": SIGNATURES[LATE]}).encode())
    with house(tmp_path, "http://127.0.0.1:9", relay.address, str(file)) as place:
        game = Game(place, beacon={"round": EARLY}).seal()
        looked(place, AHEAD)
        assert game.look()["stage"] == "beacon"
        trouble = place.server.beacons.trouble()
        assert all(part in trouble for part in ("127.0.0.1:9", "signature", "rounds.jsonl"))
        file.write_text(f"{json.dumps({'round': EARLY, 'signature': SIGNATURES[EARLY]})}\n")
        for source in place.server.beacons._sources:
            source.until = 0.0  # the pause is over
        looked(place)
        assert (game.look()["stage"], place.server.beacons.trouble()) == ("draw", "")


@pytest.mark.parametrize(
    "answer",
    [
        ("425 Too Early", b"{}"),
        ("200 OK", b"no JSON"),
        ("200 OK", b"[]"),
        ("200 OK", b'{"signature": 5}'),
        ("200 OK", b'{"signature": "zz"}'),
        ("200 OK", b"{" + b" " * 70_000 + b"}"),
        ("200 OK", b"[" * 60_000),
        ("302 Found", b""),
    ],
    ids=["too early", "no JSON", "no object", "no text", "no hex", "no end", "too deep", "elsewhere"],
)
def test_an_answer_that_is_none_is_asked_for_again(place, relay, answer, monkeypatch):
    monkeypatch.setattr(beacons, "FIRST_PAUSE", beacons.MAX_PAUSE)  # longer than a slow machine takes
    relay.answers[EARLY] = answer
    game = Game(place, players=(), beacon={"round": EARLY})
    looked(place, AHEAD)
    assert (game.look()["stage"], len(relay.asked)) == ("beacon", 1)
    assert place.operator.get("/v1/house")["beacon"] == place.server.beacons.trouble() != ""
    looked(place)
    assert len(relay.asked) == 1, "not at once"
    del relay.answers[EARLY]
    place.server.beacons._sources[0].until = 0.0
    looked(place)
    assert game.look()["stage"] == "draw"
    assert "beacon" not in place.operator.get("/v1/house")


def test_a_relay_that_never_ends_its_answer_holds_up_no_other_source(tmp_path, monkeypatch):
    monkeypatch.setattr(beacons, "WHOLE_SECONDS", 0.5)
    file = tmp_path / "rounds.jsonl"
    file.write_text(f"{json.dumps({'round': EARLY, 'signature': SIGNATURES[EARLY]})}\n")
    gone = threading.Event()

    def drip(_, start):
        start("200 OK", [])
        while not gone.wait(0.1):
            yield b" "

    with answering(drip) as address, house(tmp_path, address, str(file)) as place:
        game = Game(place, players=(), beacon={"round": EARLY})
        looked(place, AHEAD)
        assert game.look()["stage"] == "draw"
        assert "no end" in place.server.beacons._sources[0].trouble
        gone.set()


def test_a_shoe_whose_beacon_never_comes_is_void(place, relay):
    relay.answers[EARLY] = ("404 Not Found", b"{}")
    game = Game(place, beacon={"round": EARLY}).seal()
    looked(place, AHEAD + HOUR // SECOND - 1)
    assert game.look()["stage"] == "beacon"
    looked(place, 2)
    state = game.look()
    assert (state["stage"], state["ended"]["why"]) == ("over", "beacon")
    assert place.last() == ("void", "beacon")
    report = place.assert_clean()
    assert [each.code for each in report.findings] == ["beacon-missing"]


def test_hashes_that_do_not_stand_before_the_round_make_the_shoe_void(place):
    """The service was away when the limit for hashes passed, and that limit began anew."""
    game = Game(place, beacon={"round": EARLY})
    game.hash("ann")
    place.clock.forward(AHEAD - 10)
    place.restart()
    game.place = place
    looked(place, 10)
    assert place.last() == ("void", "beacon")
    place.assert_clean()


def test_players_of_a_game_who_take_almost_all_their_time_have_a_shoe(place):
    """Whatever delay is asked for, no round comes out before the limits of all who contribute are over."""
    game = Game(place, beacon={"delay": 5})
    place.clock.forward(29)
    assert [game.hash(who)["stage"] for who in game.players] == ["hash", "seed"]
    for who in reversed(game.players):
        place.clock.forward(29)
        state = game.ask("seed", who, seed=SEEDS[who].hex())
    assert state["stage"] == "beacon"


def test_a_seed_that_is_closed_when_the_round_comes_out_makes_the_shoe_void(place):
    """The limit of a seed began anew with the service. Whoever knows the round opens no seed any more: it is owed."""
    game = Game(place, beacon={"round": EARLY})
    game.hash("ann")
    game.hash("bob")
    assert game.ask("seed", "bob", seed=SEEDS["bob"].hex())["stage"] == "seed"
    place.clock.forward(AHEAD - 10)
    place.restart()
    game.place = place
    place.clock.forward(10)
    assert refusal(game.ask, "seed", "ann", seed=SEEDS["ann"].hex())["field"] in ("seed", "shoe")
    looked(place)
    assert (place.last(), place.entries()[-1]["by"]) == (("void", "seed"), "ann")
    place.assert_both_pass()


def test_which_rounds_may_be_named(place):
    body = {"deck": "french:1", "roster": []}
    ask = place.operator.post
    for beacon in ({"round": EARLY - 45}, {"round": EARLY - 39}, {"round": EARLY + DAY // SECOND // 3}):
        assert refusal(ask, "/v1/shoes", {**body, "beacon": beacon})["field"] == "beacon"
    for beacon in ({}, {"round": 1, "delay": 60}, {"round": 0}, {"delay": 4}, {"delay": 3601}):
        assert refusal(ask, "/v1/shoes", {**body, "beacon": beacon})["status"] == 422
    both = {"beacon": {"delay": 60}, "placer": "p+0+0"}
    assert refusal(ask, "/v1/shoes", {**body, **both})["field"] == "beacon"
    with_players = {**body, "roster": [{"player": "ann"}], "beacon": {"round": EARLY - 19}}
    assert refusal(ask, "/v1/shoes", with_players)["field"] == "beacon", "a hash and a seed come first"
    assert ask("/v1/shoes", {**with_players, "beacon": {"round": EARLY - 18}})["beacon"]["round"] == EARLY - 18
    assert ask("/v1/shoes", {**with_players, "beacon": {"delay": 5}})["beacon"]["round"] == EARLY - 18


def test_a_service_without_a_source_takes_no_beacon(tmp_path):
    with house(tmp_path) as place:
        refused = refusal(Game, place, beacon={"delay": 60})
        assert (refused["field"], refused["status"]) == ("beacon", 422)


@pytest.mark.wire
def test_a_relay_that_is_silent_at_the_start_is_told(tmp_path, relay, caplog):
    with house(tmp_path, "http://127.0.0.1:9", relay.address, direct=False):
        wait_for(lambda: relay.starts)
    (warning,) = [each for each in caplog.messages if each.startswith("beacon ")]
    assert warning.startswith("beacon http://127.0.0.1:9: ")


@pytest.mark.wire
def test_the_service_asks_by_itself_and_again_after_a_restart(tmp_path, relay):
    relay.answers[EARLY] = ("404 Not Found", b"{}")
    with house(tmp_path, relay.address, direct=False) as place:
        game = Game(place, players=(), beacon={"round": EARLY})
        place.clock.forward(AHEAD)
        wait_for(lambda: relay.asked)
        place.restart()
        del relay.answers[EARLY]
        wait_for(lambda: place.last() == "seal")
        assert place.public.get(game.path)["stage"] == "draw"


def test_no_transaction_waits_for_a_relay(place, relay, monkeypatch):
    """While a relay is asked, others are served."""
    game = Game(place, players=(), beacon={"round": EARLY})
    served = []
    answer = Connection.answer

    def slow(self, *request, **more):
        if "/public/" in request[1]:
            served.append(Game(place, "other").state["stage"])
        return answer(self, *request, **more)

    monkeypatch.setattr(Connection, "answer", slow)
    looked(place, AHEAD)
    assert (served, game.look()["stage"]) == (["hash"], "draw")


# Tables.


def test_a_table_names_a_round_for_each_of_its_shoes(place):
    seats = place.casino(2, beacon={"delay": AHEAD - 1})
    place.make_shoe(seats)
    state = place.public.table("t1").state()
    assert (state["phase"], state["beacon"], state["shoe"]["beacon"]["round"]) == (
        "beacon",
        {"delay": AHEAD - 1},
        EARLY,
    )
    assert state["deadlines"] == {"beacon": "2023-08-23T16:59:24.000000Z"}
    looked(place)
    assert place.kinds()[-1] == "opened"
    looked(place, AHEAD)
    assert place.public.table("t1").state()["phase"] == "bet"
    place.bet_and_finish(seats)
    for seat in seats:
        at(seat).send("chips", op="cash-out", leave=True)
    assert place.last() == ("reveal", "left")
    table, shoe, seal = (place.of_kind(kind)[0] for kind in ("table", "shoe", "seal"))
    assert [(table["v"], table["beacon_delay"]), (shoe["v"], shoe["beacon_round"])] == [(2, AHEAD - 1), (2, EARLY)]
    assert (seal["v"], seal["beacon_signature"]) == (2, SIGNATURES[EARLY])
    report = place.assert_both_pass()
    assert report.checks["shuffle"] == report.checks["contributions"] == "pass"


@pytest.mark.parametrize("rules", ["casino", "boxes"])
def test_players_of_a_table_who_take_almost_all_their_time_have_a_shoe(place, rules):
    seats = place.sit(rules, 2, beacon={"delay": 5})
    seats[0].send("shoe")
    place.clock.forward(29)
    for seat in seats:
        at(seat).contribute()
    if rules == "boxes":
        place.clock.forward(59)
        for seat in seats:
            at(seat).bet(10)
    for seat in reversed(seats):
        place.clock.forward(29)
        assert at(seat).contribute()
    assert place.public.table("t1").state()["phase"] == "beacon"


@pytest.mark.parametrize("away", [0, 80])
def test_a_silent_player_spoils_one_shoe_with_a_beacon(place, away):
    """The limit for the seed is over before the round is out, or the service was away meanwhile: the player owes the
    seed, as without a beacon, and the next shoe is made without that player."""
    silent, other = seats = place.casino(2, beacon={"delay": 5})
    silent.send("shoe")
    for seat in seats:
        at(seat).contribute()
    assert at(other).contribute()
    if away:
        place.clock.forward(away)
        place.restart()
    looked(place, 30)
    assert (place.last(), place.entries()[-1]["by"]) == (("void", "seed"), "p1")
    other.send("shoe")
    assert [(each["roster"], each["owes"]) for each in place.of_kind("shoe")[1:]] == [(["p2"], [1])]
    for _ in ("hash", "seed"):
        assert at(other).contribute()
    assert place.public.table("t1").state()["phase"] == "beacon"
    place.assert_both_pass()


def test_a_silent_player_of_a_game_is_struck_before_the_round_is_out(place):
    game = Game(place, beacon={"delay": 5})
    for who in game.players:
        game.hash(who)
    looked(place, 30)
    assert (place.last(), game.ask("seed", "ann", seed=SEEDS["ann"].hex())["stage"]) == ("lapse", "beacon")


def boxes_with_bets(place):
    """Two players with hashes and bets, whose shoe waits for seeds and for a round of the beacon."""
    seats = place.sit("boxes", 2, beacon={"delay": AHEAD - 1}, policy={"bet": 20})
    seats[0].send("shoe")
    for seat in seats:
        at(seat).contribute()
    for seat in seats:
        at(seat).bet(10)
    return seats


def test_a_shoe_of_one_round_is_dealt_with_its_beacon(place):
    """Its bets stand before the round comes out."""
    seats = boxes_with_bets(place)
    place.contribute(seats)
    assert place.public.table("t1").state()["phase"] == "beacon"
    looked(place, AHEAD)
    place.finish(seats)
    assert place.last() == ("reveal", "worn")
    place.assert_both_pass()


def test_bets_go_back_if_a_seed_is_closed_when_the_round_comes_out(place):
    boxes_with_bets(place)
    place.clock.forward(AHEAD - 10)
    place.restart()
    assert "beacon" in place.public.table("t1").state()["deadlines"]
    looked(place, 10)
    assert (place.last(), place.entries()[-1]["round"]) == (("void", "beacon"), 1)
    place.assert_both_pass()


def test_bets_go_back_if_the_beacon_never_comes(place, relay):
    relay.answers[EARLY] = ("404 Not Found", b"{}")
    seats = boxes_with_bets(place)
    place.contribute(seats)
    looked(place, AHEAD + HOUR // SECOND)
    void = place.entries()[-1]
    assert (place.last(), void["round"]) == (("void", "beacon"), 1)
    assert place.public.table("t1").state()["chips"]["1"] == 1000
    place.assert_both_pass()


def test_which_delays_a_table_may_have(place):
    for beacon, status in (({"delay": 4}, 422), ({"delay": 3601}, 422), ({"round": EARLY}, 422), ({}, 422)):
        assert refusal(place.operator.create_table, "casino", beacon=beacon)["status"] == status
    both = {"beacon": {"delay": 60}, "placer": "player"}
    assert refusal(place.operator.create_table, "boxes", **both)["field"] == "beacon"
    place.operator.create_table("casino", beacon={"delay": 5})
