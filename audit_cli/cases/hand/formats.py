"""One round told: to people as text, to programs as JSON values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fairshoe.engine.table import account_name
from fairshoe.record.hand_entries import unnamed

from ...verify.findings.finding import Finding
from ...verify.findings.report import Report
from ..outcome import EVIDENCE, Outcome, decisive_findings, describe_findings, describe_unchecked, evidence
from . import story
from .cards import cards
from .outcome import Match, held_lines
from .reach import ProofScope
from .watcher import WatchedRound


class CheckedRound(NamedTuple):
    """A round, what the audit found about it, what was compared with what the player holds, and the outcome.

    `elsewhere`: how many things fail that are not of this round. `reach`: how far a proof file goes, where it is told
    from one alone. `unread`: what nobody looked at, where the log was not audited whole.
    """

    hand: WatchedRound
    report: Report
    findings: list[Finding]
    matches: Sequence[Match]
    outcome: Outcome
    elsewhere: int
    reach: ProofScope | None = None
    unread: Sequence[str] = ()

    @property
    def text(self) -> str:
        """The whole story, its outcome in the first line and the last; ends with a LF."""
        hand = self.hand
        parts = [*(part(hand) for part in (story.times, story.commitment, story.seeds, story.bets))]
        if hand.how not in ("void", "lost"):
            parts += [story.key(hand), cards(hand), story.play(hand)]
        parts += [_found(self), _evidence(self)]
        return self.outcome.around([*_head(self), "", *(line for part in parts for line in _paragraph(part))])

    @property
    def form(self) -> dict[str, Any]:
        """The same as JSON values."""
        hand, report = self.hand, self.report
        shoe, betting = hand.shoe.book_shoe, hand.open_round.betting
        purse = {account_name(account): chips for account, chips in hand.before.purse.items()}
        if self.reach is not None:  # it tells the balances of those who took part
            known = {} if hand.entry is None else hand.entry["chips"]
            purse = {name: chips for name, chips in purse.items() if name in known}
        return {
            **self.outcome.form,
            "round": hand.name,
            "entry": hand.line,
            "shoe": hand.shoe.id,
            "commitment": hand.shoe.commitment,
            "key": None if hand.end is None else hand.end["key"],
            "record": hand.entry,
            "chips_before": purse,
            "times": [step._asdict() for step in sorted(hand.steps)],
            "opened": {"entry": hand.opened_line, "at": hand.open_round.at},
            "over": None if hand.line is None else {"entry": hand.line, "at": hand.at, "kind": hand.how},
            "players": {str(seat): who for seat, who in sorted(hand.before.players.items()) if who != unnamed(seat)},
            "roster": shoe.roster,
            "hashes": dict(shoe.hashes),
            "seeds": dict(shoe.opened),
            "struck": list(shoe.struck),
            "waived": list(betting.waived),
            "passed": list(betting.passed),
            "late": list(betting.late),
            "uncovered": [bet._asdict() for bet in betting.uncovered],
            "unfunded": list(betting.unfunded),
            "bets": [bet._asdict() for bet in hand.bets],
            "cut": _cut(hand),
            "burn": hand.shoe.burn,
            "holds": [match._asdict() for match in self.matches],
            "checks": {name: report.checks[name] for name in EVIDENCE},
            "unchecked": describe_unchecked(report),
            "findings": [finding._asdict() for finding in self.findings],
            "elsewhere": self.elsewhere,
            **({} if self.reach is None else {"proof": self.reach.form(hand)}),
            **({"not_looked_at": list(self.unread)} if self.unread else {}),
        }


def _paragraph(part: Iterator[str]) -> list[str]:
    lines = list(part)
    return [*lines, ""] if lines else []


def _head(telling: CheckedRound) -> Iterator[str]:
    hand = telling.hand
    entry = "" if hand.line is None else f", log entry {hand.line}"
    yield f"Round {hand.name}: {hand.before.rules.name}, shoe {hand.shoe.id}{entry}"
    if telling.matches:
        yield ""
    yield from held_lines(telling.matches)


def _found(telling: CheckedRound) -> Iterator[str]:
    found = decisive_findings(telling.findings)
    notes = [finding for finding in telling.findings if finding.severity == "note"]
    if found:
        yield f"{story.BAD} The audit found:"
        yield from describe_findings(found)
    if notes:
        yield "Notes, which do not decide the outcome:"
    for note in notes:
        yield f"  {note.code}: {note.cause}" + ("; fault: player" if note.fault == "player" else "")


def _evidence(telling: CheckedRound) -> Iterator[str]:
    if telling.reach is not None:
        yield from telling.reach.lines(telling.hand, telling.elsewhere)
        return
    yield from evidence(telling.report)
    if telling.unread:
        yield "Not looked at, which `--whole` does:"
        yield from (f"  {each}" for each in telling.unread)
    if telling.elsewhere:
        things = "thing that fails" if telling.elsewhere == 1 else "things that fail"
        yield (
            f"The audit also finds {telling.elsewhere:,} {things} elsewhere in this log, "
            "not in this round: `fairshoe-audit verify` says which."
        )


def _cut(hand: WatchedRound) -> dict[str, Any] | None:
    """Return the place of the cut and who chose it; no chooser if it is the draw that the key gives."""
    chosen = hand.shoe.book_shoe.cut
    if chosen is not None:
        return chosen._asdict()
    return None if hand.drawn_cut is None else {"at": hand.drawn_cut, "by": None}
