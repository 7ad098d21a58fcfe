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
    """One buy-in owed back: to whom, for which buy-in (its entry), and the rounds (TABLE#NUMBER) that went wrong."""

    table: str
    seat: int
    player: str
    amount: int
    entry: int
    rounds: tuple[str, ...]


class _BuyIn:
    """A payment into a game of a table; which game, its next commitment says."""

    def __init__(self, entry: int, chips: dict[str, Any]) -> None:
        self.entry = entry
        self.chips = chips
        self.game = 0
        self.refunded = False
        self.rounds: list[str] = []


class _Played(NamedTuple):
    """A round of a table that refunds: its name, its shoe, and who had paid to sit in it."""

    name: str
    shoe: str
    payers: list[_BuyIn]


class _Payments:
    """What a log says of payments into games, entry by entry."""

    def __init__(self) -> None:
        self.paid: list[_BuyIn] = []
        self.played: list[_Played] = []
        self._seated: dict[tuple[str, int], _BuyIn] = {}
        self._fresh: dict[str, list[_BuyIn]] = {}
        self._games: dict[tuple[str, int, int, str], _BuyIn] = {}

    def take(self, index: int, entry: dict[str, Any]) -> None:
        kind = entry["kind"]
        if kind == "table" and _refunds(entry["rules"]):
            self._fresh[entry["table"]] = []
        elif kind == "chips" and entry["table"] in self._fresh:
            self._chips(index, entry)
        elif kind == "shoe":
            self._committed(entry["shoe"].rpartition("/")[0], entry.get("memory", {}).get("game", 0))
        elif kind == "open":
            table = entry["shoe"].rpartition("/")[0]
            if table in self._fresh:
                seats = {bet["seat"] for bet in entry["bets"]}
                payers = [self._seated[table, seat] for seat in sorted(seats) if (table, seat) in self._seated]
                self.played.append(_Played(f"{table}#{entry['round']}", entry["shoe"], payers))

    def _chips(self, index: int, entry: dict[str, Any]) -> None:
        table, seat, player = entry["table"], entry["seat"], entry["player"]
        if entry["op"] == "buy-in":
            new = self._seated[table, seat] = _BuyIn(index, entry)
            self.paid.append(new)
            self._fresh[table].append(new)
        elif entry["op"] == "refund":
            known = self._games.get((table, entry.get("game", 0), seat, player))
            fresh = (each for each in self._fresh[table] if not each.refunded)
            same = (each for each in fresh if (each.chips["seat"], each.chips["player"]) == (seat, player))
            back = known or next(same, None)
            if back is not None:
                back.refunded = True

    def _committed(self, table: str, game: int) -> None:
        """Whoever has paid since the last commitment has paid for the game that this one is for."""
        for paid in self._fresh.get(table, ()):
            self._games[table, game, paid.chips["seat"], paid.chips["player"]] = paid
        if table in self._fresh:
            self._fresh[table] = []


def refunds_owed(log: Path, report: Report) -> list[Refund]:
    """The refunds owed by a log whose audit gave `report`; each buy-in once, less what was refunded already.

    A round went wrong where it, or any entry about its shoe, has a finding by the house's fault.
    """
    findings = [f for f in report.findings if f.severity == "fail" and f.fault == "house"]
    wrong = {f.shoe for f in findings}
    wrong_entries = {f.entry for f in findings}
    payments = _Payments()
    for index, entry in _entries(log):
        payments.take(index, entry)
        if index in wrong_entries:
            wrong.add(entry.get("shoe"))
    for name, shoe, payers in payments.played:
        if shoe in wrong:
            for payer in payers:
                payer.rounds.append(name)
    return [
        Refund(b.chips["table"], b.chips["seat"], b.chips["player"], b.chips["amount"], b.entry, tuple(b.rounds))
        for b in payments.paid
        if b.rounds and not b.refunded
    ]


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
