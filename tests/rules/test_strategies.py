"""Reference strategies (section 7): what each decides, hand by hand."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from fairshoe.cards import named_deck
from fairshoe.engine.cards import Stack
from fairshoe.engine.moves import Decision
from fairshoe.engine.round import BankSettlement, Round, run_round
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.engine.rules.pontoon import Pontoon
from fairshoe.engine.strategies import (
    STRATEGIES,
    bicycle,
    find_strategy,
    random_legal,
    reference_cut,
    reference_decision,
)
from fairshoe.engine.table import Bet
from fairshoe.errors import InputError
from tests import hands
from tests.hands import Bets, legal, lounge
from tests.hands_bank import banked, begin, settle

BANKED = ("chinese", "pontoon")
GAMES = sorted(RULES)


def says(strategy: str, round: Round) -> str:
    """What the strategy does at the open decision point, which is legal there."""
    assert round.ask is not None
    decision = STRATEGIES[strategy](round, round.ask)
    round.ask.check(decision)
    assert decision.by == "seat"
    return decision.move


def at(name: str, cards: str, upcard: str = "9", more: str = "", moves: str = "", **options: Any) -> Round:
    """One player with two cards against an upcard, the first card hidden in pontoon; then `more`."""
    first, second = cards.split()
    if name == "lounge":
        return lounge(f"{first} {second} {upcard} 5 {more} {PAD}", moves)
    if name == "pontoon":
        return begin(banked(name), f"{first} 5 {second} {upcard} {more} {PAD}", moves=moves)
    if name == "chinese":
        return begin(banked(name, [10], **options), f"T {first} 8 {second} {more} {PAD}", [10], moves)
    return hands.play(name, f"{first} {upcard} {second} 5 {more} {PAD}", moves, **options)


PAD = "9 9 9 9"
"""Cards that are not reached."""


def dealers(name: str, cards: str, more: str = "", *, bets: Bets = (1, 1)) -> Round:
    """The dealer of pontoon or chinese to choose, with these two cards."""
    first, second = cards.split()
    table = banked(name, bets)
    order = f"T T {first} 9 9 {second}" if name == "pontoon" else f"{first} T T {second} 9 9"
    return begin(table, f"{order} {more} {PAD}", bets, "stand stand")


@pytest.mark.parametrize("name", GAMES)
def test_ST_00_flat_minimum_legal_bet(name: str) -> None:
    rules = rules_of(name)
    rules.check_bet_amount(rules.lowest_bet)
    assert rules.lowest_bet == rules.minimum
    assert rules_of("casino", {"minimum": 5}).lowest_bet == 6
    assert rules_of("pontoon", {"minimum": 3}).lowest_bet == 3
    assert rules_of("lounge", {"gift": 700}).lowest_bet == 700


def test_ST_00_cut_in_the_middle_and_none_in_pontoon() -> None:
    cuts = {"casino": 156, "chinese": 26, "pontoon": 0, "banker": 0, "boxes": 0, "lounge": 0}
    assert {name: reference_cut(rules_of(name)) for name in GAMES} == cuts
    assert reference_cut(rules_of("casino", {"packs": 5})) == 130


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", ["banker", "boxes", "casino"])
def test_ST_00_no_insurance_and_no_surrender(name: str, strategy: str) -> None:
    round = at(name, "T 6", "A")
    assert legal(round) == {"insure", "decline"}
    assert says(strategy, round) == "decline"
    assert "surrender" in legal(at("banker", "T 6", "T"))
    assert says(strategy, at("banker", "T 6", "T")) in ("hit", "stand")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_ST_00_the_bank_is_accepted_and_never_bought_or_sold(strategy: str) -> None:
    table = banked("pontoon", [1, 1, 1]).after({}, memory={"entitled": 2})
    between = BankSettlement(table)
    assert between.ask
    assert reference_decision(between.ask) == Decision(2, "accept")
    offered = settle(table, "sell:4@3")
    assert offered.ask
    assert reference_decision(offered.ask) == Decision(3, "refuse")
    given = settle(table, "give@3")
    assert given.ask
    assert reference_decision(given.ask) == Decision(3, "agree")


@pytest.mark.parametrize("strategy", ["mimic", "stand", "never-bust"])
def test_ST_00_a_free_hand_continues(strategy: str) -> None:
    round = at("chinese", "7 8", free_hand=True)
    assert legal(round) == {"continue", "stop"}
    assert says(strategy, round) == "continue"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_ST_00_every_strategy_deals_as_mimic_does(strategy: str) -> None:
    for cards, move in (("T 6", "hit"), ("T 7", "stand"), ("A 6", "stand"), ("A 5", "hit"), ("2 3", "hit")):
        assert says(strategy, dealers("pontoon", cards)) == move
    round = dealers("chinese", "T 6", bets=[10, 10])
    if strategy != "bicycle":
        assert round.ask
        assert STRATEGIES[strategy](round, round.ask) == Decision(3, "reveal", 0, (1, 2))


def test_ST_00_in_chinese_only_forced_hits_and_no_bicycle() -> None:
    for cards in ("T 6", "A 5", "A 9", "T T"):
        for strategy in ("stand", "never-bust"):
            assert says(strategy, at("chinese", cards)) == "stand", cards
    with pytest.raises(InputError):
        find_strategy(rules_of("chinese"), "bicycle")
    round = at("chinese", "T 6")
    assert round.ask
    with pytest.raises(InputError):
        bicycle(round, round.ask)
    for name in GAMES:
        for strategy in STRATEGIES:
            if (name, strategy) != ("chinese", "bicycle"):
                assert find_strategy(rules_of(name), strategy) is STRATEGIES[strategy]
    with pytest.raises(InputError):
        find_strategy(rules_of("casino"), "martingale")


def test_ST_00_in_pontoon_the_upcard_is_the_dealers_second_card() -> None:
    assert Pontoon.upcard == 1
    good = begin(banked("pontoon"), f"T 6 4 9 {PAD}")
    poor = begin(banked("pontoon"), f"T 9 4 6 {PAD}")
    assert (says("bicycle", good), says("bicycle", poor)) == ("hit", "stand")


@pytest.mark.parametrize(
    ("name", "soft_17"),
    [("casino", "stand"), ("boxes", "stand"), ("pontoon", "stand"), ("banker", "hit"), ("lounge", "hit")],
)
def test_ST_01_mimic_plays_like_the_bank(name: str, soft_17: str) -> None:
    cases = {"T 6": "hit", "T 7": "stand", "A 5": "hit", "A 7": "stand", "2 3": "hit", "A 6": soft_17}
    for cards, move in cases.items():
        assert says("mimic", at(name, cards)) == move, cards
        assert says("mimic", at(name, cards, "5")) == move, "whatever the upcard"
    assert says("mimic", at(name, "6 5")) == "hit", "and never doubles"
    assert says("mimic", at(name, "8 8")) == "hit", "or splits"
    hard = at(name, "A 4", more="2 T", moves="hit hit")
    assert says("mimic", hard) == "stand", "a hard 17"


@pytest.mark.parametrize("name", GAMES)
def test_ST_02_stands_at_once(name: str) -> None:
    for cards in ("T 6", "T T") if name in BANKED else ("T 6", "2 3", "8 8", "6 5", "A 2"):
        assert says("stand", at(name, cards)) == "stand"


@pytest.mark.parametrize("strategy", ["mimic", "stand", "never-bust"])
def test_ST_00_in_chinese_the_only_legal_move_is_made(strategy: str) -> None:
    """CH-09: below 16, at 21, over 21, over 21 with five cards."""
    for cards, more, moves, move in (
        ("2 3", "", "", "hit"),
        ("T 5", "", "", "hit"),
        ("9 8", "4", "hit", "stand"),
        ("9 8", "T", "hit", "stand"),
        ("2 3", "4 9 4", "hit hit hit", "stand"),
    ):
        round = at("chinese", cards, more=more, moves=moves)
        assert legal(round) == {move}
        assert says(strategy, round) == move
        assert find_strategy(round.rules, strategy)(round, round.ask) == Decision(1, move)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["banker", "boxes", "casino", "lounge", "pontoon"])
def test_ST_03_hits_hard_below_12_and_soft_below_18_alone(name: str) -> None:
    for move, hands_ in (("hit", "2 3, 6 5, A 2, A 6, A A"), ("stand", "T 2, 9 3, A 7, 6 6, T 6")):
        for cards in hands_.split(", "):
            assert says("never-bust", at(name, cards)) == move, cards


POOR, FAIR, GOOD = "456", "23", "789TA"
UPCARDS = POOR + FAIR + GOOD


def choice(name: str, cards: str, upcard: str, more: str = "", moves: str = "") -> str:
    """`bicycle`'s decision; a natural of the dealer's cannot be, and insurance is declined on the way."""
    if upcard == "A" and name in ("banker", "boxes", "casino"):
        moves = f"decline {moves}"
    return says("bicycle", at(name, cards, upcard, more, moves))


@pytest.mark.parametrize("upcard", UPCARDS)
def test_ST_04_hard_hands_stop_at_17_12_or_13(upcard: str) -> None:
    stop = 12 if upcard in POOR else 13 if upcard in FAIR else 17
    for total in range(12, 18):
        assert choice("casino", f"T {total - 10}", upcard) == ("hit" if total < stop else "stand"), total
    assert choice("casino", "2 4", upcard, "5", "hit") == "hit"


@pytest.mark.parametrize("upcard", UPCARDS)
def test_ST_04_soft_hands_stop_at_18(upcard: str) -> None:
    for card in "23456":
        assert choice("casino", f"A {card}", upcard) == "hit"
    for card in "789":
        assert choice("casino", f"A {card}", upcard) == "stand"


@pytest.mark.parametrize("upcard", UPCARDS)
def test_ST_04_doubles(upcard: str) -> None:
    assert choice("casino", "6 5", upcard) == "double"
    assert choice("casino", "6 4", upcard) == ("hit" if upcard in "TA" else "double")
    assert choice("casino", "5 4", upcard) == ("double" if upcard in "23456" else "hit")
    assert choice("casino", "5 3", upcard) == "hit"
    assert choice("casino", "2 4", upcard, "5", "hit") == "hit", "11 in three cards"
    assert choice("boxes", "A 8", upcard) == "stand", "soft hands are not doubled"
    assert choice("boxes", "A A", upcard) == "split"


@pytest.mark.parametrize("upcard", UPCARDS)
def test_ST_04_splits(upcard: str) -> None:
    for card in "A8":
        assert choice("casino", f"{card} {card}", upcard) == "split"
    for card in "237":
        assert (choice("casino", f"{card} {card}", upcard) == "split") == (upcard in "234567"), card
    assert (choice("casino", "6 6", upcard) == "split") == (upcard in "23456")
    assert choice("casino", "4 4", upcard) == "hit"
    assert choice("casino", "5 5", upcard) == choice("casino", "6 4", upcard), "doubled rather"
    for name, cards in (("casino", "9 9"), ("casino", "T T"), ("boxes", "T K"), ("banker", "Q J")):
        assert choice(name, cards, upcard) == "stand", cards


def test_ST_04_where_a_move_is_not_legal_the_next_line_decides() -> None:
    assert choice("lounge", "8 8", "T") == "hit", "no split: a hard 16"
    assert choice("lounge", "A A", "6") == "hit", "a soft 12"
    assert choice("lounge", "6 5", "6") == "double"
    poor = hands.play("casino", f"8 T 8 5 {PAD}", chips=10)
    assert legal(poor) == {"hit", "stand"}
    assert says("bicycle", poor) == "hit"
    assert choice("pontoon", "8 8", "T") == "split"
    assert choice("pontoon", "6 5", "T") == "double"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("strategy", [*STRATEGIES, "random"])
def test_every_decision_of_every_strategy_is_legal(name: str, strategy: str) -> None:
    if (name, strategy) == ("chinese", "bicycle"):
        return
    rng = Random(f"{name} {strategy}")
    play = STRATEGIES.get(strategy, random_legal(rng.randrange))
    rules = rules_of(name)
    fewest, most = rules.chairs
    for _ in range(150):
        chairs = range(1, rng.randint(fewest, min(most, 7)) + 1)
        bank = chairs[-1] if name in BANKED else rules.first_account
        table = hands.seated(name, chairs, chips=10_000, bank=bank)
        bets = [Bet(seat, rules.lowest_bet, seat) for seat in rules.acting_order(table)]
        deck = named_deck(rules.deck)
        played = run_round(table, Stack(rng.sample(deck, len(deck))), bets, play)
        assert played.is_over
        purse = played.close().purse
        assert sum(purse.values()) == sum(table.purse.values()), "nothing is won that nobody lost (GE-06)"
