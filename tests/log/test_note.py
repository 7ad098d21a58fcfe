"""Signed notes, checkpoints, and witnesses' cosignatures (C2SP), with Ed25519."""

from __future__ import annotations

import base64
import binascii

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint, checkpoint_of, cosignature_time, cosigner_key_of, open_checkpoint
from fairshoe.log.note import Signer, base64_of, bytes_of_base64, open_note, verifier_of
from tests.cosigner import Cosigner

FOO = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
NOTE = """This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""
"""C2SP signed-note; published vectors."""

SIGNER = Signer("fairshoe.test/notes", bytes(range(32)))


def test_the_note_of_c2sp() -> None:
    verifier = verifier_of(FOO)
    assert str(verifier) == FOO
    assert open_note(NOTE, verifier) == "This is an example message.\n"
    assert NOTE.startswith("This")
    with pytest.raises(VerificationError, match="wrong"):
        open_note(NOTE.replace("example message", "Example message"), verifier)


CONTROL = "".join(map(chr, range(32))).replace("\n", "")


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters=CONTROL)), st.binary(min_size=32, max_size=32)
)
def test_every_text_can_be_signed(text: str, seed: bytes) -> None:
    signer = Signer("a", seed)
    assert open_note(signer.sign(text + "\n"), signer.verifier) == text + "\n"


@pytest.mark.parametrize(
    ("note", "what"),
    [
        ("", "not a signed note"),
        ("text\n", "not a signed note"),
        ("text\n\n", "no signature|not a signed note|malformed"),
        ("text\n\n— name AAAA", "not a signed note"),
        ("text\n\n- name AAAAAAAAAA==\n", "malformed"),
        ("text\n\n— name !!!!\n", "malformed"),
        ("text\n\n— name AAAA\n", "malformed"),
        ("text\n\n— other AAAAAAAAAAA=\n", "no signature by"),
        (SIGNER.sign("a\tb\n"), "a control character"),
        (SIGNER.sign("a\x00\n"), "a control character"),
        (SIGNER.sign("a\r\n"), "a control character"),
        (SIGNER.sign("text\n") + "—  AAAAAAAAAAA=\n", "malformed"),
        *(
            (SIGNER.sign("text\n") + f"— a{no}b AAAAAAAAAAA=\n", "malformed")
            for no in "+\u0085\u00a0\u2003\u2028\u3000"
        ),
        (SIGNER.sign("text\n") + "— a\x1fb AAAAAAAAAAA=\n", "a control character|malformed"),
    ],
)
def test_what_is_no_signed_note(note: str, what: str) -> None:
    with pytest.raises(VerificationError, match=what) as caught:
        open_note(note, SIGNER.verifier)
    assert (caught.value.fault, caught.value.where) == ("house", "checkpoint")


@pytest.mark.parametrize(
    "text",
    ["", "a", "a+b", "a+00000000+", FOO.replace("530d", "530e"), FOO.replace("+Ae", "+Be"), FOO[:-4], " " + FOO[11:]],
)
def test_what_is_no_verifier_key(text: str) -> None:
    with pytest.raises(InputError):
        verifier_of(text)


@pytest.mark.parametrize(
    "line",
    [
        "— other.example AAAAAAAAAAA=\n",
        f"— w/2024 {base64.b64encode(bytes(4 + 72)).decode()}\n",
        f"— post-quantum {base64.b64encode(bytes(4 + 8 + 2420)).decode()}\n",
        f"— {SIGNER.verifier.name} AAAAAAAAAAA=\n",
        f"— wíťñéss.例え\u200b {base64.b64encode(bytes(68)).decode()}\n",
        f"— {'long' * 100} AAAAAAAAAAA=\n",
    ],
)
def test_signatures_of_others_are_passed_over(line: str) -> None:
    """Whatever their algorithm, also where they share a known key's name."""
    above, below = SIGNER.sign("text\n").split("\n\n")
    assert open_note(f"{above}\n\n{below}{line * 16}", SIGNER.verifier) == "text\n"
    assert open_note(f"{above}\n\n{line}{below}", SIGNER.verifier) == "text\n"


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\tb", "a\x01b", "a\u00a0b", "x" * 256])
def test_what_cannot_name_a_log(name: str) -> None:
    with pytest.raises(InputError, match="cannot name a log"):
        Signer(name, bytes(32))


@given(st.integers(0, 2**53 - 1), st.binary(min_size=32, max_size=32))
def test_a_checkpoint_goes_round(size: int, root: bytes) -> None:
    checkpoint = Checkpoint(SIGNER.verifier.name, size, root)
    note = checkpoint.signed(SIGNER)
    assert open_checkpoint(note, SIGNER.verifier) == checkpoint
    assert checkpoint_of(note) == checkpoint_of(checkpoint.text) == checkpoint
    assert note.split("\n")[:3] == [SIGNER.verifier.name, str(size), base64.b64encode(root).decode()]


ROOT = base64.b64encode(bytes(32)).decode()


NO_HEADS = ["\n1\n", "origin\n-1\n", "origin\n01\n", "origin\n1.0\n", f"origin\n{'1' * 5000}\n", f"origin\n{2**53}\n"]


@pytest.mark.parametrize(
    "text",
    [
        *(f"{head}{ROOT}\n" for head in (*NO_HEADS, "origin\n\n1\n", "origin\n١\n", "origin\n1\n!", "origin\n1\né")),
        *("", "origin\n", "origin\n1\nAAAA\n", f"origin\n1\n{ROOT}\n\nextension\n"),
    ],
)
def test_what_is_no_checkpoint(text: str) -> None:
    with pytest.raises(InputError, match="not a checkpoint"):
        checkpoint_of(SIGNER.sign(text))
    with pytest.raises(VerificationError):
        open_checkpoint(SIGNER.sign(text), SIGNER.verifier)


def test_an_empty_extension_line_is_none_wherever_it_stands() -> None:
    """Also one at the end, and one that looks like the empty line before the signatures."""
    checkpoint = Checkpoint("origin", 1, bytes(32))
    assert open_checkpoint(SIGNER.sign(checkpoint.text + "extension 1\n"), SIGNER.verifier) == checkpoint
    for more in ("\n", "\nb\n", "a\n\n", "\n— a AAAAAAAAAAA=\n"):
        with pytest.raises(VerificationError, match="not a checkpoint"):
            open_checkpoint(SIGNER.sign(checkpoint.text + more), SIGNER.verifier)
        with pytest.raises(InputError, match="not a checkpoint"):
            checkpoint_of(SIGNER.sign(checkpoint.text + more))


# Base64 in one form only: two texts of the same bytes would be two keys, two signatures, two proofs of one thing.


@given(st.binary(max_size=70))
def test_there_and_back(data: bytes) -> None:
    assert base64_of(data) == base64.b64encode(data).decode()
    assert bytes_of_base64(base64_of(data)) == data


@pytest.mark.parametrize("text", ["QR==", "QUJ=", "QQ", "QQ=", "Q Q=", "QQ==\n", "QQ==QQ==", "Q-_=", "ÄÖ==", "="])
def test_what_is_not_the_one_form_is_refused(text: str) -> None:
    with pytest.raises(binascii.Error):
        bytes_of_base64(text)


# Cosignatures of witnesses (c2sp.org/tlog-cosignature).

WITNESS_SEED = bytes(range(32))
WITNESS = Cosigner("witness.example/w1", WITNESS_SEED)
HOUSE = Signer("house.example", bytes(32))
HEAD = Checkpoint("house.example", 42, bytes(32))
TIME = 1_679_315_147
COSIGNED = HEAD.signed(HOUSE) + WITNESS.cosign(HEAD.text, TIME)


def test_the_bytes_are_those_of_the_specification() -> None:
    """Key id, time and message made again from the words of the specification."""
    line = COSIGNED.splitlines()[-1]
    data = base64.b64decode(line.split(" ")[2])
    private = Ed25519PrivateKey.from_private_bytes(WITNESS_SEED)
    message = b"cosignature/v1\ntime 1679315147\n" + HEAD.text.encode()
    assert data[4:12] == TIME.to_bytes(8, "big")
    assert data[12:] == private.sign(message)
    _, identifier, encoded = str(WITNESS.key).split("+", 2)
    assert identifier == data[:4].hex()
    assert base64.b64decode(encoded) == b"\x04" + private.public_key().public_bytes_raw()


def test_the_houses_signature_and_the_witnesss_stand_beside_each_other() -> None:
    assert open_note(COSIGNED, HOUSE.verifier) == HEAD.text
    key = cosigner_key_of(str(WITNESS.key))
    assert cosignature_time(COSIGNED, key) == TIME
    assert cosignature_time(COSIGNED + WITNESS.cosign(HEAD.text, TIME + 9), key) == TIME + 9


def test_a_changed_checkpoint_time_or_signature_does_not_hold() -> None:
    changed = [COSIGNED.replace("\n42\n", "\n43\n"), HEAD.signed(HOUSE)]
    other = base64.b64encode(WITNESS.key.id + bytes(8 + 64)).decode()
    changed.append(HEAD.signed(HOUSE) + f"— {WITNESS.key.name} {other}\n")
    for note in changed:
        with pytest.raises(VerificationError, match="cosignature"):
            cosignature_time(note, WITNESS.key)
    with pytest.raises(VerificationError, match="no cosignature"):
        cosignature_time(COSIGNED, Cosigner("witness.example/w2", WITNESS_SEED).key)


def test_a_time_beyond_2_63_is_none() -> None:
    for seconds, holds in ((2**63 - 1, True), (2**63, False), (2**64 - 1, False)):
        note = HEAD.signed(HOUSE) + WITNESS.cosign(HEAD.text, seconds)
        if holds:
            assert cosignature_time(note, WITNESS.key) == seconds
        else:
            with pytest.raises(VerificationError, match="a time"):
                cosignature_time(note, WITNESS.key)


@pytest.mark.parametrize("text", ["", "a+b+c", str(HOUSE.verifier), str(WITNESS.key)[:-4], "x" + str(WITNESS.key)])
def test_what_is_no_witnesss_key_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="witness's verifier key"):
        cosigner_key_of(text)
