"""`fairshoe shuffle --words`: the words of the protocol, as many as were asked for."""

from __future__ import annotations

import struct
import subprocess
import sys

import pytest

from fairshoe.cards import french
from fairshoe.cli import main
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.shoe import seal
from fairshoe.protocol.transcript import Transcript
from fairshoe.protocol.words import CHUNK_BYTES, SHUFFLE_SALT, stream

KEY = bytes(range(32))


def words(capsysbinary: pytest.CaptureFixture[bytes], *options: str) -> bytes:
    assert main(["shuffle", *options]) == 0
    return capsysbinary.readouterr().out


def expected(shoe: str, count: int) -> bytes:
    deck = french()
    transcript = Transcript(shoe, 52, deck.hash, commitment_of(KEY))
    return stream(KEY, SHUFFLE_SALT, transcript.digest, count)


@pytest.mark.parametrize("size", [0, 1, 4, 4097, CHUNK_BYTES, CHUNK_BYTES + 2, 3 * CHUNK_BYTES])
def test_the_stream_of_one_shoe(capsysbinary: pytest.CaptureFixture[bytes], size: int) -> None:
    found = words(capsysbinary, "--key", KEY.hex(), "--words", str(size))
    assert found == expected("words/1", size // 4 + 1)[:size]


@pytest.mark.parametrize("each", [4, 208, CHUNK_BYTES, CHUNK_BYTES + 4])
def test_the_beginnings_of_many_shoes(capsysbinary: pytest.CaptureFixture[bytes], each: int) -> None:
    size = 2 * each + each // 2
    found = words(capsysbinary, "--key", KEY.hex(), "--words", str(size), "--each", str(each))
    assert found == b"".join(expected(f"words/{number}", each // 4) for number in (1, 2, 3))[:size]


def test_they_are_the_words_that_shuffle(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    found = struct.unpack(">51I", words(capsysbinary, "--key", KEY.hex(), "--words", "204"))
    order = list(french())
    for i, word in enumerate(found):
        assert word < 2**32 - 2**32 % (52 - i)
        j = i + word % (52 - i)
        order[i], order[j] = order[j], order[i]
    assert order == seal(key=KEY, shoe="words/1", deck=french()).order()


def test_a_fresh_key_is_told_and_gives_the_same_again(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["shuffle", "--words", "64"]) == 0
    out, err = capsysbinary.readouterr()
    name, key = err.decode().split()
    assert name == "key"
    assert words(capsysbinary, "--words", "64", "--key", key) == out
    assert words(capsysbinary, "--words", "64") != out


@pytest.mark.parametrize(
    "options",
    [
        ["--words", "-1"],
        ["--words", "8", "--each", "6"],
        ["--words", "8", "--key", "ab"],
        [],
        ["--words", "8", "--shoe", "x"],
    ],
)
def test_wrong_usage(capsysbinary: pytest.CaptureFixture[bytes], options: list[str]) -> None:
    assert main(["shuffle", *options]) == 2
    assert not capsysbinary.readouterr().out


def test_who_reads_no_further_ends_it() -> None:
    command = [sys.executable, "-m", "fairshoe", "shuffle", "--words", str(1 << 40)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert len(process.stdout.read(1000)) == 1000
        process.stdout.close()
        assert process.wait() == 141
