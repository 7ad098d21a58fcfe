"""What can go wrong between a client and a service."""

from __future__ import annotations

from typing import Any

from ..errors import FairshoeError

HOUSE = "house"
CALLER = "caller"


class Problem(FairshoeError):
    """The service refused with `status`; `body` is its problem (RFC 9457). Status 0: this client refused."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(f"{status}: {body.get('detail', body)}")
        self.status = status
        self.body = body
        self.fault = CALLER if 400 <= status < 500 else HOUSE


class Unreachable(FairshoeError, OSError):
    """No service answered, or what answered is none.

    `dropped`: the connection ended before the answer did, so that asking again may help.
    """

    fault = "machine"

    def __init__(
        self, what: str, *, where: str = "", expected: str = "", remedy: str = "", dropped: bool = False
    ) -> None:
        super().__init__(what, where=where, expected=expected, remedy=remedy)
        self.dropped = dropped
