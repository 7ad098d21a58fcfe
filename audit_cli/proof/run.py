"""Check a proof file of one hand with the house's key alone, and tell the hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.hand_proof import HandProof, check_proof, proof_of
from fairshoe.log.note import Verifier
from fairshoe.log.receipts import is_receipt_key
from fairshoe.terminal.style import printable

from ..evidence import cosigned_lines
from ..evidence.cosigned import Wanted as Witnesses
from ..evidence.cosigned import cosigned_by
from ..evidence.kept import Kept
from ..findings.report import Log, Report
from ..hand.holding import Holding
from ..hand.outcome import but_for, findings_about
from ..hand.run import Answer
from ..hand.telling import Bound, Telling, form_of, tell, text_of
from ..hand.wanted import Wanted
from ..hand.watch import HandWatcher
from ..kinds import new_audit
from ..outcome import Outcome, fails
from ..receipts.of_hand import matches
from ..receipts.of_proof import decided
from ..receipts.reading import Receipt
from ..verify import NOBODY
from .around import Around
from .beyond import SEATING, codes_beyond, only_whole_log
from .binding import parts_of
from .parts import Parts
from .priming import prime
from .refused import ProofRefused, refused
from .same import held_against

MOST_SEATINGS = 128
"""In how many ways a roster is seated before nothing more is said of who sat where."""
NOT_DEALT = "round {} was not dealt, by these entries; only the whole log shows whether its shoe was dealt after all"
OWN_KEY = "that is the receipts' own key, and it is the house's that signs a proof"
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
    parts = parts_of(proof)
    if name is not None and name not in (proof.round, str(parts.number)):
        raise InputError(f"the proof is of {proof.round}", where="--round", expected=proof.round)
    report = ProofReport(everything=True)
    watcher = HandWatcher(Wanted(parts.number, parts.table))
    _judge(parts, report, watcher)
    report.checked("signature", "tree")
    report.log = Log(head.origin, head.size, head.root.hex())
    if watcher.hand is None:
        outcome = around.outcome(Outcome("CANNOT SAY", f"round {proof.round} could not be followed", False))
        found = (f"  {each.code}: {each.cause}" for each in report.findings)
        lines = [outcome.line, *found, *around.lines, outcome.line]
        form = {"outcome": outcome.word, "says": outcome.what, "complete": False}
        return Answer(outcome, "".join(f"{printable(line)}\n" for line in lines), form)
    hand, holding = watcher.hand, holding or Holding()
    telling = tell(hand, watcher, report, holding)
    doubtful = _doubtful(telling, parts)
    if receipts is not None:
        cases = decided(receipts, parts, hand, head.size, seated=not doubtful)
        telling = tell(hand, watcher, report, holding, matches(hand, cases))
    rules = watcher.hand.before.rules
    beyond = only_whole_log(rules, void=watcher.hand.how == "void")
    bound = _bound(proof, head, beyond, str(verifier), telling.elsewhere, around)
    telling = telling._replace(
        outcome=around.outcome(but_for(_outcome(telling, parts, doubtful), telling.matches)), proof=bound
    )
    return Answer(telling.outcome, text_of(telling), form_of(telling), telling)


def _judge(parts: Parts, report: ProofReport, watcher: HandWatcher) -> None:
    """Have the audit's handlers judge each entry, its books primed before."""
    audit = new_audit(report)
    for part in parts.all:
        audit.index = part.place - 1
        try:
            judged = prime(audit, parts, part)
        except Exception as error:  # a hostile file must not stop it: fail closed
            what = f"cannot be followed: {type(error).__name__}"
            raise ProofRefused(what, where=f"entry {part.place}", expected="an entry that fits the others") from None
        if part.entry["kind"] == "chips" and "name" in part.entry:
            watcher.names[parts.table, part.entry["player"]] = part.entry["name"]
        if judged:
            watcher(audit, part.line)
        if part.entry["kind"] == "table" and parts.table in audit.tables:
            report.beyond = codes_beyond(audit.tables[parts.table].book.rules)
    report.settle()
    report.open = len(audit.shoes)


def _doubtful(telling: Telling, parts: Parts) -> list[str]:
    """Whoever makes a proof chooses the entries that say who sat where, if the roster does not: a later one may be left
    out. The codes of what fails, if all of it may come of that; what fails however the roster was seated may not."""
    codes = list(dict.fromkeys(finding.code for finding in fails(telling.findings)))
    if not parts.others or not codes:
        return []
    may = SEATING.issuperset(codes) or (parts.of("lapse") and not _always_fails(parts))
    return codes if may else []


def _outcome(telling: Telling, parts: Parts, doubtful: list[str]) -> Outcome:
    """`doubtful`: what may come of entries that are left out accuses nobody."""
    outcome, name = telling.outcome, telling.hand.name
    if outcome.word == "PASS" and telling.hand.how == "void":
        lacks = NOT_OPENED if any("by" in part.entry for part in parts.of("void")) else ""
        return Outcome("PASS so far", NOT_DEALT.format(name) + lacks, False)
    if outcome.word == "PASS so far":
        return outcome._replace(what=f"round {name} is bound, cards not checked: the proof has no key of its shoe")
    differ = [match.what for match in telling.matches if not match.same]
    if doubtful and differ:
        return Outcome("FAIL", f"what you hold does not match: {', '.join(differ)}", False)
    if doubtful:
        what = f"{', '.join(doubtful)} in round {name} may come of entries that are left out about who sat where"
        return Outcome("CANNOT SAY", what, False)
    return outcome._replace(complete=False)


def _always_fails(parts: Parts) -> bool:
    """Whether something besides who sat where fails in each way in which the roster may be seated."""
    chairs = len(parts.seats)
    if comb(chairs, len(parts.others)) > MOST_SEATINGS:
        return False
    return all(map(_fails_besides, parts.seatings()))


def _fails_besides(parts: Parts) -> bool:
    report = ProofReport(everything=True)
    watcher = HandWatcher(Wanted(parts.number, parts.table))
    try:
        _judge(parts, report, watcher)
    except ProofRefused:
        return False
    if watcher.hand is None:
        return False
    codes = {finding.code for finding in fails(findings_about(watcher.hand, watcher, report))}
    return not codes <= SEATING


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
        "cosignatures": cosigned_lines.form_of(around.note, around.cosigned),
        "only_whole_log": beyond,
    }
    return Bound(lines, form)
