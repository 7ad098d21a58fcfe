"""JSON values from a log, which may be nested as deeply as a line is long."""

from __future__ import annotations

from typing import Any

DEEPEST = 24
"""No honest entry, and no report, is nested deeper."""
DEEPER = "nested too deeply"


def shallow(content: Any, levels: int = DEEPEST) -> Any:
    """The value, with a text in place of what is nested deeper than so many levels."""
    if type(content) not in (dict, list):
        return content
    if not levels:
        return DEEPER
    if type(content) is dict:
        return {name: shallow(part, levels - 1) for name, part in content.items()}
    return [shallow(part, levels - 1) for part in content]
