"""The kernel in C before arguments that no caller of ours gives: an exception, never a crash, and nothing is kept."""

from __future__ import annotations

import gc
import random
import sys
import tracemalloc
from typing import Any

import pytest

from fairshoe.protocol._kernel import order
from fairshoe.protocol.deck import Deck

WORDS = bytes(4000)
ITEMS = ("a", "b", "c", "d")


class Lying:
    """A sequence of `size` items, of which item number `bad` is none."""

    def __init__(self, size: Any, bad: int = -1) -> None:
        self.size = size
        self.bad = bad

    def __len__(self) -> Any:
        return self.size

    def __getitem__(self, place: int) -> int:
        if place == self.bad:
            raise LookupError("no such item")
        return place


class Shrinking(list[int]):
    """A list that is empty as soon as somebody looks into it."""

    def __getitem__(self, place: Any) -> Any:
        self.clear()
        gc.collect()
        return list.__getitem__(self, place)


HUGE = 10**30
REFUSED: list[tuple[tuple[Any, ...], type[Exception]]] = [
    ((), TypeError),
    ((ITEMS, WORDS, 0), TypeError),
    ((ITEMS, WORDS, 0, 4, 5), TypeError),
    ((None, WORDS, 0, 4), TypeError),
    ((4, WORDS, 0, 4), TypeError),
    (({"a": 1}, WORDS, 0, 1), TypeError),
    (({"a"}, WORDS, 0, 1), TypeError),
    ((iter(ITEMS), WORDS, 0, 1), TypeError),
    (((), WORDS, 0, 0), ValueError),
    ((range(65_537), WORDS, 0, 1), ValueError),
    ((range(2**62), WORDS, 0, 1), ValueError),
    ((range(2**70), WORDS, 0, 1), OverflowError),
    ((ITEMS, None, 0, 4), TypeError),
    ((ITEMS, "text", 0, 4), TypeError),
    ((ITEMS, bytearray(WORDS), 0, 4), TypeError),
    ((ITEMS, memoryview(WORDS), 0, 4), TypeError),
    ((ITEMS, [0, 0, 0], 0, 4), TypeError),
    ((ITEMS, WORDS, None, 4), TypeError),
    ((ITEMS, WORDS, "0", 4), TypeError),
    ((ITEMS, WORDS, 0.0, 4), TypeError),
    ((ITEMS, WORDS, 0, 4.0), TypeError),
    ((ITEMS, WORDS, -1, 4), ValueError),
    ((ITEMS, WORDS, 0, -1), ValueError),
    ((ITEMS, WORDS, 5, 0), ValueError),
    ((ITEMS, WORDS, 0, 5), ValueError),
    ((ITEMS, WORDS, 2, 3), ValueError),
    ((ITEMS, WORDS, 2**63 - 1, 2**63 - 1), ValueError),
    ((ITEMS, WORDS, -(2**63), 1), ValueError),
    ((ITEMS, WORDS, HUGE, 1), OverflowError),
    ((ITEMS, WORDS, 0, -HUGE), OverflowError),
    ((Lying(-1), WORDS, 0, 1), ValueError),
    ((Lying("4"), WORDS, 0, 1), TypeError),
    ((Lying(HUGE), WORDS, 0, 1), OverflowError),
    ((Lying(4, bad=2), WORDS, 0, 4), LookupError),
    ((Shrinking([1, 2, 3]), WORDS, 0, 3), IndexError),
]


@pytest.mark.parametrize(("arguments", "error"), REFUSED)
def test_what_is_no_order_is_refused(arguments: tuple[Any, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        order(*arguments)


def test_keywords_are_refused() -> None:
    with pytest.raises(TypeError):
        order(items=ITEMS, words=WORDS, start=0, count=4)  # type: ignore[call-arg]


def test_any_sequence_will_do() -> None:
    for items in (ITEMS, list(ITEMS), "abcd", Deck(ITEMS)):
        assert order(items, bytes(12), 1, 2) == ["b", "c"]
    assert order(Lying(65_536), bytes(4), 0, 1) == [0]  # type: ignore[arg-type]
    assert order(range(10**30, 10**30 + 3), bytes(12), 0, 3) == [*range(10**30, 10**30 + 3)]


POOL: list[Any] = [
    *(0, 1, 4, -1, 65_536, 65_537, 2**31, 2**32, 2**63 - 1, -(2**63), HUGE, True, 1.5, float("nan"), None, "", "abc"),
    *((), ITEMS, [], [1], list(range(400)), range(0), range(312), range(2**70), {}, {1: 2}, set(), Deck(ITEMS)),
    *(b"", b"\xff", b"\xff" * 3, b"\xff" * 4, bytes(4000), b"\xff" * 4000, bytearray(8), memoryview(b"1234")),
    *(object(), Lying(4), Lying(-1), Lying(4, bad=0), int, order, Exception()),
]


def test_whatever_is_passed_gives_an_order_or_an_exception() -> None:
    chance = random.Random(6)
    gave = 0
    for _ in range(4_000):
        arguments = [chance.choice(POOL) for _ in range(4 if chance.random() < 0.95 else chance.randrange(7))]
        if chance.random() < 0.5:
            arguments[:2] = [chance.choice((ITEMS, range(312), [1, 2])), chance.choice((b"\xff" * 4, bytes(4000)))]
        try:
            found = order(*arguments)
        except (TypeError, ValueError, OverflowError, LookupError):
            continue
        gave += 1
        assert found is None or len(found) == arguments[3]
    assert gave > 8


def test_nothing_is_kept() -> None:
    label = "a label that nobody else holds " + str(random.random())
    items = (label,) * 300
    calls: list[tuple[Any, ...]] = [(items, bytes(1200), 0, 300), (items, b"\xff" * 1200, 0, 300), (items, b"", 0, 300)]
    calls += [(list(items), bytes(1200), 5, 20), (Lying(300, bad=9), bytes(1200), 0, 300), *(a for a, _ in REFUSED)]
    objects = [label, None, items, calls[0][1]]

    def work() -> None:
        for arguments in calls:
            try:
                order(*arguments)
            except Exception as error:
                error.__traceback__ = None

    work()
    counts = [sys.getrefcount(each) for each in objects]
    for _ in range(500):
        work()
    assert all(abs(sys.getrefcount(each) - count) < 50 for each, count in zip(objects, counts, strict=True))
    tracemalloc.start()
    try:
        work()
        held = tracemalloc.get_traced_memory()[0]
        for _ in range(300):
            work()
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - held < 20_000
    finally:
        tracemalloc.stop()
