"""Crash games by a chain of hashes and a salt that nobody knew when the chain was made.

Each game's hash is its server seed; its SHA-256 is the hash of the game before, so any earlier hash that somebody
remembers is a commitment to all later ones, the terminating hash to the whole chain. `_CHAINS` has what the houses
differ in. bustabit 2 and 3 and BC.Game: key is the salt's text, message the hash's bytes. bustabit 1 and Stake: key is
the hash's text, message the salt's text.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from hmac import digest

from .. import scheme


def _of_salt(salt: str, hand: scheme.ForeignHand) -> bytes:
    return digest(salt.encode(), hand.bytes_of("server_seed"), "sha256")


def _of_hash(salt: str, hand: scheme.ForeignHand) -> bytes:
    hand.bytes_of("server_seed")
    return digest(hand.server_seed.encode(), salt.encode(), "sha256")


def _bustabit(mac: bytes) -> float:
    """99 / (1 − r), r the first 52 bits, in whole hundredths."""
    return max(100, 99 * 2**52 // (2**52 - (int.from_bytes(mac[:7]) >> 4))) / 100


def _bustabit_1(mac: bytes) -> float:
    """One game in 101 ends at once."""
    bits = int.from_bytes(mac[:7]) >> 4
    return 0.0 if int.from_bytes(mac) % 101 == 0 else (100 * 2**52 - bits) // (2**52 - bits) / 100


def _bc_game(mac: bytes) -> float:
    """As bustabit, but r is first rounded to nine significant digits, and all is floating point."""
    share = float(f"{(int.from_bytes(mac[:7]) >> 4) / 2**52:.9g}")
    return max(1.0, math.floor(99 / (1 - share)) / 100) if share < 1 else math.inf


def _stake(mac: bytes) -> float:
    return max(1.0, 2**32 / (int.from_bytes(mac[:4]) + 1) * 0.99)


_CHAINS: dict[str, tuple[str, Callable[[str, scheme.ForeignHand], bytes], Callable[[bytes], float], bool]] = {
    "bustabit-1": ("000000000000000007a9a31ff7f07463d91af6b5454241d5faf282e5e0fe1b3a", _of_hash, _bustabit_1, False),
    "bustabit-2": ("0000000000000000004d6ec16dafe9d8370958664c1dc422f452892264c59526", _of_salt, _bustabit, True),
    "bustabit-3": ("00000000000000000001e08b7fd44f95e3e950ac65650a8031a6d5e1750e34be", _of_salt, _bustabit, True),
    "bc-game": ("0000000000000000000e3a66df611d6935b30632f352e4934c21059696117f28", _of_salt, _bc_game, False),
    "stake-crash": ("0000000000000000001b34dc6a1e86083f95500b096231436e9b25cbdd0075c4", _of_hash, _stake, True),
}
"""Salt (the hash of a block that was mined after the chain's end was published), HMAC, multiplier, real results."""


def _scheme(name: str) -> scheme.Scheme:
    salt, mac, point, real = _CHAINS[name]
    game = scheme.SchemeGame(
        scheme.NumberGame(lambda hand: point(mac(salt, hand)), scheme.crash_chance, either=name == "stake-crash"), real
    )
    commits = scheme.hash_of_bytes if name == "bustabit-3" else scheme.hash_of_text
    return scheme.Scheme(name, {"crash": game}, commits, (scheme.UNSIGNED, scheme.CHOSEN), chain=True)


SCHEMES = [_scheme(name) for name in _CHAINS]
