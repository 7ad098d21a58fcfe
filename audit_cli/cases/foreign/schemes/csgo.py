"""Roulette of CSGO sites: SHA-256 over server seed, a public number of the day and the round. Without real results.

Message: `server-public-round`, hashed without a key; the first eight hex digits, mod 15. The client seed is the public
number, the nonce the round. Commitment: SHA-256 of the server seed's text.
"""

from __future__ import annotations

from hashlib import sha256

from ..scheme import GAPS, UNSIGNED, ForeignHand, NumberGame, Scheme, SchemeGame, hash_of_text


def _roll(hand: ForeignHand) -> float:
    message = f"{hand.server_seed}-{hand.client_seed}-{hand.number('nonce')}"
    return int.from_bytes(sha256(message.encode()).digest()[:4]) % 15


SCHEMES = [
    Scheme(
        "csgo",
        {"roulette": SchemeGame(NumberGame(_roll, lambda roll: 1 / 15), real=False)},
        hash_of_text,
        (UNSIGNED, GAPS),
    )
]
