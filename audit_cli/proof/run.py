"""Check a proof file of one hand with the house's key alone, and tell the hand."""

from __future__ import annotations

from fairshoe.engine.rules import Rules
from fairshoe.errors import InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.hand_proof import HandProof, check_proof, proof_of
from fairshoe.log.note import Verifier
from fairshoe.terminal.style import printable

from ..findings.report import Log, Report
from ..hand.holding import Holding
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


class ProofReport(Report):
    """A report that leaves out what rests on entries that a proof does not have."""

    beyond: frozenset[str] = frozenset()

    def add(self, code: str, *place: object, **more: object) -> None:
        if code not in self.beyond:
            super().add(code, *place, **more)  # type: ignore[arg-type]


def answer(data: bytes, verifier: Verifier, *, name: str | None = None, holding: Holding | None = None) -> Answer:
    """What a proof file shows. `name`: the round that it must be of. Raises InputError where the file is none,
    ProofRefused where the house did not sign it or where it is not whole."""
    proof = proof_of(data)
    try:
        head = check_proof(proof, verifier)
    except VerificationError as error:
        raise refused(error) from None
    parts = parts_of(proof)
    if name is not None and name not in (proof.round, str(parts.number)):
        raise InputError(f"the proof is of {proof.round}", where="--round", expected=proof.round)
    report = ProofReport(everything=True)
    watcher = HandWatcher(Wanted(parts.number, parts.table))
    _judge(parts, report, watcher)
    report.checked("signature", "tree")
    report.log = Log(head.origin, head.size, head.root.hex())
    if watcher.hand is None:
        outcome = Outcome("CANNOT SAY", f"round {proof.round} could not be followed", False)
        lines = [outcome.line, *(f"  {each.code}: {each.cause}" for each in report.findings), outcome.line]
        form = {"outcome": outcome.word, "says": outcome.what, "complete": False}
        return Answer(outcome, "".join(f"{printable(line)}\n" for line in lines), form)
    telling = tell(watcher.hand, watcher, report, holding or Holding())
    rules = watcher.hand.before.rules
    bound = _bound(proof, head, rules, str(verifier), telling.elsewhere)
    telling = telling._replace(outcome=_outcome(telling, parts), proof=bound)
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
    out. What may come of that accuses nobody."""
    outcome, name = telling.outcome, telling.hand.name
    if outcome.word == "PASS so far":
        return outcome._replace(what=f"round {name} is bound, cards not checked: the proof has no key of its shoe")
    codes = list(dict.fromkeys(finding.code for finding in fails(telling.findings)))
    if parts.others and codes and (parts.of("lapse") or SEATING.issuperset(codes)):
        what = f"{', '.join(codes)} in round {name} may come of entries that are left out about who sat where"
        return Outcome("CANNOT SAY", what, False)
    return outcome._replace(complete=False)


def _bound(proof: HandProof, head: Checkpoint, rules: Rules, key: str, elsewhere: int) -> Bound:
    beyond = only_whole_log(rules)
    count = len(proof.entries)
    lines = [
        f"The proof: {head.origin} signed a log of {head.size:,} entries, and these {count} stand in it.",
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
        "only_whole_log": beyond,
    }
    return Bound(lines, form)
