"""Tell a round of a log from its shoe's beginning, or from the log audited whole, or from a proof file; list those of a
player."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.hand_proof import HandProof, check_proof, proof_of, tree_at
from fairshoe.log.note import Verifier
from fairshoe.receipts import is_of_lone_shoe, is_receipt_key
from fairshoe.record.hand_entries import draw_of, round_of
from fairshoe.record.openings import places_of_hand

from ...verify.evidence.head import read_house_key
from ...verify.evidence.histories import read_checkpoint
from ...verify.evidence.memory import read_remembered
from ...verify.evidence.openings import find_openings
from ...verify.evidence.witnesses import RequiredWitnesses as Witnesses
from ...verify.evidence.witnesses import check_cosignatures
from ...verify.findings.report import AuditedLog, Report
from ...verify.findings.wording import join_some
from ...verify.registry import new_audit
from ...verify.run import NOBODY, verify
from ...verify.walk.audit import Audit
from ...verify.walk.watcher import observe_both
from ..outcome import Answer, Outcome, decisive_findings, evidence
from ..receipts.case import Receipt, ReceiptCase
from ..receipts.file import receipts_in
from ..receipts.judge import ReceiptJudge
from ..receipts.lone_shoes import ShoeReceiptJudge
from ..receipts.run import read_receipts
from .draw import tell_draw
from .formats import CheckedRound
from .initial_books import prime
from .listing import Listing
from .outcome import but_for, find_gap, findings_about, held_lines, is_about, matches, mismatch, outcome_of
from .parts import WHOLE_LOG, ProofEntries, ProofRefused, faults_of, parts_of, refused
from .reach import BEFORE_SHOE, OTHERS, ProofScope, as_far, check_same_size, codes_beyond
from .shoe import ShoeAudit, WholeLogNeeded
from .story import name_player
from .watcher import HandWatcher, WatchedRound

OWN_KEY = "that is the receipts' own key, and it is the house's that signs a proof"


class NoRound(NamedTuple):
    """There is no round to be told, and the `lines` say why; `more` for programs."""

    outcome: Outcome
    lines: Sequence[str]
    more: Mapping[str, Any] = {}

    @property
    def text(self) -> str:
        return self.outcome.around(self.lines)

    @property
    def form(self) -> dict[str, Any]:
        return {**self.outcome.form, "complete": False, **self.more}


class TrustedInputs(NamedTuple):
    """The evidence that a log or a proof is held against: checkpoints that somebody `remembered`, the `witnesses` whose
    cosignatures it needs, a file of `receipts`."""

    remembered: Sequence[Path] = ()
    witnesses: Witnesses = NOBODY
    receipts: Path | None = None


NOTHING = TrustedInputs()


def check_hand_in_log(
    log: Path,
    name: str | None,
    player: str | None = None,
    *,
    key: str | None = None,
    against: TrustedInputs = NOTHING,
    whole: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Answer:
    """Tell the round `name`, TABLE#NUMBER, or list all, or a player's. The log is audited `whole`, unless the round can
    be told from its shoe alone, and nothing is wrong. Raises InputError, LogError."""
    if name is not None:
        round_of(name)
    key = None if key is None else str(read_house_key(key))  # each file is read once: it may be a pipe
    receipts = None if against.receipts is None else read_receipts(against.receipts, log, key)
    olds = [read_remembered(path) for path in against.remembered]
    wanted = against.witnesses
    openings = find_openings(log)
    audit = partial(
        verify, log, key=key, remembered=olds, wanted=wanted, progress=progress, everything=True, openings=openings
    )
    if name is not None and not whole and (log.is_dir() or log.is_file()):
        with suppress(WholeLogNeeded):
            return _tell(name, player, receipts, audit, whole=False)
    return _tell(name, player, receipts, audit, whole=True)


def _tell(
    name: str | None,
    player: str | None,
    receipts: Sequence[Receipt] | None,
    audit: Callable[..., Report],
    *,
    whole: bool,
) -> Answer:
    """Audit a log and tell the round, or list. If the round is told by its shoe alone, raises WholeLogNeeded where it
    was not dealt, or where anything is found or left open that the `whole` log may tell otherwise."""
    watcher, judge = HandWatcher(name, player), None if receipts is None else ReceiptJudge(receipts, whole=whole)
    watch = watcher if judge is None else observe_both(watcher, judge)
    part = None if whole or name is None else ShoeAudit(name, watcher)
    report = audit(watch=watch, going_on=part)
    cases, hand = None if judge is None else judge.judge_rest(), watcher.hand
    if name is None:
        _check_player(watcher)
        return Listing(watcher, report)
    told = None if hand is None else _told(hand, watcher, report, cases)
    if part is None:
        return told or NoRound(find_gap(name, watcher, report), list(evidence(report)))
    if hand is None or told is None or report.failed or (hand.how == "void" and not part.all_of_table):
        raise WholeLogNeeded
    if not told.outcome.good or any(match.left for match in told.matches):
        raise WholeLogNeeded
    unread = OTHERS if part.all_of_table else BEFORE_SHOE
    return told._replace(outcome=told.outcome._replace(complete=False), unread=unread)


def check_hand_proof(
    data: bytes, verifier: Verifier, name: str | None = None, against: TrustedInputs = NOTHING
) -> Answer:
    """Check a proof file by the house's key alone. `name`: the round that it must be of; checkpoints that it is
    compared with have the same size. Raises InputError where the file is none, or a checkpoint of another size;
    ProofRefused where the house did not sign one of them, or where the proof is not whole."""
    proof = proof_of(data)
    try:
        head = check_proof(proof, verifier)
        kept = [read_checkpoint(path, verifier) for path in against.remembered]
    except VerificationError as error:
        if is_receipt_key(verifier):
            raise InputError(OWN_KEY, where="--key", expected="the house's verifier key") from None
        raise refused(error) from None
    for each in kept:
        check_same_size(head, each)
    reach = ProofScope(proof, head, str(verifier), kept, check_cosignatures(proof.checkpoint, against.witnesses))
    if name not in (None, proof.round):
        raise InputError(f"the proof is of {proof.round}", where="--round", expected=proof.round)
    receipts = None if against.receipts is None else receipts_in(against.receipts, verifier)
    (draw_of if "@" in proof.round else round_of)(proof.round)
    why = list(faults_of(proof))
    if "@" in proof.round and not why:
        return _tell_card(proof, reach, receipts)
    if not why:
        parts = parts_of(proof)
        watcher, judge = HandWatcher(proof.round), ReceiptJudge(receipts or (), whole=False)
        report = Report(everything=True)
        why = _judge(parts, proof, head, report, watcher, judge)
        if watcher.hand is not None and not why:
            report.checked("signature", "tree")
            report.log = AuditedLog(head.origin, head.size, head.root.hex())
            cases = None if receipts is None else judge.judge_rest()
            return _told(watcher.hand, watcher, report, cases, reach)
        why = why or [f"{each.code}: {each.cause}" for each in report.findings]
    outcome = reach.outcome(Outcome("CANNOT SAY", f"round {proof.round} could not be followed", False))
    return NoRound(outcome, [*(f"  {each}" for each in why), *reach.around], {"why": why})


def _tell_card(proof: HandProof, reach: ProofScope, receipts: Sequence[Receipt] | None) -> NoRound:
    """Tell a card of a shoe without a table, and hold the receipts about it and the making of its shoe against it."""
    name, pos = draw_of(proof.round)
    judge = ShoeReceiptJudge(receipts or (), whole=False)
    outcome, lines = tell_draw(proof, judge)

    def is_about(case: ReceiptCase) -> bool:
        says = case.form
        return is_of_lone_shoe(says) and says["shoe"] == name and pos in says.get("pos", (pos,))

    cases = None if receipts is None else [*ReceiptJudge(receipts, whole=False).judge_rest(), *judge.judge_rest()]
    held = matches(cases, is_about, "card")
    if differ := mismatch(held):
        outcome = Outcome("FAIL", "; ".join([*differ, *([outcome.what] if outcome.word == "FAIL" else [])]))
    more = {"card": proof.round, "holds": [match._asdict() for match in held]}
    return NoRound(reach.outcome(but_for(outcome, held)), [*held_lines(held), *lines, *reach.around], more)


def _judge(
    parts: ProofEntries, proof: HandProof, head: Checkpoint, report: Report, watcher: HandWatcher, judge: ReceiptJudge
) -> list[str]:
    """Have the audit's handlers judge each entry, its books primed before. Gives what cannot be followed, in words."""
    audit, watch = new_audit(report), observe_both(watcher, judge)
    audit.origin = head.origin
    for part, proven in zip(parts.all, proof.entries, strict=True):
        audit.index, audit.tree = part.place - 1, tree_at(proven, head)
        try:
            prime(audit, parts, part)
        except Exception as error:  # a hostile house must not stop it: fail closed
            return [f"entry {part.place}: does not fit the others: {type(error).__name__}"]
        if part.entry["kind"] != "chips":
            watch(audit, part.line)
        elif "name" in part.entry:
            watcher.names[parts.table, part.entry["player"]] = part.entry["name"]
        if part.entry["kind"] == "table" and parts.table in audit.tables:
            report.not_told = codes_beyond(audit.tables[parts.table].book.rules)
    report.open = len(audit.shoes)
    audit.leave_beacons()
    _check_openings(audit, parts, proof, watcher.hand)
    return []


def _check_openings(audit: Audit, parts: ProofEntries, proof: HandProof, hand: WatchedRound | None) -> None:
    """Hold the hand's cards against its openings. Raises ProofRefused where the file has others than one for each card:
    anybody may have changed them."""
    if not proof.openings or hand is None:
        return
    places = places_of_hand([part.entry for part in parts.all], parts.number)
    if [each.pos for each in proof.openings] == list(places):
        audit.openings = {hand.shoe.id: proof.openings}
        audit.check_openings(hand.shoe)
    if not (hand.bound or audit.report.failed):
        what = "its openings do not show the round's cards"
        expected = "one for each card, which leads to the root in the seal"
        raise ProofRefused(what, where="openings", expected=expected, remedy=WHOLE_LOG)


def _told(
    hand: WatchedRound,
    watcher: HandWatcher,
    report: Report,
    cases: Sequence[ReceiptCase] | None,
    reach: ProofScope | None = None,
) -> CheckedRound:
    compared = matches(cases, partial(is_about, hand), "hand")
    outcome = outcome_of(hand, watcher, report, compared)
    if reach is not None:
        outcome = reach.outcome(as_far(outcome, hand))
    findings = findings_about(hand, watcher, report)
    elsewhere = len(decisive_findings(report.findings)) - len(decisive_findings(findings))
    return CheckedRound(hand, report, findings, compared, but_for(outcome, compared), elsewhere, reach)


def _check_player(watcher: HandWatcher) -> None:
    """Somebody who is nowhere in the log is most likely a slip. Raises InputError."""
    name, names = watcher.player, {player: name for (_, player), name in watcher.names.items()}
    if name is None or watcher.unread or name in watcher.ids or name in names.values():
        return
    known = [name_player(each, names.get(each)) for each in sorted(watcher.ids)]
    expected = join_some(known) if known else "a log with players"
    raise InputError(f"no player {name!r} in this log", where="--player", expected=expected)
