"""Claims: values of 32 bytes of which a log has each only once, whoever claims them.

They are the commitments of houses and of placers, and the hashes of seeds. A void shoe keeps its claims. A reader who
knows what is behind an earlier value would also know what is behind the later one."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from ..log.canonical import Entry

COMMITMENT, SEED = 1, 2
"""The kinds of claims, as bits: a commitment, of a house or of a placer, and a hash of a seed."""


class Claim(NamedTuple):
    """A claimed value, in hex; `field` is the path at which its entry has it, or the seed that it is the hash of."""

    kind: int
    value: str
    field: str


def claims_in(entry: Entry) -> Iterator[Claim]:
    """Yield an entry's claims, in its order. An opened seed's is that of its hash, which a sole player does not
    send."""
    match entry["kind"]:
        case "shoe":
            yield Claim(COMMITMENT, entry["commitment"], "commitment")
            if "placer" in entry:
                yield Claim(COMMITMENT, entry["placer"]["commitment"], "placer")
        case "seeds":
            for player, value in entry["hashes"].items():
                yield Claim(SEED, value, f"hashes.{player}")
        case "opened":
            yield Claim(SEED, sha256(bytes.fromhex(entry["seed"])).hexdigest(), "seed")


def deck_claim(deck: str) -> str:
    """Return what a service notes of a logged deck: not 32 bytes in hex, which a player could claim first."""
    return f"deck {deck:.59}"


def noted_claims(entry: Entry) -> set[str]:
    """Return what a service notes of an entry: a log has each of these only once."""
    decks = {deck_claim(entry["deck"])} if entry["kind"] == "deck" else set[str]()
    return decks | {claim.value for claim in claims_in(entry)}
