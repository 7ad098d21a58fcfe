"""The transcript `T`: the text that fixes, with the key, every random choice of a shoe."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from ..errors import InputError
from .text import PASS_BYTES, as_list, bytes_of_hex, check_decimal, check_id, is_list, type_name

VERSION = "fairshoe/1"
PLACED = "fairshoe/2"
"""The version of a shoe with a placer: docs/placer-protocol.md."""
MAX_CONTRIBUTORS = 64
MAX_SEED = 128
MIN_SEED = 16
"""Bytes of the shortest seed that its hash hides. The protocol itself takes shorter ones; a service does not."""
MAX_BEACON = 64
CROWD = "for more people take a beacon: fairshoe.raffle, docs/raffle.md"
LEAVE_OUT = "leave the second seed out"


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

    @property
    def line(self) -> str:
        """Return the line that it adds to the transcript's text."""
        return f"reshuffle {self.number} {self.size} {self.deck_hash}\n"


class PlacerCommitment(NamedTuple):
    """A second dealer: its name, and the commitment to its key for this shoe."""

    name: str
    commitment: str


class Transcript(NamedTuple):
    """Everything but the keys. `text` gives the bytes that are hashed."""

    shoe: str
    size: int
    deck_hash: str
    commitment: str
    seeds: tuple[Seed, ...] = ()
    beacon: Beacon | None = None
    reshuffles: tuple[Reshuffle, ...] = ()
    placer: PlacerCommitment | None = None

    @property
    def text(self) -> str:
        version = VERSION if self.placer is None else PLACED
        text = f"{version}\nshoe {self.shoe}\ndeck {self.size} {self.deck_hash}\ncommitment {self.commitment}\n"
        if self.placer is not None:
            text += f"placer {self.placer.name} {self.placer.commitment}\n"
        for who, value in self.seeds:
            text += f"seed {who} {value.hex()}\n"
        if self.beacon is not None:
            text += f"beacon {self.beacon.chain} {self.beacon.round} {self.beacon.randomness}\n"
        return text + "".join(reshuffle.line for reshuffle in self.reshuffles)

    @property
    def digest(self) -> bytes:
        return hashlib.sha256(self.text.encode("ascii")).digest()


def check_seeds(seeds: Sequence[tuple[str, bytes]]) -> tuple[Seed, ...]:
    """Check contributors and seeds, in roster order; InputError names the bad one."""
    expected = "a list of (contributor, bytes) pairs"
    if not is_list(seeds):
        raise InputError(
            f"{type_name(seeds)} is not a list of seeds",
            where="seeds",
            expected=expected,
            remedy=as_list(seeds, "seeds", 'a list, such as [("alice", b"…")]'),
        )
    if len(seeds) > MAX_CONTRIBUTORS:
        expected = f"at most {MAX_CONTRIBUTORS}"
        raise InputError(f"{len(seeds)} contributors", where="seeds", expected=expected, remedy=CROWD)
    checked: dict[str, Seed] = {}
    for pair in seeds:
        if not is_list(pair) or len(pair) != 2:
            remedy = 'pass a list, such as [("alice", b"…")]'
            raise InputError(f"{type_name(pair)} is not a pair", where="seeds", expected=expected, remedy=remedy)
        seed = check_seed(pair[0], pair[1], "seeds")
        if seed.contributor in checked:
            what = f"{seed.contributor} contributes twice"
            raise InputError(what, where="seeds", expected="one seed a contributor", remedy=LEAVE_OUT)
        checked[seed.contributor] = seed
    return tuple(checked.values())


def check_seed(contributor: str, value: bytes, where: str) -> Seed:
    """Check one contributor's name and seed; InputError."""
    who = check_id(contributor, "contributor")
    expected = f"1 to {MAX_SEED} bytes"
    if not isinstance(value, bytes):
        what = f"{type_name(value)} is not a seed of {who}"
        raise InputError(what, where=where, expected=expected, remedy=PASS_BYTES)
    if not 1 <= len(value) <= MAX_SEED:
        remedy = (
            "leave out who contributes nothing" if not value else "pass a hash of it: hashlib.sha256(seed).digest()"
        )
        raise InputError(f"a seed of {who} of {len(value)} bytes", where=where, expected=expected, remedy=remedy)
    return Seed(who, value)


def check_beacon(beacon: tuple[str, int, str] | None) -> Beacon | None:
    """Check a beacon's round; InputError names the bad part."""
    if beacon is None:
        return None
    if not is_list(beacon) or len(beacon) != 3:
        raise InputError(
            f"{type_name(beacon)} is not a beacon",
            where="beacon",
            expected="chain, round and randomness",
            remedy='pass a tuple, such as ("52db…", 1000, "fe29…")',
        )
    chain, number, randomness = beacon
    bytes_of_hex(chain, "beacon chain", low=1, high=MAX_BEACON)
    check_decimal(number, "beacon round")
    bytes_of_hex(randomness, "beacon randomness", low=1, high=MAX_BEACON)
    return Beacon(str.__str__(chain), number, str.__str__(randomness))
