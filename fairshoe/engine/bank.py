"""The bank between rounds: the same fold as a round's, over who holds the bank next."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import IllegalDecision
from .moves import Ask, Decision
from .rules.base import BankMove
from .table import Table


class Between:
    """Who banks next. `ask` is the open choice, None when settled; then `result` holds."""

    def __init__(self, table: Table) -> None:
        self.before = table
        self.decisions: list[Decision] = []
        self.result = BankMove(table, "")
        self.ask: Ask | None = None
        self._steps = table.rules.between(table)
        self._advance(None)

    def decide(self, decision: Decision) -> None:
        """Apply one decision; IllegalDecision leaves everything unchanged."""
        if self.ask is None:
            raise IllegalDecision("the bank is settled", where="decision", expected="no decision")
        self.ask.check(decision)
        self.decisions.append(decision)
        self._advance(decision)

    def _advance(self, decision: Decision | None) -> None:
        try:
            self.ask = next(self._steps) if decision is None else self._steps.send(decision)
        except StopIteration as stop:
            self.ask = None
            self.result = stop.value


def settle_bank(table: Table, decisions: Iterable[Decision] = ()) -> Between:
    """Replay logged decisions about the bank. Raises IllegalDecision."""
    between = Between(table)
    for decision in decisions:
        between.decide(decision)
    return between
