"""Rounds of drand's quicknet: named before they exist, and verified once their signature is out (docs/protocol.md
section 13). Verifying needs the extra `beacon`."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from ..errors import InputError, VerificationError, missing
from .text import bytes_of_hex, check_decimal, type_name
from .transcript import Beacon

QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
PUBLIC_KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
GENESIS_SECONDS, PERIOD_SECONDS = 1_692_803_367, 3
SIGNATURE_BYTES = 48
MAX_ROUND = 2**32
"""Comes out in 2432."""
NO_SIGNATURE = "not the signature of this round"


class BeaconRound(NamedTuple):
    """A round of a public beacon that may still lie in the future; `drand_quicknet` makes it."""

    chain: str
    number: int

    @property
    def time(self) -> int:
        """When the round comes out, in seconds since 1970."""
        return GENESIS_SECONDS + (self.number - 1) * PERIOD_SECONDS

    @property
    def address(self) -> str:
        """Where its signature can be had."""
        return f"https://api.drand.sh/{self.chain}/public/{self.number}"


def drand_quicknet(number: int) -> BeaconRound:
    """Return a round of drand's quicknet, which has one every three seconds. InputError."""
    return BeaconRound(QUICKNET, check_decimal(number, "beacon round", low=1, high=MAX_ROUND))


def first_round_from(seconds: int) -> BeaconRound:
    """Return the first round of drand's quicknet that comes out at this time or later, in seconds since 1970."""
    return drand_quicknet(max(-(-(seconds - GENESIS_SECONDS) // PERIOD_SECONDS), 0) + 1)


def check_round(beacon: BeaconRound, where: str = "beacon") -> BeaconRound:
    """Return `beacon` if `drand_quicknet` could have made it; else InputError."""
    if not isinstance(beacon, BeaconRound) or beacon.chain != QUICKNET:
        what, expected = f"{type_name(beacon)} is no round of a known beacon", "a round of drand's quicknet"
        raise InputError(what, where=where, expected=expected, remedy="pass fairshoe.drand_quicknet(round)")
    return drand_quicknet(beacon.number)


def check_extra(where: str) -> None:
    """Raise InputError if the extra `beacon` is not installed."""
    try:
        import py_arkworks_bls12381  # noqa: F401
    except ImportError:
        raise missing("beacon", where, "py_arkworks_bls12381") from None


def check_signature(beacon: BeaconRound, signature: str) -> Beacon:
    """Return the beacon with its randomness, SHA-256 of the signature. VerificationError: the signature is not the
    round's. InputError: it is malformed, or the extra `beacon` is not installed."""
    found = randomness_of(beacon, signature)
    check_extra("signature")
    from py_arkworks_bls12381 import GT, G1Point, G2Point

    message = sha256(beacon.number.to_bytes(8, "big")).digest()
    try:
        point = G1Point.from_compressed_bytes(bytes.fromhex(signature))
        pairs = [point, -G1Point.hash_to_curve(message, DOMAIN)], [G2Point(), G2Point.from_compressed_bytes(PUBLIC_KEY)]
        holds = GT.pairing_check(*pairs)
    except ValueError:  # no point of the group
        holds = False
    if not holds:
        raise VerificationError(NO_SIGNATURE, where="signature", expected=f"that of round {beacon.number}")
    return found


def randomness_of(beacon: BeaconRound, signature: str) -> Beacon:
    """Return the beacon that a signature gives; whether it is the round's is not checked. InputError."""
    value = bytes_of_hex(signature, "signature", low=SIGNATURE_BYTES, high=SIGNATURE_BYTES)
    return Beacon(beacon.chain, beacon.number, sha256(value).hexdigest())


def is_verified(beacon: Beacon, signature: str | None) -> bool:
    """Whether a proof's beacon is its round's. False: it cannot be known here, for want of the signature, of the extra
    `beacon`, or of the chain's public key. VerificationError: it is not."""
    if signature is None or beacon.chain != QUICKNET:
        return False
    named = drand_quicknet(beacon.round)
    if randomness_of(named, signature) != beacon:
        raise VerificationError("not the randomness of this signature", where="beacon", expected="its SHA-256")
    try:
        check_signature(named, signature)
    except InputError:
        return False
    return True
