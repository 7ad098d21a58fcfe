"""Rounds, all or those of a player: a line each for people, an object each for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...verify.findings.report import Report
from ...verify.findings.wording import count_text
from ..outcome import Outcome, decisive_findings, doubts_log, evidence, pass_outcome, so_far
from .story import name_player
from .watcher import HandWatcher, OpenedRound

OK, FAIL, OPEN, UNSURE, UNDEALT = "ok", "fail", "cards not checked", "cannot say", "not dealt"


class Listing:
    """The rounds that were found, each with its verdict."""

    def __init__(self, watcher: HandWatcher, report: Report) -> None:
        self.watcher = watcher
        self.report = report
        found = decisive_findings(report.findings)
        self._outside = sum(map(doubts_log, found))
        self._rounds = {(finding.table, finding.round) for finding in found if finding.round is not None}
        self._shoes = {finding.shoe for finding in found if finding.shoe is not None and finding.round is None}
        self._entries = {finding.entry for finding in found}
        self._unread: dict[str | None, int] = {}
        for each in reversed(watcher.unread):
            if each.table is not None or each.shoe is None:
                self._unread[each.table] = each.entry
        self._astray: dict[str, int] = {}
        self.rows = [(row, self._verdict(row)) for row in watcher.rows]

    def _verdict(self, row: OpenedRound) -> str:
        first = min((self._unread[name] for name in (None, row.table) if name in self._unread), default=None)
        if first is not None and (row.line is None or not row.end_kind or first < row.line):
            return UNSURE
        if (row.table, row.number) in self._rounds or row.shoe_id in self._shoes:
            return FAIL
        if not self._entries.isdisjoint((row.opened_line, row.line)):
            return FAIL
        if row.how == "void":
            return UNDEALT
        if row.how not in ("round", ""):
            return FAIL
        if row.end_kind == "reveal":
            return OK
        return UNSURE if self._last_astray(row.table) > row.opened_line else OPEN

    def _last_astray(self, table: str) -> int:
        """Return the last entry after which something about a table may be missing; -1 where none is."""
        if table not in self._astray:
            found = self.watcher.gap_findings(self.report.findings, table)
            self._astray[table] = max((finding.entry or 0 for finding in found), default=-1)
        return self._astray[table]

    @property
    def outcome(self) -> Outcome:
        counts = Counter(verdict for _, verdict in self.rows)
        parts = [f"{counts[verdict]:,} {verdict}" for verdict in (OK, FAIL, OPEN, UNSURE, UNDEALT) if counts[verdict]]
        told = f"{count_text(len(self.rows), 'round')}" + (f": {', '.join(parts)}" if parts else " found")
        if self.watcher.unread:
            missing = f"entry {self.watcher.unread[0].entry} could not be read, so that rounds may be missing"
            return Outcome("CANNOT SAY", f"{told}; {missing}", False)
        astray = self.watcher.gap_findings(self.report.findings, None)
        if astray:
            missing = f"at entry {astray[0].entry} something is missing or in the wrong place, perhaps rounds too"
            return Outcome("CANNOT SAY", f"{told}; {missing}", False)
        outside = "; the log is not the one that was signed, or not as it was" if self._outside else ""
        if not self.rows:
            whose = "" if self.watcher.player is None else f" of {self.watcher.player}"
            log = f"this log, which is from {self.report.log.first} to {self.report.log.last}"
            return Outcome("CANNOT SAY", f"no round{whose} stands in {log}{outside}", False)
        if counts[FAIL] or self._outside:
            return Outcome("FAIL", told + outside)
        return so_far(told, self.report) if counts[OPEN] else pass_outcome(told, self.report)

    @property
    def text(self) -> str:
        """The outcome in the first line and the last; ends with a LF."""
        lines = ["", *self._lines(), *evidence(self.report)]
        if self.rows:
            lines.append("`fairshoe-audit hand LOG --round ID` tells one of them.")
        return self.outcome.around(lines)

    def _lines(self) -> Iterator[str]:
        rows = list(self._forms())
        wide = max((len(row["round"]) for row in rows), default=0)
        for row in rows:
            when = f"{row['opened'][:10]} {row['opened'][11:19]}Z"
            nets = "; ".join(map(_net, row["players"]))
            yield f"{row['round']:<{min(wide, 40)}}  {when}  {row['verdict']:<17}  {nets}"
        if rows:
            yield ""

    @property
    def form(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {**self.outcome.form, "rounds": list(self._forms())}

    def _forms(self) -> Iterator[dict[str, Any]]:
        for row, verdict in self.rows:
            yield {
                "round": row.name,
                "shoe": row.shoe_id,
                "opened": row.opened_at,
                "at": row.at or None,
                "entry": row.line,
                "verdict": verdict,
                "players": list(self._players(row)),
            }

    def _players(self, row: OpenedRound) -> Iterator[dict[str, Any]]:
        """Bet over all boxes and net, of the player who is asked for or of everybody."""
        bets: dict[tuple[int, str], int] = {}
        for seat, player, amount in row.stakes:
            bets[seat, player] = bets.get((seat, player), 0) + amount
        for (seat, player), amount in bets.items():
            if self.watcher.player is None or self.watcher.is_called(row.table, player):
                name = self.watcher.names.get((row.table, player))
                yield {"seat": seat, "player": player, "name": name, "bet": amount, "net": row.nets.get(seat)}


def _net(each: dict[str, Any]) -> str:
    name = name_player(each["player"], each["name"]) if each["player"] else f"seat {each['seat']}"
    return f"{name} bets {each['bet']:,}" + ("" if each["net"] is None else f", net {each['net']:+,}")
