"""The bust test: what it counts, and whom it shows."""

from __future__ import annotations

import pytest

from audit_cli.report.counting.observations import ObservedHand, ObservedRound, ObservedShoe, SeatStake
from audit_cli.report.luck.busts import DEALER, OWN, BustReading, Busts, busts_with
from audit_cli.report.luck.reference import counted
from fairshoe.cards import named_deck
from fairshoe.engine.rules import rules_of
from tests.hands import labels


def one(seen: ObservedRound, cards: list[str], rules: str = "casino") -> Busts:
    deck = list(named_deck(rules_of(rules).deck))
    for label in cards:
        deck.remove(label)
    busts = Busts()
    busts.shoe(ObservedShoe("t", rules_of(rules), [*cards, *deck], ["ann"], [seen]))
    return busts


def found(busts: Busts) -> dict[tuple[str, str], BustReading]:
    return {(each.scope[1], each.test): each for each in busts.result() if each.scope[0] == "player"}


CARDS = labels("Ts 6h 6s Th 2s 9d 4d Kc")
"""Ten and six against six and ten; the player hits a 2 and a 9 would have been next: it hits once more and busts."""


def test_hits_and_the_dealers_draws() -> None:
    """Player T 6, hits 2 (18), hits 9 (27); then nobody draws. Else the dealer draws 4 (20)."""
    hands = [ObservedHand(1, [CARDS[0], CARDS[2], CARDS[4]], [0, 2, 4])]
    dealer = ObservedHand(0, [CARDS[1], CARDS[3], CARDS[5]], [1, 3, 5])
    seen = ObservedRound(0, [SeatStake(1, "ann", 2)], (), CARDS[:6], hands, dealer, frozenset([1]))
    both = found(one(seen, CARDS))
    counts = counted(list(named_deck("french:6")))
    counts[9] -= 2
    counts[5] -= 2
    over_16 = sum(counts[5:])  # a hand of 16 busts with 6 to ten
    assert both["ann", OWN].expected == pytest.approx(over_16 / 308)
    assert (both["ann", OWN].draws, both["ann", OWN].busts) == (1, 0)
    assert both["ann", DEALER].expected == pytest.approx(over_16 / 307)  # less the 2
    assert (both["ann", DEALER].draws, both["ann", DEALER].busts) == (1, 1)


def test_a_hand_without_choices_steers_nothing() -> None:
    hands = [ObservedHand(1, [CARDS[0], CARDS[2]], [0, 2])]
    dealer = ObservedHand(0, [CARDS[1], CARDS[3], CARDS[4]], [1, 3, 4])
    seen = ObservedRound(0, [SeatStake(1, "ann", 2)], (), CARDS[:5], hands, dealer, frozenset())
    assert found(one(seen, CARDS)) == {}


def test_a_banker_who_chooses_is_tested_by_his_own_draws() -> None:
    hands = [ObservedHand(1, [CARDS[0], CARDS[2]], [0, 2])]
    dealer = ObservedHand(2, [CARDS[1], CARDS[3], CARDS[4]], [1, 3, 4])
    seen = ObservedRound(0, [SeatStake(1, "ann", 2)], (), CARDS[:5], hands, dealer, frozenset([1, 2]), "bob")
    both = found(one(seen, CARDS, "pontoon"))
    assert set(both) == {("bob", OWN), ("ann", DEALER)}


@pytest.mark.parametrize(
    ("name", "hard", "aces", "cards", "busting"),
    [
        ("casino", 16, 0, 2, (6, 7, 8, 9, 10)),
        ("casino", 7, 1, 2, ()),  # soft 17
        ("casino", 21, 0, 3, tuple(range(1, 11))),
        ("chinese", 16, 0, 2, (6, 7, 8, 9, 10)),
        ("chinese", 10, 1, 2, ()),  # A 9: the ace may count 1
        ("chinese", 13, 1, 3, (9, 10)),  # in a fourth card's hand it counts 1
    ],
)
def test_which_cards_bust(name: str, hard: int, aces: int, cards: int, busting: tuple[int, ...]) -> None:
    assert busts_with(rules_of(name), hard, aces, cards) == busting


def test_cards_behind_a_reshuffle_are_not_counted() -> None:
    hands = [ObservedHand(1, [CARDS[0], CARDS[2], CARDS[4]], [0, 2, 4])]
    seen = ObservedRound(0, [SeatStake(1, "ann", 2)], (), CARDS[:4], hands, None, frozenset([1]))
    assert found(one(seen, CARDS)) == {}
