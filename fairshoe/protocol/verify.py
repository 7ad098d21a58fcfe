"""Verification of a proof, in one fixed order; the first thing that does not hold is named."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import InputError, VerificationError
from .commitment import check_commitment, commitment_of_hex, key_of_hex
from .proof import Proof, ReshuffleRecord
from .shoe import Sealed, seal
from .text import check_decimal


class Verified(NamedTuple):
    """What a proof establishes: every card that was dealt, by shuffle, and the named draws."""

    commitment: str
    transcript: str
    dealt: list[list[str]]
    draws: dict[str, int]


def verify(proof: Proof, *, commitment: str | None = None) -> Verified:
    """Rebuild the shoe from the revealed key and compare. Raises VerificationError.

    `commitment`: the one that you remember from before the deal; without it the proof is only
    shown to be consistent in itself. InputError where it is not written like a commitment.
    """
    if commitment is not None and commitment_of_hex(commitment) != proof.commitment:
        raise VerificationError(
            f"the proof is for {proof.commitment}",
            where="commitment",
            expected=commitment,
            remedy="this proof belongs to another shoe than the one committed to",
        )
    key = key_of_hex(proof.key)
    check_commitment(key, proof.commitment)
    try:
        return _rebuild(proof, key)
    except InputError as error:
        raise VerificationError(error.what, where=error.where, expected=error.expected) from None


def _rebuild(proof: Proof, key: bytes) -> Verified:
    shoe = seal(
        key=key,
        shoe=proof.shoe,
        deck=proof.deck,
        seeds=proof.seeds,
        beacon=proof.beacon,
        cut=proof.cut,
        draws={name: m for name, (m, _) in proof.draws.items()},
    )
    numbers = {name: shoe.number(name) for name in proof.draws}
    for name, (_, value) in proof.draws.items():
        if numbers[name] != value:
            raise VerificationError(f"the proof says {value}", where=f"draw {name}", expected=str(numbers[name]))
    dealt = []
    for k, record in enumerate(proof.reshuffles, start=1):
        dealt.append(_first(shoe, record.after, f"reshuffle {k}"))
        _reshuffle(shoe, record, f"reshuffle {k}")
    dealt.append(_first(shoe, proof.dealt, "dealt"))
    return Verified(proof.commitment, shoe.transcript.text, dealt, numbers)


def _first(shoe: Sealed, count: int, where: str) -> list[str]:
    return shoe.order()[: check_decimal(count, where, high=len(shoe))]


def _reshuffle(shoe: Sealed, record: ReshuffleRecord, where: str) -> None:
    shoe.reshuffle(record.gathered, cut=record.cut is not None)
    again = shoe.reshuffles[-1]
    if again.gathered != tuple(record.gathered):
        raise VerificationError("gathered in another order", where=where, expected="indexes that ascend")
    if again.cut != record.cut:
        raise VerificationError(f"cut at {record.cut}", where=where, expected=f"a cut at {again.cut}")
