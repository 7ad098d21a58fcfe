"""Kinds of settings: what a text of the command line or the environment, or a value of a file, stands for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ..errors import InputError
from ..log.times import HOUR, SECOND
from ..protocol.text import parse_decimal

WINDOWS = {"s": SECOND, "m": 60 * SECOND, "h": HOUR}
UNLIMITED = "off"
EXPECTED = "off, or a number of requests for each second, minute or hour, such as 600/m"
_RATE = re.compile(r"([1-9][0-9]{0,8})/([smh])", re.ASCII)


class Rate(NamedTuple):
    """A bucket of `many` requests that fills again evenly in `window` microseconds. Nothing is counted where `many`
    is 0."""

    many: int
    window: int

    def __str__(self) -> str:
        unit = next((name for name, window in WINDOWS.items() if window == self.window), "s")
        return f"{self.many}/{unit}" if self.many else UNLIMITED

    def take(self, free_at: int, now: int) -> tuple[int, int]:
        """One request more out of a bucket that is full at the moment `free_at`: when it is full after that, and how
        many microseconds too early it comes (0: it may). The generic cell rate algorithm, in whole microseconds."""
        full = min(max(free_at, now), now + self.window) + self.window // self.many
        return full, max(0, full - now - self.window)


NONE = Rate(0, SECOND)


def rate_of(text: str) -> Rate:
    """Raises InputError."""
    if text == UNLIMITED:
        return NONE
    found = _RATE.fullmatch(text)
    if found is None:
        raise InputError(f"{text[:40]!r} is no rate", expected=EXPECTED)
    return Rate(int(found[1]), WINDOWS[found[2]])


EVERY_PAGE = "*"
_ORIGIN = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.ASCII)


def origin_of(text: str) -> str:
    """An origin, or `*` for all. Raises InputError."""
    if text != EVERY_PAGE and not _ORIGIN.fullmatch(text.lower()):
        raise InputError(f"{text[:60]!r} is no origin", expected="such as https://play.example, or *")
    return text.lower()


ON = {"on", "yes", "true", "1"}
OFF = {"off", "no", "false", "0"}


class Kind(Protocol):
    """Reads a value of its kind, and one that was read already. Raises InputError."""

    @property
    def metavar(self) -> str: ...

    def read(self, value: object) -> Any: ...


@dataclass(frozen=True)
class Text:
    metavar: str = "TEXT"

    def read(self, value: object) -> str:
        if not isinstance(value, str) or not value or not value.isprintable():
            raise _wrong(value, "text of at least one character")
        return value


@dataclass(frozen=True)
class Choice:
    choices: tuple[str, ...]

    @property
    def metavar(self) -> str:
        return "|".join(self.choices)

    def read(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.choices:
            raise _wrong(value, " or ".join(self.choices))
        return value


@dataclass(frozen=True)
class Texts:
    """Any number of texts without spaces in them; an option is repeated for it. `check` raises InputError."""

    metavar: str = "TEXT"
    check: Callable[[str], object] = str

    def read(self, value: object) -> tuple[str, ...]:
        parts = value.split() if isinstance(value, str) else value
        if not isinstance(parts, list | tuple) or not all(isinstance(part, str) and part for part in parts):
            raise _wrong(value, "a list of texts")
        for part in parts:
            self.check(part)
        return tuple(parts)


@dataclass(frozen=True)
class Whole:
    """An integer from `low` to `high`."""

    low: int
    high: int
    metavar: str = "N"

    def read(self, value: object) -> int:
        if isinstance(value, str):
            return parse_decimal(value, "", low=self.low, high=self.high)
        if type(value) is not int or not self.low <= value <= self.high:
            raise _wrong(value, f"an integer from {self.low} to {self.high}")
        return value


@dataclass(frozen=True)
class Flag:
    """`no`: whether there is an option `--no-…` too."""

    no: bool = True
    metavar: str = ""

    def read(self, value: object) -> bool:
        if isinstance(value, str) and value.lower() in ON | OFF:
            return value.lower() in ON
        if type(value) is not bool:
            raise _wrong(value, "true or false")
        return value


@dataclass(frozen=True)
class Place:
    """A file or a directory; None where the setting is left out and may be."""

    metavar: str = "FILE"
    folder: bool = False

    def read(self, value: object) -> Path | None:
        if value is None or isinstance(value, Path):
            return value
        if not isinstance(value, str) or not value or "\0" in value:
            raise _wrong(value, "a path")
        return Path(value)


@dataclass(frozen=True)
class Rates:
    """Requests in a second, a minute or an hour."""

    metavar: str = "N/m"

    def read(self, value: object) -> Rate:
        if isinstance(value, Rate):
            return value
        if not isinstance(value, str):
            raise _wrong(value, EXPECTED)
        return rate_of(value)


def _wrong(value: object, expected: str) -> InputError:
    return InputError(f"{str(value)[:40]!r} is not possible", expected=expected)
