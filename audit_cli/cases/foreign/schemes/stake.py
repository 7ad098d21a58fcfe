"""HMAC-SHA256 with floats: Stake, and those who copy it.

Key: the server seed's text. Message: `client:nonce:round`, each round giving eight numbers of 32 bits, each a float
below 1. Card tables draw with replacement; video poker draws without. Commitment: SHA-256 of the server seed's text.
Dice and limbo compute as the house's program does, in floating point.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count

from .. import scheme

EDGE = 0.99
"""Share of each stake that limbo returns in the long run."""


def _numbers(hand: scheme.ForeignHand) -> Iterator[int]:
    """Yield numbers below 2³², from the hand's cursor on, which counts rounds of eight."""
    key, nonce = hand.server_seed.encode(), hand.number("nonce")
    for round in count(hand.number("cursor")):
        yield from scheme.words(key, f"{hand.client_seed}:{nonce}:{round}".encode())


def _replaced(hand: scheme.ForeignHand) -> Iterator[str]:
    return (scheme.DECK[52 * number >> 32] for number in _numbers(hand))


def _kept(hand: scheme.ForeignHand) -> Iterator[str]:
    left = list(scheme.DECK)
    return (left.pop(len(left) * number >> 32) for _, number in zip(scheme.DECK, _numbers(hand), strict=False))


def _dice(hand: scheme.ForeignHand) -> float:
    return (10_001 * next(_numbers(hand)) >> 32) / 100


def _limbo(hand: scheme.ForeignHand) -> float:
    point = 1e8 / ((10**8 * next(_numbers(hand)) >> 32) + 1) * EDGE
    return max(1.0, math.floor(point * 100) / 100)


_CARDS = scheme.SchemeGame(scheme.CardGame(_replaced), real=True)
SCHEMES = [
    scheme.Scheme(
        "stake",
        {
            **dict.fromkeys(("blackjack", "baccarat", "hilo"), _CARDS),
            "video-poker": scheme.SchemeGame(scheme.CardGame(_kept), real=True),
            "dice": scheme.SchemeGame(scheme.NumberGame(_dice, lambda roll: 1 / 10_001), real=True),
            "limbo": scheme.SchemeGame(scheme.NumberGame(_limbo, scheme.crash_chance), real=True),
        },
        scheme.hash_of_text,
        (scheme.UNSIGNED, scheme.GAPS, scheme.CLIENT_KNOWN, scheme.REPLACED),
    )
]
