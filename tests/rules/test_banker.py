"""banker, clause by clause (docs/rules.md, BK). The deal: player, banker up, player, banker down."""

from __future__ import annotations

from functools import partial

import pytest

from fairshoe.cards import french
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.hand import DOWN, UP
from fairshoe.engine.round import Round
from fairshoe.engine.rules import rules_of
from fairshoe.engine.table import HOUSE
from fairshoe.protocol.committed_shoe import commit
from fairshoe.protocol.verify import verify
from tests.hands import (
    begin,
    bets_of,
    check_hand,
    decision,
    every_hand,
    go_on,
    legal,
    nets,
    play,
    ranks,
    refused,
    seated,
    won,
)

RULES = rules_of("banker")
TABLE = seated("banker")


def test_BK_01_six_packs() -> None:
    assert (RULES.deck, RULES.cards, RULES.chairs) == ("french:6", 312, (1, 1))


def test_BK_07_one_round_wears_a_shoe_of_312_cards_out() -> None:
    assert RULES.one_round
    assert RULES.cards == 312
    assert all(RULES.is_worn_out(position, 312, {}) for position in (4, 5, 30)), "however short the round"
    assert (RULES.cut_range(), RULES.draws()) == (None, {}), "nobody cuts"


def test_BK_08_the_key_leads_back_to_the_cards() -> None:
    committed = commit("banker/1", french(6), key=bytes(32))
    committed.contribute("player", b"seed")
    sealed = committed.seal()
    round = Round(TABLE, ShoeCards(sealed), bets_of([10]))
    while round.ask is not None:
        round.decide(round.ask.default_decision())
    proof = sealed.reveal()
    assert verify(proof, commitment=committed.commitment).dealt == [round.cards]


@pytest.mark.parametrize("up", ["2", "3", "4", "5", "6", "7", "8", "9"])
def test_BK_12_nothing_is_found_under_another_card(up: str) -> None:
    assert legal(begin(TABLE, f"9 {up} 8 A")) == {"hit", "stand", "surrender"}


def test_BK_18_the_banker_plays_when_all_hands_are_done() -> None:
    round = begin(TABLE, "9 6 8 T | 2 5")
    go_on(round, "hit")
    assert (round.dealer.faces, len(round.dealer.cards)) == ([UP, DOWN], 2)
    go_on(round, "stand")
    assert (ranks(round.dealer), round.dealer.faces) == ("6 T 5", [UP, UP, UP])


@pytest.mark.parametrize("cards", ["T K", "J Q", "8 8", "A A", "2 2"])
def test_BK_27_equal_points_split(cards: str) -> None:
    first, second = cards.split()
    round = begin(TABLE, f"{first} 9 {second} 8 | 2 2")
    assert "split" in legal(round)
    round.decide(decision(round, "split"))
    assert [(hand.seat, hand.box, hand.bet, len(hand.cards)) for hand in round.hands] == [(1, 1, 10, 2)] * 2
    assert round.purse[1] == 980


def test_BK_32_insurance_is_exactly_half_of_the_bet() -> None:
    round = begin(TABLE, "9 A 9 9", bets=[10])
    for word in ("insure:4", "insure:6", "insure:0", "insure"):
        refused(round, word)
    go_on(round, "insure:5")
    assert round.hands[0].insured == 5
    assert legal(begin(TABLE, "A A K 9")) == {"insure", "decline"}, "to a player with Blackjack too"
    assert "insure" not in legal(begin(TABLE, "9 K 9 9"))


def test_BK_33_insurance_is_settled_at_the_check() -> None:
    round = begin(TABLE, "9 A 9 9", moves="insure:5")
    assert (round.hands[0].insurance, round.purse[HOUSE]) == (-5, 5)
    assert round.hands[0].bet == 10
    assert legal(round) == {"hit", "stand", "surrender", "split"}
    split = play("banker", "8 A 8 9 | T T", "insure:5 split stand stand")
    assert ([hand.insurance for hand in split.hands], nets(split), won(split)) == ([-5, 0], [-10, -10], -25)


HANDS = """
BK-05 blackjack: A 9 K 7 = 15
BK-05 21 above 20: 7 T 7 T | 7, hit = 10
BK-05 20 above 19: T T T 9, stand = 10
BK-05 12 above a bust banker: 2 6 T T | T, stand = 10
BK-05 22 is a bust: 2 6 T T | 6, stand = 10
BK-05 21 is none: 2 6 T T | 5, stand = -10
BK-05 the player's bust is below everything: T 6 6 T | T, hit = -10
BK-06 21 and a drawn 21 tie: 7 5 7 6 | 7 T, hit = 0
BK-06 a natural and what would be a drawn 21 do not: A 5 K 6 = 15
BK-09 no reshuffle once the bet is accepted: 9 A 9 9 | 9 9 | T ! reshuffle
BK-09 nor when it is insured: 9 A 9 9 | 9 9 | T, insure:5 ! reshuffle
BK-09 nor when it is not: 9 A 9 9 | 9 9 | T, decline ! reshuffle
BK-09 nor after a split: 9 A 9 9 | 9 9 | T, decline split ! reshuffle
BK-09 nor between its hands: 9 A 9 9 | 9 9 | T, decline split stand ! reshuffle
BK-11 an ace and a ten beat other 21s: 6 A 7 Q, decline = -10
BK-11 21 on three cards pays 1-1 against 20: 7 5 7 6 | 7 9, hit = 10
BK-12 insurance is decided before: 9 A 9 K ? insure decline
BK-12 the banker checks: 9 A 9 K, decline = -10
BK-16 on 20 too: T 9 T 9 | A ? hit stand surrender split
BK-16 which was hit to 21: T 9 T 9 | A, hit = 10
BK-16 or on 20 of three cards: T 9 6 9 | 4, hit ? hit stand
BK-17 below 21 there is a choice: 2 9 3 9 | 4 T T, hit ? hit stand
BK-17 and one may bust: 2 9 3 9 | 4 T T, hit hit hit = -10 bust
BK-20 hard 17 stands: T 6 9 A | T, stand = 10 # 6 A T
BK-20 soft 17 does not: T 6 9 A | 2, stand = 0 # 6 A 2
BK-20 soft 18 stands: T 7 9 A, stand = 10 # 7 A
BK-20 soft 17 on three cards does not: T 2 9 4 | A 4, stand = -10 # 2 4 A 4
BK-21 nothing is drawn after a surrender: T 6 6 5, surrender = -5 # 6 5
BK-21 nor against two split Blackjacks: A 6 A 5 | K Q, split = 10, 10 # 6 5
BK-21 nor against one, and a bust: T 6 T 5 | A 6 | T, split hit = 10, -10 # 6 5
BK-21 one other hand is enough: A 6 A 5 | K 9 | 6, split = 10, 10 # 6 5 6
BK-25 surrender loses half after the check: T A 6 9, decline surrender = -5 surrender ~ -5
BK-25 not before the check: T K 6 A = -10
BK-25 not after a hit: 2 9 3 9 | 5, hit ! surrender
BK-25 half of two is one [2]: T 9 6 9, surrender = -1
BK-27 unequal points do not split: 9 9 8 9 ? hit stand surrender
BK-27 nor an ace and a nine: A 9 9 9 ? hit stand surrender
BK-27 nor a six and a five: 6 9 5 9 ? hit stand surrender double
BK-31 A,10 and A,5 against 7,7,7: A 7 A 7 | T 5 | 7, split = 10, -10
BK-31 10,A and K,8 against a drawn 21: T 7 K 7 | A 8 | 7, split stand = 10, -10
BK-31 it pays 1-1: T 9 T 8 | 9 A, split stand = 10 win, 10 natural ~ 20
BK-31 a plain 21 ties: 8 7 8 7 | 3 T | T | 7, split hit stand = 0, -10
BK-36 not insured, against a Blackjack: T A T K, decline = -10 ~ -10
BK-36 against 20: T A T 9, decline stand = 0 ~ 0
BK-36 against 19: T A T 8, decline stand = 10 ~ 10
BK-37 a Blackjack: A 9 K 9 = 15 ~ 15
BK-37 insured against one: 9 A 9 K, insure:5 = -10 ~ 0
BK-37 surrendered: T T 9 8, surrender = -5 ~ -5
BK-37 split: 8 T 8 T | 3 8 | T T, split hit hit = 10, -10 ~ 0
"""


start = partial(play, "banker")


@every_hand(HANDS)
def test_hands(line: str) -> None:
    check_hand(start, line)
