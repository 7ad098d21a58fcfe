"""Audit a log and decide the receipts of a file by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import InputError
from fairshoe.log.directory import VERIFIER, read_text
from fairshoe.log.note import Verifier, verifier_of
from fairshoe.terminal.files import is_stdin
from fairshoe.terminal.style import printable

from ..evidence.keys import verifier_given
from ..evidence.nolog import PROOF, refusal
from ..findings.report import Report
from ..findings.wording import counted
from ..outcome import Outcome, evidence, fails, of_the_log, told
from ..proof.file import is_proof
from ..verify import verify
from .judge import Judge
from .names import Act
from .reading import receipts_in
from .telling import failure, form_of, once
from .verdict import CONVICTS, Case, Word

MOST_TOLD = 40
"""How many receipts are told one by one."""
HOLD = "hold the receipts against it with: fairshoe-audit hand PROOF"
NONE = "the file has no receipt that could be held against the log"
LEFT: dict[Word, str] = {"not yet": "not yet", "unfinished": "not written to its end"}
"""What decides nothing, in words."""


class Decided(NamedTuple):
    """The receipts of a file, each with its word, and the audit of the log that decided them. `trusted`: the house's
    key was given. `strange`: what the log has in the name of whoever keeps the file, without a receipt in it."""

    cases: Sequence[Case]
    report: Report
    trusted: bool
    strange: Sequence[Act]

    @property
    def outcome(self) -> Outcome:
        words = Counter(case.word for case in self.cases)
        bad = failure(self.cases)
        changed = [finding for finding in self.report.findings if of_the_log(finding)]
        if bad:
            return Outcome("FAIL", bad)
        if changed:
            return Outcome("FAIL", f"the log is not the one that the house signed: {changed[0].code}")
        left = [f"{words[word]:,} {said}" for word, said in LEFT.items() if words[word]]
        if self.strange:
            left.append(f"{counted(len(self.strange), 'act')} in your name without a receipt")
        if not words["agrees"] and not words["not yet"]:
            return Outcome("PASS so far", ", ".join([NONE, *left]), False)
        what = f"the log agrees with {counted(words['agrees'], 'receipt')}"
        return Outcome("PASS so far", ", ".join([what, *left]), False) if left else Outcome("PASS", what, self.trusted)

    @property
    def text(self) -> str:
        """The outcome in the first line and the last, between them what does not agree; ends with a LF."""
        return "".join(f"{printable(line)}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield self.outcome.line
        shown = list(once([case for case in self.cases if case.word != "agrees"]))
        yield from (same.line for same in shown[:MOST_TOLD])
        if len(shown) > MOST_TOLD:
            yield f"  and {len(shown) - MOST_TOLD:,} more: see --format json"
        yield from self._strange()
        if any(case.word in CONVICTS for case in self.cases):
            yield "The house signed these receipts. Keep this file, the log and its checkpoint: together they show it."
        if not self.trusted:
            yield "Not checked: that this is the house's log, for want of the house's key (--key)."
        yield from evidence(self.report)
        yield from told([finding for finding in self.report.findings if of_the_log(finding)])
        rest = [finding for finding in fails(self.report.findings) if not of_the_log(finding)]
        if rest:
            yield f"The audit finds {len(rest):,} things that fail in this log: `fairshoe-audit verify` says which."
        yield self.outcome.line

    def _strange(self) -> Iterator[str]:
        if not self.strange:
            return
        yield f"In your name, without a receipt in this file: {counted(len(self.strange), 'act')}"
        yield from (f"  {act.line}" for act in self.strange[:MOST_TOLD])
        if len(self.strange) > MOST_TOLD:
            yield f"  and {len(self.strange) - MOST_TOLD:,} more: see --format json"
        yield "If you did them, their receipts are missing here. If not, somebody has your token, or the house lies."

    @property
    def form(self) -> dict[str, Any]:
        """The same as JSON values."""
        return form_of(self.outcome, [case.as_json() for case in self.cases]) | {
            "without_receipt": [act._asdict() for act in self.strange],
            "fails": len(fails(self.report.findings)),
        }


def decide(
    file: Path,
    log: Path,
    *,
    key: str | None = None,
    remembered: Sequence[Path] = (),
    progress: Callable[[int], None] | None = None,
) -> Decided:
    """Hold each receipt of a file against a log. `key`: the house's, or the receipts' own; without it the one that came
    with the log. Raises InputError, LogError."""
    if is_proof(log):
        raise refusal(PROOF._replace(remedy=f"{HOLD} --receipt RECEIPTS --key VKEY"), str(log))
    judge, house = held_by(file, log, key)
    report = verify(log, key=house, remembered=remembered, progress=progress, watch=judge, everything=True)
    return Decided(judge.decided(), report, house is not None, judge.strange)


class Held(NamedTuple):
    """What decides the receipts of a file while a log is audited. `house`: the key by which the log is checked then;
    None where none was given, or only the receipts' own."""

    judge: Judge
    house: str | None


def held_by(file: Path, log: Path, key: str | None) -> Held:
    """The receipts of a file, read by the house's key, the receipts' own, or without one by the key that came with the
    log. Raises InputError."""
    given = None if key is None else verifier_given(key)
    kept = receipts_in(file, _key_of(log) if given is None else given)
    return Held(Judge(kept.receipts), None if given is None or kept.own else str(given))


def _key_of(log: Path) -> Verifier:
    """The key that came with the log. Raises InputError."""
    folder = log if log.is_dir() else log.parent
    text = None if is_stdin(log) else read_text(folder / VERIFIER)
    if text is None:
        raise InputError("no key came with the log", where=str(folder / VERIFIER), expected="--key, the house's key")
    return verifier_of(text)
