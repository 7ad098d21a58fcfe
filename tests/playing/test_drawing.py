"""What is drawn of a table, and which keys it gives, by states that a service shows."""

from __future__ import annotations

import re

import pytest

from fairshoe.playing.choices import MOVE_KEYS, ROUTE_KEYS, choices
from fairshoe.playing.rendering import bad, draw_table, marks, table_line
from tests.service.place import Place, step
from tests.tables.texts import TABLES


@pytest.fixture
def place(tmp_path):
    with Place(tmp_path / "house", direct=True) as place:
        yield place


def text(seat, since=0):
    return draw_table(seat.refresh(), 0, since).plain


def keys(state):
    return {choice.label: choice.key for choice in choices(state)}


def deciding(*moves, about="round"):
    form = {"do": "decisions", "about": about, "round": 1, "step": 0, "moves": list(moves)}
    return {"bets": None, "you": {"seat": 1, "expects": [form]}}


class Sent:
    """A seat that keeps what it was told to decide."""

    def decide(self, move, **fields):
        return move, fields


def test_what_failed_stays_in_sight_however_many_hands_follow():
    found = dict.fromkeys(range(1, 41), ("PASS", "")) | {3: ("FAIL", "card-differs (house)")}
    lines = marks(found).plain.splitlines()
    assert lines[0] == "✓ 31 hands before: PASS"
    assert lines[1] == "✗ hand 3: FAIL  card-differs (house)"
    assert lines[2:] == [f"✓ hand {number}: PASS" for number in range(33, 41)]
    assert bad(found)
    assert not bad({1: ("PASS", ""), 2: ("PASS so far", "")})


def test_keys_that_players_know_mean_nothing_else():
    insure = keys(deciding({"move": "insure", "low": 5, "high": 5}, {"move": "decline"}))
    assert set(insure) == {"insure 5", "decline"}
    assert set(insure.values()) == {"i", "n"}
    assert keys(deciding({"move": "stand"}, {"move": "surrender"})) == {"stand": "s", "surrender": "r"}


def test_a_sale_of_the_bank_asks_for_its_price():
    """PO-37: the seller says how much; each buyer is a move of its own."""
    give = {"move": "give", "among": [2, 3], "fewest": 1, "most": 1}
    sales = [{"move": "sell", "low": 1, "high": 90, "among": [chair], "fewest": 1, "most": 1} for chair in (2, 3)]
    found = {choice.label: choice for choice in choices(deciding({"move": "accept"}, give, *sales, about="bank"))}
    assert set(found) == {"bank: accept", "bank: give (chairs 2 3)", "bank: sell (chair 2)", "bank: sell (chair 3)"}
    assert len({choice.key for choice in found.values()}) == 4
    sell = found["bank: sell (chair 3)"]
    assert (sell.asks, sell.default) == ("sell (chair 3): 1 to 90", "90")
    assert sell.act("40")(Sent()) == ("sell", {"amount": 40, "chosen": [3]})
    assert found["bank: give (chairs 2 3)"].act("3")(Sent()) == ("give", {"chosen": [3]})
    assert found["bank: accept"].act("")(Sent()) == ("accept", {})
    offer = deciding({"move": "agree", "low": 40, "high": 40}, {"move": "refuse"}, about="bank")
    offer["you"]["expects"][0]["seller"] = 3
    assert [choice.label for choice in choices(offer)] == ["bank of chair 3: agree 40", "bank of chair 3: refuse"]


def test_who_waits_for_others_is_told_for_whom(place):
    table = place.operator.create_table("chinese", table="t1")
    ada = table.sit("ada", 1000)
    assert "waiting for more players" in text(ada)
    bob = table.sit("bob", 1000)
    assert "waiting for you" in text(ada)
    ada.send("shoe")
    while not ada.refresh()["bets"]:
        assert any(seat.contribute() for seat in (ada, bob) if seat.refresh()), text(ada)
    assert ada.state["bank"] == "1"
    assert "bets of bob" in text(ada)
    bob.step()
    assert "0 dealt before" in text(ada)


def test_a_hand_of_who_had_the_chair_before_is_not_yours(place):
    table = place.operator.create_table("banker", table="t1")
    ada = table.sit("ada", 1000)
    ada.play()
    assert "you   " in text(ada)
    ada.finish()
    bob = table.sit("bob", 1000)
    assert "you   " not in text(bob, since=bob.state["rounds"])


def test_a_bet_that_is_not_dealt_is_told(place):
    table = place.operator.create_table("boxes", table="t1")
    ada, bob = (table.sit(name, 1000) for name in ("ada", "bob"))
    ada.send("shoe")
    while not ada.refresh()["bets"]:
        assert any(seat.contribute() for seat in (ada, bob) if seat.refresh())
    ada.bet(boxes={2: 10})
    bob.refresh()
    bob.bet(20)
    assert "10 on box 2" in text(ada)
    place.operator.table("t1").send("no-more-bets")
    assert "no hand for you" in text(ada)
    assert "no hand for you" not in text(bob)


def test_boxes_are_asked_for_where_there_are_some(place):
    asked = {}
    for rules in ("boxes", "banker"):
        seat = place.operator.create_table(rules, table=rules).sit("ada", 1000)
        seat.send("shoe")
        asked[rules] = next(choice.asks for choice in choices(seat.state) if choice.key == "b")
    assert "BOX:AMOUNT" in asked["boxes"]
    assert "BOX" not in asked["banker"]


def test_cards_stay_while_a_second_dealer_is_waited_for(place):
    seat = place.operator.create_table("casino", table="t1").sit("ada", 1000)
    placer = {"key": "placer.example+1234+AAAA", "address": "", "awaited": True}
    state = seat.refresh() | {"placer": placer, "you": {"seat": 1, "player": "ada", "expects": []}}
    hand = {"cards": ["Ks", "9h"], "total": 19, "seat": 1, "bet": 5}
    view = {"dealer": {"cards": ["7c", None], "total": None}, "hands": [hand]}
    waiting = state | {"round": {"round": 1, "bets": [], "shown": view}}
    drawn = draw_table(waiting, 0).plain
    assert "[K♠][9♥]  19  bet 5" in drawn
    assert "▶" not in drawn, "it is nobody's turn"
    assert "waiting for places of placer.example; what was decided is safe" in drawn
    assert "placer.example, a second dealer, places the cards" in drawn
    assert "placer.example places the cards" in table_line(state)[3]


def test_the_last_bets_are_offered_again_halved_and_doubled(place):
    """By the keys of the browser, which its list has too."""
    seat = place.operator.create_table("boxes", table="t1").sit("ada", 1000)
    seat.send("shoe")
    while not seat.refresh()["bets"]:
        seat.contribute()
    seat.bet(boxes={1: 6, 3: 400})
    while not (seat.refresh()["bets"] and seat.state["last"]):
        step(seat)
    found = {choice.key: choice for choice in choices(seat.state)}
    assert found["g"].label == "the same bets again: 406"
    assert {"f", "d"}.isdisjoint(found), "half of 6 is uneven, twice 400 is over the maximum"
    found["g"].act("")(seat)
    assert seat.state["round"]["bets"] == [{"amount": 6, "seat": 1}, {"amount": 400, "seat": 1, "box": 3}]
    source = (TABLES / "dock.ts").read_text()
    assert {**MOVE_KEYS, **ROUTE_KEYS}.items() <= dict(re.findall(r'^  ([a-z]+): "([a-z])",$', source, re.M)).items()
