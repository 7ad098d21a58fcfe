"""HMAC-SHA512 in groups of five hex digits: dice of the old Primedice and its followers. Without real results.

Key: the server seed's text. Message: `client-nonce`. The first group below 10⁶, mod 10⁴, in hundredths; 99.99 if there
is none. Commitment: SHA-256 of the server seed's text.
"""

from __future__ import annotations

from hmac import digest

from ..scheme import CLIENT_KNOWN, GAPS, UNSIGNED, ForeignHand, NumberGame, Scheme, SchemeGame, hash_of_text


def _roll(hand: ForeignHand) -> float:
    message = f"{hand.client_seed}-{hand.number('nonce')}"
    mac = digest(hand.server_seed.encode(), message.encode(), "sha512").hex()
    groups = (int(mac[at : at + 5], 16) for at in range(0, 125, 5))
    return next((group % 10**4 for group in groups if group < 10**6), 9999) / 100


SCHEMES = [
    Scheme(
        "primedice-old",
        {"dice": SchemeGame(NumberGame(_roll, lambda roll: 1e-4), real=False)},
        hash_of_text,
        (UNSIGNED, GAPS, CLIENT_KNOWN),
    )
]
