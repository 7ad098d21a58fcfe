"""The functions of `_kernel.c` in Python, which are its specification: from words to order, many hashes, HKDF."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from hashlib import sha256
from sys import byteorder
from typing import TypeVar

SPAN = 2**32
SPARSE_RATIO = 8
"""If fewer than one item in so many is wanted, keep only moved items, and do not copy the rest."""

Item = TypeVar("Item")


def order(items: Sequence[Item], words: bytes, start: int, count: int) -> list[Item] | None:
    """The items at positions `start` … `start + count − 1` of the shuffled `items`; None where the words run out.

    `words`: the stream from its beginning, big-endian 32-bit words. For i = 0 … n−2 positions `i` and
    `i + uniform(n − i)` are swapped, and position `i` is final after step `i`: docs/protocol.md section 6.
    """
    size = len(items)
    end = start + count
    words_used = _accepted_words(words, size, min(end, size - 1))
    if words_used is None:
        return None
    found = _swap_first(items, words_used) if SPARSE_RATIO * end < size else _swap_all(items, words_used)
    return found if count == size else found[start:end]


def _accepted_words(words: bytes, size: int, steps: int) -> Sequence[int] | None:
    """The words that so many steps use: those at or above m·⌊2³²/m⌋ are discarded, m = n, n − 1, … None: too few.

    A word is discarded at 2³² − (2³² mod m) or above, and 2³² mod m < m ≤ 65,536: then it begins with ff ff.
    """
    found = array("I", words[: len(words) & -4])
    if byteorder == "little":
        found.byteswap()
    if b"\xff\xff" not in words:
        return found[:steps] if len(found) >= steps else None
    accepted: list[int] = []
    for word in found:
        m = size - len(accepted)
        if len(accepted) < steps and word < SPAN - SPAN % m:
            accepted.append(word)
    return accepted if len(accepted) == steps else None


def _swap_all(items: Sequence[Item], words: Sequence[int]) -> list[Item]:
    order = list(items)
    size = len(order)
    for i, word in enumerate(words):
        j = i + word % (size - i)
        order[i], order[j] = order[j], order[i]
    return order


def _swap_first(items: Sequence[Item], words: Sequence[int]) -> list[Item]:
    """Return the same, without a copy of the items: `moved` holds those that no longer stand at their own position."""
    moved: dict[int, Item] = {}
    order = []
    size = len(items)
    for i, word in enumerate(words):
        j = i + word % (size - i)
        order.append(moved[j] if j in moved else items[j])
        moved[j] = moved[i] if i in moved else items[i]
    return order


def sha256_each(prefix: bytes, items: list[bytes]) -> list[bytes]:
    """Return the SHA-256 of `prefix`, fewer than 64 bytes, and each item."""
    return [sha256(prefix + item).digest() for item in items]


def hkdf(key: bytes, salt: bytes, info: bytes, size: int) -> bytes:
    """HKDF-SHA256 (RFC 5869): `size` bytes, 1 to 8160. `salt`: at most 64 bytes."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), size, salt, info).derive(key)
