"""The outcome of an audit for one round, and of the player's receipts for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from fairshoe.ceremony.receipts import BANK
from fairshoe.errors import InputError
from fairshoe.record.hand_entries import round_of

from ...verify.findings.finding import Finding
from ...verify.findings.report import Report
from ...verify.findings.wording import count_text, join_some
from ...verify.walk.watcher import UnreadEntry
from ..outcome import Outcome, decisive_findings, doubts_log, pass_outcome, so_far
from ..receipts.case import CONVICTING, ReceiptCase
from ..receipts.run import FAILING, RepeatedReceipt, drop_repeated
from .story import mark
from .watcher import HandWatcher, WatchedRound

OF_THE_TABLE = frozenset(("options-differ", "options-invalid", "policy-invalid", "table-duplicate"))
"""Findings that put in doubt by which rules a table plays at all."""
UNDECIDED = {"not decided": "not decided", "unfinished": "not checked"}
"""Text for a receipt that nothing was compared with."""


class Match(NamedTuple):
    """`what` was compared, what is `held`, what the `log` says (in words), and whether that is the same; `left` is ""
    but where nothing was compared: `not decided`, or `not checked` for what `log` says."""

    what: str
    held: str
    log: str
    same: bool
    left: str = ""


def findings_about(hand: WatchedRound, watcher: HandWatcher, report: Report) -> list[Finding]:
    """Return the findings about the round, the entries that it follows from, its shoe, what could not be read before
    it, and the log itself."""
    shoe, lines, last = hand.shoe.id, hand.lines, hand.last_line
    lines |= {each.entry for each in watcher.find_unread(hand.table, upto=last)}
    lines |= {watcher.tables.get(hand.table, hand.opened_line)}
    astray = _astray(hand)
    after = {each.entry for each in watcher.unread if last is not None and each.entry > last}

    def about(finding: Finding) -> bool:
        of_shoe = finding.shoe == shoe and finding.round in (None, hand.number) and finding.entry not in after
        of_shoe |= finding.shoe == shoe and finding.entry in astray
        of_table = finding.table == hand.table and finding.code in OF_THE_TABLE
        of_round = (finding.table, finding.round) == (hand.table, hand.number)
        return of_shoe or of_round or of_table or finding.entry in lines or doubts_log(finding)

    return [finding for finding in report.findings if about(finding)]


def _astray(hand: WatchedRound) -> range:
    """The entries of the shoe up to the one from which on its placer's chain cannot be followed, where that is not
    after the round: nobody can say which places it gave for it."""
    first = hand.shoe.astray
    if first is None or (hand.line is not None and first > hand.line):
        return range(0)
    return range(first + 1)


def outcome_of(hand: WatchedRound, watcher: HandWatcher, report: Report, matches: Sequence[Match] = ()) -> Outcome:
    """Return the outcome; `matches` are what was compared with what the player holds."""
    before = [each for each in watcher.find_unread(hand.table, upto=hand.last_line) if not is_its_own(each, hand)]
    if before:
        return _cannot_follow(hand, before)
    failed = _failed(hand, watcher, report, matches)
    if failed:
        return Outcome("FAIL", failed)
    if hand.how == "void":
        return pass_outcome(f"round {hand.name} was not dealt: its shoe is void, the bets were returned", report)
    astray = [] if hand.end_kind else watcher.gap_findings(report.findings, hand.table, hand.opened_line)
    if astray:
        first = f"entry {astray[0].entry} stands where it may not ({astray[0].code})"
        return Outcome("CANNOT SAY", f"the end of shoe {hand.shoe.id} cannot be followed: {first}")
    if not hand.how:
        return so_far(f"round {hand.name} is not over, its cards are not checked", report)
    if not hand.end_kind and hand.bound:
        return so_far(f"round {hand.name} is bound to the seal, the key of shoe {hand.shoe.id} is not out yet", report)
    if not hand.end_kind:
        return so_far(f"the key of shoe {hand.shoe.id} is not revealed yet, its cards are not checked", report)
    if hand.entry is None or hand.end is None:
        return Outcome("CANNOT SAY", f"the log does not show how round {hand.name} was dealt")
    if name := unplaced_of(hand):
        what = f"the key of {name} for shoe {hand.shoe.id} is not there yet, its places are not checked"
        return so_far(what, report)
    return pass_outcome(
        f"every card, decision and payout of round {hand.name} is what the key and the rules give", report
    )


def but_for(outcome: Outcome, matches: Sequence[Match]) -> Outcome:
    """Return the outcome, so far where something that the player holds was not compared."""
    left = [match for match in matches if match.left]
    if not left or not outcome.good:
        return outcome
    one = f"{left[0].what} {left[0].left}: {left[0].log}"
    words = one if len(left) == 1 else f"{', '.join(match.what for match in left)} not checked"
    return Outcome("PASS so far", f"{outcome.what}; {words}", False)


def is_its_own(unread: UnreadEntry, hand: WatchedRound) -> bool:
    """Whether an entry that could not be followed is the round itself."""
    own = unread.kind == "round" and unread.shoe == hand.shoe.id and hand.entry is None
    return own and unread.entry > hand.opened_line


def own_unread(hand: WatchedRound, watcher: HandWatcher) -> list[int]:
    return [each.entry for each in watcher.unread if is_its_own(each, hand)]


def _cannot_follow(hand: WatchedRound, unread: list[UnreadEntry]) -> Outcome:
    first = unread[0].entry
    more = f", nor {len(unread) - 1:,} more" if len(unread) > 1 else ""
    if hand.line is not None and first > hand.line:
        what = f"the end of shoe {hand.shoe.id} cannot be followed: entry {first} could not be read{more}"
    else:
        what = f"the log cannot be followed up to this round: entry {first} could not be read{more}"
    return Outcome("CANNOT SAY", what)


def unplaced_of(hand: WatchedRound) -> str:
    """Return the name of the placer whose key is to come for the round's shoe, which is over; else ""."""
    placer, book = hand.shoe.book_shoe.placer, hand.shoe.book
    return placer.name if placer is not None and book is not None and hand.shoe.id in book.unrevealed_placers else ""


def held_lines(matches: Sequence[Match]) -> Iterator[str]:
    """Tell what was compared with what the player holds."""
    if matches:
        yield "What you hold:"
    for match in matches:
        state = match.left or ("match" if match.same else "mismatch")
        yield f"     {'…' if match.left else mark(match.same)} {match.what}: {state}"
        yield f"         you hold  {match.held}"
        yield f"         the log   {match.log}"


def mismatch(matches: Sequence[Match]) -> list[str]:
    """Describe what differs from what the player holds; empty if nothing does."""
    differ = [match.what for match in matches if not match.same]
    return [f"what you hold does not match: {', '.join(differ)}"] if differ else []


def _failed(hand: WatchedRound, watcher: HandWatcher, report: Report, matches: Sequence[Match]) -> str:
    """Describe the failures; "" if there are none."""
    found = decisive_findings(findings_about(hand, watcher, report))
    own = own_unread(hand, watcher)
    parts = mismatch(matches)
    outside = list(dict.fromkeys(finding.code for finding in found if doubts_log(finding)))
    inside = list(dict.fromkeys(finding.code for finding in found if not doubts_log(finding)))
    if own:
        parts.append(f"entry {own[0]}, which should be round {hand.name}, could not be read")
    if inside:
        parts.append(f"round {hand.name} does not hold: {', '.join(inside)}")
    if outside:
        parts.append(f"the log is not the one that was signed, or not as it was: {', '.join(outside)}")
    return "; ".join(parts)


def find_gap(name: str, watcher: HandWatcher, report: Report) -> Outcome:
    """Return the outcome of a round that is missing since the log cannot be followed. Raises InputError if it can
    be."""
    audit, table = watcher.audit, round_of(name)[0]
    astray = watcher.gap_findings(report.findings, table)
    entries = [each.entry for each in watcher.find_unread(table)] + [finding.entry or 0 for finding in astray]
    if entries:
        what = f"there is no round {name} that could be read, and entry {min(entries)} could not be followed"
        return Outcome("CANNOT SAY", what)
    tables = [state for state in ({} if audit is None else audit.tables).values() if state.book.rounds]
    names = [f"{state.id}#1 to #{state.book.rounds:,}" for state in tables]
    expected = join_some(names) if names else "a log with rounds"
    raise InputError(f"no round {name}", where="--round", expected=expected)


# Receipts.


def matches(cases: Sequence[ReceiptCase] | None, is_about: Callable[[ReceiptCase], bool], what: str) -> list[Match]:
    """Each receipt about `what`, this hand or card, or about the making of its shoe, with what the log says; and where
    there is none, that. One that cannot be read may be about any. None: no receipts were given."""
    if cases is None:
        return []
    found = list(_matches([case for case in cases if case.receipt.refused or is_about(case)]))
    readable = [case for case in cases if not case.receipt.refused]
    if any(map(is_about, readable)):
        return found
    none = f"none of these {len(readable):,} is about this {what}" if len(readable) > 1 else f"not about this {what}"
    none = none if readable else "the file has no receipt"
    return [*found, Match("receipts", count_text(len(readable), "receipt"), none, True, "not checked")]


def _matches(cases: Sequence[ReceiptCase]) -> Iterator[Match]:
    for case, more in drop_repeated(cases):
        what = case.line.partition(": " + case.word)[2].removeprefix(": ").lstrip() or str(case.word)
        logged = str(case.word) if case.word == "agrees" else what
        same, left = case.word not in FAILING, UNDECIDED.get(case.word, "")
        yield Match(RepeatedReceipt(case, more).name, case.about, logged, same, left)


def is_about(hand: WatchedRound, case: ReceiptCase) -> bool:
    """Whether a receipt is about the round or the making of its shoe, or says that it is and is wrong."""
    form = case.form
    if form.get("table") != hand.table:
        return False
    if case.word in CONVICTING and form.get("round") == hand.open_round.number:
        return True
    if form.get("about") == BANK or form.get("shoe") != hand.shoe.id:
        return False
    return bool(form.get("round", hand.open_round.number) == hand.open_round.number)
