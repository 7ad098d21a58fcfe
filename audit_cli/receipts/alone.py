"""A file of receipts without a log: who signed them, and what each says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.terminal.style import printable

from ..evidence.keys import verifier_given
from ..findings.wording import counted
from ..outcome import Outcome
from .filed import filed
from .reading import receipts_in
from .saying import told_by
from .telling import failure, form_of, once
from .verdict import Case


class Alone(NamedTuple):
    """The receipts of a file; those have a word that no log is needed for. `own`: they were read by their own key."""

    cases: Sequence[Case]
    own: bool

    @property
    def outcome(self) -> Outcome:
        words = Counter(case.word for case in self.cases)
        bad = failure(self.cases)
        if bad:
            return Outcome("FAIL", bad)
        good = words[""]
        cut_off = f", {words['unfinished']:,} not written to its end" if words["unfinished"] else ""
        if not good:
            return Outcome("PASS so far", f"the file has no receipt{cut_off}", False)
        signer = "the key that was given" if self.own else "the house"
        signed = f"{counted(good, 'receipt')} {'is' if good == 1 else 'are'} signed by {signer}"
        return Outcome("PASS so far", f"{signed}; held against no log{cut_off}", False)

    @property
    def text(self) -> str:
        """The outcome in the first line and the last, between them what each receipt says; ends with a LF."""
        return "".join(f"{printable(line)}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield self.outcome.line
        for same in once(self.cases):
            yield same.line if same.case.word else f"  {same.name}, {told_by(same.case)}"
        if self.own:
            yield "Not checked: that the house vouches for this key, for want of the house's key (--key)."
        yield "Not checked: whether the log says the same. Give the log too: `fairshoe-audit receipt FILE LOG`."
        yield self.outcome.line

    @property
    def form(self) -> dict[str, Any]:
        """The same as JSON values; of each receipt also what it `says`."""
        return form_of(self.outcome, [case.as_json() | {"says": case.form or None} for case in self.cases])


def alone(file: Path, key: str) -> Alone:
    """Check signatures, form and order of a file of receipts by the house's key, or by their own. Raises InputError."""
    kept = receipts_in(file, verifier_given(key))
    return Alone(filed(kept.receipts), kept.own)
