"""A shoe without a table: when its next step is due, why it may be void. Beside it stands no book.

`started` is the service's last start: limits that run begin anew.
"""

from __future__ import annotations

from ..log.times import SECOND, microseconds
from .book import Shoe
from .contributing import only_strikes, openers


def due_alone(shoe: Shoe) -> int:
    """By when something must follow: at the latest the shoe's age. A start begins limits anew, but excuses no delay."""
    policy = shoe.policy
    if shoe.sealed:
        return microseconds(shoe.sealed) + policy.shoe * SECOND
    if shoe.opening:
        return microseconds(shoe.asked) + policy.seed * SECOND
    return microseconds(shoe.at) + policy.shoe * SECOND


def may_void_alone(shoe: Shoe, started: str, why: str, by: str | None, now: int) -> bool:
    """Whether an unsealed shoe may be void: a seed was not opened, no hash came, or the shoe is too old."""
    if shoe.sealed:
        return False
    if why == "seed":
        waited = not only_strikes(None, shoe) and openers(None, shoe)[:1] == [by]
        return waited and now >= microseconds(max(shoe.asked, started)) + shoe.policy.seed * SECOND
    if shoe.opening or by is not None:
        return False
    if why == "idle":
        return now >= microseconds(max(shoe.at, started)) + shoe.policy.hash * SECOND
    return why == "age" and now >= microseconds(shoe.at) + shoe.policy.shoe * SECOND
