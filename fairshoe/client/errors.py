"""Errors between a client and a service."""

from __future__ import annotations

import json
from typing import Any

from ..connection import TRY_AGAIN
from ..errors import FairshoeError, VerificationError

Form = dict[str, Any]
"""A JSON object, as the API gives and takes it."""
HOUSE = "house"
CALLER = "caller"
NO_SERVICE = "check that this is the address of a fairshoe service, with the path that stands before /v1"
STOP_AND_KEEP = "stop playing, and keep what you have"
MAX_SAID = 80
"""Characters that are told of an answer that is another site's."""


class Problem(FairshoeError):
    """The service refused with `status`, 0: this client did; `body`: its problem (RFC 9457); `retry_after`: seconds."""

    def __init__(self, status: int, body: Form, retry_after: float | None = None) -> None:
        errors = body.get("errors")
        each = [one for one in errors if isinstance(one, dict)] if isinstance(errors, list) else []
        wrong = "; ".join(f"{one.get('field')}: {one.get('what')}" for one in each)
        super().__init__(f"{status}: {body.get('detail', body)}" + (f" ({wrong})" if wrong else ""))
        self.status, self.body, self.retry_after = status, body, retry_after
        self.fault = CALLER if 400 <= status < 500 else HOUSE

    @property
    def already_claimed(self) -> bool:
        """Whether the hash or commitment that was sent was used before in the log."""
        return str(self.body.get("type", "")).endswith("#already-claimed")


def read_problem(status: int, data: bytes, retry_after: float | None) -> Problem:
    """Return the problem that a refusing answer tells; without `detail`, such as another site's page, its beginning."""
    try:
        body = json.loads(data)
    except ValueError:
        body = None
    form = body if isinstance(body, dict) else {}
    if isinstance(form.get("detail"), str):
        return Problem(status, form, retry_after)
    said = " ".join(data.decode(errors="replace").split())[:MAX_SAID]
    problem = Problem(status, form | {"detail": said or "the answer is empty"}, retry_after)
    problem.remedy = NO_SERVICE if problem.fault == CALLER else TRY_AGAIN
    return problem


class NotTheHouses(VerificationError):
    """The house did not sign what came: another site may have answered, or somebody on the way."""

    fault = "unknown"


class WrongReceipt(VerificationError):
    """The house gave no receipt, or a false one, kept in `note`; `seat`: the Seat, if its chair was just taken."""

    fault = HOUSE
    seat: Any = None

    def __init__(self, what: str, note: str, *, expected: str = "") -> None:
        super().__init__(what, where="receipt", expected=expected, remedy=STOP_AND_KEEP)
        self.note = note


class WrongPlaces(VerificationError):
    """At a table with a placer the house shows what placer, seat or signed log contradict. `evidence`: a file."""

    fault = "unknown"

    def __init__(self, what: str, *, expected: str = "", evidence: str = "") -> None:
        kept = f"{STOP_AND_KEEP}: {evidence}, which `fairshoe-audit placed` judges" if evidence else STOP_AND_KEEP
        super().__init__(what, where="placer", expected=expected, remedy=kept)


class SeedKept(VerificationError):
    """The house asks for a seed, and its signed log does not say that it may be opened. Nothing was sent."""

    fault = HOUSE

    def __init__(self, what: str) -> None:
        super().__init__(f"the seed stays closed: {what}", where="signed log", remedy=STOP_AND_KEEP)


class PlacesKept(VerificationError):
    """The house asks for places, and what it signed does not say that they may be known: none was given."""

    fault = HOUSE

    def __init__(self, what: str) -> None:
        super().__init__(f"no place is given: {what}", where="question", remedy=STOP_AND_KEEP)


class SeedRefused(Problem):
    """The house heard a seed that its signed log waits for, and says that it does not take it."""

    def __init__(self, refusal: Problem) -> None:
        super().__init__(refusal.status, refusal.body, refusal.retry_after)
        self.fault = HOUSE
        self.remedy = "the house knows the seed now: look whether the log has it, or a `lapse` or `void` instead"
