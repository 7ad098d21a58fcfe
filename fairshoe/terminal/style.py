"""What may be written to a terminal: no character that steers it, and colour only where it is wanted."""

from __future__ import annotations

import json
import os
import re
from typing import Any, TextIO

_PLAIN = re.compile(r"[ -~\n]*")


def printable(line: str) -> str:
    """A line without what could steer a terminal or break the report: such characters are escaped."""
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def json_text(content: Any, indent: int | None = None) -> str:
    """`content` as JSON, in which whatever could steer a terminal stands as an escape: the value is the same."""
    text = json.dumps(content, indent=indent, ensure_ascii=False)
    if _PLAIN.fullmatch(text):
        return text
    return "".join(c if c == "\n" or c.isprintable() else json.dumps(c)[1:-1] for c in text)


def steers(stream: TextIO | None) -> bool:
    """Whether the stream is a terminal that understands escape sequences."""
    return stream is not None and stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def colourful(stream: TextIO | None) -> bool:
    """Whether to write in colour: on such a terminal, unless NO_COLOR is set (no-color.org)."""
    return steers(stream) and not os.environ.get("NO_COLOR")
