"""The transcript `T`: the text that fixes, with the key, every random choice of a shoe."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from ..errors import InputError
from .text import bytes_of_hex, check_decimal, check_id

VERSION = "fairshoe/1"
MAX_CONTRIBUTORS = 64
MAX_SEED = 128
MAX_BEACON = 64


class Seed(NamedTuple):
    """One contributor's entropy: 1 to 128 bytes."""

    contributor: str
    value: bytes


class Beacon(NamedTuple):
    """A round of a public randomness beacon; `chain` and `randomness` in lower-case hex."""

    chain: str
    round: int
    randomness: str


class Reshuffle(NamedTuple):
    """A reshuffle in the middle of a deal: its number k = 1, 2, … and the gathered deck."""

    number: int
    size: int
    deck_hash: str


class Transcript(NamedTuple):
    """Everything but the key. `text` gives the bytes that are hashed."""

    shoe: str
    size: int
    deck_hash: str
    commitment: str
    seeds: tuple[Seed, ...] = ()
    beacon: Beacon | None = None
    reshuffles: tuple[Reshuffle, ...] = ()

    @property
    def text(self) -> str:
        lines = [
            VERSION,
            f"shoe {self.shoe}",
            f"deck {self.size} {self.deck_hash}",
            f"commitment {self.commitment}",
        ]
        lines += [f"seed {who} {value.hex()}" for who, value in self.seeds]
        if self.beacon is not None:
            lines.append(f"beacon {self.beacon.chain} {self.beacon.round} {self.beacon.randomness}")
        lines += [f"reshuffle {k} {n} {digest}" for k, n, digest in self.reshuffles]
        return "\n".join(lines) + "\n"

    @property
    def digest(self) -> bytes:
        return hashlib.sha256(self.text.encode("ascii")).digest()

    def with_reshuffle(self, size: int, deck_hash: str) -> Transcript:
        """The longer transcript after one more reshuffle in the middle of a deal."""
        added = Reshuffle(len(self.reshuffles) + 1, size, deck_hash)
        return self._replace(reshuffles=(*self.reshuffles, added))


def check_seeds(seeds: Sequence[tuple[str, bytes]]) -> tuple[Seed, ...]:
    """Check contributors and seeds, in roster order; InputError names the bad one."""
    if not seeds:
        return ()
    if len(seeds) > MAX_CONTRIBUTORS:
        raise InputError(f"{len(seeds)} contributors", where="seeds", expected=f"at most {MAX_CONTRIBUTORS}")
    checked: dict[str, Seed] = {}
    for pair in seeds:
        try:
            who, value = pair
        except (TypeError, ValueError):
            raise InputError("not a seed", where="seeds", expected="pairs (contributor, bytes)") from None
        check_id(who, "contributor")
        if who in checked:
            raise InputError(f"{who} contributes twice", where="seeds", expected="one seed a contributor")
        if not isinstance(value, bytes) or not 1 <= len(value) <= MAX_SEED:
            raise InputError(f"bad seed of {who}", where="seeds", expected=f"1 to {MAX_SEED} bytes")
        checked[who] = Seed(who, value)
    return tuple(checked.values())


def check_beacon(beacon: tuple[str, int, str] | None) -> Beacon | None:
    if beacon is None:
        return None
    try:
        chain, number, randomness = beacon
    except (TypeError, ValueError):
        raise InputError("not a beacon", where="beacon", expected="(chain hex, round, randomness hex)") from None
    bytes_of_hex(chain, "beacon chain", low=1, high=MAX_BEACON)
    check_decimal(number, "beacon round")
    bytes_of_hex(randomness, "beacon randomness", low=1, high=MAX_BEACON)
    return Beacon(chain, number, randomness)
