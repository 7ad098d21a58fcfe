"""A table's time limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...errors import InputError

LONGEST = 30 * 86_400


class Policy(NamedTuple):
    """Seconds: to send a hash, a seed, a cut; from the first bet to the deal; for a decision; of a shoe's life."""

    hash: int = 30
    seed: int = 30
    cut: int = 30
    bet: int = 60
    decision: int = 30
    shoe: int = 86_400


def policy_of(limits: Mapping[str, int]) -> Policy:
    """A policy with some limits given, the rest at their defaults. Raises InputError."""
    for name, seconds in limits.items():
        if name not in Policy._fields:
            raise InputError(f"no time limit {name!r}", where=f"policy.{name}", expected=", ".join(Policy._fields))
        if type(seconds) is not int or not 1 <= seconds <= LONGEST:
            raise InputError("not a time limit", where=f"policy.{name}", expected=f"1 to {LONGEST} seconds")
    return Policy(**limits)
