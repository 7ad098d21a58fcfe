"""A shuffle that can be proven beside those that cannot, and beside an HMAC a card; with the kernel and without."""

from __future__ import annotations

import hmac
import random
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from unittest.mock import patch

import fairshoe
from fairshoe.protocol import kernel, pure

from .ratios import ratios

TIMES = 200
FEW = 6
SYSTEM = secrets.SystemRandom()
WITH = "fairshoe"
WITHOUT = "fairshoe, pure Python"


def run() -> None:
    print(kernel.RUNS)
    for packs in (1, 6):
        deck = fairshoe.french(packs)
        table(
            f"{len(deck)} cards shuffled",
            "random.shuffle",
            {
                "random.shuffle": partial(random.shuffle, list(deck)),
                "SystemRandom().shuffle": partial(SYSTEM.shuffle, list(deck)),
                "an HMAC a card": partial(hmac_a_card, deck, len(deck)),
            },
            partial(proven, secrets.token_bytes(32), deck),
        )
    deck = fairshoe.french(6)
    table(
        f"{FEW} of {len(deck)} cards from a fresh key",
        "an HMAC a card",
        {
            "an HMAC a card": partial(hmac_a_card, deck, FEW),
            "random.shuffle, all cards": partial(random.shuffle, list(deck)),
            "SystemRandom().shuffle, all cards": partial(SYSTEM.shuffle, list(deck)),
            "SystemRandom().sample": partial(SYSTEM.sample, deck, FEW),
        },
        partial(few, deck),
    )


def table(title: str, base: str, theirs: dict[str, Callable[[], object]], ours: Callable[[], object]) -> None:
    works = {name: partial(often, work) for name, work in theirs.items()}
    if kernel.order is not pure.order:
        works[WITH] = partial(often, ours)
    works[WITHOUT] = partial(in_python, partial(often, ours))
    found = ratios(base, works)
    for name, ratio in found.items():
        print(f"{title}: {name:33} {1e6 * ratio.seconds / TIMES:8.1f} µs, {ratio} times {base}")


def often(work: Callable[[], object]) -> None:
    for _ in range(TIMES):
        work()


def proven(key: bytes, deck: Sequence[str]) -> None:
    """The whole of it: commitment, transcript, words, order."""
    fairshoe.shuffle(key=key, shoe="bench", deck=deck)


def few(deck: Sequence[str]) -> None:
    fairshoe.seal(key=secrets.token_bytes(32), shoe="bench", deck=deck).first(FEW)


def hmac_a_card(deck: Sequence[str], count: int) -> list[str]:
    """As providers of provably fair games draw: HMAC-SHA256 of the players' seed, a nonce and a cursor for each."""
    key = secrets.token_bytes(32)
    left = list(deck)
    cards = []
    for cursor in range(count):
        digest = hmac.digest(key, b"a player's seed:1:%d" % cursor, "sha256")
        cards.append(left.pop(int.from_bytes(digest[:4]) * len(left) >> 32))
    return cards


def in_python(work: Callable[[], object]) -> None:
    with without_kernel():
        work()


@contextmanager
def without_kernel() -> Iterator[None]:
    """As FAIRSHOE_PURE=1 has it."""
    with (
        patch.object(kernel, "order", pure.order),
        patch.object(kernel, "hkdf", pure.hkdf),
        patch.object(kernel, "sha256_each", pure.sha256_each),
    ):
        yield
