"""The kernel in C beside `pure.py`: the same order of ten thousand inputs."""

from __future__ import annotations

import gc
import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairshoe.compiled import VARIABLE
from fairshoe.protocol import _kernel, kernel, pure
from fairshoe.protocol.word_stream import SPAN
from tests.second import protocol as second

from .conftest import packed

LABELS = tuple(f"label {i}" for i in range(65_536))
ROOT = Path(__file__).parents[2]


def edges(most: int) -> list[int]:
    """The words beside every place where a bound begins to discard, and the first and last words."""
    limits = [SPAN - SPAN % m for m in range(1, most + 1)]
    return [0, 1, SPAN - 1, *(word for limit in limits for word in (limit - 1, limit) if word < SPAN)]


def pools(chance: random.Random) -> list[bytes]:
    """Long rows of words to take pieces of: random ones, and such as are discarded now and then, or mostly."""
    tops = edges(400)
    often = [chance.choice(tops) if chance.random() < 0.7 else chance.getrandbits(32) for _ in range(20_000)]
    seldom = [chance.choice(tops) if chance.random() < 0.05 else chance.getrandbits(32) for _ in range(20_000)]
    last = [chance.choice([SPAN - 1, SPAN - 2, 0, 7]) for _ in range(20_000)]
    return [chance.randbytes(80_000), packed(seldom), packed(often), packed(last)]


def compare(seed: int, times: int, sizes: tuple[int, int]) -> tuple[int, int]:
    """Compare so many random inputs; how many had words enough, and how many had not."""
    chance = random.Random(seed)
    streams, pick = pools(chance), chance.random
    whole = few = 0
    low, high = sizes
    decks = [LABELS[:size] for size in range(high + 1)]
    for _ in range(times):
        size = low + int(pick() * (high + 1 - low))
        start = int(pick() * (size + 1))
        count = int(pick() * (size + 1 - start))
        stream = streams[int(pick() * 4)]
        place = int(pick() * (len(stream) - 6 * high))
        words = stream[place : place + int(pick() * 6 * size)]
        deck = decks[size]
        found = pure.order(deck, words, start, count)
        if _kernel.order(deck, words, start, count) != found:
            pytest.fail(f"seed {seed}: {size} items, words {words.hex()}, start {start}, count {count}")
        whole += found is not None
        few += found is None
    return whole, few


def test_random_inputs_give_the_same() -> None:
    gave = [compare(1, 8_000, (1, 6)), compare(2, 1_600, (1, 40)), compare(3, 400, (1, 400))]
    for whole, few in gave:
        assert min(whole, few) > (whole + few) / 10


def test_the_largest_decks_give_the_same() -> None:
    chance = random.Random(4)
    tops = edges(65_536)
    for size in (2**16, 2**15 + 1):
        words = bytearray(chance.randbytes(4 * size + 400))
        for _ in range(60):
            place = 4 * chance.randrange(size)
            words[place : place + 4] = packed([chance.choice(tops)])
        for start, count in ((0, size), (7, 5), (size - 1, 1)):
            found = pure.order(LABELS[:size], bytes(words), start, count)
            assert found is not None
            assert _kernel.order(LABELS[:size], bytes(words), start, count) == found


def test_both_agree_with_the_second_implementation() -> None:
    """Which takes one word at a time, and multiplies where the others subtract: of the whole order or of a part, with
    words that are discarded or run out, the last one in its middle."""
    chance = random.Random(5)
    streams = pools(chance)
    gave = [0, 0]
    for _ in range(500):
        size = chance.randint(1, 60)
        start = chance.choice([0, chance.randint(0, size)])
        count = chance.randint(0, size - start)
        stream = chance.choice(streams)
        words = stream[4 * chance.randrange(15_000) :][: chance.randint(0, 12 * size)]
        numbers = (int.from_bytes(words[at : at + 4], "big") for at in range(0, len(words) - 3, 4))
        places: list[int] | None = [*range(size)]
        try:
            for i in range(min(start + count, size - 1)):
                j = i + second.uniform(numbers, size - i)
                places[i], places[j] = places[j], places[i]
        except StopIteration:
            places = None
        for each in (_kernel.order, pure.order):
            assert each(range(size), words, start, count) == (places and places[start : start + count])
        gave[places is None] += 1
    assert min(gave) > 50


def test_kernel_is_built_for_every_python() -> None:
    assert Path(str(_kernel.__file__)).name in ("_kernel.abi3.so", "_kernel.pyd")
    source = (ROOT / "fairshoe/protocol/_kernel.c").read_text(encoding="utf-8")
    assert "#define Py_LIMITED_API 0x030B0000\n" in source


@pytest.mark.parametrize(("value", "told"), [(None, "C"), ("0", "C"), ("1", "none, pure Python")])
@pytest.mark.parametrize("module", ["fairshoe.cli", "audit_cli.main"])
def test_the_variable_switches_it_off_and_the_version_says_so(module: str, value: str | None, told: str) -> None:
    environment = {name: text for name, text in os.environ.items() if name != VARIABLE}
    if value is not None:
        environment[VARIABLE] = value
    command = [sys.executable, "-c", f"from {module} import main; main(['--version'])"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.endswith(f", kernel: {told})\n")


# Hashes and HKDF by the processor's own instructions, beside the standard library and `cryptography`.

sha256_each = getattr(_kernel, "sha256_each", pure.sha256_each)
hkdf_of = getattr(_kernel, "hkdf", pure.hkdf)
"""Those that run here: the kernel's, where the processor has instructions for SHA-256."""


def test_random_hashes_are_the_same() -> None:
    chance = random.Random(1)
    pool = chance.randbytes(1 << 16)
    pick = chance.random
    for _ in range(100):
        first = int(pick() * (1 << 15))
        prefix = pool[first : first + int(pick() * 64)]
        items = [pool[at : at + int(pick() * 160)] for at in range(first, first + 700, 7)]
        if sha256_each(prefix, items) != [hashlib.sha256(prefix + item).digest() for item in items]:
            pytest.fail(f"prefix {prefix.hex()}, {len(items)} items from {first} on")


@pytest.mark.parametrize("prefix", [b"", b"\x00", b"\x01", bytes(55), bytes(63)])
def test_every_length_around_the_blocks(prefix: bytes) -> None:
    data = random.Random(2).randbytes(70_000)
    items = [data[:size] for size in (*range(400), 4095, 4096, 65_535, 65_536, 70_000)]
    assert sha256_each(prefix, items) == pure.sha256_each(prefix, items)


def test_hkdf_gives_the_same() -> None:
    chance = random.Random(3)
    for _ in range(200):
        key, info = (
            chance.randbytes(chance.choice([32, chance.randrange(200)])),
            chance.randbytes(chance.randrange(200)),
        )
        salt, size = chance.randbytes(chance.randrange(65)), chance.choice([1, 31, 32, 33, chance.randint(1, 2000)])
        assert hkdf_of(key, salt, info, size) == pure.hkdf(key, salt, info, size)
    assert hkdf_of(bytes(32), b"salt", b"info", 8160) == pure.hkdf(bytes(32), b"salt", b"info", 8160)


def test_the_kernel_is_what_runs() -> None:
    assert kernel.RUNS == "kernel: C"
    assert kernel.sha256_each is sha256_each
    assert kernel.hkdf is hkdf_of


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
        return list.__getitem__(self, place)


ITEMS, WORDS, HUGE = ("a", "b", "c", "d"), bytes(4000), 10**30


@pytest.mark.parametrize(
    ("function", "arguments", "error"),
    [
        *(("order", wrong, TypeError) for wrong in ((), (ITEMS, WORDS, 0), (ITEMS, WORDS, 0, 4, 5))),
        *(("order", (items, WORDS, 0, 1), TypeError) for items in (None, 4, {"a": 1}, {"a"}, iter("a"), Lying("4"))),
        *(("order", (items, WORDS, 0, 0), ValueError) for items in ((), range(65_537), range(2**62), Lying(-1))),
        *(("order", (items, WORDS, 0, 1), OverflowError) for items in (range(2**70), Lying(HUGE))),
        *(("order", (ITEMS, no, 0, 4), TypeError) for no in (None, "text", bytearray(9), memoryview(WORDS), [0, 0])),
        *(("order", (ITEMS, WORDS, no, 4), TypeError) for no in (None, "0", 0.0)),
        *(("order", (ITEMS, WORDS, *no), ValueError) for no in ((-1, 4), (0, -1), (5, 0), (0, 5), (2, 3), (2**62, 9))),
        *(("order", (ITEMS, WORDS, *no), OverflowError) for no in ((HUGE, 1), (0, -HUGE))),
        ("order", (Lying(4, bad=2), WORDS, 0, 4), LookupError),
        ("order", (Shrinking([1, 2, 3]), WORDS, 0, 3), IndexError),
        ("sha256_each", (b"",), TypeError),
        ("sha256_each", (b"", (b"",)), TypeError),
        ("sha256_each", (b"", [b"", "x"]), TypeError),
        ("sha256_each", ("", []), TypeError),
        ("sha256_each", (bytes(64), []), ValueError),
        ("hkdf", (b"", b"", b""), TypeError),
        ("hkdf", (b"", b"", "", 1), TypeError),
        ("hkdf", (b"", b"", b"", "1"), TypeError),
        ("hkdf", (b"", bytes(65), b"", 1), ValueError),
        ("hkdf", (b"", b"", b"", 8161), ValueError),
        ("hkdf", (b"", b"", b"", -1), ValueError),
        ("hkdf", (b"", b"", b"", 1 << 80), OverflowError),
    ],
)
def test_what_no_caller_of_ours_gives_is_an_exception(function: str, arguments: Any, error: type[Exception]) -> None:
    if hasattr(_kernel, function):  # else the processor has no instructions for it, and nothing is there to be called
        with pytest.raises(error):
            getattr(_kernel, function)(*arguments)


def test_nothing_is_kept() -> None:
    item, items = bytes(100), [bytes(100), bytes(7)]
    dealt: list[tuple[Any, ...]] = [(items * 150, WORDS), (tuple(items * 150), b"\xff" * 1200), (items * 150, b"")]

    def work() -> None:
        sha256_each(b"\x00", items)
        hkdf_of(item, b"", item, 40)
        with pytest.raises(TypeError):
            sha256_each(b"\x00", [*items, 7])
        for each, words in dealt:
            _kernel.order(each, words, 0, 300)
        with pytest.raises(LookupError):
            _kernel.order(Lying(300, bad=9), WORDS, 0, 300)  # type: ignore[arg-type]

    work()
    held = [item, items, items[1], None, dealt[0][0], dealt[1][0]]
    gc.collect()
    gc.disable()  # what other tests left behind is not to go meanwhile
    try:
        before = [sys.getrefcount(each) for each in held]
        for _ in range(1000):
            work()
        gc.collect()
        after = [sys.getrefcount(each) for each in held]
    finally:
        gc.enable()
    grown = [now - then for now, then in zip(after, before, strict=True)]
    assert max(map(abs, grown)) < 500, grown  # what is kept once a turn grows by 1,000
