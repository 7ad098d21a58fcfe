"""casino, clause by clause (docs/rules.md, CA). One seat is dealt: player, dealer up, player, dealer down."""

from __future__ import annotations

from functools import partial

import pytest

from fairshoe.cards import french
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.hand import DOWN, UP
from fairshoe.engine.round import Round
from fairshoe.engine.rules import rules_of
from fairshoe.engine.table import HOUSE
from fairshoe.engine.view import view
from fairshoe.errors import InputError
from fairshoe.protocol.shoe import seal
from tests.hands import (
    begin,
    bets_of,
    check_hand,
    every_hand,
    go_on,
    legal,
    nets,
    play,
    ranks,
    refused,
    refused_bets,
    seated,
    won,
)

RULES = rules_of("casino")


def test_CA_01_the_house_deals_to_up_to_seven_players() -> None:
    assert RULES.chairs == (1, 7)
    seven = play("casino", "T T T T T T T 7 | 9 9 9 9 9 9 9 T", "stand " * 7, bets=[10] * 7)
    assert nets(seven) == [10] * 7
    assert won(seven, HOUSE) == -70
    refused_bets("casino", {HOUSE: 10})


def test_CA_02_six_packs_unless_the_table_says_otherwise() -> None:
    assert (RULES.deck, RULES.cards) == ("french:6", 312)
    assert rules_of("casino", {"packs": 8}).deck == "french:8"
    with pytest.raises(InputError):
        rules_of("casino", {"packs": 1})


def test_CA_03_a_shoe_serves_rounds_until_the_insert_card() -> None:
    assert not RULES.one_round
    assert not RULES.is_worn_out(0, 312, {"insert": 0})
    assert RULES.is_worn_out(300, 312, {"insert": 0})


def test_CA_05_one_player_cuts_each_shoe_in_turn() -> None:
    table = seated("casino", (2, 3, 6))
    assert RULES.cut_range() == (1, 311)
    assert rules_of("casino", {"packs": 3}).cut_range() == (1, 155)
    assert RULES.draws()["cut"] == 312
    assert RULES.waits_for_cut
    assert RULES.cutters(table, 0) == [2], "the lowest occupied chair cuts the first shoe"
    assert [RULES.cutters(table, last) for last in (2, 3, 6)] == [[3], [6], [2]], "then the next one clockwise"
    assert [RULES.cutters(table, last) for last in (1, 4, 5, 7)] == [[2], [6], [6], [2]], "after a chair that was left"
    assert RULES.cutters(seated("casino", (4,)), 4) == [4], "a sole player cuts every shoe"
    assert RULES.cutters(seated("casino", ()), 3) == []


@pytest.mark.parametrize(("drawn", "depth"), [(0, 60), (7, 67), (15, 75)])
def test_CA_06_CA_07_the_insert_card_stands_60_to_75_from_the_end(drawn: int, depth: int) -> None:
    assert RULES.draws()["insert"] == 16
    assert not RULES.is_worn_out(312 - depth - 1, 312, {"insert": drawn})
    assert RULES.is_worn_out(312 - depth, 312, {"insert": drawn})


def test_CA_07_an_exhausted_shoe_is_reshuffled_in_the_middle_of_the_deal() -> None:
    shoe = seal(key=bytes(range(32)), shoe="t/1", deck=french(6), draws=RULES.draws())
    used = [shoe.draw_index() for _ in range(310)]
    round = Round(seated("casino"), ShoeCards(shoe), bets_of([10]))
    assert round.reshuffled == (2,)
    assert len(shoe.gathered) == 310, "all but the two cards on the table"
    assert sorted(shoe.gathered) == sorted(used)
    assert shoe.reshuffles[0].cut is None, "without a cut"
    assert shoe.position == 2, "and without a burn"
    while round.ask is not None:
        round.decide(round.ask.default_decision())
    assert (shoe.position, len(shoe)) == (3, 310)
    assert RULES.is_worn_out(3, 310, {"insert": 0}), "everything is reshuffled after it"
    assert RULES.is_worn_out(3, 311, {"insert": 0})
    assert not RULES.is_worn_out(3, 312, {"insert": 0})


def test_CA_08_bets_are_even_and_within_the_limits() -> None:
    for amount in (2, 500):
        begin(seated("casino"), "5 5 5 5", [amount])
    for amount in (-2, 0, 1, 3, 502):
        refused_bets("casino", [amount])
    assert begin(seated("casino", minimum=10, maximum=20), "5 5 5 5", [20]).ask
    refused_bets("casino", [8], minimum=10, maximum=20)


def test_CA_10_no_card_is_burned() -> None:
    assert not RULES.burns
    assert begin(seated("casino"), "2 3 4 5").position == 0


def test_CA_12_a_natural_is_paid_3_to_2() -> None:
    two = begin(seated("casino", (1, 2)), "A T 9 | K 6 8", [10, 10])
    assert (two.hands[0].outcome, two.hands[0].net) == ("natural", 15), "at once, before the others play"
    assert (two.purse[1], two.purse[HOUSE]) == (1015, -15)
    both = begin(seated("casino", (1, 2, 3)), "9 A A 9 | 9 T J 9", [10, 20, 30])
    assert [hand.net for hand in both.hands] == [0, 30, 45], "every natural"
    assert both.dealer.faces == [UP, DOWN]


def test_CA_16_the_player_on_the_dealers_left_plays_first_and_may_draw_to_21() -> None:
    round = begin(seated("casino", (1, 2)), "5 9 7 | 6 8 T | T T", [10, 10])
    assert round.ask is not None
    assert round.ask.actor == 1
    go_on(round, "hit")
    assert round.hands[0].total == 21
    assert legal(round) == {"hit", "stand"}, "no automatic stand"
    go_on(round, "hit")
    assert round.hands[0].outcome == "bust"
    assert round.ask.actor == 2


def test_CA_20_both_hands_of_a_split_belong_to_its_seat_with_equal_bets() -> None:
    table = seated("casino", (1, 2, 3))
    round = begin(table, "T 8 T 7 | 7 8 9 T | 2 T | 3 T", [20, 10, 30], "stand split")
    assert turn(round) == (1, 2)
    assert [(hand.seat, hand.box, hand.bet) for hand in round.hands] == [(1, 1, 20), (2, 2, 10), (2, 2, 10), (3, 3, 30)]
    assert [hand.split for hand in round.hands] == [False, True, True, False]
    assert [round.purse[seat] for seat in (1, 2, 3)] == [980, 980, 970]
    go_on(round, "hit stand")
    assert turn(round) == (2, 2)
    go_on(round, "hit")
    assert turn(round) == (2, 2), "no automatic stand at 21"
    go_on(round, "stand")
    assert turn(round) == (3, 3)
    go_on(round, "stand")
    assert [ranks(hand) for hand in round.hands] == ["T 7", "8 2 T", "8 3 T", "T 9"]
    assert [hand.offsets for hand in round.hands] == [[0, 4], [1, 8, 9], [5, 10, 11], [2, 6]]
    assert nets(round) == [0, 10, 10, 30]
    assert [won(round, account) for account in (1, 2, 3, HOUSE)] == [0, 20, 30, -50]


def turn(round: Round) -> tuple[int, int]:
    """The hand that is played, and the seat that is asked."""
    assert round.ask is not None
    return round.ask.hand, round.ask.actor


def test_CA_21_the_left_hand_is_played_out_before_the_right_gets_its_card() -> None:
    round = begin(seated("casino"), "8c 5 8d T | 2 T | 9 | T", [10], "split")
    left, right = round.hands
    assert (left.cards, right.cards) == (["8c", "2s"], ["8d"])
    assert round.ask is not None
    assert round.ask.hand == 0
    go_on(round, "hit stand")
    assert (ranks(left), ranks(right)) == ("8 2 T", "8 9")
    assert round.ask.hand == 1
    go_on(round, "stand")
    assert nets(round) == [10, 10]


def test_CA_26_the_double_card_is_face_down_until_settlement() -> None:
    round = begin(seated("casino", (1, 2)), "5 9 T | 6 9 T | T", [10, 10], "double")
    assert round.hands[0].faces == [UP, UP, DOWN]
    for audience in (1, 2, HOUSE):
        seen = view(round, audience)["hands"][0]
        assert (seen["cards"], seen["total"]) == (["5s", "6s", None], None)
    go_on(round, "stand")
    assert view(round, 2)["hands"][0]["cards"] == ["5s", "6s", "Ts"]
    assert nets(round) == [20, -10], "5,6 doubled to 21 against 20"


def test_CA_28_insurance_up_to_half_the_bet_of_every_seat_in_order() -> None:
    round = begin(seated("casino", (1, 2)), "A 9 A | K 9 9", [10, 20])
    assert round.ask is not None
    assert (round.ask.actor, legal(round)) == (1, {"insure", "decline"}), "a natural too"
    refused(round, "insure:6")
    refused(round, "insure:0")
    refused(round, "insure:-1")
    refused(round, "stand")
    go_on(round, "insure:1")
    assert round.ask.actor == 2
    assert round.purse[1] == 1000 - 10 - 1
    go_on(round, "insure:10")
    assert round.hands[1].insured == 10


def test_CA_30_without_a_ten_insurance_is_lost_at_once() -> None:
    round = begin(seated("casino"), "T A T 9", [10], "insure:5")
    assert (round.hands[0].insurance, round.purse[1], round.purse[HOUSE]) == (-5, 985, 5)
    assert view(round, 1)["hands"][0]["insurance"] == -5
    go_on(round, "stand")
    assert won(round) == -5, "20 and 20 push"


def test_CA_35_GE_05_used_cards_stay_out_until_the_reshuffle() -> None:
    shoe = seal(key=bytes(32), shoe="t/1", deck=french(6), draws=RULES.draws())
    dealt: list[str] = []
    table = seated("casino")
    for _ in range(10):
        round = Round(table, ShoeCards(shoe), bets_of([10]))
        assert round.position == len(dealt)
        while round.ask is not None:
            round.decide(round.ask.default_decision())
        dealt += round.cards
        table = round.close()
    assert dealt == seal(key=bytes(32), shoe="t/1", deck=french(6)).order()[: len(dealt)]


def test_CA_06_half_of_the_shoe_is_always_dealt() -> None:
    for packs, insert in ((6, 140), (3, 62)):
        deep = rules_of("casino", {"packs": packs, "insert": insert})
        half = 26 * packs
        assert deep.is_worn_out(half + 1, 2 * half, {"insert": 15})
        assert not deep.is_worn_out(half, 2 * half, {"insert": 15})


HANDS = """
CA-13 of every bet, and no more [10 20]: T 9 K | 9 9 A = -10 lose, -20 lose # K A
CA-14 two naturals stand off [10 10]: A 9 K | K 9 A = 0 push, -10 lose
CA-15 a ten under an ace is found after insurance: 9 A 9 K, decline = -10
CA-15 nobody looks under a nine: 9 9 9 9 ? hit stand split
CA-17 a soft hand draws without risk: A 7 6 T | T 4, hit hit stand = 10 % 21
CA-20 a jack and a queen are no pair: J 5 Q 5 ? hit stand ! split
CA-20 two jacks are: J 5 J 5 ? hit stand split
CA-20 and two sixes: 6 5 6 5 ? hit stand split
CA-20 a pair of three cards is none: 6 5 7 5 | 6, hit ? hit stand ! split
CA-23 A,A becomes A,K and A,9 against 20: A T A T | K 9, split = 10, 0
CA-23 a dealer's drawn 21 ties: A 6 A 5 | K Q | T, split = 0, 0
CA-23 ten and ace pay 1-1: K 6 K T | A 7 | T, split stand stand = 10, 10
CA-25 one card only: 5 5 6 T | 2 T, double = 20 % 13
CA-25 5,5 may do either: 5 5 5 T ? hit stand double split
CA-27 the dealer does not split: T 8 9 8 | 5, stand = -10 # 8 8 5
CA-27 nor double: T 5 9 6 | T, stand = -10 # 5 6 T
CA-28 of three chips no more than three {chips=13}: 9 A 9 9 ? insure decline ! insure:4
CA-28 but these {chips=13}: 9 A 9 9, insure:3 ? hit stand
CA-28 and of one chip one {chips=11}: 9 A 9 9 ? insure decline
CA-28 without a chip there is nothing to ask {chips=10}: 9 A 9 9 ? hit stand
CA-28 half of two is one [2]: 9 A 9 9 ? insure decline ! insure:2
CA-28 a split does not raise it: 8 A 8 9 | T T, insure:5 split stand stand = -10, -10 ~ -25
CA-28 not with a king up: 9 K 9 9 ? hit stand split
CA-28 nor with the ace hidden: 9 2 9 A ? hit stand split
CA-34 no surrender: T T 6 9 ? hit stand ! surrender
CA-34 and no even money: A A K 9 ? insure decline ! even surrender
CA-36 a 20 may be hit, as the anecdote has it: T 6 T 5 | A T, hit stand = 0 % 21
GE-11 what is left after insurance may just split {chips=24}: 5 A 5 9, insure:4 ? hit stand double split
"""


start = partial(play, "casino")


@every_hand(HANDS)
def test_hands(line: str) -> None:
    check_hand(start, line)
