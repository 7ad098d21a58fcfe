"""Hashes and HKDF by the processor's own instructions beside the standard library and `cryptography`."""

from __future__ import annotations

import hashlib
import random
import sys
from typing import Any

import pytest

from fairshoe.protocol import _kernel, kernel, pure

sha256_each = getattr(_kernel, "sha256_each", pure.sha256_each)
hkdf_of = getattr(_kernel, "hkdf", pure.hkdf)
"""Those that run here: the kernel's, where the processor has instructions for SHA-256."""


def test_random_inputs_give_the_same() -> None:
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


@pytest.mark.parametrize(
    ("function", "arguments", "error"),
    [
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
    before = sys.getrefcount(item), sys.getrefcount(items), sys.getrefcount(items[1])
    for _ in range(1000):
        sha256_each(b"\x00", items)
        hkdf_of(item, b"", item, 40)
        with pytest.raises(TypeError):
            sha256_each(b"\x00", [*items, 7])
    assert (sys.getrefcount(item), sys.getrefcount(items), sys.getrefcount(items[1])) == before
