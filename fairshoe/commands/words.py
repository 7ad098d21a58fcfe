"""`fairshoe words`: raw words of the protocol, for batteries of tests such as dieharder and PractRand."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count

import click

from ..cards import french
from ..protocol.commitment import commitment_of, key_of_hex, new_key
from ..protocol.transcript import Transcript
from ..protocol.words import CHUNK_BYTES, SHUFFLE_SALT, chunk
from ..terminal.commands import command

ABOUT = (
    "Write words of the shuffle stream to standard output, raw: 32 bits each, most significant byte first. Pipe them "
    "into a battery of tests, `fairshoe words --bytes 1000000000 | RNG_test stdin32` or `… | dieharder -a -g 200`."
)
EPILOG = (
    "The words are those of shoe words/1 with the deck french:1, no seeds and no beacon, under the key; with --each "
    "those of words/1, words/2, … in turn. That key is good for this and for no shoe of a game."
)
WORD = 4
"""Bytes."""


@command("words", help=ABOUT, epilog=EPILOG)
@click.option("--bytes", "size", type=click.IntRange(min=0), required=True, metavar="N", help="How many bytes.")
@click.option(
    "--key",
    metavar="HEX",
    help="The private key, 64 lower-case hex digits (default: a fresh one, printed to standard error).",
)
@click.option(
    "--each",
    type=click.IntRange(min=WORD),
    metavar="N",
    help="Only the first N bytes, a multiple of 4, of each shoe's stream, as a deal uses them: 1244 for six packs.",
)
def cli(size: int, key: str | None, each: int | None) -> int:
    from ..errors import InputError

    if each is not None and each % WORD:
        raise InputError(f"{each}", where="--each", expected=f"a multiple of {WORD}: whole words")
    secret = new_key() if key is None else key_of_hex(key)
    if key is None:
        print(f"key {secret.hex()}", file=sys.stderr)
    out = sys.stdout.buffer
    for part in _parts(secret, each):
        out.write(part[:size])
        size -= len(part)
        if size <= 0:
            break
    out.flush()
    return 0


def _parts(key: bytes, each: int | None) -> Iterator[bytes]:
    """The stream of one shoe after the other, in pieces, without end."""
    for number in count(1):
        digest = _digest(key, f"words/{number}")
        for piece in count() if each is None else range(-(-each // CHUNK_BYTES)):
            left = CHUNK_BYTES if each is None else each - piece * CHUNK_BYTES
            yield chunk(key, SHUFFLE_SALT, digest, piece, min(CHUNK_BYTES, left))


def _digest(key: bytes, shoe: str) -> bytes:
    deck = french()
    return Transcript(shoe, len(deck), deck.hash, commitment_of(key)).digest
