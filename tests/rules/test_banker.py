"""banker, clause by clause (docs/rules.md, BK). The deal: player, banker up, player, banker down."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from fairshoe.cards import french
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.hand import DOWN, UP
from fairshoe.engine.round import Round
from fairshoe.engine.rules import rules_of
from fairshoe.engine.table import HOUSE
from fairshoe.errors import VerificationError
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.committed import commit
from fairshoe.protocol.verify import verify
from tests.hands import begin, bets_of, decision, go_on, legal, nets, play, ranks, refused, seated, won
from tests.house import House, Seating

RULES = rules_of("banker")
TABLE = seated("banker")


def test_BK_01_six_packs() -> None:
    assert (RULES.deck, RULES.cards, RULES.chairs) == ("french:6", 312, (1, 1))


def test_BK_05_blackjack_above_21_above_20_above_both_busts() -> None:
    assert nets(play("banker", "A 9 K 7")) == [15], "blackjack"
    assert nets(play("banker", "7 T 7 T | 7", "hit")) == [10], "21 above 20"
    assert nets(play("banker", "T T T 9", "stand")) == [10], "20 above 19"
    assert nets(play("banker", "2 6 T T | T", "stand")) == [10], "12 above a bust banker"
    assert nets(play("banker", "2 6 T T | 6", "stand")) == [10], "22 is a bust"
    assert nets(play("banker", "2 6 T T | 5", "stand")) == [-10], "21 is none"
    assert nets(play("banker", "T 6 6 T | T", "hit")) == [-10], "the player's bust is below everything"


def test_BK_06_equal_points_tie() -> None:
    assert nets(play("banker", "7 5 7 6 | 7 T", "hit")) == [0], "21 and a drawn 21"
    assert nets(play("banker", "A 5 K 6")) == [15], "a natural and what would be a drawn 21"


def logged(house: House) -> list[dict[str, Any]]:
    return [json.loads(line) for line in house.lines]


def test_BK_07_one_round_wears_a_shoe_of_312_cards_out() -> None:
    assert RULES.one_round
    assert RULES.cards == 312
    assert all(RULES.worn(position, 312, {}) for position in (4, 5, 30)), "however short the round"
    assert (RULES.cut_range(), RULES.draws()) == (None, {}), "nobody cuts"


def test_BK_07_every_round_of_a_log_has_its_own_key_and_shuffle() -> None:
    house = House()
    Seating(house, "banker", "banker", (1,)).play(5)
    entries = logged(house)
    rounds = [entry for entry in entries if entry["kind"] == "round"]
    keys = set()
    for entry in rounds:
        life = [other for other in entries if other.get("shoe") == entry["shoe"]]
        kinds = [other["kind"] for other in life]
        assert kinds.count("round") == 1
        assert kinds.index("shoe") < kinds.index("open") < kinds.index("seal") < kinds.index("round")
        committed, revealed = life[0], life[-1]
        assert (committed["kind"], committed["cards"], entry["pos"]) == ("shoe", 312, 0), "all cards, from the first"
        assert revealed["kind"] == "reveal", "after the settlement"
        assert commitment_of(bytes.fromhex(revealed["key"])) == committed["commitment"]
        keys.add(revealed["key"])
    assert len(keys) == len(rounds) == 5
    assert len({tuple(entry["cards"][:4]) for entry in rounds}) > 1


def test_BK_08_the_key_leads_back_to_the_cards() -> None:
    committed = commit("banker/1", french(6), key=bytes(32))
    committed.contribute("player", b"seed")
    sealed = committed.seal()
    round = Round(TABLE, ShoeCards(sealed), bets_of([10]))
    while round.ask is not None:
        round.decide(round.ask.by_default())
    proof = sealed.reveal()
    assert verify(proof, commitment=committed.commitment).dealt == [round.cards]
    other = bytes(31) + b"1"
    with pytest.raises(VerificationError):
        verify(replace(proof, key=other.hex()), commitment=committed.commitment)
    with pytest.raises(VerificationError):
        verify(replace(proof, key=other.hex(), commitment=commitment_of(other)), commitment=committed.commitment)


@pytest.mark.parametrize("moves", ["", "insure:5", "decline", "decline split", "decline split stand"])
def test_BK_09_no_reshuffle_once_the_bet_is_accepted(moves: str) -> None:
    refused(begin(TABLE, "9 A 9 9 | 9 9 | T", moves=moves), "reshuffle")


def test_BK_09_each_request_before_the_bet_reveals_a_key_and_brings_a_new_one() -> None:
    house = House()
    table = Seating(house, "banker", "banker", (1,))
    for _ in range(3):
        table.asked_reshuffle("banker-p1")
    table.play(1)
    shoes = list(shoes_of(logged(house)))
    assert [shoe[-1]["kind"] for shoe in shoes] == ["void", "void", "void", "reveal"]
    for shoe in shoes[:3]:
        assert (shoe[-1]["why"], shoe[-1]["by"]) == ("reshuffle", "banker-p1")
        assert not {"open", "seal", "round"} & {entry["kind"] for entry in shoe}
    assert [commitment_of(bytes.fromhex(shoe[-1]["key"])) for shoe in shoes] == [
        shoe[0]["commitment"] for shoe in shoes
    ]
    assert len({shoe[-1]["key"] for shoe in shoes}) == 4


def shoes_of(entries: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The entries of each shoe, which end before the next one's begin."""
    shoe: list[dict[str, Any]] = []
    for entry in entries:
        if "shoe" in entry:
            shoe.append(entry)
        if entry["kind"] in ("void", "reveal"):
            assert {other["shoe"] for other in shoe} == {entry["shoe"]}
            yield shoe
            shoe = []


def test_BK_11_blackjack_is_an_ace_and_a_ten_and_beats_other_21s() -> None:
    assert nets(play("banker", "6 A 7 Q", "decline")) == [-10]
    assert nets(play("banker", "7 5 7 6 | 7 9", "hit")) == [10], "21 on three cards pays 1:1 against 20"


def test_BK_12_the_banker_checks_after_the_insurance_decision() -> None:
    round = begin(TABLE, "9 A 9 K")
    assert legal(round) == {"insure", "decline"}
    go_on(round, "decline")
    assert round.over
    assert nets(round) == [-10]


@pytest.mark.parametrize("up", ["2", "3", "4", "5", "6", "7", "8", "9"])
def test_BK_12_nothing_is_found_under_another_card(up: str) -> None:
    assert legal(begin(TABLE, f"9 {up} 8 A")) == {"hit", "stand", "surrender"}


def test_BK_16_hit_or_stand_up_to_20() -> None:
    round = begin(TABLE, "T 9 T 9 | A")
    assert {"hit", "stand"} <= legal(round)
    go_on(round, "hit")
    assert nets(round) == [10], "20 was hit to 21"
    assert legal(begin(TABLE, "T 9 6 9 | 4", moves="hit")) == {"hit", "stand"}, "20 of three cards may be hit too"


def test_BK_17_21_stands_automatically() -> None:
    round = begin(TABLE, "2 9 3 9 | 4 T T", moves="hit")
    assert legal(round) == {"hit", "stand"}
    go_on(round, "hit hit")
    assert round.hands[0].outcome == "bust"


def test_BK_18_the_banker_plays_when_all_hands_are_done() -> None:
    round = begin(TABLE, "9 6 8 T | 2 5")
    go_on(round, "hit")
    assert (round.dealer.faces, len(round.dealer.cards)) == ([UP, DOWN], 2)
    go_on(round, "stand")
    assert (ranks(round.dealer), round.dealer.faces) == ("6 T 5", [UP, UP, UP])


def test_BK_20_the_banker_hits_soft_17() -> None:
    assert ranks(play("banker", "T 6 9 A | T", "stand").dealer) == "6 A T", "hard 17 stands"
    assert ranks(play("banker", "T 6 9 A | 2", "stand").dealer) == "6 A 2"
    assert ranks(play("banker", "T 7 9 A", "stand").dealer) == "7 A", "soft 18 stands"
    assert ranks(play("banker", "T 2 9 4 | A 4", "stand").dealer) == "2 4 A 4", "on three cards too"


def test_BK_21_the_banker_draws_nothing_when_nothing_is_compared() -> None:
    assert ranks(play("banker", "T 6 6 5", "surrender").dealer) == "6 5", "surrender"
    assert ranks(play("banker", "A 6 A 5 | K Q", "split").dealer) == "6 5", "two split Blackjacks"
    assert ranks(play("banker", "T 6 T 5 | A 6 | T", "split hit").dealer) == "6 5", "one, and a bust"
    assert ranks(play("banker", "A 6 A 5 | K 9 | 6", "split").dealer) == "6 5 6", "one other hand is enough"
    assert play("banker", "T 6 6 5", "surrender").dealer.faces == [UP, UP]


def test_BK_25_surrender_loses_half_after_the_check() -> None:
    round = play("banker", "T A 6 9", "decline surrender")
    assert (nets(round), round.hands[0].outcome, won(round)) == ([-5], "surrender", -5)
    assert nets(play("banker", "T K 6 A")) == [-10], "not before the check"
    refused(begin(TABLE, "2 9 3 9 | 5", moves="hit"), "surrender")
    assert nets(play("banker", "T 9 6 9", "surrender", bets=[2])) == [-1]


@pytest.mark.parametrize("cards", ["T K", "J Q", "8 8", "A A", "2 2"])
def test_BK_27_equal_points_split(cards: str) -> None:
    first, second = cards.split()
    round = begin(TABLE, f"{first} 9 {second} 8 | 2 2")
    assert "split" in legal(round)
    round.decide(decision(round, "split"))
    assert [(hand.seat, hand.box, hand.bet, len(hand.cards)) for hand in round.hands] == [(1, 1, 10, 2)] * 2
    assert round.purse[1] == 980


@pytest.mark.parametrize("cards", ["9 8", "A T", "A 9", "6 5"])
def test_BK_27_unequal_points_do_not(cards: str) -> None:
    first, second = cards.split()
    assert "split" not in legal(begin(TABLE, f"{first} 9 {second} 9"))


def test_BK_30_both_second_cards_at_once_then_first_and_second() -> None:
    round = begin(TABLE, "8c 9 8d 9 | 2c 3d | T", moves="split")
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
    round = begin(TABLE, "8 9 8 9 | 2 2 | T", moves="split hit")
    assert round.ask is not None
    assert round.ask.hand == 0, "20 is asked again"


def test_BK_31_a_split_blackjack_beats_21_and_pays_1_to_1() -> None:
    assert nets(play("banker", "A 7 A 7 | T 5 | 7", "split")) == [10, -10], "A,10 and A,5 against 7,7,7"
    assert nets(play("banker", "T 7 K 7 | A 8 | 7", "split stand")) == [10, -10], "10,A and K,8 against a drawn 21"
    both = play("banker", "T 9 T 8 | 9 A", "split stand")
    assert (nets(both), [hand.outcome for hand in both.hands]) == ([10, 10], ["win", "natural"])
    assert (won(both), won(both, HOUSE)) == (20, -20)
    assert nets(play("banker", "8 7 8 7 | 3 T | T | 7", "split hit stand")) == [0, -10], "a plain 21 ties"


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


def test_BK_36_not_insured_ordinary_settlement() -> None:
    assert won(play("banker", "T A T K", "decline")) == -10
    assert won(play("banker", "T A T 9", "decline stand")) == 0
    assert won(play("banker", "T A T 8", "decline stand")) == 10


@pytest.mark.parametrize(
    ("cards", "moves", "expected"),
    [
        ("A 9 K 9", "", 15),
        ("9 A 9 K", "insure:5", 0),
        ("T T 9 8", "surrender", -5),
        ("8 T 8 T | 3 8 | T T", "split hit hit", 0),
    ],
)
def test_BK_37_pay_outs(cards: str, moves: str, expected: int) -> None:
    assert won(play("banker", cards, moves)) == expected
