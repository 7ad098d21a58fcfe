"""The word stream: HKDF-SHA256 read as big-endian 32-bit words, and uniform indexes from it."""

from __future__ import annotations

import struct

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ..errors import InputError

SHUFFLE_SALT = b"fairshoe/1 shuffle"
DRAW_SALT = b"fairshoe/1 draw"
CHUNK_BYTES = 8160  # the most that one HKDF-SHA256 expansion gives (RFC 5869 section 2.3)
CHUNK_WORDS = CHUNK_BYTES // 4
SPAN = 2**32


class Words:
    """The stream named by a salt and a suffix, under a key and a transcript digest.

    `expect` is how many words the caller thinks it needs: fewer bytes are derived then, since a
    shorter HKDF output is a prefix of a longer one. Reading past it costs a second derivation.
    """

    __slots__ = ("_bytes", "_chunk", "_info", "_key", "_next", "_salt", "_words")

    def __init__(self, key: bytes, salt: bytes, digest: bytes, suffix: bytes = b"", *, expect: int = 16) -> None:
        self._key = key
        self._salt = salt
        self._info = digest + suffix
        self._chunk = 0
        self._next = 0
        self._words = self._derive(expect)

    def _derive(self, count: int) -> tuple[int, ...]:
        self._bytes = self._expand(4 * min(count, CHUNK_WORDS))
        return struct.unpack(f">{len(self._bytes) // 4}I", self._bytes)

    def _expand(self, size: int) -> bytes:
        info = b"%bchunk %d\n" % (self._info, self._chunk)
        return HKDF(SHA256(), size, self._salt, info).derive(self._key)

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

    def sure(self, count: int) -> tuple[int, ...] | None:
        """The first `count` words if it is plain that no bound up to 65,536 rejects any of them, else None.

        A word is rejected at 2³² − (2³² mod m) or above, and 2³² mod m < m: then it begins with ff ff.
        """
        if count > len(self._words) or b"\xff\xff" in self._bytes:
            return None
        return self._words[:count]

    def uniform(self, m: int) -> int:
        """An index 0 … m−1, each equally likely; words at or above m·⌊2³²/m⌋ are discarded."""
        if not 1 <= m <= SPAN:
            raise InputError(f"no uniform index below {m}", expected="1 to 2^32")
        limit = SPAN - SPAN % m
        word = self.next()
        while word >= limit:
            word = self.next()
        return word % m
