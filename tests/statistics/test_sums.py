"""Sums: the same however a log is cut and in whatever order its parts are merged; bounded; and of orders only."""

from __future__ import annotations

import pickle
import random
from itertools import pairwise

import pytest

from audit_cli.statistics.collected import MOST_DECKS, Collected
from audit_cli.statistics.layout import layout_of
from fairshoe.cards import french
from fairshoe.errors import InputError
from fairshoe.protocol.deck import Deck, deck_of
from tests.statistics.shuffled import shuffled

LEVEL = 0.01


def add(collected: Collected, number: int, row: list[int]) -> None:
    """A shoe of one pack and what was dealt from it; every ninth of a small deck."""
    deck = french(1) if number % 9 else deck_of(["a", "b", "c", "d", "e"])
    order = row if number % 9 else [card for card in row if card < 5]
    collected.add(deck, order)
    collected.add_dealt(deck, [deck[i] for i in order[: 4 + number % 20]])


def test_a_log_in_parts_gives_the_same_result() -> None:
    rows = shuffled(1, 2_400, 52).tolist()
    whole = Collected()
    for number, row in enumerate(rows):
        add(whole, number, row)
    expected = whole.result(LEVEL).as_json()
    lot = random.Random(1)
    for _ in range(3):
        marks = sorted([0, len(rows), *lot.sample(range(len(rows)), 5)])
        parts = []
        for start, end in pairwise(marks):
            part = Collected()
            for number in range(start, end):
                add(part, number, rows[number])
            parts.append(pickle.loads(pickle.dumps(part)))
        lot.shuffle(parts)
        first, *rest = parts
        for part in rest:
            first.merge(part)
        assert first.result(LEVEL).as_json() == expected


def test_a_result_can_be_asked_for_in_between() -> None:
    rows = shuffled(2, 80, 52).tolist()
    once, again = Collected(), Collected()
    for number, row in enumerate(rows):
        add(once, number, row)
        add(again, number, row)
        if not number % 7:
            again.result(LEVEL)
    assert once.result(LEVEL) == again.result(LEVEL)


def decks(count: int) -> list[Deck]:
    return [deck_of([f"{number}", "x", "y", "z"]) for number in range(count)]


def test_of_too_many_decks_the_same_are_counted_in_any_order() -> None:
    results = []
    for turn in (1, -1):
        halves = Collected(), Collected()
        for number, deck in enumerate(decks(3 * MOST_DECKS)[::turn]):
            halves[number % 2].add(deck, [0, 2, 1, 3])
            halves[number % 2].add_dealt(deck, ["x"])
        halves[0].merge(halves[1])
        results.append(halves[0].result(LEVEL))
    assert results[0].as_json() == results[1].as_json()
    assert (results[0].shoes, results[0].left_out) == (MOST_DECKS, 2 * MOST_DECKS)


@pytest.mark.parametrize(
    "order", [[0, 1, 2], [0, 1, 2, 3, 5], [0, 1, 2, 3, 3], [0, 1, 2, 3, -1], [0, 1, 2, 3, 70_000], list("abcde")]
)
def test_what_is_no_order_of_the_deck_is_refused(order: list[int]) -> None:
    with pytest.raises(InputError, match="order: "):
        layout_of(deck_of(["a", "b", "c", "d", "e"])).checked(order)


def test_the_smallest_decks_are_counted() -> None:
    """Of 180 honest sets about one in a hundred may have a finding."""
    alarms = 0
    for size in range(1, 7):
        deck = deck_of([f"{i}" for i in range(size)])
        for seed in range(30):
            collected = Collected()
            for row in shuffled(100 * size + seed, 120, size).tolist():
                collected.add(deck, row)
                collected.add_dealt(deck, [deck[i] for i in row])
            alarms += bool(collected.result(LEVEL).found)
    assert alarms <= 5


def test_equal_cards_only() -> None:
    collected, deck = Collected(), deck_of(["x"] * 20)
    for row in shuffled(3, 200, 20).tolist():
        collected.add(deck, row)
        collected.add_dealt(deck, [deck[i] for i in row])
    assert not collected.result(LEVEL).found
