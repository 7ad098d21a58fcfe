"""Check a proof file of one hand with the house's key alone, and tell the hand."""

from __future__ import annotations

from collections.abc import Sequence

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.hand_proof import HandProof, check_proof, proof_of
from fairshoe.log.note import Verifier
from fairshoe.receipts.kept import Receipt
from fairshoe.receipts.notes import is_receipt_key
from fairshoe.record.hand_entries import round_of
from fairshoe.terminal.style import printable

from ..evidence.cosigned import Wanted as Witnesses
from ..evidence.cosigned import cosignatures_form, cosigned_by
from ..evidence.kept import Kept
from ..findings.report import Log, Report
from ..hand.holding import Holding
from ..hand.outcome import but_for
from ..hand.run import Answer
from ..hand.telling import Bound, Telling, form_of, tell, text_of
from ..hand.wanted import Wanted
from ..hand.watch import HandWatcher
from ..outcome import Outcome
from ..receipts.of_hand import matches
from ..receipts.watching import ReceiptWatcher
from ..registry import new_audit
from ..verify import NOBODY
from ..walk.watching import beside
from .around import Around
from .beyond import codes_beyond, only_whole_log
from .binding import faults_of, parts_of
from .parts import Parts
from .priming import prime
from .refused import refused
from .same import held_against

NOT_DEALT = "round {} was not dealt, by these entries; only the whole log shows whether its shoe was dealt after all"
OWN_KEY = "that is the receipts' own key, and it is the house's that signs a proof"
NO_KEY = "the proof has no key of its shoe; get it again when the shoe has ended"
NOT_OPENED = ", or the seed opened that is said to lack"


class ProofReport(Report):
    """A report that leaves out what rests on entries that a proof does not have."""

    beyond: frozenset[str] = frozenset()

    def add(self, code: str, *place: object, **more: object) -> None:
        if code not in self.beyond:
            super().add(code, *place, **more)  # type: ignore[arg-type]


def answer(
    data: bytes,
    verifier: Verifier,
    *,
    name: str | None = None,
    holding: Holding | None = None,
    remembered: Sequence[Kept] = (),
    wanted: Witnesses = NOBODY,
    receipts: Sequence[Receipt] | None = None,
) -> Answer:
    """What a proof file shows. `name`: the round that it must be of; `remembered`: checkpoints of the same size that
    it is held against; `wanted`: whose cosignatures its checkpoint needs; `receipts`: of a file that the player kept,
    to be compared. Raises InputError where the file is none, or
    a checkpoint of another size; ProofRefused where the house did not sign one of them, or where the proof is not
    whole."""
    proof = proof_of(data)
    try:
        head = check_proof(proof, verifier)
    except VerificationError as error:
        if is_receipt_key(verifier):
            raise InputError(OWN_KEY, where="--key", expected="the house's verifier key") from None
        raise refused(error) from None
    same = [held_against(head, kept) for kept in remembered]
    around = Around(proof.checkpoint, head, same, cosigned_by(proof.checkpoint, wanted))
    if name is not None and name not in (proof.round, str(round_of(proof.round)[1])):
        raise InputError(f"the proof is of {proof.round}", where="--round", expected=proof.round)
    faults = list(faults_of(proof))
    if faults:
        return _cannot_follow(proof, faults, around)
    parts = parts_of(proof)
    report = ProofReport(everything=True)
    watcher = HandWatcher(Wanted(parts.number, parts.table))
    judge = ReceiptWatcher(receipts or (), whole=False)
    fault = _judge(parts, report, watcher, judge)
    report.checked("signature", "tree")
    report.log = Log(head.origin, head.size, head.root.hex())
    if fault or watcher.hand is None:
        why = [fault] if fault else [f"{each.code}: {each.cause}" for each in report.findings]
        return _cannot_follow(proof, why, around)
    hand, holding = watcher.hand, holding or Holding()
    telling = tell(hand, watcher, report, holding)
    if receipts is not None:
        telling = tell(hand, watcher, report, holding, matches(hand, judge.decided()))
    rules = watcher.hand.before.rules
    beyond = only_whole_log(rules, void=watcher.hand.how == "void")
    bound = _bound(proof, head, beyond, str(verifier), telling.elsewhere, around)
    telling = telling._replace(outcome=around.outcome(but_for(_outcome(telling, parts), telling.matches)), proof=bound)
    return Answer(telling.outcome, text_of(telling), form_of(telling), telling)


def _cannot_follow(proof: HandProof, why: Sequence[str], around: Around) -> Answer:
    """The house signed entries that nobody can follow, or that are not followed to the round's bets."""
    outcome = around.outcome(Outcome("CANNOT SAY", f"round {proof.round} could not be followed", False))
    lines = [outcome.line, *(f"  {each}" for each in why), *around.lines, outcome.line]
    form = {"outcome": outcome.word, "says": outcome.what, "complete": False, "why": list(why)}
    return Answer(outcome, "".join(f"{printable(line)}\n" for line in lines), form)


def _judge(parts: Parts, report: ProofReport, watcher: HandWatcher, judge: ReceiptWatcher) -> str:
    """Have the audit's handlers judge each entry, its books primed before. Gives what cannot be followed, in words."""
    audit, watch = new_audit(report), beside(watcher, judge)
    for part in parts.all:
        audit.index = part.place - 1
        try:
            judged = prime(audit, parts, part)
        except Exception as error:  # a hostile house must not stop it: fail closed
            return f"entry {part.place}: does not fit the others: {type(error).__name__}"
        if part.entry["kind"] == "chips" and "name" in part.entry:
            watcher.names[parts.table, part.entry["player"]] = part.entry["name"]
        if judged:
            watch(audit, part.line)
        if part.entry["kind"] == "table" and parts.table in audit.tables:
            report.beyond = codes_beyond(audit.tables[parts.table].book.rules)
    report.open = len(audit.shoes)
    return ""


def _outcome(telling: Telling, parts: Parts) -> Outcome:
    outcome, name = telling.outcome, telling.hand.name
    if outcome.word == "PASS" and telling.hand.how == "void":
        lacks = NOT_OPENED if any("by" in part.entry for part in parts.of("void")) else ""
        return Outcome("PASS so far", NOT_DEALT.format(name) + lacks, False)
    if outcome.word == "PASS so far":
        return outcome._replace(what=f"round {name} is bound, cards not checked: {NO_KEY}")
    return outcome._replace(complete=False)


def _bound(proof: HandProof, head: Checkpoint, beyond: list[str], key: str, elsewhere: int, around: Around) -> Bound:
    count = len(proof.entries)
    lines = [
        f"The proof: {head.origin} signed a log of {head.size:,} entries, and these {count} stand in it.",
        *around.lines,
        "What only the whole log can show:",
        *(f"  {each}" for each in beyond),
    ]
    if elsewhere:
        lines.append(f"The entries also show {elsewhere:,} things that fail in another round of the shoe.")
    form = {
        "key": key,
        "origin": head.origin,
        "size": head.size,
        "root": head.root.hex(),
        "entries": [each.place for each in proof.entries],
        "remembered": [each.form for each in around.same],
        "cosignatures": cosignatures_form(around.note, around.cosigned),
        "only_whole_log": beyond,
    }
    return Bound(lines, form)
