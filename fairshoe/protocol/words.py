"""The word stream: HKDF-SHA256 read as big-endian 32-bit words, and uniform indexes from it."""

from __future__ import annotations

import struct

from ..errors import InputError
from . import kernel

SHUFFLE_SALT = b"fairshoe/1 shuffle"
DRAW_SALT = b"fairshoe/1 draw"
CHUNK_BYTES = 8160  # the most that one HKDF-SHA256 expansion gives (RFC 5869 section 2.3)
CHUNK_WORDS = CHUNK_BYTES // 4
SPAN = 2**32


def chunk(key: bytes, salt: bytes, info: bytes, number: int, size: int) -> bytes:
    """The first `size` bytes, 1 to 8160, of a chunk. `info`: the transcript's digest, then the suffix."""
    return kernel.hkdf(key, salt, b"%bchunk %d\n" % (info, number), size)


def stream(key: bytes, salt: bytes, info: bytes, count: int) -> bytes:
    """The first `count` words of a stream as bytes, chunk after chunk."""
    if 0 < count <= CHUNK_WORDS:
        return chunk(key, salt, info, 0, 4 * count)
    starts = range(0, 4 * count, CHUNK_BYTES)
    sizes = (min(CHUNK_BYTES, 4 * count - start) for start in starts)
    return b"".join(chunk(key, salt, info, number, size) for number, size in enumerate(sizes))


class Words:
    """The stream named by a salt and a suffix, under a key and a transcript digest, word by word.

    `expect` is how many words the caller thinks it needs: fewer bytes are derived then, since a
    shorter HKDF output is a prefix of a longer one. Reading past it costs a second derivation.
    """

    __slots__ = ("_chunk", "_info", "_key", "_next", "_salt", "_words")

    def __init__(self, key: bytes, salt: bytes, digest: bytes, suffix: bytes = b"", *, expect: int = 16) -> None:
        self._key = key
        self._salt = salt
        self._info = digest + suffix
        self._chunk = 0
        self._next = 0
        self._words = self._derive(expect)

    def _derive(self, count: int) -> tuple[int, ...]:
        count = min(count, CHUNK_WORDS)
        return struct.unpack(f">{count}I", chunk(self._key, self._salt, self._info, self._chunk, 4 * count))

    def next(self) -> int:
        """The next word, 0 … 2³²−1."""
        if self._next == len(self._words):
            if self._next == CHUNK_WORDS:
                self._chunk += 1
                self._next = 0
                self._words = self._derive(CHUNK_WORDS)
            else:
                self._words = self._derive(4 * len(self._words))
        word = self._words[self._next]
        self._next += 1
        return word

    def uniform(self, m: int) -> int:
        """An index 0 … m−1, each equally likely; words at or above m·⌊2³²/m⌋ are discarded."""
        if not 1 <= m <= SPAN:
            raise InputError(f"no uniform index below {m}", expected="1 to 2^32")
        limit = SPAN - SPAN % m
        word = self.next()
        while word >= limit:
            word = self.next()
        return word % m
