"""Duel: cards by rejection from one number each, and crash with a drand signature as client seed.

Key: the server seed's bytes. Commitment: SHA-256 of these bytes. Cards: message `client:nonce:cursor`, the first of
eight numbers of 32 bits below the largest multiple of 52. Crash: the client seed is the signature's bytes read as
UTF-8, with U+FFFD for what is none; message `client:0`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from itertools import count

from ..scheme import (
    CLIENT_KNOWN,
    DECK,
    GAPS,
    REPLACED,
    UNSIGNED,
    CardGame,
    ForeignHand,
    NumberGame,
    Scheme,
    SchemeGame,
    crash_chance,
    hash_of_bytes,
    words,
)

FAIR = 2**32 // 52 * 52
"""Numbers from here on would favour the deck's first cards: they are passed over."""
EDGE = 0.999


def _draw(hand: ForeignHand) -> Iterator[str]:
    key, nonce = hand.bytes_of("server_seed"), hand.number("nonce")
    for cursor in count(hand.number("cursor")):
        yield DECK[next(n for n in words(key, f"{hand.client_seed}:{nonce}:{cursor}".encode()) if n < FAIR) % 52]


def _crash(hand: ForeignHand) -> float:
    client = hand.bytes_of("client_seed").decode("utf-8", "replace")
    first = words(hand.bytes_of("server_seed"), f"{client}:0".encode())[0]
    return max(1.0, math.floor(2**32 / (first + 1) * EDGE * 100) / 100)


SCHEMES = [
    Scheme(
        "duel",
        {
            "crash": SchemeGame(NumberGame(_crash, partial(crash_chance, returned=EDGE)), real=True),
            "cards": SchemeGame(CardGame(_draw), real=False),
        },
        hash_of_bytes,
        (UNSIGNED, GAPS, CLIENT_KNOWN, REPLACED),
    )
]
