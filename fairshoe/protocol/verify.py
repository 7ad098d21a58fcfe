"""Verification of a proof by the steps of docs/protocol.md section 10; the first that fails is named."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from ..errors import FairshoeError, InputError, VerificationError
from .beacons import SIGNATURE_BYTES, is_verified
from .commitment import HASH_BYTES, check_commitment, commitment_of_hex, is_hash_of_digits
from .placed_shoe import KeyPlaces, PlaceSource, seal_placed
from .proof import PlacerKey, Proof, ReshuffleRecord
from .shoe import Sealed, seal
from .text import bytes_of_hex, check_decimal, type_name
from .transcript import PlacerCommitment


class Verified(NamedTuple):
    """The result of a proof that holds: every card that was dealt, by shuffle, and the named draws.

    `remembered`: whether it was compared with a commitment from before the deal (step 1). Where that is False the
    proof is only consistent in itself: any house can make such a one afterwards. `not_checked` has `beacon` if the
    proof has one that was not verified.
    """

    commitment: str
    transcript: str
    dealt: list[list[str]]
    draws: dict[str, int]
    remembered: bool
    not_checked: tuple[str, ...] = ()


class StepFailed(VerificationError):
    """A proof that does not hold; `step` is the number in section 10."""

    def __init__(self, step: int, error: FairshoeError) -> None:
        super().__init__(error.what, where=error.where, expected=error.expected, remedy=error.remedy)
        self.step = step


def verify(proof: Proof, *, commitment: str | None = None, signature: str | None = None) -> Verified:
    """Rebuild the shoe from the revealed key and compare. Raises StepFailed, a VerificationError.

    `commitment`: the one that you remember from before the deal; without it step 1 is left out, the proof is only
    shown to be consistent in itself, and `remembered` is False. InputError where it is not written like a commitment,
    is the key, or is the hash of the key's hex digits. `signature`: that of the beacon's round, in hex (step 7; it
    needs the extra `beacon`).
    """
    if not isinstance(proof, Proof):
        remedy = "pass fairshoe.Proof.from_json(text)"
        raise InputError(f"{type_name(proof)} is not a proof", where="proof", expected="a Proof", remedy=remedy)
    if commitment is not None:
        commitment_of_hex(commitment)
        _check_slip(proof, commitment)
        with _step(1):
            _check_remembered(proof, commitment)
    if signature is not None:
        bytes_of_hex(signature, "signature", low=SIGNATURE_BYTES, high=SIGNATURE_BYTES)
        if proof.beacon is None:
            remedy = "leave it out"
            raise InputError("the proof has no beacon", where="signature", expected="none", remedy=remedy)
    with _step(2):
        check_commitment(proof.key, proof.commitment)
        placing = None if proof.placer is None else KeyPlaces(_key_of_placer(proof.placer))
    with _step(3):
        shoe = seal_proven(proof, placing)
    with _step(4):
        numbers = {name: _number(shoe, name, value) for name, (_, value) in proof.draws.items()}
    dealt = []
    with _step(5):
        for k, record in enumerate(proof.reshuffles, start=1):
            dealt.append(_first(shoe, record.after, f"reshuffle {k}"))
            _reshuffle(shoe, record, f"reshuffle {k}")
    with _step(6):
        dealt.append(_first(shoe, proof.dealt, "dealt"))
    with _step(7):
        unverified = proof.beacon is not None and not is_verified(proof.beacon, signature)
    text, missed = shoe.transcript.text, ("beacon",) if unverified else ()
    return Verified(proof.commitment, text, dealt, numbers, commitment is not None, missed)


def seal_proven(proof: Proof, placing: PlaceSource | None) -> Sealed:
    """Seal the shoe of a proof anew; `placing` gives its places, if the proof names a placer."""
    fix = seal
    if proof.placer is not None and placing is not None:
        fix = partial(seal_placed, placer=PlacerCommitment(*proof.placer[:2]), placing=placing)
    return fix(
        key=proof.key,
        shoe=proof.shoe,
        deck=proof.deck,
        seeds=proof.seeds,
        beacon=proof.beacon,
        cut=proof.cut,
        draws={name: m for name, (m, _) in proof.draws.items()},
    )


@contextmanager
def _step(number: int) -> Iterator[None]:
    try:
        yield
    except FairshoeError as error:
        raise StepFailed(number, error) from None


def _key_of_placer(placer: PlacerKey) -> bytes:
    if not placer.key:
        raise VerificationError(f"the key of {placer.name} is not out", where="placer", expected="its key, once it is")
    check_commitment(placer.key, placer.commitment)
    return placer.key


def _check_slip(proof: Proof, commitment: str) -> None:
    """Raise InputError where what is not the proof's commitment follows from its key all the same."""
    if commitment == proof.commitment:
        return
    expected = "SHA-256 of the key's 32 bytes"
    if commitment == proof.key.hex():
        remedy = "give what was published before the deal"
        raise InputError("this is the key", where="commitment", expected=expected, remedy=remedy)
    if is_hash_of_digits(proof.key.hex(), commitment):
        raise InputError("not the commitment of this key", where="commitment", expected=expected, remedy=HASH_BYTES)


def _check_remembered(proof: Proof, commitment: str) -> None:
    if commitment != proof.commitment:
        raise VerificationError(
            f"the proof is for {proof.commitment}",
            where="commitment",
            expected=commitment,
            remedy="this proof belongs to another shoe than the one committed to",
        )


def _number(shoe: Sealed, name: str, value: int) -> int:
    number = shoe.number(name)
    if number != value:
        raise VerificationError(f"the proof says {value}", where=f"draw {name}", expected=str(number))
    return number


def _first(shoe: Sealed, count: int, where: str) -> list[str]:
    check_decimal(count, where, high=len(shoe))
    return shoe.first(count)


def _reshuffle(shoe: Sealed, record: ReshuffleRecord, where: str) -> None:
    shoe.reshuffle(record.gathered, cut=record.cut is not None)
    again = shoe.reshuffles[-1]
    if again.gathered != tuple(record.gathered):
        raise VerificationError("gathered in another order", where=where, expected="indexes that ascend strictly")
    if again.cut != record.cut:
        raise VerificationError(f"cut at {record.cut}", where=where, expected=f"a cut at {again.cut}")
