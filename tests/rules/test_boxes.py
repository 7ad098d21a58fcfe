"""boxes, clause by clause (docs/rules.md, BX). The deal: boxes, operator up, boxes, operator hidden."""

from __future__ import annotations

from functools import partial

import pytest

from fairshoe.engine.hand import UP
from fairshoe.engine.round import Round
from fairshoe.engine.rules import RULES as EVERY_SET
from fairshoe.engine.rules import rules_of
from fairshoe.engine.table import HOUSE, Bet
from fairshoe.engine.view import view
from fairshoe.errors import IllegalBet
from tests.hands import (
    begin,
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

RULES = rules_of("boxes")
TABLE = seated("boxes")


def prompted(round: Round) -> set[str]:
    """What the operator must offer now."""
    assert round.ask is not None
    return {move.name for move in round.ask.moves if move.prompt}


def test_BX_04_eight_packs() -> None:
    assert (RULES.deck, RULES.cards) == ("french:8", 416)


def test_BX_05_a_new_shuffle_for_every_round() -> None:
    assert RULES.one_round
    assert RULES.is_worn_out(4, 416, {}), "one round wears the shoe out, however short"
    assert (RULES.cut_range(), RULES.draws()) == (None, {}), "nobody cuts"


def test_BX_06_a_player_may_hold_several_of_seven_boxes() -> None:
    bets = [Bet(2, 10, 1), Bet(1, 20, 3), Bet(2, 30, 7)]
    round = begin(seated("boxes", (1, 2)), "T T T 9 | 9 9 9 8", bets, "stand stand stand")
    assert [(hand.box, hand.seat) for hand in round.hands] == [(1, 2), (3, 1), (7, 2)]
    assert (won(round, 1), won(round, 2), won(round, HOUSE)) == (20, 40, -60)


def test_BX_06_one_player_may_hold_all_seven_boxes() -> None:
    bets = [Bet(1, 2 * box, box) for box in range(1, 8)]
    round = begin(TABLE, "T T T T T T T 9 | 9 9 9 9 9 9 9 9", bets, "stand " * 7)
    assert [(hand.box, hand.net) for hand in round.hands] == [(box, 2 * box) for box in range(1, 8)]
    assert RULES.chairs == (1, 7)


@pytest.mark.parametrize(
    ("bets", "error"),
    [
        ([], "bets: no bet; expected at least one"),
        ([Bet(1, 10, 0)], "box: box 0; expected a box from 1 to 7"),
        ([Bet(1, 10, 8)], "box: box 8; expected a box from 1 to 7"),
        ([Bet(1, 10, -1)], "box: box -1; expected a box from 1 to 7"),
        ([Bet(1, 10, 5), Bet(2, 10, 5)], "box: box 5 is taken; expected a box that nobody has bet on"),
        ([Bet(1, 10, 5), Bet(1, 10, 5)], "box: box 5 is taken; expected a box that nobody has bet on"),
        ([Bet(1, 10, 1), Bet(2, 10, 7), Bet(1, 10, 7)], "box: box 7 is taken; expected a box that nobody has bet on"),
        ([Bet(3, 10, 3)], "bets: seat 3; expected a seat that is taken"),
        ([Bet(HOUSE, 10, 3)], "bets: seat 0; expected a seat that is taken"),
        ([Bet(1, 11, 3)], "amount: 11 is odd; expected an even bet, so that 3:2 pays whole units"),
        ([Bet(1, 10, 1), Bet(1, 0, 3)], "amount: 0; expected 2 to 500"),
        ([Bet(1, 502, 3)], "amount: 502; expected 2 to 500"),
    ],
)
def test_BX_06_bets_that_are_no_bets(bets: list[Bet], error: str) -> None:
    with pytest.raises(IllegalBet) as caught:
        begin(seated("boxes", (1, 2)), "", bets)
    assert str(caught.value) == error


def test_BX_06_a_seats_bets_are_covered_together() -> None:
    for seat, other in ((1, 2), (2, 1)):
        bets = [Bet(seat, 60, 1), Bet(other, 10, 2), Bet(seat, 42, 3)]
        with pytest.raises(IllegalBet) as caught:
            begin(seated("boxes", (1, 2), chips=100), "", bets)
        assert str(caught.value) == f"amount: seat {seat} has 100; expected at least 102"
    refused_bets("boxes", [Bet(1, 10, 1), Bet(2, 60, 2), Bet(2, 60, 3)], chips=100)
    assert begin(seated("boxes", chips=100), "5 5 6 | 5 5 6", [Bet(1, 50, 1), Bet(1, 50, 2)]).purse[1] == 0


def test_BX_06_a_box_is_offered_to_whoever_bets_on_it_first() -> None:
    table = seated("boxes", (1, 2), chips=100)
    others = [Bet(2, 100, 5)]
    RULES.check_seat_bets(table, [Bet(1, 40, 7), Bet(1, 60, 4)], others)
    RULES.check_seat_bets(table, [Bet(1, 10, 5)], [])
    for bets in ([Bet(1, 10, 5)], [Bet(1, 10, 7), Bet(1, 10, 5)]):
        with pytest.raises(IllegalBet) as caught:
            RULES.check_seat_bets(table, bets, others)
        assert (caught.value.what, caught.value.where) == ("box 5 is taken", "box")
    with pytest.raises(IllegalBet):
        RULES.check_seat_bets(table, [Bet(1, 40, 7), Bet(1, 62, 4)], others)


def test_BX_06_only_here_the_operator_says_no_more_bets() -> None:
    assert [name for name, rules in EVERY_SET.items() if rules.closes_bets] == ["boxes"]


def test_BX_07_from_box_1_to_box_7() -> None:
    with pytest.raises(IllegalBet) as caught:
        begin(TABLE, "", [Bet(1, 10, 3), Bet(1, 10, 2)])
    assert caught.value.where == "bets"
    round = begin(seated("boxes", (1, 2)), "9 T 9 | 9 9 9", [Bet(2, 10, 2), Bet(1, 10, 5)])
    asked = []
    while round.ask is not None:
        asked.append(round.hands[round.ask.hand].box)
        go_on(round, "stand")
    assert asked == [2, 5]


@pytest.mark.parametrize("cards", ["9 K 9 A", "9 A 9 K"])
def test_BX_09_nobody_looks_at_the_hidden_card(cards: str) -> None:
    round = begin(TABLE, cards, moves="decline" if cards[2] == "A" else "")
    assert not round.is_over
    assert view(round, HOUSE)["dealer"]["cards"][1] is None
    go_on(round, "stand")
    assert (nets(round), round.dealer.faces) == ([-10], [UP, UP])


def test_BX_13_the_operators_maximum_result_counts() -> None:
    round = play("boxes", "T A 9 7", "decline stand")
    assert view(round, 1)["dealer"]["total"] == 18
    assert begin(TABLE, "T A 9 7", moves="decline").dealer.total == 18


def test_BX_15_both_hands_of_a_split_stand_on_their_box_with_equal_bets() -> None:
    bets = [Bet(1, 20, 2), Bet(2, 10, 5), Bet(1, 30, 6)]
    round = begin(seated("boxes", (1, 2)), "T 8 T 7 | 7 8 9 T | 2 3 | T | T", bets, "stand split")
    assert [(hand.box, hand.seat, hand.bet) for hand in round.hands] == [(2, 1, 20), (5, 2, 10), (5, 2, 10), (6, 1, 30)]
    assert [hand.split for hand in round.hands] == [False, True, True, False]
    assert (round.purse[1], round.purse[2]) == (950, 980)
    assert turn(round) == (1, 2)
    go_on(round, "hit")
    assert turn(round) == (1, 2), "20 is asked again"
    go_on(round, "stand")
    assert turn(round) == (2, 2)
    go_on(round, "hit")
    assert turn(round) == (3, 1), "21 stands by itself"
    go_on(round, "stand")
    assert [ranks(hand) for hand in round.hands] == ["T 7", "8 2 T", "8 3 T", "T 9"]
    assert [hand.offsets for hand in round.hands] == [[0, 4], [1, 8, 10], [5, 9, 11], [2, 6]]
    assert nets(round) == [0, 10, 10, 30]
    assert [won(round, account) for account in (1, 2, HOUSE)] == [30, 20, -50]


def turn(round: Round) -> tuple[int, int]:
    """The hand that is played, and the seat that is asked."""
    assert round.ask is not None
    return round.ask.hand, round.ask.actor


def test_BX_16_the_operator_offers_the_split_of_8_8_and_a_a() -> None:
    assert prompted(begin(TABLE, "8 9 8 9")) == {"split"}
    assert prompted(begin(TABLE, "A 9 A 9")) == {"split"}
    assert view(begin(TABLE, "8 9 8 9"), 1)["moves"][-1] == {"move": "split", "prompt": True}
    for cards in ("7 9 7 9", "Q 9 K 9", "9 9 9 9"):
        round = begin(TABLE, cards)
        assert "split" in legal(round), "on the player's own request"
        assert prompted(round) == set()


@pytest.mark.parametrize("cards", ["A 6", "A 8", "2 2", "T 9", "5 6", "T 2"])
def test_BX_20_any_two_cards_may_double(cards: str) -> None:
    first, second = cards.split()
    round = begin(TABLE, f"{first} 9 {second} 9 | 2", moves="double")
    assert (round.hands[0].bet, len(round.hands[0].cards), round.hands[0].faces) == (20, 3, [UP] * 3)
    assert abs(won(round)) in (0, 20)


def test_BX_21_the_operator_always_offers_the_double_on_11() -> None:
    assert prompted(begin(TABLE, "5 9 6 9")) == {"double"}
    assert prompted(begin(TABLE, "9 9 2 9")) == {"double"}
    for cards in ("4 9 6 9", "A 9 6 9", "T 9 9 9"):
        round = begin(TABLE, cards)
        assert "double" in legal(round)
        assert prompted(round) == set()


@pytest.mark.parametrize("cards", ["A T", "K A", "A J", "Q A"])
def test_BX_23_blackjack_beats_every_other_hand(cards: str) -> None:
    first, second = cards.split()
    both = play("boxes", f"{first} 7 7 | {second} 7 7 | 7", "stand", bets=[10, 10])
    assert nets(both) == [15, -10], "above an operator's 21 on three cards"
    assert nets(play("boxes", f"7 {second} 7 {first} | 7", ("decline " if second == "A" else "") + "hit")) == [-10]


def test_BX_30_insurance_is_decided_box_by_box_before_box_1_plays() -> None:
    bets = [Bet(2, 10, 2), Bet(1, 20, 4), Bet(2, 30, 6)]
    round = begin(seated("boxes", (1, 2)), "9 A 9 A | 9 K 9 9", bets)
    asked = []
    while round.ask is not None and "insure" in legal(round):
        hand = round.hands[round.ask.hand]
        asked.append((hand.box, round.ask.actor))
        refused(round, f"insure:{hand.bet // 2 - 1}")
        refused(round, f"insure:{hand.bet // 2 + 1}")
        go_on(round, f"insure:{hand.bet // 2}")
    assert asked == [(2, 2), (4, 1), (6, 2)], "Blackjack boxes too"
    assert all(hand.insurance == 0 for hand in round.hands), "settled when the hidden card is shown"
    go_on(round, "stand stand")
    assert [hand.insurance for hand in round.hands] == [-5, -10, -15]


def test_GE_11_the_boxes_of_a_seat_share_its_chips() -> None:
    bets = [Bet(1, 10, 1), Bet(1, 10, 2)]
    for chips, more in ((39, set()), (40, {"double", "split"})):
        round = begin(seated("boxes", chips=chips), "8 5 9 | 8 5 9 | 2", bets)
        assert legal(round) == {"hit", "stand", "double", "split"}
        go_on(round, "double")
        assert turn(round) == (1, 1)
        assert (legal(round), round.purse[1]) == ({"hit", "stand"} | more, chips - 30)
    assert legal(begin(seated("boxes", chips=29), "8 5 9 | 8 5 9", bets)) == {"hit", "stand"}


def test_GE_11_what_insures_one_box_does_not_insure_the_next() -> None:
    two = begin(seated("boxes", chips=25), "9 9 A | 9 9 9", [Bet(1, 10, 1), Bet(1, 10, 2)], "insure:5")
    assert (turn(two), legal(two)) == ((0, 1), {"hit", "stand"}), "nothing is left for the second box"


HANDS = """
BX-03 a natural: A 9 T 9 = 15
BX-03 beat the operator: T 9 9 9, stand = 10
BX-03 without exceeding 21: T 9 6 9 | T, hit = -10
BX-10 hit, stand, double: 9 9 8 9 ? hit stand double
BX-10 or split: 9 9 9 9 ? hit stand double split
BX-10 not after a hit: 9 9 2 9 | 2, hit ? hit stand
BX-10 insurance comes first: 9 A 9 9 ? insure decline
BX-14 a double ends the turn: 7 9 3 9 | 7, double = -20
BX-14 and so do split aces: A 9 A 9 | 2 3, split = -10, -10
BX-14 17 does not stand by itself: 7 9 3 9 | 7, hit ? hit stand
BX-14 nor does 20: 7 9 3 9 | T, hit ? hit stand
BX-15 two sevens split: 7 9 7 9 ? hit stand double split
BX-15 a queen and a king too: Q 9 K 9 ? hit stand double split
BX-15 a ten and a jack: T 9 J 9 ? hit stand double split
BX-15 two aces: A 9 A 9 ? hit stand double split
BX-15 a seven and an eight do not: 7 9 8 9 ? hit stand double ! split
BX-18 ties with an operator's 21: A 7 A 7 | K K | 7, split = 0, 0
BX-18 pays 1-1: A 9 A 9 | K K, split = 10, 10
BX-18 the first hand stands by itself: T 9 K 9 | A 9, split stand = 10, 10
BX-18 and so does the second: T 9 K 9 | 9 A, split stand = 10, 10
BX-18 the second hand is settled by itself: A 9 A 9 | 7 K, split = 0, 10
BX-18 loses to Blackjack: A T A A | K K, split = -10, -10
BX-20 a double may bust: T 9 6 9 | T, double = -20 bust
BX-27 21 and 21 push: 7 7 7 7 | 7 7, hit = 0
BX-27 unless one is Blackjack: A 7 K 7 = 15
BX-27 or the other: 7 K 7 A | 7, hit = -10
BX-29 operator Blackjack takes a double: 5 A 6 K | T, decline double = -20 lose
BX-29 and both hands of a split: 8 T 8 A | T T, split stand stand = -10, -10
BX-29 a bust was lost before: 8 T 8 A | 9 T | T, split stand hit = -10, -10
BX-29 the box is insured once: 8 A 8 K | T T, insure:5 split stand stand = -10, -10 ~ -10
BX-35 no surrender: T 9 6 9 ! surrender
BX-35 nor after insurance: T A 6 9, decline ! surrender
BX-35 nor before: A A K 9 ! surrender
"""


start = partial(play, "boxes")


@every_hand(HANDS)
def test_hands(line: str) -> None:
    check_hand(start, line)
