"""Public keys under which a signature shows nothing are refused wherever a verifier key is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from fairshoe.errors import InputError
from fairshoe.log.checkpoint import Checkpoint, cosigner_key, cosigner_key_of
from fairshoe.log.note import Verifier, base64_of, is_public_key, key_id, verifier_of
from tests.audit.telling import said

P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)
"""A square root of -1."""
SIGN = 1 << 255
NAME = "house.example/log"


def written(number: int) -> bytes:
    return number.to_bytes(32, "little")


NEUTRAL = written(1)


def added(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The sum of two points of the curve (RFC 8032 section 5.1.4, in x and y)."""
    (x1, y1), (x2, y2) = one, other
    both = D * x1 * x2 * y1 * y2
    x, y = (x1 * y2 + x2 * y1) * pow(1 + both, -1, P), (y1 * y2 + x1 * x2) * pow(1 - both, -1, P)
    return x % P, y % P


def small_points() -> list[bytes]:
    """The multiples of a point of order 8, written."""
    y = int.from_bytes(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little")
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT % P
    eighth = point = (x, y)
    found = []
    for _ in range(8):
        found.append(written(point[1] | (SIGN if point[0] & 1 else 0)))
        point = added(point, eighth)
    assert point == eighth
    return found


SMALL = small_points()
OTHERWISE = [written(y) for y in (P, P + 1, P | SIGN, P + 1 | SIGN, 1 | SIGN, P - 1 | SIGN)]
"""Points of small order, not written as RFC 8032 writes them."""


def is_on_the_curve(y: int) -> bool:
    return pow((y * y - 1) * (D * y * y + 1), (P - 1) // 2, P) <= 1


@pytest.mark.parametrize("public", [*SMALL, *OTHERWISE], ids=bytes.hex)
def test_a_key_of_small_order_is_the_readers_wrong_input(public: bytes) -> None:
    verifier, witness = Verifier(NAME, key_id(NAME, public), public), cosigner_key(NAME, public)
    for read, key, where in ((verifier_of, verifier, "key"), (cosigner_key_of, witness, "witness")):
        with pytest.raises(InputError, match="nobody can have made") as caught:
            read(str(key))
        assert (caught.value.fault, caught.value.where) == ("caller", where)
        assert "not of small order" in caught.value.expected


def test_there_are_eight_of_them() -> None:
    assert len(set(SMALL)) == 8
    assert NEUTRAL in SMALL


def test_a_point_is_written_in_one_way() -> None:
    """Below 19 the same y could be written as y + p."""
    points = [y for y in range(2, 19) if is_on_the_curve(y)]
    assert len(points) > 3
    for y in points:
        assert is_public_key(written(y))
        assert is_public_key(written(y | SIGN))
        assert not is_public_key(written(y + P))
        assert not is_public_key(written(y + P | SIGN))


def test_a_y_without_a_point_and_other_lengths_are_no_key() -> None:
    assert not is_on_the_curve(2)
    assert not is_public_key(written(2))
    assert not is_public_key(b"")
    assert not is_public_key(written(3) + b"\0")


def test_every_key_that_was_made_is_one() -> None:
    for number in range(50):
        assert is_public_key(Ed25519PrivateKey.from_private_bytes(written(number)).public_key().public_bytes_raw())


def test_a_signature_that_fits_every_text_shows_nothing(tmp_path: Path) -> None:
    """The library takes it, so that the key must be refused."""
    signature = NEUTRAL + bytes(32)
    for text in (b"one", b"another"):
        Ed25519PublicKey.from_public_bytes(NEUTRAL).verify(signature, text)
    key = Verifier(NAME, key_id(NAME, NEUTRAL), NEUTRAL)
    text = Checkpoint(NAME, 9, bytes(32)).text
    (tmp_path / "checkpoint").write_text(f"{text}\n— {NAME} {base64_of(key.id + signature)}\n")
    found = said("consistency", *[tmp_path / "checkpoint"] * 2, tmp_path, "--key", key)
    assert found.code == 2
    assert "nobody can have made" in found.err
    assert "PASS" not in found.out
