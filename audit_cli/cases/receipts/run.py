"""`fairshoe-audit receipt`: a file of receipts, held against a log while that is audited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import InputError
from fairshoe.log.directory import VERIFIER, read_text
from fairshoe.log.note import Verifier, verifier_of
from fairshoe.terminal.files import is_stdin

from ...verify.evidence.head import read_house_key
from ...verify.evidence.histories import is_proof
from ...verify.evidence.log_lines import PROOF, refusal
from ...verify.findings.report import Report
from ...verify.findings.wording import count_text
from ...verify.run import verify
from ...verify.walk.watcher import observe_both
from ..outcome import Outcome, decisive_findings, describe_findings, doubts_log, evidence
from .case import CONVICTING, Receipt, ReceiptCase, Word
from .chain import LoggedAct
from .file import OTHER_LOG, receipts_in
from .judge import ReceiptJudge
from .lone_shoes import ShoeReceiptJudge

MAX_TOLD = 40
"""How many receipts are told one by one."""
FAILING: tuple[Word, ...] = ("differs", "missing", "refused")
"""Verdicts that fail."""
HOLD = "hold the receipts against it with: fairshoe-audit hand PROOF"
NONE = "the file has no receipt that could be held against the log"
UNDECIDED: dict[Word, str] = {"not decided": "not decided", "unfinished": "not written to its end"}
"""Texts for verdicts that decide nothing."""


def read_receipts(file: Path, log: Path, key: str | None) -> list[Receipt]:
    """The receipts of a file, read by the house's key or by the one that came with the log. Raises InputError."""
    return receipts_in(file, _key_of(log) if key is None else read_house_key(key))


def _key_of(log: Path) -> Verifier:
    """Return the key that came with the log. Raises InputError."""
    folder = log if log.is_dir() else log.parent
    text = None if is_stdin(log) else read_text(folder / VERIFIER)
    if text is None:
        raise InputError("no key came with the log", where=str(folder / VERIFIER), expected="--key, the house's key")
    return verifier_of(text)


class CheckedReceipts(NamedTuple):
    """The receipts of a file, each with its word, and the audit of the log that decided them. `trusted`: the house's
    key was given; `strange`: what the log has in the name of whoever keeps the file, without a receipt in it."""

    cases: Sequence[ReceiptCase]
    report: Report
    trusted: bool
    strange: Sequence[LoggedAct]

    @property
    def outcome(self) -> Outcome:
        words = Counter(case.word for case in self.cases)
        bad, proven = failure(self.cases), [act for act in self.strange if act.proven]
        if bad:
            return Outcome("FAIL", bad)
        if proven:
            return Outcome("FAIL", f"{count_text(len(proven), 'act')} of the house's in your name")
        left = [f"{words[word]:,} {said}" for word, said in UNDECIDED.items() if words[word]]
        changed = [finding for finding in self.report.findings if doubts_log(finding)]
        if changed:
            return Outcome("FAIL", f"the log is not the one that the house signed: {changed[0].code}")
        if self.strange:
            left.append(f"{count_text(len(self.strange), 'act')} in your name without a receipt")
        if not words["agrees"] and not words["not decided"]:
            return Outcome("PASS so far", ", ".join([NONE, *left]), False)
        what = f"the log agrees with {count_text(words['agrees'], 'receipt')}"
        return Outcome("PASS so far", ", ".join([what, *left]), False) if left else Outcome("PASS", what, self.trusted)

    @property
    def text(self) -> str:
        """The outcome in the first line and the last, between them what does not agree; ends with a LF."""
        return self.outcome.around(self._lines())

    def _lines(self) -> Iterator[str]:
        yield from _some([same.line for same in drop_repeated([case for case in self.cases if case.word != "agrees"])])
        if self.strange:
            yield f"In your name, without a receipt in this file: {count_text(len(self.strange), 'act')}"
            yield from _some([f"  {act.line}" for act in self.strange])
            yield "If you did them their receipts are missing here. If not, somebody has your token, or the house lies."
        if any(case.word in CONVICTING for case in self.cases) or any(act.proven for act in self.strange):
            yield "The house signed these receipts. Keep this file, the log and its checkpoint: together they show it."
        if not self.trusted:
            yield "Not checked: that this is the house's log, for want of the house's key (--key)."
        yield from evidence(self.report)
        yield from describe_findings([finding for finding in self.report.findings if doubts_log(finding)])
        rest = [finding for finding in decisive_findings(self.report.findings) if not doubts_log(finding)]
        if rest:
            yield f"The audit finds {len(rest):,} things that fail in this log: `fairshoe-audit verify` says which."

    @property
    def form(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "kind": "fairshoe-audit receipt",
            "v": 1,
            **self.outcome.form,
            "receipts": [case.as_json() for case in self.cases],
            "without_receipt": [act._asdict() for act in self.strange],
            "fails": len(decisive_findings(self.report.findings)),
        }


def decide(
    file: Path,
    log: Path,
    *,
    key: str | None = None,
    remembered: Sequence[Path] = (),
    progress: Callable[[int], None] | None = None,
) -> CheckedReceipts:
    """Hold each receipt of a file against a log. `key`: the house's, without it the one that came with the log. Raises
    InputError, LogError."""
    if is_proof(log):
        raise refusal(PROOF._replace(remedy=f"{HOLD} --receipt RECEIPTS --key VKEY"), str(log))
    receipts = read_receipts(file, log, key)
    judge, of_shoes = ReceiptJudge(receipts), ShoeReceiptJudge(receipts)
    watch = observe_both(judge, of_shoes) if of_shoes.cases else judge
    report = verify(log, key=key, remembered=remembered, progress=progress, watch=watch, everything=True)
    cases = sorted([*judge.judge_rest(), *of_shoes.judge_rest()], key=lambda case: case.receipt.place)
    return CheckedReceipts(cases, report, key is not None, judge.strange)


# In words.


class RepeatedReceipt(NamedTuple):
    """A receipt, and how many `more` stand in the file that are refused for the same cause."""

    case: ReceiptCase
    more: int

    @property
    def name(self) -> str:
        place = self.case.receipt.place
        return f"receipt {place}" if not self.more else f"receipt {place} and {self.more:,} more"

    @property
    def line(self) -> str:
        return f"  {self.name}, {self.case.line}"


def drop_repeated(cases: Collection[ReceiptCase]) -> Iterator[RepeatedReceipt]:
    """Each receipt in its order; of those that are refused for one cause the first."""
    left = Counter(case.receipt.refused for case in cases if case.receipt.refused)
    for case in cases:
        cause = case.receipt.refused
        if not cause:
            yield RepeatedReceipt(case, 0)
        elif cause in left:
            yield RepeatedReceipt(case, left.pop(cause) - 1)


def failure(cases: Collection[ReceiptCase]) -> str:
    """Describe what fails; "" if nothing does."""
    words = Counter(case.word for case in cases)
    bad = ", ".join(f"{words[word]:,} {word}" for word in FAILING if words[word])
    strangers = all(case.receipt.refused.startswith(OTHER_LOG) for case in cases)
    why = ": they are another house's, or another log's" if strangers else ""
    return f"of {count_text(len(cases), 'receipt')} {bad}{why}" if bad else ""


def _some(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:MAX_TOLD]
    if len(lines) > MAX_TOLD:
        yield f"  and {len(lines) - MAX_TOLD:,} more: see --format json"
