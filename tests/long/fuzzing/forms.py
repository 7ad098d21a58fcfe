"""What a case is: changed files, and the command lines that read them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple


class Run(NamedTuple):
    """A command line. `form`: how its output reads; `not_zero`: why its exit code must not be 0; `exactly`: what it
    must be; `output`: the file that it writes instead of standard output."""

    words: tuple[str, ...]
    form: str = "text"
    not_zero: str = ""
    exactly: int | None = None
    stdin: bytes | None = None
    output: str = ""


class Case(NamedTuple):
    """What was done, the files as they are then, the commands that read them."""

    name: str
    files: Mapping[str, bytes]
    runs: list[Run]


def json_or_text(source: random.Random) -> str:
    return source.choice(("text", "json"))


def text_of(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)
