"""Published values for the primitives under the word stream: RFC 5869."""

from __future__ import annotations

import pytest

from fairshoe import commitment_of
from fairshoe.protocol import kernel, pure
from fairshoe.protocol.words import CHUNK_BYTES, CHUNK_WORDS, SHUFFLE_SALT, Words, stream
from tests.second import protocol as second

RFC_5869 = {  # appendix A, test cases 1 to 3: IKM, salt, info, L, OKM
    "A.1": (
        "0b" * 22,
        "000102030405060708090a0b0c",
        "f0f1f2f3f4f5f6f7f8f9",
        42,
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    ),
    "A.2": (
        bytes(range(0x50)).hex(),
        bytes(range(0x60, 0xB0)).hex(),
        bytes(range(0xB0, 0x100)).hex(),
        82,
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
        "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87",
    ),
    "A.3": (
        "0b" * 22,
        "",
        "",
        42,
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
    ),
}


@pytest.mark.parametrize("case", RFC_5869)
def test_hkdf_gives_the_published_values_in_every_implementation(case: str) -> None:
    ikm, salt, info, length, okm = RFC_5869[case]
    key, salt_bytes, info_bytes = (bytes.fromhex(text) for text in (ikm, salt, info))
    assert pure.hkdf(key, salt_bytes, info_bytes, length).hex() == okm
    assert second.hkdf(key, salt_bytes, info_bytes, length).hex() == okm
    if len(salt_bytes) <= 64:
        assert kernel.hkdf(key, salt_bytes, info_bytes, length).hex() == okm


def test_commitment_is_the_hash_of_the_bytes_and_not_of_their_text() -> None:
    assert commitment_of(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


def test_a_chunk_is_the_most_that_hkdf_gives() -> None:
    assert CHUNK_BYTES == 255 * 32 == 4 * CHUNK_WORDS


@pytest.mark.parametrize("expect", [1, 7, 16, 2039, 2040, 100_000])
def test_words_do_not_depend_on_how_many_were_expected(expect: int) -> None:
    key, text = bytes(range(32)), b"any transcript\n"
    slow = second.words(key, b"salt", text, b"suffix\n")
    quick = Words(key, b"salt", second.hashlib.sha256(text).digest(), b"suffix\n", expect=expect)
    assert [quick.next() for _ in range(5000)] == [next(slow) for _ in range(5000)]


@pytest.mark.parametrize("count", [0, 1, 311, 2039, 2040, 2041, 4080, 5000])
def test_a_stream_is_its_words_in_a_row(count: int) -> None:
    key, digest = bytes(range(32)), bytes(32)
    words = Words(key, SHUFFLE_SALT, digest)
    row = stream(key, SHUFFLE_SALT, digest, count)
    assert row == b"".join(words.next().to_bytes(4, "big") for _ in range(count))
