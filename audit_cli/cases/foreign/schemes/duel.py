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

from .. import scheme

FAIR = 2**32 // 52 * 52
"""Numbers from here on would favour the deck's first cards: they are passed over."""
EDGE = 0.999


def _draw(hand: scheme.ForeignHand) -> Iterator[str]:
    key, nonce = hand.bytes_of("server_seed"), hand.number("nonce")
    for cursor in count(hand.number("cursor")):
        yield scheme.DECK[
            next(n for n in scheme.words(key, f"{hand.client_seed}:{nonce}:{cursor}".encode()) if n < FAIR) % 52
        ]


def _crash(hand: scheme.ForeignHand) -> float:
    client = hand.bytes_of("client_seed").decode("utf-8", "replace")
    first = scheme.words(hand.bytes_of("server_seed"), f"{client}:0".encode())[0]
    return max(1.0, math.floor(2**32 / (first + 1) * EDGE * 100) / 100)


SCHEMES = [
    scheme.Scheme(
        "duel",
        {
            "crash": scheme.SchemeGame(
                scheme.NumberGame(_crash, partial(scheme.crash_chance, returned=EDGE)), real=True
            ),
            "cards": scheme.SchemeGame(scheme.CardGame(_draw), real=False),
        },
        scheme.hash_of_bytes,
        (scheme.UNSIGNED, scheme.GAPS, scheme.CLIENT_KNOWN, scheme.REPLACED),
    )
]
