"""Public keys under which a signature shows nothing are refused wherever a verifier key is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from fairshoe.errors import InputError
from fairshoe.log.checkpoint import Checkpoint, cosigner_key, cosigner_key_of
from fairshoe.log.note import Verifier, base64_of, is_public_key, key_id, verifier_of
from tests.audit.telling import said

P = 2**255 - 19
SIGN = 1 << 255
NAME = "house.example/log"


def written(number: int) -> bytes:
    return number.to_bytes(32, "little")


NEUTRAL = written(1)


EIGHTH = int.from_bytes(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little")
SMALL = [written(y) for y in (0, SIGN, 1, P - 1, EIGHTH, EIGHTH | SIGN, P - EIGHTH, P - EIGHTH | SIGN)]
"""The eight points of small order."""
OTHERWISE = [written(y) for y in (P, P + 1, P | SIGN, P + 1 | SIGN, 1 | SIGN, P - 1 | SIGN)]
"""Points of small order, not written as RFC 8032 writes them."""


@pytest.mark.parametrize("public", [*SMALL, *OTHERWISE], ids=bytes.hex)
def test_a_key_of_small_order_is_the_readers_wrong_input(public: bytes) -> None:
    verifier, witness = Verifier(NAME, key_id(NAME, public), public), cosigner_key(NAME, public)
    for read, key, where in ((verifier_of, verifier, "key"), (cosigner_key_of, witness, "witness")):
        with pytest.raises(InputError, match="nobody can have made") as caught:
            read(str(key))
        assert (caught.value.fault, caught.value.where) == ("caller", where)
        assert "not of small order" in caught.value.expected


def test_a_point_is_written_in_one_way() -> None:
    """Below 19 the same y could be written as y + p."""
    for y in (3, 4, 5, 6, 9, 10, 14, 15, 16, 18):
        assert is_public_key(written(y))
        assert is_public_key(written(y | SIGN))
        assert not is_public_key(written(y + P))
        assert not is_public_key(written(y + P | SIGN))


def test_a_y_without_a_point_and_other_lengths_are_no_key() -> None:
    assert not is_public_key(written(2))
    assert not is_public_key(b"")
    assert not is_public_key(written(3) + b"\0")


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
