"""Changes of a file's bytes, whatever the file is."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Callable

STEERING = (
    "\x1b[2J\x1b[H",
    "\x1b]0;owned\x07",
    "\x9b31m",
    "\x85",
    "\x00",
    "\x7f",
    "\r",
    "\t",
    "\b" * 8,
    "\u202e",
    "\u2066",
    "\u2028",
    "\u2029",
    "\u200f",
    "\ufeff",
    "\n",
)
"""What moves a terminal's cursor, or turns a line around."""
NUMBERS = (
    b"9007199254740992",
    b"-9007199254740992",
    b"18446744073709551616",
    b"1e999",
    b"-0",
    b"00",
    b"1.0",
    b"NaN",
    b"Infinity",
    b"-1",
    b"0",
    b"1" * 5000,
    "٣".encode(),
)
NUMBER = re.compile(rb"(?<![\w.\"])-?[0-9]+(?![\w.\"])")

Change = Callable[[bytes, bytes, random.Random], bytes]


def flip(data: bytes, other: bytes, source: random.Random) -> bytes:
    at = source.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << source.randrange(8))]) + data[at + 1 :]


def put(data: bytes, other: bytes, source: random.Random) -> bytes:
    at = source.randrange(len(data))
    return data[:at] + source.randbytes(1) + data[at + 1 :]


def digit(data: bytes, other: bytes, source: random.Random) -> bytes:
    """One digit or letter for another."""
    places = [m.start() for m in re.finditer(rb"[0-9a-z]", data)]
    if not places:
        return put(data, other, source)
    at = source.choice(places)
    return data[:at] + bytes([source.choice(b"0123456789abcdef")]) + data[at + 1 :]


def insert(data: bytes, other: bytes, source: random.Random) -> bytes:
    at = source.randrange(len(data) + 1)
    return data[:at] + source.randbytes(source.choice((1, 1, 2, 40))) + data[at:]


def delete(data: bytes, other: bytes, source: random.Random) -> bytes:
    at = source.randrange(len(data))
    return data[:at] + data[at + source.choice((1, 1, 2, 5, 100)) :]


def double(data: bytes, other: bytes, source: random.Random) -> bytes:
    start, end = sorted((source.randrange(len(data)), source.randrange(len(data) + 1)))
    end = min(end, start + 5000)
    return data[:end] + data[start:end] + data[end:]


def splice(data: bytes, other: bytes, source: random.Random) -> bytes:
    """A piece of another file in place of one of this."""
    at, size, start = source.randrange(len(data)), source.choice((1, 4, 30, 400)), source.randrange(len(other))
    return data[:at] + other[start : start + size] + data[at + size :]


def truncate(data: bytes, other: bytes, source: random.Random) -> bytes:
    return data[: source.choice((source.randrange(len(data)), len(data) - 1, 1, 0))]


def join(data: bytes, other: bytes, source: random.Random) -> bytes:
    return source.choice((data + other, other + data, data + data))


def crlf(data: bytes, other: bytes, source: random.Random) -> bytes:
    return data.replace(b"\n", source.choice((b"\r\n", b"\r", b"\r\r\n", b"\n\n")))


def one_crlf(data: bytes, other: bytes, source: random.Random) -> bytes:
    places = [m.start() for m in re.finditer(b"\n", data)]
    return insert(data, other, source) if not places else data[: (at := source.choice(places))] + b"\r" + data[at:]


def bom(data: bytes, other: bytes, source: random.Random) -> bytes:
    return b"\xef\xbb\xbf" + data


def zipped(data: bytes, other: bytes, source: random.Random) -> bytes:
    return gzip.compress(data, 1, mtime=0)


def utf16(data: bytes, other: bytes, source: random.Random) -> bytes:
    return data.decode(errors="replace").encode(source.choice(("utf-16", "utf-16-le", "utf-32")))


def latin(data: bytes, other: bytes, source: random.Random) -> bytes:
    """Read as another encoding and written back, as an editor does."""
    return data.decode("latin-1").encode()


def surrogate(data: bytes, other: bytes, source: random.Random) -> bytes:
    return within_text(data, source.choice((b"\xed\xa0\x80", rb"\ud800", b"\xff", b"\xc0\x80")), source)


def steer(data: bytes, other: bytes, source: random.Random) -> bytes:
    """What steers a terminal, as it is or as JSON escapes it."""
    text = source.choice(STEERING)
    escaped = "".join(f"\\u{ord(character):04x}" for character in text)
    return within_text(data, source.choice((text, escaped)).encode(), source)


def within_text(data: bytes, piece: bytes, source: random.Random) -> bytes:
    """A piece put behind a quotation mark, where strings begin and end."""
    places = [m.end() for m in re.finditer(b'"', data)] or [source.randrange(len(data) + 1)]
    at = source.choice(places)
    return data[:at] + piece + data[at:]


def number(data: bytes, other: bytes, source: random.Random) -> bytes:
    places = list(NUMBER.finditer(data))
    if not places:
        return put(data, other, source)
    found = source.choice(places)
    return data[: found.start()] + source.choice(NUMBERS) + data[found.end() :]


def nest(data: bytes, other: bytes, source: random.Random) -> bytes:
    places = [m.end() for m in re.finditer(rb"[:\[,]", data)] or [0]
    at, depth = source.choice(places), source.choice((1, 50, 900, 20_000))
    open_, close = source.choice(((b"[", b"]"), (b'{"a":', b"}")))
    return data[:at] + open_ * depth + source.choice((b"", b"1" + close * depth)) + data[at:]


def long_line(data: bytes, other: bytes, source: random.Random) -> bytes:
    return within_text(data, b"x" * source.choice((64, 70, 70_000)), source)


def space(data: bytes, other: bytes, source: random.Random) -> bytes:
    places = [m.end() for m in re.finditer(rb"[:,\[{]", data)] or [0]
    at = source.choice(places)
    return data[:at] + source.choice((b" ", b"\t", b"\x0b", b"\xc2\xa0")) + data[at:]


def nothing(data: bytes, other: bytes, source: random.Random) -> bytes:
    return source.choice((b"", b"\n", b"\x00" * 100, b"{}\n", b"[]\n", b"null\n", b"<!DOCTYPE html>\n"))


COMMON: tuple[Change, ...] = (flip, put, digit, digit, insert, delete, double, splice, steer, steer, number, number)
RARE: tuple[Change, ...] = (
    *(truncate, join, crlf, one_crlf, bom, zipped, utf16, latin, surrogate, nest, long_line, space, nothing),
)


def changed(data: bytes, other: bytes, source: random.Random) -> tuple[str, bytes]:
    """The name of a change and the bytes after it, which may happen to be the same."""
    change = source.choice(COMMON if source.random() < 0.6 else RARE)
    return change.__name__, change(data or b"\n", other or b"\n", source)
