"""What a caller is told whose command is not allowed now."""

from __future__ import annotations

from typing import Any

from ...errors import RuleError


class Refused(RuleError):
    """Well-formed, but not at this point of the ceremony. `more` goes into the answer as it is."""

    def __init__(self, what: str, *, where: str = "", expected: str = "", remedy: str = "", **more: Any) -> None:
        super().__init__(what, where=where, expected=expected, remedy=remedy)
        self.more = more
