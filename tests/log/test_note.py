"""Ed25519 (RFC 8032), signed notes and checkpoints (C2SP)."""

from __future__ import annotations

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint, checkpoint_of, open_checkpoint
from fairshoe.log.note import Signer, Verifier, key_id, open_note, verifier_of

FOO = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
NOTE = """This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""
"""C2SP signed-note; published vectors."""

RFC_8032 = {
    "TEST 1": (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    "TEST 2": (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    "TEST 3": (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    "TEST SHA(abc)": (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
}
"""RFC 8032 section 7.1: seed, public key, message, signature."""

SIGNER = Signer("fairshoe.test/notes", bytes(range(32)))


@pytest.mark.parametrize("name", RFC_8032)
def test_ed25519_as_in_rfc_8032(name: str) -> None:
    seed, public, message, signature = RFC_8032[name]
    assert Signer("x", bytes.fromhex(seed)).verifier.public.hex() == public
    made = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed)).sign(bytes.fromhex(message))
    assert made.hex() == signature


def test_the_note_of_c2sp() -> None:
    verifier = verifier_of(FOO)
    assert str(verifier) == FOO
    assert open_note(NOTE, verifier) == "This is an example message.\n"
    assert NOTE.startswith("This")
    with pytest.raises(VerificationError, match="wrong"):
        open_note(NOTE.replace("example message", "Example message"), verifier)


def test_a_note_is_signed_and_opened() -> None:
    note = SIGNER.sign("one\n\ntwo\n")
    assert open_note(note, SIGNER.verifier) == "one\n\ntwo\n"
    assert open_note(NOTE.replace("This is an example message.\n\n", note + ""), SIGNER.verifier) == "one\n\ntwo\n"


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


def test_a_key_id_is_over_name_and_key() -> None:
    public = SIGNER.verifier.public
    assert SIGNER.verifier == Verifier("fairshoe.test/notes", key_id("fairshoe.test/notes", public), public)
    assert key_id("a", public) != key_id("b", public)


# Checkpoints.


@given(st.integers(0, 2**53 - 1), st.binary(min_size=32, max_size=32))
def test_a_checkpoint_goes_round(size: int, root: bytes) -> None:
    checkpoint = Checkpoint(SIGNER.verifier.name, size, root)
    note = checkpoint.signed(SIGNER)
    assert open_checkpoint(note, SIGNER.verifier) == checkpoint
    assert checkpoint_of(note) == checkpoint_of(checkpoint.text) == checkpoint
    assert note.split("\n")[:3] == [SIGNER.verifier.name, str(size), base64.b64encode(root).decode()]


def test_extension_lines_are_passed_over() -> None:
    checkpoint = Checkpoint("origin", 3, bytes(32))
    assert open_checkpoint(SIGNER.sign(checkpoint.text + "extension 1\n"), SIGNER.verifier) == checkpoint


ROOT = base64.b64encode(bytes(32)).decode()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "origin\n",
        f"\n1\n{ROOT}\n",
        f"origin\n-1\n{ROOT}\n",
        f"origin\n01\n{ROOT}\n",
        f"origin\n1.0\n{ROOT}\n",
        f"origin\n{'1' * 5000}\n{ROOT}\n",
        f"origin\n{2**53}\n{ROOT}\n",
        f"origin\n1\n{ROOT}\n\nextension\n",
        f"origin\n\n1\n{ROOT}\n",
        f"origin\n١\n{ROOT}\n",
        "origin\n1\nAAAA\n",
        f"origin\n1\n!{ROOT}\n",
        f"origin\n1\né{ROOT}\n",
    ],
)
def test_what_is_no_checkpoint(text: str) -> None:
    with pytest.raises(InputError, match="not a checkpoint"):
        checkpoint_of(SIGNER.sign(text))
    with pytest.raises(VerificationError):
        open_checkpoint(SIGNER.sign(text), SIGNER.verifier)


def test_an_empty_extension_line_is_none_wherever_it_stands() -> None:
    """Also one at the end, and one that looks like the empty line before the signatures."""
    text = Checkpoint("origin", 1, bytes(32)).text
    for more in ("\n", "\nb\n", "a\n\n", "\n— a AAAAAAAAAAA=\n"):
        with pytest.raises(VerificationError, match="not a checkpoint"):
            open_checkpoint(SIGNER.sign(text + more), SIGNER.verifier)
        with pytest.raises(InputError, match="not a checkpoint"):
            checkpoint_of(SIGNER.sign(text + more))
