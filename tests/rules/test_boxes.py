"""boxes, clause by clause (docs/rules.md, BX). The deal: boxes, operator up, boxes, operator hidden."""

from __future__ import annotations

import pytest

from fairshoe.engine.hand import DOWN, UP
from fairshoe.engine.round import Round
from fairshoe.engine.rules import rules_of
from fairshoe.engine.table import HOUSE, Bet
from fairshoe.engine.view import view
from tests.hands import begin, go_on, legal, nets, play, ranks, refused, refused_bets, seated, won

RULES = rules_of("boxes")
TABLE = seated("boxes")


def prompted(round: Round) -> set[str]:
    """What the operator must offer now."""
    assert round.ask is not None
    return {move.name for move in round.ask.moves if move.prompt}


@pytest.mark.parametrize(("card", "value"), [*((str(n), n) for n in range(2, 10)), *((face, 10) for face in "TJQK")])
def test_BX_01_card_values(card: str, value: int) -> None:
    assert begin(TABLE, f"{card} 5 2 5").hands[0].total == value + 2
    assert begin(TABLE, f"{card}h 5 2d 5").hands[0].total == value + 2, "suits mean nothing"


def test_BX_02_soft_and_hard_17() -> None:
    hand = begin(TABLE, "A 9 6 9").hands[0]
    assert (hand.total, hand.soft) == (17, True)
    hand = begin(TABLE, "A 9 6 9 | T", moves="hit").hands[0]
    assert (hand.total, hand.soft) == (17, False)
    assert begin(TABLE, "3 9 8 9 | T", moves="hit").hands[0].total == 21


def test_BX_03_beat_the_operator_without_exceeding_21() -> None:
    assert nets(play("boxes", "A 9 T 9")) == [15]
    assert nets(play("boxes", "T 9 9 9", "stand")) == [10]
    assert nets(play("boxes", "T 9 6 9 | T", "hit")) == [-10]


def test_BX_04_eight_packs() -> None:
    assert (RULES.deck, RULES.cards) == ("french:8", 416)


def test_BX_05_a_new_shuffle_for_every_round() -> None:
    assert RULES.one_round
    assert RULES.worn(20, 416, {})
    assert RULES.cut_range() is None


def test_BX_06_a_player_may_hold_several_of_seven_boxes() -> None:
    bets = [Bet(2, 10, 1), Bet(1, 20, 3), Bet(2, 30, 7)]
    round = begin(seated("boxes", (1, 2)), "T T T 9 | 9 9 9 8", bets, "stand stand stand")
    assert [(hand.box, hand.seat) for hand in round.hands] == [(1, 2), (3, 1), (7, 2)]
    assert (won(round, 1), won(round, 2), won(round, HOUSE)) == (20, 40, -60)


def test_BX_06_bets_that_are_no_bets() -> None:
    refused_bets("boxes", [])
    refused_bets("boxes", [Bet(1, 10, 8)])
    refused_bets("boxes", [Bet(1, 10, 0)])
    refused_bets("boxes", [Bet(1, 10, 3), Bet(2, 10, 3)])
    refused_bets("boxes", [Bet(3, 10, 3)])
    refused_bets("boxes", [Bet(HOUSE, 10, 3)])
    refused_bets("boxes", [Bet(1, 11, 3)])
    refused_bets("boxes", [Bet(1, 0, 3)])
    refused_bets("boxes", [Bet(1, 502, 3)])


def test_BX_06_a_seats_bets_are_covered_together() -> None:
    refused_bets("boxes", [Bet(1, 60, 1), Bet(2, 10, 2), Bet(1, 60, 3)], chips=100)
    assert begin(seated("boxes", chips=100), "5 5 6 | 5 5 6", [Bet(1, 50, 1), Bet(1, 50, 2)]).purse[1] == 0


def test_BX_07_from_box_1_to_box_7() -> None:
    refused_bets("boxes", [Bet(1, 10, 3), Bet(1, 10, 2)])
    round = begin(seated("boxes", (1, 2)), "9 T 9 | 9 9 9", [Bet(2, 10, 2), Bet(1, 10, 5)])
    asked = []
    while round.ask is not None:
        asked.append(round.hands[round.ask.hand].box)
        go_on(round, "stand")
    assert asked == [2, 5]


def test_BX_08_two_circuits_and_the_operators_second_card_hidden() -> None:
    round = begin(seated("boxes", (1, 2)), "2 3 4 | 5 6 7", [10, 10])
    assert [ranks(hand) for hand in round.hands] == ["2 5", "3 6"]
    assert (ranks(round.dealer), round.dealer.faces) == ("4 7", [UP, DOWN])
    assert view(round, 1)["hands"][1]["cards"] == ["3s", "6s"]


@pytest.mark.parametrize("cards", ["9 K 9 A", "9 A 9 K"])
def test_BX_09_nobody_looks_at_the_hidden_card(cards: str) -> None:
    round = begin(TABLE, cards, moves="decline" if cards[2] == "A" else "")
    assert not round.over
    assert view(round, HOUSE)["dealer"]["cards"][1] is None
    go_on(round, "stand")
    assert (nets(round), round.dealer.faces) == ([-10], [UP, UP])


def test_BX_10_hit_stand_and_sometimes_more() -> None:
    assert legal(begin(TABLE, "9 9 8 9")) == {"hit", "stand", "double"}
    assert legal(begin(TABLE, "9 9 9 9")) == {"hit", "stand", "double", "split"}
    assert legal(begin(TABLE, "9 9 2 9 | 2", moves="hit")) == {"hit", "stand"}
    assert legal(begin(TABLE, "9 A 9 9")) == {"insure", "decline"}


@pytest.mark.parametrize("hidden", ["6", "7", "8", "9"])
def test_BX_11_the_operator_stands_on_soft_17(hidden: str) -> None:
    assert ranks(play("boxes", f"T A 9 {hidden}", "decline stand").dealer) == f"A {hidden}"
    assert ranks(play("boxes", "T T 9 7", "stand").dealer) == "T 7"


def test_BX_12_the_operator_draws_on_16_or_less() -> None:
    assert ranks(play("boxes", "T T 9 6 | 5", "stand").dealer) == "T 6 5"
    assert ranks(play("boxes", "T 2 9 2 | 2 2 2 2 2 2 2", "stand").dealer) == "2 2 2 2 2 2 2 2 2"
    assert ranks(play("boxes", "T A 9 5 | T A", "decline stand").dealer) == "A 5 T A"


def test_BX_13_the_operators_maximum_result_counts() -> None:
    round = play("boxes", "T A 9 7", "decline stand")
    assert view(round, 1)["dealer"]["total"] == 18
    assert begin(TABLE, "T A 9 7", moves="decline").dealer.total == 18


def test_BX_14_a_hand_stands_at_21_after_a_double_and_after_split_aces() -> None:
    assert len(play("boxes", "7 9 7 9 | 7", "hit").decisions) == 1
    assert len(play("boxes", "7 9 3 9 | 7", "double").decisions) == 1
    assert len(play("boxes", "A 9 A 9 | 2 3", "split").decisions) == 1
    assert not begin(TABLE, "7 9 3 9 | 7", moves="hit").over


@pytest.mark.parametrize("cards", ["7 7", "Q K", "T J", "A A"])
def test_BX_15_equal_value_splits_once(cards: str) -> None:
    first, second = cards.split()
    assert "split" in legal(begin(TABLE, f"{first} 9 {second} 9"))


def test_BX_15_no_resplit_and_no_split_of_unequal_cards() -> None:
    refused(begin(TABLE, "7 9 7 9 | 7 7", moves="split"), "split")
    refused(begin(TABLE, "7 9 8 9"), "split")
    round = begin(TABLE, "7 9 7 9 | 2 3", moves="split")
    assert [hand.bet for hand in round.hands] == [10, 10]
    assert round.purse[1] == 980


def test_BX_16_the_operator_offers_the_split_of_8_8_and_a_a() -> None:
    assert prompted(begin(TABLE, "8 9 8 9")) == {"split"}
    assert prompted(begin(TABLE, "A 9 A 9")) == {"split"}
    assert view(begin(TABLE, "8 9 8 9"), 1)["moves"][-1] == {"move": "split", "prompt": True}
    for cards in ("7 9 7 9", "Q 9 K 9", "9 9 9 9"):
        round = begin(TABLE, cards)
        assert "split" in legal(round), "on the player's own request"
        assert prompted(round) == set()


def test_BX_17_split_aces_get_one_card_each() -> None:
    round = play("boxes", "Ac 9 Ad 9 | 2 3", "split")
    assert [hand.cards for hand in round.hands] == [["Ac", "2s"], ["Ad", "3s"]]


def test_BX_18_21_after_a_split_is_no_blackjack() -> None:
    assert nets(play("boxes", "A 7 A 7 | K K | 7", "split")) == [0, 0], "ties with an operator's 21"
    assert nets(play("boxes", "A 9 A 9 | K K", "split")) == [10, 10], "pays 1:1"
    assert nets(play("boxes", "T 9 K 9 | A 9", "split stand")) == [10, 10]
    assert nets(play("boxes", "A T A A | K K", "split")) == [-10, -10], "loses to Blackjack"


def test_BX_19_one_card_to_each_hand_at_once_first_hand_first() -> None:
    round = begin(TABLE, "8c 9 8d 9 | 2c 3d | T", moves="split")
    assert [hand.cards for hand in round.hands] == [["8c", "2c"], ["8d", "3d"]]
    assert round.ask is not None
    assert round.ask.hand == 0
    go_on(round, "stand")
    assert round.ask.hand == 1
    go_on(round, "hit")
    assert nets(round) == [-10, 10]


@pytest.mark.parametrize("cards", ["A 6", "A 8", "2 2", "T 9", "5 6", "T 2"])
def test_BX_20_any_two_cards_may_double(cards: str) -> None:
    first, second = cards.split()
    round = begin(TABLE, f"{first} 9 {second} 9 | 2", moves="double")
    assert (round.hands[0].bet, len(round.hands[0].cards), round.hands[0].faces) == (20, 3, [UP] * 3)
    assert abs(won(round)) in (0, 20)


def test_BX_20_only_the_first_two_and_a_double_may_bust() -> None:
    refused(begin(TABLE, "2 9 3 9 | 4", moves="hit"), "double")
    round = play("boxes", "T 9 6 9 | T", "double")
    assert (nets(round), round.hands[0].outcome) == ([-20], "bust")


def test_BX_21_the_operator_always_offers_the_double_on_11() -> None:
    assert prompted(begin(TABLE, "5 9 6 9")) == {"double"}
    assert prompted(begin(TABLE, "9 9 2 9")) == {"double"}
    for cards in ("4 9 6 9", "A 9 6 9", "T 9 9 9"):
        round = begin(TABLE, cards)
        assert "double" in legal(round)
        assert prompted(round) == set()


def test_BX_22_no_double_after_a_split() -> None:
    round = begin(TABLE, "8 9 8 9 | 3 2", moves="split")
    assert legal(round) == {"hit", "stand"}
    refused(round, "double")


@pytest.mark.parametrize("cards", ["A T", "K A", "A J", "Q A"])
def test_BX_23_blackjack_beats_every_other_hand(cards: str) -> None:
    first, second = cards.split()
    assert nets(play("boxes", f"{first} 9 {second} 9")) == [15]
    both = play("boxes", f"{first} 7 7 | {second} 7 7 | 7", "stand", bets=[10, 10])
    assert nets(both) == [15, -10], "above an operator's 21 on three cards"
    assert nets(play("boxes", f"7 {second} 7 {first} | 7", ("decline " if second == "A" else "") + "hit")) == [-10]


def test_BX_24_blackjack_pays_3_to_2() -> None:
    assert nets(play("boxes", "A 9 K 9", bets=[2])) == [3]


def test_BX_25_a_bust_loses_at_once() -> None:
    round = begin(seated("boxes", (1, 2)), "T T 6 | 6 8 T | T | T", [10, 10], "hit")
    assert (round.hands[0].outcome, round.purse[1]) == ("bust", 990)
    go_on(round, "stand")
    assert round.dealer.bust
    assert nets(round) == [-10, 10]


def test_BX_26_an_operators_bust_pays() -> None:
    assert nets(play("boxes", "T 6 2 T | T", "stand")) == [10]
    assert nets(play("boxes", "5 6 6 T | 2 | T", "double")) == [20]


@pytest.mark.parametrize(("mine", "theirs"), [("T 7", "9 8"), ("T 8", "9 9"), ("T 9", "9 T"), ("T J", "Q K")])
def test_BX_27_equal_totals_push(mine: str, theirs: str) -> None:
    (a, b), (c, d) = mine.split(), theirs.split()
    assert nets(play("boxes", f"{a} {c} {b} {d}", "stand")) == [0]


def test_BX_27_equal_totals_of_21_push_unless_one_is_blackjack() -> None:
    assert nets(play("boxes", "7 7 7 7 | 7 7", "hit")) == [0]


def test_BX_28_higher_wins_lower_loses() -> None:
    assert nets(play("boxes", "T 9 9 9", "stand")) == [10]
    assert nets(play("boxes", "T 9 7 9", "stand")) == [-10]


def test_BX_29_operator_blackjack_takes_doubles_and_splits() -> None:
    assert nets(play("boxes", "5 A 6 K | T", "decline double")) == [-20]
    assert nets(play("boxes", "8 T 8 A | T T", "split stand stand")) == [-10, -10]


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


def test_BX_30_insurance_pays_2_to_1() -> None:
    round = play("boxes", "T A 9 K", "insure:5 stand")
    assert (round.hands[0].insurance, nets(round), won(round)) == (10, [-10], 0)
    assert legal(begin(TABLE, "9 T 9 A")) == {"hit", "stand", "double", "split"}, "not with a ten up"


def test_BX_31_without_blackjack_insurance_is_lost_and_the_bet_compared() -> None:
    assert won(play("boxes", "T A 9 7", "insure:5 stand")) == 5
    assert won(play("boxes", "T A 7 7", "insure:5 stand")) == -15
    assert won(play("boxes", "T A 6 9 | T", "insure:5 hit")) == -15, "a bust box's too"


def test_BX_32_both_blackjack_push_and_insurance_is_even_money() -> None:
    insured = play("boxes", "A A K K", "insure:5")
    assert (nets(insured), won(insured)) == ([0], 10)
    assert won(play("boxes", "A A K K", "decline")) == 0
    assert won(play("boxes", "A A K 9", "insure:5")) == 10


def test_BX_33_too_many_is_over_21() -> None:
    assert play("boxes", "T 9 6 9 | 6", "hit").hands[0].outcome == "bust"
    assert play("boxes", "T 9 6 9 | 5", "hit").hands[0].outcome == "win"


def test_BX_34_the_operator_draws_only_if_a_hand_is_compared() -> None:
    for cards, moves in (("T 6 6 5 | T", "hit"), ("A 6 K 5", "")):
        round = play("boxes", cards, moves)
        assert (ranks(round.dealer), round.dealer.faces) == ("6 5", [UP, UP])
    mixed = play("boxes", "A T 6 | K 9 5 | 6", "stand", bets=[10, 10])
    assert ranks(mixed.dealer) == "6 5 6"


def test_BX_35_no_surrender() -> None:
    refused(begin(TABLE, "T 9 6 9"), "surrender")


def test_the_test_vectors() -> None:
    assert nets(play("boxes", "5 A 6 K | T", "decline double")) == [-20]
    assert nets(play("boxes", "8 T 8 A | T T", "split stand stand")) == [-10, -10]
    assert "split" in legal(begin(TABLE, "Q 9 K 9"))
    assert prompted(begin(TABLE, "Q 9 K 9")) == set()
    assert nets(play("boxes", "A 7 A 7 | K 2 | 7", "split")) == [0, -10]
    assert won(play("boxes", "A A K K", "insure:5")) == 10
    assert won(play("boxes", "A A K 9", "insure:5")) == 10
    assert "double" in legal(begin(TABLE, "A 9 6 9"))
