"""Buy-ins that the house owes back: everybody who paid to sit in a round that the house got wrong (LO-07)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.engine.rules import RULES, Rules
from fairshoe.errors import LogError
from fairshoe.log.canonical import parse
from fairshoe.log.directory import read_lines

from .report import Report
from .shapes import KINDS, entry_faults


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


class _Played(NamedTuple):
    """A round of a table that refunds: its name, its shoe, and who had paid to sit in it."""

    name: str
    shoe: str
    payers: list[_BuyIn]


def refunds_owed(log: Path, report: Report) -> list[Refund]:
    """The refunds owed by a log whose audit gave `report`; each buy-in once, less what was refunded already.

    A round went wrong where it, or any entry about its shoe, has a finding by the house's fault.
    """
    findings = [f for f in report.findings if f.severity == "fail" and f.fault == "house"]
    wrong = {f.round for f in findings}
    wrong_entries = {f.entry for f in findings}
    paid: list[_BuyIn] = []
    played: list[_Played] = []
    for index, entry in _collect(log, paid, played):
        if index in wrong_entries:
            wrong.add(entry.get("shoe"))
    for name, shoe, payers in played:
        if name in wrong or shoe in wrong:
            for payer in payers:
                payer.rounds.append(name)
    return [
        Refund(b.chips["table"], b.chips["seat"], b.chips["player"], b.chips["amount"], b.entry, tuple(b.rounds))
        for b in paid
        if b.rounds and not b.refunded
    ]


def _collect(log: Path, paid: list[_BuyIn], played: list[_Played]) -> Iterable[tuple[int, dict[str, Any]]]:
    """Walk through the log, note buy-ins and rounds of tables that refund; gives every entry."""
    refunding: set[str] = set()
    seated: dict[tuple[str, int], _BuyIn] = {}
    for index, entry in _entries(log):
        kind = entry["kind"]
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
            table = entry["shoe"].rpartition("/")[0]
            if table in refunding:
                payers = [seated[table, bet["seat"]] for bet in entry["bets"] if (table, bet["seat"]) in seated]
                played.append(_Played(f"{table}#{entry['round']}", entry["shoe"], payers))
        yield index, entry


def _refunds(rules: str) -> bool:
    """Whether a rule set gives buy-ins back at all."""
    return rules in RULES and RULES[rules].refund is not Rules.refund


def _entries(log: Path) -> Iterable[tuple[int, dict[str, Any]]]:
    """The entries of a known kind that have their shape; what is wrong with the others, the audit says."""
    for index, line in enumerate(read_lines(log)):
        try:
            entry = parse(line.removesuffix(b"\n"))
            if entry.get("kind") in KINDS and not entry_faults(entry):
                yield index, entry
        except (LogError, TypeError):
            continue
