"""A player who places: the client answers an honest house by itself, and gives no place to one that lies."""

from __future__ import annotations

import json
from unittest.mock import patch

import pytest

from audit_cli.cases.receipts.run import decide
from audit_cli.verify.evidence.placer_notes import read_signed_notes
from fairshoe.client import Client, PlacesKept, Problem, RemoteTable, Unreachable
from fairshoe.client import book as books
from fairshoe.client.book import SeatBook
from fairshoe.client.player_placer import may_need
from fairshoe.engine.moves import Decision
from fairshoe.engine.rules import rules_of
from fairshoe.engine.table import Bet, fresh_table
from fairshoe.log.note import signatures_of
from fairshoe.log.times import SECOND
from fairshoe.protocol.placer_chain import RECEIPT, parse_question, since_of
from fairshoe.service.placement_file import FILE
from tests.service.copies import backup, codes, lose_database, mirror, restored
from tests.service.place import at

from .test_seeds_kept import Lied

HIT = {"move": "hit"}


def hits(_, wanted):
    """Whoever can takes a card."""
    return HIT if any(move["move"] == "hit" for move in wanted["moves"]) else wanted["default"]


@pytest.fixture
def sit(place):
    """Sits alice down at a table of hers, on a connection that can lie."""

    def sit(rules="casino", connection=Lied, **fields):
        place.operator.create_table(rules, table="t1", placer="player")
        chips = 10_000 if rules == "lounge" else 1000
        seat = RemoteTable(connection(place.address), "t1").sit("alice", chips, **fields)
        seat._placer._clock = lambda: place.clock.wall / SECOND
        return seat

    return sit


@pytest.mark.parametrize("rules", ["banker", "boxes", "casino", "lounge"])
def test_it_plays_by_itself(place, sit, tmp_path, rules):
    alice = sit(rules, Client, receipts=tmp_path / "receipts", book=tmp_path / "alice.book")
    alice.play(6, hits)
    if rules != "lounge":
        alice.finish()
        assert alice.book.has_left
    while alice.place():
        pass
    report = place.assert_clean()
    assert report.rounds == len(place.of_kind("round")) >= 6
    assert {entry["shoe"] for entry in place.of_kind("placed")} == {entry["shoe"] for entry in place.of_kind("shoe")}
    kept = [json.loads(line) for line in (place.directory / FILE).read_text().splitlines()]
    steps = sum(len(parse_question(signatures_of(each["questions"][0])[0]).lines) for each in kept)
    assert steps == sum(entry["steps"] for entry in place.of_kind("placed"))
    own = read_signed_notes(alice.book.path.with_name("alice.book.placed"))
    assert own[0::3] == [each["questions"][0] for each in kept]
    assert own[1::3] == [each["notes"][0] for each in kept]
    assert {each.split("\n")[0] for each in own[2::3]} == {RECEIPT}


def until(seat, do, phase=""):
    """Play by default until that is expected; nothing is done then."""
    seat.refresh()
    while (wanted := seat.next())["do"] != do or phase not in ("", seat.state["phase"]):
        seat.step(hits)
    return wanted


def turn(seat):
    """Play until the seat may take a card; gives the round and the step."""
    wanted = until(seat, "decisions")
    while HIT not in wanted["moves"]:
        seat.step()
        wanted = until(seat, "decisions")
    return wanted["round"], wanted["step"] + 1


def refused(place, seat, match):
    """No place is given, and the house has got none."""
    before = (place.kinds(), list(seat.book.questions.values()))
    with pytest.raises(PlacesKept, match=match):
        seat.place()
    assert before == (place.kinds(), list(seat.book.questions.values()))


# A house that lies.


def own_question(place, seat, lines, since=(), shown=(), after=None):
    """A question that the house signs, after the seat's newest step."""
    key = place.house.sequencer.signer
    pledge = next(each for each in seat.book.pledges(seat.state["shoe"]["shoe"]))
    chain = (after or seat._placer)._placing(pledge, seat.book.questions[pledge.hash]).chain
    return {
        "shoe": chain.shoe,
        "question": key.sign(chain.question(lines, since_of(since))),
        "since": list(since),
        "cards": list(shown),
    }


def test_another_shuffle(place, sit):
    alice = sit("banker")
    until(alice, "decisions")
    question = own_question(place, alice, [f"shuffle 312 {'0' * 64} {'0' * 64}"], ["5", "0" * 64])
    alice.state["awaited"] = {"questions": [question]}
    refused(place, alice, "which is not the shuffle")


def test_another_question_at_a_step_that_is_taken(place, sit, tmp_path):
    """It is kept: the two convict the house. The same one again has the same answer."""
    alice = sit("banker", book=tmp_path / "book")
    until(alice, "bets")
    alice.bet(10)
    first = alice.state["awaited"]["questions"][0]
    fields = alice._placer.answer(first, alice.state)
    assert alice._placer.answer(first, alice.state) == fields
    other = parse_question(signatures_of(first["question"])[0])
    text = other.chain.question(other.lines, since_of(["3", "0" * 64]))
    question = first | {"question": place.house.sequencer.signer.sign(text)}
    alice.state["awaited"] = {"questions": [question]}
    refused(place, alice, "step 1 of shoe t1/1 was asked for before, by another question")
    assert json.loads((tmp_path / "book").read_bytes().splitlines()[-1]) == {"evidence": question["question"]}


def test_parts_that_the_house_did_not_sign(place, sit):
    alice = sit("banker")
    turn(alice)
    alice.decide("hit")
    alice.state["awaited"]["questions"][0]["since"] = []
    refused(place, alice, "what is shown to have happened is not what the house signed")


# The table's decisions.


def test_the_table_decides_when_the_limit_is_over_by_the_clients_clock(place, sit):
    alice = sit("banker")
    turn(alice)
    now = place.clock.wall / SECOND
    alice._placer._clock = lambda: now
    place.clock.forward(31)
    alice.refresh()
    if alice.state["phase"] == "places":
        refused(place, alice, "the limit of 30 s is not over")
    alice._placer._clock = lambda: place.clock.wall / SECOND
    alice.play(1)
    place.assert_clean()


def test_nobody_waits_for_a_seat_that_let_two_limits_pass(place, sit):
    alice = sit("casino")
    alice.play(1)
    for _ in range(4):
        until(alice, "bets")
        alice.bet(2)
        while alice.place():
            pass
        while alice.state["round"] is not None:
            place.clock.forward(31)
            alice.refresh()
            while alice.place():
                pass
    assert sum(each.get("by") == "table" for entry in place.of_kind("round") for each in entry["decisions"]) >= 2
    place.assert_clean()


# Kills.


def test_a_client_that_is_killed_at_every_step(place, sit, tmp_path):
    """Before an answer leaves, and after it has: it goes on from its book, and the house is given each place once."""
    alice = sit("casino", Client, book=tmp_path / "book")
    steps = 0
    while len(place.of_kind("round")) < 4:
        steps += 1
        send = alice.table.ask

        def dies(request, send=send, before=steps % 2):
            if not before:
                send(request)
            raise Unreachable("the client died", dropped=True)

        if steps % 3:
            alice.table.ask = dies
        try:
            alice.step(hits)
        except Unreachable:
            alice.close()
            alice = RemoteTable(Client(place.address), "t1").resume(tmp_path / "book")
            alice._placer._clock = lambda: place.clock.wall / SECOND
    alice.finish()
    place.assert_clean()


@pytest.mark.parametrize("rules", ["banker", "casino"])
def test_a_house_that_is_killed_while_places_are_awaited(place, sit, rules):
    alice = sit(rules, Client)
    for _ in range(12):
        until(alice, "places")
        place.restart()
        alice = place.again(alice)
        alice._placer._clock = lambda: place.clock.wall / SECOND
        alice.refresh()
        alice.place()
    alice.play(1)
    alice.finish()
    place.assert_clean()


def test_what_is_awaited_is_asked_for_without_end(place, sit):
    """No limit runs, nothing is void."""
    alice = sit("casino")
    turn(alice)
    alice.decide("hit")
    place.clock.forward(40 * 86_400)
    assert alice.refresh()["phase"] == "places"
    alice.play(1)
    place.assert_clean()


# Books: of who has left, who comes back after a day, who has an older one.


def at_table(place, alice):
    alice._placer._clock = lambda: place.clock.wall / SECOND
    return alice


def test_who_has_left_and_given_the_key_has_left(place, sit, tmp_path):
    alice = sit("casino", Client, book=tmp_path / "book")
    alice.play(1, hits)
    alice.finish()
    assert place.last() == "placed"
    alice.close()
    assert SeatBook(tmp_path / "book").is_free


def leave_without_key(alice):
    """The client is killed between leaving and the shoe's key."""
    while not alice._may_leave():
        alice.step(hits, ends=True)
    alice.send("chips", op="cash-out", leave=True)
    assert alice.state["awaited"]["questions"]
    alice.close()


@pytest.mark.parametrize(("player", "gives"), [("alice", True), ("bob", False)])
@pytest.mark.parametrize("rules", ["banker", "casino"])
def test_who_sits_down_again_with_the_book(place, sit, tmp_path, rules, player, gives):
    """Gives the last shoe's key by the key that signed its places; under another name it stays away, and the table is
    played all the same."""
    alice = sit(rules, Client, book=tmp_path / "book")
    alice.play(2, hits)
    leave_without_key(alice)
    last = place.of_kind("shoe")[-1]["shoe"]
    again = at_table(place, RemoteTable(Client(place.address), "t1").sit(player, 1000, book=tmp_path / "book"))
    again.play(2, hits)
    again.finish()
    place.assert_clean()
    assert (last in {entry["shoe"] for entry in place.of_kind("placed")}) is gives


def test_the_rounds_of_another_table_are_others(place, sit, tmp_path):
    alice = sit("casino", Client, book=tmp_path / "book")
    alice.play(3, hits)
    alice.finish()
    alice.close()
    place.operator.create_table("casino", table="t2", placer="player")
    again = at_table(place, RemoteTable(Client(place.address), "t2").sit("alice", 1000, book=tmp_path / "book"))
    again.play(4, hits)
    again.finish()
    place.assert_clean()


def test_who_has_left_is_told_so_where_the_key_is_not_taken(place, sit):
    alice = sit("casino", Client)
    alice.play(1, hits)
    until(alice, "bets")
    with patch.object(alice, "place", side_effect=Unreachable("the house died", dropped=True)):
        alice.leave()
    assert alice.book.has_left


DAY = 25 * 3600


@pytest.mark.parametrize("heard", [True, False])
@pytest.mark.parametrize("what", ["bets", "decisions"])
def test_who_comes_back_after_a_day(place, sit, tmp_path, what, heard):
    """Nobody says any more whether the last request was done: the log may say that it was, or that it was not."""
    alice = sit("casino", Client, book=tmp_path / "book")
    until(alice, "bets") if what == "bets" else turn(alice)
    send = alice.table.ask

    def dies(request):
        if heard:
            send(request)
        raise Unreachable("the client died", dropped=True)

    alice.table.ask = dies
    with pytest.raises(Unreachable):
        alice.bet(10) if what == "bets" else alice.decide("hit")
    alice.close()
    place.clock.forward(DAY)
    later = books.time.time() + DAY
    with patch.object(books.time, "time", lambda: later):
        alice = at_table(place, RemoteTable(Client(place.address), "t1").resume(tmp_path / "book"))
        assert len(alice.notes) == 1
        alice.play(1, hits)
        alice.finish()
    place.assert_clean()


def test_an_older_book_is_told_that_it_is_one(place, sit, tmp_path):
    """It gives nothing away, and accuses nobody; the newest goes on."""
    alice = sit("casino", Client, book=tmp_path / "book")
    turn(alice)
    old = (tmp_path / "book").read_bytes()
    alice.play(1, hits)
    until(alice, "places")
    alice.close()
    new = (tmp_path / "book").read_bytes()
    (tmp_path / "book").write_bytes(old)
    alice = at_table(place, RemoteTable(Client(place.address), "t1").resume(tmp_path / "book"))
    with pytest.raises(Problem, match="the newest book"):
        alice.play(1, hits)
    alice.close()
    (tmp_path / "book").write_bytes(new)
    alice = at_table(place, RemoteTable(Client(place.address), "t1").resume(tmp_path / "book"))
    alice.play(1, hits)
    alice.finish()
    place.assert_clean()


def test_a_clock_that_is_behind_by_less_than_a_second(place, sit):
    alice = sit("banker")
    while alice.state["phase"] != "places":
        turn(alice)
        place.clock.forward(31)
        alice.refresh()
    behind = place.clock.wall / SECOND - 1.5
    alice._placer._clock = lambda: behind
    assert alice.place()


# Whether a round needs a card.


@pytest.mark.parametrize(
    ("cards", "decisions", "needs"),
    [
        ([], [], True),
        (["9h", "Tc", "4s"], [], True),
        (["9h", "Tc", "4s", None], [], False),
        (["9h", "Tc", "4s", None], ["hit"], True),
        (["9h", "Tc", "4s", None, "3d"], ["hit"], False),
        (["9h", "Tc", "4s", None, "Kd"], ["hit"], False),
        (["9h", "Tc", "4s", None], ["stand"], False),
        (["9h", "Tc", "4s", "7d"], ["stand"], False),
        (["9h", "Tc", "4s", "5d"], ["stand"], True),
        (["9h", "Tc", "4s", None], ["stand", "stand"], False),
    ],
)
def test_whether_a_round_needs_a_card(cards, decisions, needs):
    rules = rules_of("casino", {})
    table = fresh_table(rules)
    table = type(table)(rules, {1: "alice"}, {**table.purse, 1: 100}, table.bank, table.memory)
    made = [Decision(1, move) for move in decisions]
    assert may_need(table, cards, 0, [Bet(1, 10, 1)], made) is needs


def test_at_is_a_look(place, sit):
    assert at(sit("banker")).state["awaited"] == {"questions": []}


def test_a_house_that_is_restored_loses_the_shoe_and_goes_on(place, sit, tmp_path):
    """The client gives the places of the next one; nothing of the lost one is asked again."""
    alice = sit("casino", Client)
    alice.play(1, hits)
    kept = backup(place)
    alice.play(2, hits)
    log = mirror(place)
    lose_database(place)
    assert restored(place, kept, log=log).lost_shoes
    alice = place.again(alice)
    alice._placer._clock = lambda: place.clock.wall / SECOND
    alice.play(2, hits)
    alice.finish()
    assert [shoe["shoe"] for shoe in place.of_kind("shoe")] == ["t1/1", "t1/2"]
    assert codes(place) == ["shoe-lost"]


def test_receipts_are_judged(place, sit, tmp_path):
    alice = sit("banker", Client, receipts=tmp_path / "receipts")
    alice.play(3, hits)
    alice.finish()
    place.assert_clean()
    decided = decide(tmp_path / "receipts", place.directory / "audited", key=place.public.verifier())
    assert decided.outcome.good, decided.text
