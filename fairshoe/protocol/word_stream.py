"""The word stream: HKDF-SHA256 as big-endian 32-bit words; uniform indexes, a deck's order, named draws."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from ..errors import InputError
from . import kernel
from .text import check_decimal, check_id, type_name

SHUFFLE_SALT = b"fairshoe/1 shuffle"
PLACING_SALT = b"fairshoe/2 placing"
DRAW_SALT = b"fairshoe/1 draw"
CHUNK_BYTES = 8160  # the most that one HKDF-SHA256 expansion gives (RFC 5869 section 2.3)
CHUNK_WORDS = CHUNK_BYTES // 4
SPAN = 2**32
BOUND = "pass how many values it has: a draw below 6 gives 0 to 5"
Item = TypeVar("Item")


def chunk(key: bytes, salt: bytes, info: bytes, number: int, size: int) -> bytes:
    """Return the first `size` bytes, 1 to 8160, of a chunk. `info`: the transcript's digest, then the suffix."""
    return kernel.hkdf(key, salt, b"%bchunk %d\n" % (info, number), size)


def stream(key: bytes, salt: bytes, info: bytes, count: int) -> bytes:
    """Return the first `count` words of a stream as bytes, chunk after chunk."""
    if 0 < count <= CHUNK_WORDS:
        return chunk(key, salt, info, 0, 4 * count)
    starts = range(0, 4 * count, CHUNK_BYTES)
    sizes = (min(CHUNK_BYTES, 4 * count - start) for start in starts)
    return b"".join(chunk(key, salt, info, number, size) for number, size in enumerate(sizes))


def words(key: bytes, salt: bytes, info: bytes, *, expect: int = 16) -> Iterator[int]:
    """Yield the words of a stream, 0 … 2³²−1, without end. `expect`: how many are derived at first, then four times as
    many each time, since a shorter HKDF output begins a longer one."""
    number, done, ready = 0, 0, min(expect, CHUNK_WORDS)
    while True:
        yield from struct.unpack(f">{ready}I", chunk(key, salt, info, number, 4 * ready))[done:]
        if ready == CHUNK_WORDS:
            number, done = number + 1, 0
        else:
            done, ready = ready, min(4 * ready, CHUNK_WORDS)


def uniform(source: Iterator[int], m: int) -> int:
    """An index 0 … m−1, each equally likely, of the next words; those at or above m·⌊2³²/m⌋ are discarded."""
    if not 1 <= m <= SPAN:
        raise InputError(f"no uniform index below {m}", expected="1 to 2^32")
    limit = SPAN - SPAN % m
    return next(word for word in source if word < limit) % m


def dealt(key: bytes, digest: bytes, items: Sequence[Item], cut: int, count: int) -> list[Item]:
    """Return the first `count` of the dealt order, at most all, from position `cut` of the shuffled items. Costs `cut +
    count` steps, or the whole shuffle beyond the cut's other side."""
    if cut + count <= len(items):
        return _shuffled(key, digest, items, cut, count)
    whole = _shuffled(key, digest, items, 0, len(items))
    return (whole[cut:] + whole[:cut])[:count]


def places(key: bytes, digest: bytes, size: int) -> list[int]:
    """A placer's permutation of 0 … size − 1, whole and not cut, of its key and the transcript's digest."""
    return _shuffled(key, digest, range(size), 0, size, PLACING_SALT)


def _shuffled(
    key: bytes, digest: bytes, items: Sequence[Item], start: int, count: int, salt: bytes = SHUFFLE_SALT
) -> list[Item]:
    """Return the items at positions `start` … `start + count − 1` before the cut."""
    size = len(items)
    expect = min(start + count, size - 1) + size // 1024  # so many are discarded only in the largest decks
    while (found := kernel.order(items, stream(key, salt, digest, expect), start, count)) is None:
        expect += expect
    return found


def iterate_deal(key: bytes, digest: bytes, size: int, cut: int, done: int = 0) -> Iterator[int]:
    """Yield the dealt order as indexes behind the first `done`, lazily: 16, then four times as many each time."""
    ready = done + 16
    while done < size:
        yield from dealt(key, digest, range(size), cut, ready)[done:]
        done, ready = ready, 4 * ready


def draw_named(key: bytes, digest: bytes, name: str, m: int) -> int:
    """Return the draw `name`: uniform below `m`, on a stream of its own."""
    return uniform(words(key, DRAW_SALT, digest + b"draw %b\n" % name.encode("ascii"), expect=8), m)


def check_draws(draws: Mapping[str, int], cards: int) -> dict[str, int]:
    """Check names and bounds; a series `name/0`, `name/1`, … has no gaps, `cut` is below `cards`."""
    if not isinstance(draws, (dict, Mapping)):
        raise InputError(
            f"{type_name(draws)} is not a list of draws",
            where="draws",
            expected="names with their bounds",
            remedy='pass a dict, such as {"dice/0": 6}',
        )
    checked = {}
    for name, m in draws.items():
        checked[check_id(name, "draw")] = m
        check_decimal(m, f"draw {name}", low=1, high=SPAN, remedy=BOUND)
        if name == "cut" and m != cards:
            raise InputError(f"cut below {m}", where="draw cut", expected=f"{cards}, the number of cards")
        _check_series(name, draws)
    return checked


def _check_series(name: str, draws: Mapping[str, int]) -> None:
    stem, slash, number = name.rpartition("/")
    if not slash or not number.isdecimal() or number == "0":
        return
    if number.startswith("0"):
        raise InputError(f"{name} has a leading zero", where=f"draw {name}", expected=f"{stem}/{int(number)}")
    before = f"{stem}/{int(number) - 1}"
    if before not in draws:
        raise InputError(f"{name} leaves a gap", where=f"draw {name}", expected=f"{before} as well")
