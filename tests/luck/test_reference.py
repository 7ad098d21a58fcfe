"""The reference on a known order."""

from __future__ import annotations

from collections import Counter

import pytest

from audit_cli.report.luck.reference import KnownOrder, Reference, RemainingCards, counted, reference, shuffle_order
from fairshoe.cards import named_deck
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.errors import InputError
from tests.hands import labels


def order_of(name: str, first: str = "") -> list[str]:
    deck = shuffle_order(list(named_deck(rules_of(name).deck)), b"test")
    for label in reversed(labels(first)):
        deck.remove(label)
        deck.insert(0, label)
    return deck


@pytest.mark.parametrize(
    ("name", "cards", "nets"),
    [
        ("casino", "As 6h Ks 5h", [3]),  # a natural, 3:2 in half units
        ("casino", "5s 6h 6s 5h Ts Th", [-0]),  # doubled 11 makes 21, the dealer 21 too
        ("casino", "8s 8d 6h 8h 9d Th 3s Ts Ks Kd", [0, 0]),
        ("banker", "Ts 6h 9s 5h 2c 3c 4c", [-2]),
        ("lounge", "As Ks 6h 5h", [2]),
    ],
)
def test_a_round(name: str, cards: str, nets: list[int]) -> None:
    played = reference(rules_of(name)).play(order_of(name, cards), 0, len(nets))
    assert len(played.nets) == len(nets)
    if name != "casino" or len(nets) == 1:
        assert played.nets == nets
    assert not played.again
    assert 0 < played.end < 30


@pytest.mark.parametrize("name", sorted(RULES))
@pytest.mark.parametrize("seats", [1, 3])
def test_a_round_begins_where_it_is_told_to(name: str, seats: int) -> None:
    order = order_of(name)
    seats = min(seats, rules_of(name).chairs[1])
    play = Reference(rules_of(name)).play
    here = play(order, 7, seats)
    moved = play(order[7:] + order[:7], 0, seats)
    assert here.nets == moved.nets
    assert here.end == moved.end + 7


def test_limits_of_the_table_do_not_matter() -> None:
    order = order_of("casino")
    for place in range(0, 200, 7):
        one = reference(rules_of("casino")).play(order, place, 2)
        assert one == reference(rules_of("casino", {"minimum": 100, "maximum": 500})).play(order, place, 2)


def test_an_empty_deck_is_gathered_without_the_cards_on_the_table() -> None:
    order = order_of("pontoon")
    played = reference(rules_of("pontoon")).play(order, 50, 3)
    assert played.again
    assert played == reference(rules_of("pontoon")).play(order, 50, 3)
    cards = KnownOrder(order, 50)
    drawn = [cards.draw(), cards.draw()]
    cards.reshuffle(cut=True, burn=True)
    rest = [cards.draw() for _ in range(cards.left)]
    assert len(rest) == 49
    assert not Counter(rest) - (Counter(order) - Counter(drawn))


def test_a_deck_that_is_too_small() -> None:
    cards = KnownOrder(["As"], 0)
    cards.draw()
    with pytest.raises(InputError):
        cards.reshuffle(cut=False, burn=False)


def test_what_is_left() -> None:
    order = order_of("pontoon")
    left = RemainingCards(order, "french:1")
    assert left.leanings() == [0] * 10
    left.go(20)
    assert left.counts == counted(order[20:])
    leanings = left.leanings()
    assert sum(leanings) == pytest.approx(0)
    assert leanings[9] == pytest.approx(counted(order[20:])[9] / 32 - 16 / 52)
    left.go(5)
    assert left.counts == counted(order[5:])
    left.go(52)
    assert left.leanings() == [0] * 10
