"""What banker, boxes and casino have in common, clause by clause. The deal: player, dealer up, player, dealer down."""

from __future__ import annotations

from functools import partial

import pytest

from fairshoe.engine.hand import DOWN, UP
from fairshoe.engine.moves import Decision
from fairshoe.engine.table import HOUSE
from tests.hands import begin, check_hand, every_hand, go_on, legal, nets, play, ranks, refused, seated, won

HOUSES = ("banker", "boxes", "casino")
every_house = pytest.mark.parametrize("name", HOUSES)
MORE = {"banker": {"surrender"}, "boxes": set(), "casino": set()}
"""What may be said of two cards beside hit and stand."""


def after_insurance(name: str, word: str) -> str:
    """What is said on a hand that stands: in boxes nobody looks at the hidden card before (BX-09)."""
    return f"{word} stand" if name == "boxes" else word


@every_house
@pytest.mark.parametrize(("card", "value"), [*((str(n), n) for n in range(2, 10)), *((face, 10) for face in "TJQK")])
def test_BK_03_BX_01_CA_04_a_card_counts_its_face_whatever_its_suit(name: str, card: str, value: int) -> None:
    assert begin(seated(name), f"{card} 5 2 5").hands[0].total == value + 2
    assert begin(seated(name), f"{card}h 5 2d 5").hands[0].total == value + 2


@every_house
def test_BK_10_BX_08_CA_09_player_up_dealer_up_player_up_dealer_down(name: str) -> None:
    round = begin(seated(name), "2 3 4 5")
    assert (ranks(round.hands[0]), ranks(round.dealer)) == ("2 4", "3 5")
    assert (round.hands[0].faces, round.dealer.faces) == ([UP, UP], [UP, DOWN])
    if name != "banker":
        round = begin(seated(name, (1, 2)), "2 3 4 | 5 6 7", [10, 10])
        assert [ranks(hand) for hand in (*round.hands, round.dealer)] == ["2 5", "3 6", "4 7"]
        assert [hand.faces for hand in (*round.hands, round.dealer)] == [[UP, UP], [UP, UP], [UP, DOWN]]


@every_house
@pytest.mark.parametrize("cards", ["A T", "T A", "A J", "Q A", "A K", "K A"])
def test_BK_11_BK_14_BX_24_CA_11_CA_12_an_ace_and_a_ten_card_are_paid_3_to_2(name: str, cards: str) -> None:
    first, second = cards.split()
    round = play(name, f"{first} 9 {second} 9")
    assert (nets(round), won(round, HOUSE), round.hands[0].outcome) == ([15], -15, "natural")
    assert nets(play(name, f"{first} T {second} 9")) == [15], "after the look at the hole card"
    assert nets(play(name, f"{first} A {second} 9", "decline", bets=[2])) == [3]


@every_house
def test_BK_13_BK_15_BX_32_CA_13_CA_14_a_dealers_natural_takes_the_bet_but_of_a_natural(name: str) -> None:
    round = play(name, "T K T A", "stand" if name == "boxes" else "")
    assert (nets(round), won(round, HOUSE), round.hands[0].outcome) == ([-10], 10, "lose")
    assert (ranks(round.dealer), round.dealer.faces) == ("K A", [UP, UP])
    both = play(name, "A T K A")
    assert (nets(both), won(both), both.hands[0].outcome) == ([0], 0, "push")


@every_house
def test_BK_34_BX_30_CA_29_insurance_is_paid_2_to_1(name: str) -> None:
    round = play(name, "K A Q K", after_insurance(name, "insure:1"), bets=[2])
    assert (round.hands[0].insurance, nets(round), won(round)) == (2, [-2], 0)


@every_house
def test_BK_28_BX_17_CA_22_split_aces_get_one_card_each(name: str) -> None:
    round = play(name, "Ac 7 Ad T | 2 3", "split")
    assert [hand.cards for hand in round.hands] == [["Ac", "2s"], ["Ad", "3s"]]
    assert nets(round) == [-10, -10]


BUSTS = [
    *(
        (name, cards, moves, expected)
        for name in ("banker", "boxes")
        for cards, moves, expected in (
            ("8 6 8 T | T 9 | T | T", "split hit stand", [-10, 10]),
            ("8 6 8 T | 9 T | T | T", "split stand hit", [10, -10]),
            ("8 6 8 T | T T | T | T", "split hit hit", [-10, -10]),
        )
    ),
    ("casino", "8 6 8 T | T T | 9 | T", "split hit stand", [-10, 10]),
    ("casino", "8 6 8 T | 9 | T T | T", "split stand hit", [10, -10]),
    ("casino", "8 6 8 T | T T | T T", "split hit hit", [-10, -10]),
]


@pytest.mark.parametrize(("name", "cards", "moves", "expected"), BUSTS)
def test_BK_22_BX_25_CA_31_a_bust_hand_of_a_split_loses_though_the_dealer_busts(
    name: str, cards: str, moves: str, expected: list[int]
) -> None:
    round = play(name, cards, moves)
    assert nets(round) == expected
    assert [hand.outcome == "bust" for hand in round.hands] == [net < 0 for net in expected]
    assert (won(round), round.dealer.bust) == (sum(expected), 10 in expected), "both bust: no draw"


@every_house
def test_BK_22_BX_25_CA_31_a_bust_of_a_split_is_collected_before_the_other_hand_plays(name: str) -> None:
    cards = "8 6 8 T | T T | 9" if name == "casino" else "8 6 8 T | T 9 | T"
    round = begin(seated(name), cards, moves="split hit")
    assert (round.hands[0].outcome, round.purse[1], round.purse[HOUSE]) == ("bust", 980, 10)
    assert round.ask is not None
    assert (round.ask.hand, round.ask.actor) == (1, 1)


@pytest.mark.parametrize("name", ["boxes", "casino"])
def test_BX_25_CA_31_a_bust_loses_at_once_even_if_the_dealer_busts(name: str) -> None:
    round = begin(seated(name, (1, 2)), "T T 6 | 6 8 T | T | T", [10, 10], "hit")
    assert (round.hands[0].outcome, round.purse[1]) == ("bust", 990)
    go_on(round, "stand")
    assert (round.dealer.bust, nets(round)) == (True, [-10, 10])


@every_house
def test_BK_21_BX_34_CA_33_the_dealer_draws_nothing_when_nothing_is_compared(name: str) -> None:
    for cards, moves in (("T 6 6 5 | T", "hit"), ("A 6 K 5", "")):
        round = play(name, cards, moves)
        assert (ranks(round.dealer), round.dealer.faces) == ("6 5", [UP, UP])
    if name != "banker":
        both = play(name, "T A 6 | 6 K 5 | T", "hit", bets=[10, 10])
        assert ranks(both.dealer) == "6 5", "a bust and a natural"
        mixed = play(name, "A T 6 | K 9 5 | 6", "stand", bets=[10, 10])
        assert (ranks(mixed.dealer), nets(mixed)) == ("6 5 6", [15, 10]), "one live hand is enough"


@every_house
def test_GE_07_at_the_time_limit_a_hand_declines_and_stands(name: str) -> None:
    round = begin(seated(name), "8 A 8 9")
    for move in ("decline", "stand"):
        assert round.ask is not None
        assert round.ask.default_decision() == Decision(1, move, by="table")
        round.decide(round.ask.default_decision())
    assert round.is_over


@every_house
def test_GE_11_a_double_or_a_split_needs_exactly_its_cover(name: str) -> None:
    plain = {"hit", "stand"} | MORE[name]
    assert legal(begin(seated(name, chips=19), "5 9 5 9")) == plain
    assert legal(begin(seated(name, chips=20), "5 9 5 9")) == plain | {"double", "split"}
    second = "" if name == "casino" else " 3"
    assert begin(seated(name, chips=20), f"8 9 8 9 | 2{second}", moves="split").purse[1] == 0
    doubled = play(name, "5 9 6 9 | T", "double", chips=20)
    assert (doubled.purse[1], won(doubled)) == (40, 20)
    assert legal(begin(seated(name, chips=24), "5 A 5 9", moves="insure:5")) == plain, "9 are left"


@pytest.mark.parametrize("name", ["banker", "boxes"])
def test_GE_11_insurance_of_half_the_bet_needs_exactly_its_cover(name: str) -> None:
    assert legal(begin(seated(name, chips=14), "9 A 8 9")) == {"hit", "stand"} | MORE[name]
    round = begin(seated(name, chips=15), "9 A 8 9")
    assert legal(round) == {"insure", "decline"}
    assert go_on(round, "insure:5").purse[1] == 0


@every_house
def test_BK_02_BX_33_CA_16_22_is_too_many(name: str) -> None:
    over = play(name, "T 9 6 9 | 6", "hit")
    assert (over.hands[0].total, over.hands[0].outcome, nets(over)) == (22, "bust", [-10])
    assert nets(play(name, "T 9 6 9 | 5", "hit stand" if name == "casino" else "hit")) == [10], "21 is not"


@pytest.mark.parametrize("name", ["banker", "boxes"])
def test_BK_17_BX_14_a_hand_of_21_stands_by_itself(name: str) -> None:
    for cards in ("7 9 7 9 | 7", "A 9 5 9 | 5"):
        assert len(play(name, cards, "hit").decisions) == 1


@pytest.mark.parametrize("name", ["banker", "casino"])
@pytest.mark.parametrize("up", ["T", "J", "Q", "K"])
def test_BK_12_CA_15_an_ace_under_a_ten_is_found_at_once(name: str, up: str) -> None:
    round = play(name, f"9 {up} 9 A")
    assert (round.decisions, nets(round)) == ([], [-10])


@pytest.mark.parametrize("name", ["banker", "casino"])
@pytest.mark.parametrize("cards", ["4 5", "7 2", "6 4", "5 5", "5 6", "9 2"])
def test_BK_23_CA_25_double_on_9_to_11(name: str, cards: str) -> None:
    first, second = cards.split()
    round = play(name, f"{first} 9 {second} 9 | T", "double")
    assert (round.hands[0].bet, round.hands[0].doubled, len(round.decisions)) == (20, True, 1)
    assert (round.hands[0].faces, nets(round)) == ([UP] * 3, [20])


@pytest.mark.parametrize("name", ["banker", "casino"])
@pytest.mark.parametrize("cards", ["A 8", "A A", "A 9", "4 4", "2 3", "2 6", "6 6", "T 2", "T 9"])
def test_BK_23_CA_25_double_on_nothing_else(name: str, cards: str) -> None:
    first, second = cards.split()
    refused(begin(seated(name), f"{first} 9 {second} 9"), "double")


@every_house
def test_BK_24_BK_26_BK_29_BX_15_BX_22_CA_24_after_a_split_there_is_but_hit_and_stand(name: str) -> None:
    """Neither hand is split again, doubled or surrendered: a pair, and a total of 11."""
    for cards in ("8 9 8 9 | 8 3", "8 9 8 9 | 3 8"):
        round = begin(seated(name), cards, moves="split")
        for _ in "12":
            assert legal(round) == {"hit", "stand"}
            for wrong in ("split", "double", "surrender"):
                refused(round, wrong)
            go_on(round, "stand")


@pytest.mark.parametrize("name", ["banker", "boxes"])
def test_BK_30_BX_19_both_second_cards_at_once_then_first_and_second(name: str) -> None:
    round = begin(seated(name), "8c 9 8d 9 | 2c 3d | T", moves="split")
    first, second = round.hands
    assert (first.cards, second.cards) == (["8c", "2c"], ["8d", "3d"])
    assert (first.offsets, second.offsets) == ([0, 4], [2, 5])
    assert round.ask is not None
    assert round.ask.hand == 0
    go_on(round, "stand")
    assert round.ask.hand == 1
    go_on(round, "hit")
    assert ranks(second) == "8 3 T", "and stands at 21"
    assert nets(round) == [-10, 10]
    round = begin(seated(name), "8 9 8 9 | 2 2 | T", moves="split hit")
    assert round.ask is not None
    assert round.ask.hand == 0, "20 is asked again"


HANDS = """
BX-32 of two naturals insurance is even money: A A K K, insure:5 = 0 push ~ 10
BX-32 and nothing without: A A K K, decline = 0 ~ 0
BX-32 against no natural 3-2 less the insurance: A A K 9, insure:5 = 15 ~ 10
BK-35 BX-31 CA-30 insurance is lost, and 20 ties: T A T 9, insure:5 stand = 0 ~ -5
BK-35 BX-31 CA-30 19 wins: T A 9 7, insure:5 stand = 10 ~ 5
BK-35 BX-31 CA-30 or loses: T A 9 9, insure:5 stand = -10 ~ -15
BK-35 BX-31 CA-30 or busts: T A 6 9 | T, insure:5 hit = -10 ~ -15
BK-19 BX-12 CA-18 the dealer hits 16: T T 9 6 | 5, stand = -10 # T 6 5
BK-19 BX-12 CA-18 and may bust: T T 9 6 | 6, stand = 10 # T 6 6
BK-19 BX-12 CA-18 whichever card is up: T 6 9 T | 5, stand = -10 # 6 T 5
BK-19 BX-12 CA-18 stands on 17: T T 9 7, stand = 10 # T 7
BK-19 BX-12 CA-18 on 18: T T 9 8, stand = 10 # T 8
BK-19 BX-12 CA-18 on 20: T T 9 T, stand = -10 # T T
BK-19 BX-12 CA-18 hits as often as it takes: T T 9 2 | 2 2 T, stand = 10 # T 2 2 2 T
BK-19 BX-12 CA-18 even eight cards: T 2 9 2 | 2 2 2 2 2 3, stand = 10 # 2 2 2 2 2 2 2 3
BK-19 BX-12 CA-18 soft 16 too: T A 9 5 | T A, decline stand = 10 # A 5 T A
BK-37 BX-26 CA-32 12 wins against a bust: T 6 2 T | T, stand = 10 win
BK-06 BX-27 CA-32 22 is a bust: T 6 9 T | 6, stand = 10 win
BK-06 BX-27 CA-32 21 is none: T 6 9 T | 5, stand = -10 lose
BK-37 BX-26 CA-32 19 beats 18: T T 9 8, stand = 10 win
BK-06 BX-27 CA-32 17 and 17: T T 7 7, stand = 0 push
BK-06 BX-27 CA-32 18 and 18: T T 8 8, stand = 0 push
BK-06 BX-27 CA-32 19 and 19: T T 9 9, stand = 0 push
BK-06 BX-27 CA-32 20 and 20: T T J Q, stand = 0 push
BK-37 BX-28 CA-32 17 loses to 18: T T 7 8, stand = -10 lose
BK-37 BX-28 CA-32 a doubled 20 ties: 5 T 6 T | 9, double = 0
BK-37 BX-28 CA-32 a doubled 19 loses twice: 5 T 6 T | 8, double = -20
BK-37 BX-28 CA-32 a doubled 21 wins twice: 5 T 6 T | T, double = 20
BK-24 BX-20 CA-25 double only on two cards: 2 9 3 9 | 5, hit ! double
BK-04 BX-02 CA-04 an ace and an eight are 19: A 9 8 9 % 19
BK-04 BX-02 CA-04 two aces 12: A 9 A 9 % 12
BK-04 BX-02 CA-04 an ace and a five 16: A 9 5 9 % 16
BK-04 BX-02 CA-04 with a ten 17 as before: A 9 6 9 | T, hit % 17
BK-04 BX-02 CA-04 18 as before: A 9 7 9 | J, hit % 18
BK-04 BX-02 CA-04 two aces and a jack 12: A 9 A 9 | J, hit % 12
BK-04 BX-02 CA-04 without an ace 21: 3 9 8 9 | T, hit % 21
"""
SOFT_17 = """
BX-11 CA-19 the dealer stands on soft 17: T A 9 6, decline stand = 10 # A 6
BX-11 CA-19 on soft 18: T A 9 7, decline stand = 10 # A 7
BX-11 CA-19 on soft 19: T A 9 8, decline stand = 0 # A 8
BX-11 CA-19 on soft 20: T A 9 9, decline stand = -10 # A 9
BX-11 CA-19 not on soft 16: T A 9 5 | 3, decline stand = 0 # A 5 3
BX-11 CA-19 on soft 17 of three cards: T 2 9 4 | A, stand = 10 # 2 4 A
"""


@every_house
@every_hand(HANDS)
def test_hands_of_every_house(name: str, line: str) -> None:
    check_hand(partial(play, name), line)


@pytest.mark.parametrize("name", ["boxes", "casino"])
@every_hand(SOFT_17)
def test_BX_11_CA_19_soft_hands_of_the_dealer(name: str, line: str) -> None:
    check_hand(partial(play, name), line)
