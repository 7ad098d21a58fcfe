"""Verification of a proof, in one fixed order; the first thing that does not hold is named."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import FairshoeError, VerificationError
from .commitment import check_commitment, key_of_hex
from .proof import Proof
from .shoe import CUT, seal


class Verified(NamedTuple):
    """What a proof establishes: every card that was dealt, by shuffle, and the named draws."""

    commitment: str
    transcript: str
    dealt: list[list[str]]
    draws: dict[str, int]


def verify(proof: Proof, *, commitment: str | None = None) -> Verified:
    """Rebuild the shoe from the revealed key and compare. Raises VerificationError.

    `commitment`: the one that you remember from before the deal; without it the proof is only
    shown to be consistent in itself.
    """
    key = key_of_hex(proof.key)
    if commitment is not None and commitment != proof.commitment:
        raise VerificationError(
            f"the proof is for {proof.commitment}",
            where="commitment",
            expected=commitment,
            remedy="this proof belongs to another shoe than the one committed to",
        )
    check_commitment(key, proof.commitment)
    try:
        return _rebuild(proof, key)
    except VerificationError:
        raise
    except FairshoeError as error:
        raise VerificationError(error.what, where=error.where, expected=error.expected) from None


def _rebuild(proof: Proof, key: bytes) -> Verified:
    bounds = {name: m for name, (m, _) in proof.draws.items()}
    shoe = seal(
        key=key,
        shoe=proof.shoe,
        deck=proof.deck,
        seeds=proof.seeds,
        beacon=proof.beacon,
        cut=proof.cut,
        draws=bounds,
    )
    numbers = {name: shoe.number(name) for name in bounds}
    for name, (_, value) in proof.draws.items():
        if numbers[name] != value:
            raise VerificationError(f"the draw says {value}", where=f"draw {name}", expected=str(numbers[name]))
    dealt = []
    for again in proof.reshuffles:
        dealt.append(shoe.order()[: again.after])
        shoe.reshuffle(again.gathered, cut=again.cut != 0)
        if shoe.cut != again.cut:
            raise VerificationError(f"cut at {again.cut}", where=f"reshuffle {CUT}", expected=str(shoe.cut))
    order = shoe.order()
    if proof.dealt > len(order):
        raise VerificationError(f"{proof.dealt} cards dealt", where="dealt", expected=f"at most {len(order)}")
    dealt.append(order[: proof.dealt])
    return Verified(proof.commitment, shoe.transcript.text, dealt, numbers)
