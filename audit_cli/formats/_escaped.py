"""JSON without characters that steer a terminal or that no UTF-8 can hold."""

from __future__ import annotations

from typing import Any

from fairshoe.terminal.style import json_text

from ..findings.wording import shallow


def escaped_json(content: Any, indent: int | None = None) -> str:
    """The JSON text of `content`, in which whatever cannot be printed stands as an escape."""
    return json_text(shallow(content), indent)
