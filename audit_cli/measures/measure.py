"""What every measure is: something that is told of rounds and can be added to another of its kind."""

from __future__ import annotations

from typing import Protocol, Self

from .seen import Round


class Measure(Protocol):
    """Counts rounds; `merge` adds what another counted of later rounds, at the same tables or at others."""

    def round(self, seen: Round) -> None: ...

    def merge(self, later: Self) -> None: ...
