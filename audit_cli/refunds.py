"""Buy-ins that the house owes back: everybody who paid to sit in a round that the house got wrong (LO-07)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.engine.rules import RULES, Rules
from fairshoe.log.directory import read_lines
from fairshoe.record.forms import table_of

from .report import Report


class Refund(NamedTuple):
    """One buy-in owed back: to whom, for which buy-in (its entry), and the rounds that went wrong."""

    table: str
    seat: int
    player: str
    amount: int
    entry: int
    rounds: tuple[str, ...]


class _BuyIn:
    """A payment into the present game of a table."""

    def __init__(self, entry: int, chips: dict[str, Any]) -> None:
        self.entry = entry
        self.chips = chips
        self.refunded = False
        self.rounds: list[str] = []


def refunds_owed(log: Path, report: Report) -> list[Refund]:
    """The refunds owed by a log whose audit gave `report`; each buy-in once, less what was refunded already."""
    wrong = {f.round for f in report.findings if f.severity == "fail" and f.fault == "house" and f.round}
    refunding: set[str] = set()
    seated: dict[tuple[str, int], _BuyIn] = {}
    paid: list[_BuyIn] = []
    for index, entry in _entries(log):
        kind = entry.get("kind")
        if kind == "table" and _refunds(entry["rules"]):
            refunding.add(entry["table"])
        elif kind == "chips" and entry["table"] in refunding:
            seat = entry["table"], entry["seat"]
            if entry["op"] == "buy-in":
                seated[seat] = _BuyIn(index, entry)
                paid.append(seated[seat])
            elif entry["op"] == "refund" and seat in seated:
                seated[seat].refunded = True
        elif kind == "open":
            table = table_of(entry["shoe"])[0]
            name = f"{table}#{entry['round']}"
            if table in refunding and name in wrong:
                for bet in entry["bets"]:
                    if (table, bet["seat"]) in seated:
                        seated[table, bet["seat"]].rounds.append(name)
    return [
        Refund(b.chips["table"], b.chips["seat"], b.chips["player"], b.chips["amount"], b.entry, tuple(b.rounds))
        for b in paid
        if b.rounds and not b.refunded
    ]


def _refunds(rules: str) -> bool:
    """Whether a rule set gives buy-ins back at all."""
    return rules in RULES and RULES[rules].refund is not Rules.refund


def _entries(log: Path) -> Iterable[tuple[int, dict[str, Any]]]:
    """The entries that parse and have the fields used here; what else is wrong with the others, the audit says."""
    needed = {
        "table": ("table", "rules"),
        "chips": ("table", "seat", "op", "player", "amount"),
        "open": ("shoe", "round", "bets"),
    }
    for index, line in enumerate(read_lines(log)):
        try:
            entry = json.loads(line)
            if all(name in entry for name in needed.get(entry.get("kind"), ("kind",))):
                yield index, entry
        except (ValueError, AttributeError, TypeError):
            continue
