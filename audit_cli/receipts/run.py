"""`fairshoe-audit receipt`: what a file of receipts comes to, held against a log or against none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.receipts.acts import Act
from fairshoe.receipts.kept import CONVICTS, Case, Word, filed, shown
from fairshoe.terminal.screen import printable

from ..evidence.head import verifier_given
from ..evidence.histories import is_proof
from ..evidence.reading import PROOF, refusal
from ..findings.report import Report
from ..findings.wording import counted
from ..outcome import Outcome, evidence, fails, of_the_log, told
from ..verify import verify
from .reading import ELSEWHERE, receipts_in
from .watching import held_by

SAID = ("hash", "seed", "cut", "amount", "to", "leaves", "chosen", "bets", "uncovered")
"""What is told of a receipt without a log."""
MOST_TOLD = 40
"""How many receipts are told one by one."""
BAD: tuple[Word, ...] = ("differs", "missing", "refused")
"""What fails."""
HOLD = "hold the receipts against it with: fairshoe-audit hand PROOF"
NONE = "the file has no receipt that could be held against the log"
LEFT: dict[Word, str] = {"not decided": "not decided", "unfinished": "not written to its end"}
"""What decides nothing, in words."""


class Held(NamedTuple):
    """The receipts of a file, each with its word, and the audit of the log that decided them, None where there is none.
    `trusted`: the house's key was given; `strange`: what the log has in the name of whoever keeps the file, without a
    receipt in it."""

    cases: Sequence[Case]
    report: Report | None
    trusted: bool
    strange: Sequence[Act] = ()

    @property
    def outcome(self) -> Outcome:
        words = Counter(case.word for case in self.cases)
        bad, proven = failure(self.cases), [act for act in self.strange if act.proven]
        if bad:
            return Outcome("FAIL", bad)
        if proven:
            return Outcome("FAIL", f"{counted(len(proven), 'act')} of the house's in your name")
        left = [f"{words[word]:,} {said}" for word, said in LEFT.items() if words[word]]
        if self.report is None:
            good = words[""]
            signed = (
                f"{counted(good, 'receipt')} {'is' if good == 1 else 'are'} signed by the house; held against no log"
            )
            return Outcome("PASS so far", ", ".join([signed if good else "the file has no receipt", *left]), False)
        changed = [finding for finding in self.report.findings if of_the_log(finding)]
        if changed:
            return Outcome("FAIL", f"the log is not the one that the house signed: {changed[0].code}")
        if self.strange:
            left.append(f"{counted(len(self.strange), 'act')} in your name without a receipt")
        if not words["agrees"] and not words["not decided"]:
            return Outcome("PASS so far", ", ".join([NONE, *left]), False)
        what = f"the log agrees with {counted(words['agrees'], 'receipt')}"
        return Outcome("PASS so far", ", ".join([what, *left]), False) if left else Outcome("PASS", what, self.trusted)

    @property
    def text(self) -> str:
        """The outcome in the first line and the last, between them what does not agree; ends with a LF."""
        return "".join(f"{printable(line)}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield self.outcome.line
        yield from self._alone() if self.report is None else self._against(self.report)
        yield self.outcome.line

    def _alone(self) -> Iterator[str]:
        for same in once(self.cases):
            yield same.line if same.case.word else f"  {same.name}, {told_by(same.case)}"
        yield "Not checked: whether the log says the same. Give the log too: `fairshoe-audit receipt FILE LOG`."

    def _against(self, report: Report) -> Iterator[str]:
        yield from _some([same.line for same in once([case for case in self.cases if case.word != "agrees"])])
        if self.strange:
            yield f"In your name, without a receipt in this file: {counted(len(self.strange), 'act')}"
            yield from _some([f"  {act.line}" for act in self.strange])
            yield "If you did them their receipts are missing here. If not, somebody has your token, or the house lies."
        if any(case.word in CONVICTS for case in self.cases) or any(act.proven for act in self.strange):
            yield "The house signed these receipts. Keep this file, the log and its checkpoint: together they show it."
        if not self.trusted:
            yield "Not checked: that this is the house's log, for want of the house's key (--key)."
        yield from evidence(report)
        yield from told([finding for finding in report.findings if of_the_log(finding)])
        rest = [finding for finding in fails(report.findings) if not of_the_log(finding)]
        if rest:
            yield f"The audit finds {len(rest):,} things that fail in this log: `fairshoe-audit verify` says which."

    @property
    def form(self) -> dict[str, Any]:
        """The same as JSON values; without a log also what each receipt `says`."""
        says = [{"says": case.form or None} if self.report is None else {} for case in self.cases]
        found = {
            "kind": "fairshoe-audit receipt",
            "v": 1,
            "outcome": self.outcome.word,
            "says": self.outcome.what,
            "complete": self.outcome.complete,
            "receipts": [case.as_json() | more for case, more in zip(self.cases, says, strict=True)],
        }
        if self.report is None:
            return found
        return found | {
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
) -> Held:
    """Hold each receipt of a file against a log. `key`: the house's, without it the one that came with the log. Raises
    InputError, LogError."""
    if is_proof(log):
        raise refusal(PROOF._replace(remedy=f"{HOLD} --receipt RECEIPTS --key VKEY"), str(log))
    watcher = held_by(file, log, key)
    report = verify(log, key=key, remembered=remembered, progress=progress, watch=watcher, everything=True)
    return Held(watcher.decided(), report, key is not None, watcher.judge.strange)


def alone(file: Path, key: str) -> Held:
    """Check signatures and form of a file of receipts by the house's key. Raises InputError."""
    return Held(filed(receipts_in(file, verifier_given(key))), None, True)


# In words.


class Same(NamedTuple):
    """A receipt, and how many `more` stand in the file that are refused for the same cause."""

    case: Case
    more: int

    @property
    def name(self) -> str:
        place = self.case.receipt.place
        return f"receipt {place}" if not self.more else f"receipt {place} and {self.more:,} more"

    @property
    def line(self) -> str:
        return f"  {self.name}, {self.case.line}"


def once(cases: Collection[Case]) -> Iterator[Same]:
    """Each receipt in its order; of those that are refused for one cause the first."""
    left = Counter(case.receipt.refused for case in cases if case.receipt.refused)
    for case in cases:
        cause = case.receipt.refused
        if not cause:
            yield Same(case, 0)
        elif cause in left:
            yield Same(case, left.pop(cause) - 1)


def failure(cases: Collection[Case]) -> str:
    """What fails, in words; "" where nothing does."""
    words = Counter(case.word for case in cases)
    bad = ", ".join(f"{words[word]:,} {word}" for word in BAD if words[word])
    strangers = all(case.receipt.refused.startswith(ELSEWHERE) for case in cases)
    why = ": they are another house's, or another log's" if strangers else ""
    return f"of {counted(len(cases), 'receipt')} {bad}{why}" if bad else ""


def told_by(case: Case) -> str:
    """When the house took it, what it is about and says, which it is of its chair, and the table's last entry then."""
    form = case.form
    said = ", ".join(f"{name} {shown(form[name])}" for name in SAID if name in form)
    place = f"number {form['number']}" + (f", after the entry of {form['last']}" if "last" in form else "")
    return f"{form['at']} {case.about}{': ' if said else ''}{said}; {place}"


def _some(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:MOST_TOLD]
    if len(lines) > MOST_TOLD:
        yield f"  and {len(lines) - MOST_TOLD:,} more: see --format json"
