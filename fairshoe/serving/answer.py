"""An answer as HTTP has it."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import NamedTuple

Headers = list[tuple[bytes, bytes]]


class Answer(NamedTuple):
    """Status, headers with lower-case names, and a body in parts. `problem` names why it is a refusal."""

    status: int
    headers: Headers
    parts: Iterable[bytes]
    problem: str = ""


def whole(answer: Answer) -> bytes:
    """All of an answer in one piece, for a connection that ends with it."""
    lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}".encode()]
    lines += [name + b": " + value for name, value in answer.headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + b"".join(answer.parts)
