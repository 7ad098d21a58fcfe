"""Check a proof file of one hand with the house's key alone, and tell the hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.hand_proof import HandProof, check_proof, proof_of
from fairshoe.log.note import Verifier
from fairshoe.terminal.style import printable

from ..evidence.kept import Kept
from ..findings.report import Log, Report
from ..hand.holding import Holding
from ..hand.outcome import findings_about
from ..hand.run import Answer
from ..hand.telling import Bound, Telling, form_of, tell, text_of
from ..hand.wanted import Wanted
from ..hand.watch import HandWatcher
from ..kinds import new_audit
from ..outcome import Outcome, fails
from .beyond import SEATING, codes_beyond, only_whole_log
from .binding import parts_of
from .parts import Parts
from .priming import prime
from .refused import ProofRefused, refused
from .same import Same, held_against

MOST_SEATINGS = 128
"""In how many ways a roster is seated before nothing more is said of who sat where."""
NOT_DEALT = "round {} was not dealt, by these entries; only the whole log shows whether its shoe was dealt after all"
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
) -> Answer:
    """What a proof file shows. `name`: the round that it must be of; `remembered`: checkpoints of the same size that
    it is held against. Raises InputError where the file is none, or a checkpoint of another size; ProofRefused where
    the house did not sign one of them, or where the proof is not whole."""
    proof = proof_of(data)
    try:
        head = check_proof(proof, verifier)
    except VerificationError as error:
        raise refused(error) from None
    same = [held_against(head, kept) for kept in remembered]
    parts = parts_of(proof)
    if name is not None and name not in (proof.round, str(parts.number)):
        raise InputError(f"the proof is of {proof.round}", where="--round", expected=proof.round)
    report = ProofReport(everything=True)
    watcher = HandWatcher(Wanted(parts.number, parts.table))
    _judge(parts, report, watcher)
    report.checked("signature", "tree")
    report.log = Log(head.origin, head.size, head.root.hex())
    if watcher.hand is None:
        outcome = _of_two_logs(Outcome("CANNOT SAY", f"round {proof.round} could not be followed", False), head, same)
        found = (f"  {each.code}: {each.cause}" for each in report.findings)
        lines = [outcome.line, *found, *(each.line for each in same), outcome.line]
        form = {"outcome": outcome.word, "says": outcome.what, "complete": False}
        return Answer(outcome, "".join(f"{printable(line)}\n" for line in lines), form)
    telling = tell(watcher.hand, watcher, report, holding or Holding())
    rules = watcher.hand.before.rules
    beyond = only_whole_log(rules, void=watcher.hand.how == "void")
    bound = _bound(proof, head, beyond, str(verifier), telling.elsewhere, same)
    telling = telling._replace(outcome=_of_two_logs(_outcome(telling, parts), head, same), proof=bound)
    return Answer(telling.outcome, text_of(telling), form_of(telling))


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


def _outcome(telling: Telling, parts: Parts) -> Outcome:
    """Whoever makes a proof chooses the entries that say who sat where, if the roster does not: a later one may be left
    out. What may come of that accuses nobody; what fails however the roster was seated does."""
    outcome, name = telling.outcome, telling.hand.name
    if outcome.word == "PASS" and telling.hand.how == "void":
        lacks = NOT_OPENED if any("by" in part.entry for part in parts.of("void")) else ""
        return Outcome("PASS so far", NOT_DEALT.format(name) + lacks, False)
    if outcome.word == "PASS so far":
        return outcome._replace(what=f"round {name} is bound, cards not checked: the proof has no key of its shoe")
    codes = list(dict.fromkeys(finding.code for finding in fails(telling.findings)))
    if parts.others and codes and (SEATING.issuperset(codes) or (parts.of("lapse") and not _always_fails(parts))):
        what = f"{', '.join(codes)} in round {name} may come of entries that are left out about who sat where"
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


def _of_two_logs(outcome: Outcome, head: Checkpoint, same: Sequence[Same]) -> Outcome:
    """The outcome, but for a house that signed two logs of one size: that fails whatever the hand is like."""
    if all(each.holds for each in same):
        return outcome
    two = f"the house signed two logs of {head.size:,} entries that differ"
    return Outcome("FAIL", f"{two}; {outcome.what}" if outcome.word == "FAIL" else two, False)


def _bound(
    proof: HandProof, head: Checkpoint, beyond: list[str], key: str, elsewhere: int, same: Sequence[Same]
) -> Bound:
    count = len(proof.entries)
    lines = [
        f"The proof: {head.origin} signed a log of {head.size:,} entries, and these {count} stand in it.",
        *(each.line for each in same),
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
        "remembered": [each.form for each in same],
        "only_whole_log": beyond,
    }
    return Bound(lines, form)
