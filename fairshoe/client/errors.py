"""What can go wrong between a client and a service."""

from __future__ import annotations

from typing import Any

from ..errors import FairshoeError, VerificationError

HOUSE = "house"
CALLER = "caller"


class Problem(FairshoeError):
    """The service refused with `status`; `body` is its problem (RFC 9457). Status 0: this client refused.

    `retry_after`: the seconds after which the service wants to be asked again, if it says so.
    """

    def __init__(self, status: int, body: dict[str, Any], retry_after: float | None = None) -> None:
        wrong = "; ".join(f"{each.get('field')}: {each.get('what')}" for each in body.get("errors", ()))
        super().__init__(f"{status}: {body.get('detail', body)}" + (f" ({wrong})" if wrong else ""))
        self.status = status
        self.body = body
        self.retry_after = retry_after
        self.fault = CALLER if 400 <= status < 500 else HOUSE


class Unreachable(FairshoeError, OSError):
    """No service answered, or what answered is none.

    `dropped`: the connection ended before the answer did; `late`: no answer came in time; `unsent`: nobody listened.
    Where one of them holds asking again may help.
    """

    fault = "machine"

    def __init__(
        self,
        what: str,
        *,
        where: str = "",
        expected: str = "",
        remedy: str = "",
        dropped: bool = False,
        late: bool = False,
        unsent: bool = False,
    ) -> None:
        super().__init__(what, where=where, expected=expected, remedy=remedy)
        self.dropped = dropped
        self.late = late
        self.unsent = unsent


class SeedKept(VerificationError):
    """The house asks for a seed, and its signed log does not say that it may be opened. Nothing was sent."""

    fault = HOUSE

    def __init__(self, what: str) -> None:
        remedy = "stop playing, and keep what you have"
        super().__init__(f"the seed stays closed: {what}", where="signed log", remedy=remedy)


class Overtaken(Problem):
    """The table went on before a seed was sent: look at it again. Nothing was sent."""

    def __init__(self, what: str) -> None:
        super().__init__(409, {"detail": f"the table has gone on, and the seed stays closed: {what}"})


class SeedRefused(Problem):
    """The house heard a seed that its signed log waits for, and says that it does not take it."""

    def __init__(self, refusal: Problem) -> None:
        super().__init__(refusal.status, refusal.body, refusal.retry_after)
        self.fault = HOUSE
        self.remedy = "the house knows the seed now: look whether the log has it, or a `lapse` or `void` instead"
