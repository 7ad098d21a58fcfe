"""Cosignatures of witnesses (c2sp.org/tlog-cosignature)."""

from __future__ import annotations

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint, Cosigner, cosigned_at, cosigner_key_of
from fairshoe.log.note import Signer, open_note

SEED = bytes(range(32))
WITNESS = Cosigner("witness.example/w1", SEED)
HOUSE = Signer("house.example", bytes(32))
CHECKPOINT = Checkpoint("house.example", 42, bytes(32))
TIME = 1_679_315_147
NOTE = CHECKPOINT.signed(HOUSE) + WITNESS.cosign(CHECKPOINT.text, TIME)


def test_the_bytes_are_those_of_the_specification() -> None:
    """Key id, time and message made again from the words of the specification."""
    line = NOTE.splitlines()[-1]
    data = base64.b64decode(line.split(" ")[2])
    private = Ed25519PrivateKey.from_private_bytes(SEED)
    message = b"cosignature/v1\ntime 1679315147\n" + CHECKPOINT.text.encode()
    assert data[4:12] == TIME.to_bytes(8, "big")
    assert data[12:] == private.sign(message)
    _, identifier, encoded = str(WITNESS.key).split("+", 2)
    assert identifier == data[:4].hex()
    assert base64.b64decode(encoded) == b"\x04" + private.public_key().public_bytes_raw()


def test_the_houses_signature_and_the_witnesss_stand_beside_each_other() -> None:
    assert open_note(NOTE, HOUSE.verifier) == CHECKPOINT.text
    key = cosigner_key_of(str(WITNESS.key))
    assert cosigned_at(NOTE, key) == TIME
    assert cosigned_at(NOTE + WITNESS.cosign(CHECKPOINT.text, TIME + 9), key) == TIME + 9


def test_a_changed_checkpoint_time_or_signature_does_not_hold() -> None:
    changed = [NOTE.replace("\n42\n", "\n43\n"), CHECKPOINT.signed(HOUSE)]
    other = base64.b64encode(WITNESS.key.id + bytes(8 + 64)).decode()
    changed.append(CHECKPOINT.signed(HOUSE) + f"— {WITNESS.key.name} {other}\n")
    for note in changed:
        with pytest.raises(VerificationError, match="cosignature"):
            cosigned_at(note, WITNESS.key)
    with pytest.raises(VerificationError, match="no cosignature"):
        cosigned_at(NOTE, Cosigner("witness.example/w2", SEED).key)


def test_a_time_beyond_2_63_is_none() -> None:
    for seconds, holds in ((2**63 - 1, True), (2**63, False), (2**64 - 1, False)):
        note = CHECKPOINT.signed(HOUSE) + WITNESS.cosign(CHECKPOINT.text, seconds)
        if holds:
            assert cosigned_at(note, WITNESS.key) == seconds
        else:
            with pytest.raises(VerificationError, match="a time that none may have"):
                cosigned_at(note, WITNESS.key)


@pytest.mark.parametrize("text", ["", "a+b+c", str(HOUSE.verifier), str(WITNESS.key)[:-4], "x" + str(WITNESS.key)])
def test_what_is_no_witnesss_key_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a witness's verifier key"):
        cosigner_key_of(text)


def test_a_witness_has_a_name() -> None:
    with pytest.raises(InputError, match="cannot name"):
        Cosigner("two words", SEED)
