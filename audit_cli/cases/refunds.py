"""Buy-ins that the house owes back: everybody who paid to sit in a round that the house got wrong (LO-07)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.ceremony.book import GameBuyIn, OpenRound
from fairshoe.engine.rules import Rules

from ..verify.findings.finding import Finding
from ..verify.findings.report import Report
from ..verify.findings.wording import count_text
from ..verify.run import verify
from ..verify.walk.audit import Audit
from ..verify.walk.state import AuditedShoe, AuditedTable
from ..verify.walk.watcher import LEAVES_OUT, Watcher, table_of_finding
from .hand.story import name_player
from .outcome import (
    EVIDENCE,
    Outcome,
    decisive_findings,
    describe_findings,
    describe_unchecked,
    doubts_log,
    evidence,
    pass_outcome,
    so_far,
)

MAX_TOLD = 8
"""How many reasons and rounds are told one by one."""


class RefundOwed(NamedTuple):
    """One buy-in owed back: to whom, for which buy-in (its entry), and the rounds (TABLE#NUMBER) that went wrong."""

    table: str
    seat: int
    player: str
    amount: int
    entry: int
    rounds: tuple[str, ...]


class _Payment(NamedTuple):
    """A payment into a game that the audit accepted."""

    table: str
    amount: int
    entry: int
    buy_in: GameBuyIn


class _PlayedRound(NamedTuple):
    """A round of a table that refunds: its entry, its shoe, and who had paid to sit in it."""

    name: str
    entry: int
    shoe: str
    payers: list[_Payment]


class Payments(Watcher):
    """Payments into games and the rounds that they were for, by the audit's books."""

    def __init__(self) -> None:
        super().__init__()
        self.payments: list[_Payment] = []
        self.played: list[_PlayedRound] = []
        self.unpaid: list[tuple[int, str]] = []
        self.names: dict[tuple[str, str], str] = {}
        self._payments: dict[int, _Payment] = {}
        self._open_round: OpenRound | None = None

    def before_entry(self, audit: Audit, shoe: AuditedShoe | None) -> None:
        self._open_round = None if shoe is None or shoe.book is None else shoe.book.open_round

    def after_entry(self, audit: Audit, shoe: AuditedShoe | None, line: bytes) -> None:
        entry = audit.entry
        if audit.followed and entry is not None and entry["kind"] == "chips":
            state = audit.tables.get(entry["table"])
            if state is not None and _refunds(state):
                self._chips(audit, state, entry)
        if shoe is not None and shoe.table is not None and _refunds(shoe.table):
            opened = shoe.table.book.open_round
            if opened is not None and opened is not self._open_round:
                self._open(audit, shoe.table, shoe, opened)

    def _chips(self, audit: Audit, state: AuditedTable, entry: dict[str, Any]) -> None:
        """A buy-in that the audit's own books have as one."""
        if "name" in entry:
            self.names[entry["table"], entry["player"]] = entry["name"]
        paid = next(iter(state.book.buy_ins[-1:]), None)
        if entry["op"] == "buy-in" and paid is not None and id(paid) not in self._payments:
            payment = self._payments[id(paid)] = _Payment(state.id, entry["amount"], audit.index, paid)
            self.payments.append(payment)

    def _open(self, audit: Audit, state: AuditedTable, shoe: AuditedShoe, opened: OpenRound) -> None:
        """Bets stand: who sits in the round has paid for it."""
        table, name = state.book.table, f"{state.id}#{opened.number}"
        game, payers = table.memory.get("game", 0), []
        for seat in dict.fromkeys(bet.seat for bet in opened.betting.bets):
            payer = game, seat, table.players.get(seat)
            buy_ins = reversed(state.book.buy_ins)
            paid = next((each for each in buy_ins if (each.game, each.seat, each.player) == payer), None)
            payment = self._payments.get(id(paid))
            if payment is None:
                self.unpaid.append((audit.index, f"nobody is known to have paid for seat {seat} in round {name}"))
            else:
                payers.append(payment)
        self.played.append(_PlayedRound(name, audit.index, shoe.id, payers))


def _refunds(state: AuditedTable) -> bool:
    """Whether a table's rules give buy-ins back at all."""
    return type(state.book.rules).refund is not Rules.refund


class Refunds:
    """The debts of a log's house; `refunded` is what it owed and has paid back, `doubts` are the reasons why more may
    be owed than `owed` says."""

    def __init__(self, payments: Payments, report: Report) -> None:
        self.report = report
        self.payments = payments
        audit = payments.audit
        tables = {} if audit is None else audit.tables
        self.tables = [name for name, state in tables.items() if _refunds(state)]
        self._among = frozenset(self.tables)
        shoes = [] if audit is None else list(audit.shoes.values())
        self.open = sorted(shoe.id for shoe in shoes if shoe.table is not None and _refunds(shoe.table))
        self._shoes = {played.shoe for played in payments.played}
        due = list(self._due(self._wrong()))
        self.owed = [refund for refund, is_refunded in due if not is_refunded]
        self.refunded = [refund for refund, is_refunded in due if is_refunded]
        self.doubts = list(dict.fromkeys(self._doubts()))
        self.unsettled = list(self._unsettled())

    def _wrong(self) -> set[str]:
        """Return the shoes that the house got wrong: they, or an entry about them, have a finding by its fault."""
        found = [finding for finding in decisive_findings(self.report.findings) if finding.fault == "house"]
        named = {finding.shoe for finding in found} | {self.payments.faulted.get(_line(finding)) for finding in found}
        return {shoe for shoe in named if shoe is not None}

    def _due(self, wrong: set[str]) -> Iterator[tuple[RefundOwed, bool]]:
        """Yield each buy-in of a player who sat in a wrong round once, and whether it was refunded already."""
        rounds: dict[int, list[str]] = {}
        for played in self.payments.played:
            for payer in played.payers if played.shoe in wrong else ():
                rounds.setdefault(id(payer.buy_in), []).append(played.name)
        for table, amount, entry, paid in self.payments.payments:
            if id(paid) in rounds:
                yield RefundOwed(table, paid.seat, paid.player, amount, entry, tuple(rounds[id(paid)])), paid.refunded

    def _doubts(self) -> Iterator[str]:
        for each in self.payments.unread:
            if not self.tables or each.table in self._among or (each.table is None and each.shoe is None):
                yield f"entry {each.entry} could not be read"
        for finding in decisive_findings(self.report.findings):
            if doubts_log(finding):
                yield f"the log is not the one that was signed, or not as it was: {finding.code}"
            elif finding.code in LEAVES_OUT and finding.shoe not in self._shoes and self._concerns(finding):
                where = "" if finding.entry is None else f"entry {finding.entry}: "
                yield f"{where}an entry is missing or stands where it may not ({finding.code})"
        for entry, what in self.payments.unpaid:
            yield f"entry {entry}: {what}"

    def _unsettled(self) -> Iterator[Finding]:
        """Failures at tables that refund, without a known round or party at fault."""
        for finding in decisive_findings(self.report.findings) if self.tables else ():
            shoe = finding.shoe or self.payments.faulted.get(_line(finding))
            settled = finding.fault == "house" and shoe is not None
            if not settled and finding.fault != "player" and not doubts_log(finding) and self._concerns(finding):
                yield finding

    def _concerns(self, finding: Finding) -> bool:
        """Whether it may be about a table that refunds."""
        table = table_of_finding(finding)
        known = () if self.payments.audit is None else self.payments.audit.tables
        return table in self._among or table not in known

    @property
    def total(self) -> int:
        return sum(refund.amount for refund in self.owed)

    @property
    def outcome(self) -> Outcome:
        known = f"{count_text(len(self.owed), 'refund')}, {self.total:,} in all"
        if self.doubts:
            least = f"; at least these are owed: {known}" if self.owed else ""
            return Outcome("CANNOT SAY", f"what is owed, because {self.doubts[0]}{least}", False)
        if self.owed:
            unsigned = describe_unchecked(self.report)
            if_signed = ", if this is the log that the house signed: that is not checked" if unsigned else ""
            return Outcome("FAIL", f"the house owes {known}{if_signed}", not (self.open or self.unsettled or unsigned))
        if not self.tables:
            return pass_outcome("no refund is owed: no table of this log has buy-ins that are given back", self.report)
        if self.unsettled:
            codes = ", ".join(dict.fromkeys(finding.code for finding in self.unsettled))
            return Outcome(
                "CANNOT SAY",
                f"no round went wrong by the house's fault for certain, but the audit found {codes}",
                False,
            )
        if self.open:
            left = f"the cards of {count_text(len(self.open), 'shoe')} in play are not checked"
            return so_far(f"no refund is owed yet: {left}", self.report)
        if self.refunded:
            many = count_text(len(self.refunded), "buy-in")
            what = f"no refund is owed any more: the house has paid back {many} for rounds that failed by its fault"
            return pass_outcome(what, self.report)
        return pass_outcome(
            "no refund is owed: no round of a game with refunds failed by the house's fault", self.report
        )

    @property
    def text(self) -> str:
        """The outcome in the first line and the last, between them each refund."""
        return self.outcome.around(["", *self._lines(), *evidence(self.report), ""])

    def _lines(self) -> Iterator[str]:
        for refund in self.owed:
            player = name_player(refund.player, self.payments.names.get((refund.table, refund.player)))
            rounds = ", ".join(refund.rounds[:MAX_TOLD])
            more = len(refund.rounds) - MAX_TOLD
            rounds += f" and {more:,} more" if more > 0 else ""
            yield f"{refund.table} seat {refund.seat} {player}: {refund.amount:,} (entry {refund.entry}; {rounds})"
        if self.owed:
            yield from (f"total {self.total:,}", "")
        if self.doubts:
            yield "More may be owed, because"
            yield from (f"  {doubt}" for doubt in self.doubts[:MAX_TOLD])
            if len(self.doubts) > MAX_TOLD:
                yield f"  and {count_text(len(self.doubts) - MAX_TOLD, 'reason')} more: see `fairshoe-audit verify`"
            yield ""
        outside = [finding for finding in decisive_findings(self.report.findings) if doubts_log(finding)]
        if outside:
            yield from describe_findings(outside)
            yield ""
        if self.unsettled:
            yield "What the audit found at tables that refund, and of which nobody can say whether it spoiled a round:"
            yield from describe_findings(self.unsettled)
            yield ""

    @property
    def form(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            **self.outcome.form,
            "total": self.total,
            "refunds": [refund._asdict() for refund in self.owed],
            "refunded": [refund._asdict() for refund in self.refunded],
            "doubts": self.doubts,
            "unsettled": [finding._asdict() for finding in self.unsettled],
            "checks": {name: self.report.checks[name] for name in EVIDENCE},
            "unchecked": describe_unchecked(self.report),
        }


def _line(finding: Finding) -> int:
    return -1 if finding.entry is None else finding.entry


def audit_refunds(
    log: Path,
    *,
    key: str | None = None,
    remembered: Sequence[Path] = (),
    progress: Callable[[int], None] | None = None,
) -> Refunds:
    """Audit a log for what its house owes back. Raises InputError, LogError."""
    payments = Payments()
    report = verify(log, key=key, remembered=remembered, progress=progress, watch=payments, everything=True)
    return Refunds(payments, report)
