"""Base64 in one form only: two texts of the same bytes would be two keys, two signatures, two proofs of one thing."""

from __future__ import annotations

import base64
import binascii
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshoe.errors import VerificationError
from fairshoe.log.note import Signer, base64_of, bytes_of_base64, open_note


@given(st.binary(max_size=70))
def test_there_and_back(data: bytes) -> None:
    assert base64_of(data) == base64.b64encode(data).decode()
    assert bytes_of_base64(base64_of(data)) == data


@pytest.mark.parametrize("text", ["QR==", "QUJ=", "QQ", "QQ=", "Q Q=", "QQ==\n", "QQ==QQ==", "Q-_=", "ÄÖ==", "="])
def test_what_is_not_the_one_form_is_refused(text: str) -> None:
    with pytest.raises(binascii.Error):
        bytes_of_base64(text)


def test_a_signature_with_spare_bits_is_refused() -> None:
    signer = Signer("house.example", bytes(32))
    note = signer.sign("text\n")
    assert note.endswith("=\n")
    assert open_note(note, signer.verifier) == "text\n"
    for letter in string.ascii_letters + string.digits + "+/":
        other = f"{note[:-3]}{letter}=\n"
        if other != note:
            with pytest.raises(VerificationError):
                open_note(other, signer.verifier)
