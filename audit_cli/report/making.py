"""A report of a log: the audit, what is counted beside it, and the sections made of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..counting.watcher import Counting
from ..evidence.before import Before
from ..evidence.cosigned import Wanted
from ..findings.report import TOOL, Report
from ..luck.busts import Busts
from ..luck.house import Luck
from ..sharing import Workers
from ..statistics.collected import Collected
from ..verify import verify
from .behaviour import Endings, behaviour
from .blocks import Profile, Section, page
from .chance import busts, luck, shuffles
from .clauses import shipped, standard_of, standards_section
from .limits import choices, reproduce, unseen
from .outcomes import Outcomes, outcomes
from .pace import Pace, pace
from .results import Results, results
from .verdict import checks, findings, head

VERSION = 1
"""Of the JSON form."""


class Numbers(Counting):
    """All that a report counts beside the audit: given to `verify` as its `watch`; what other processes counted of
    other tables adds up."""

    def __init__(self) -> None:
        self.results, self.pace, self.outcomes, self.endings = Results(), Pace(), Outcomes(), Endings()
        self.luck, self.busts, self.shuffles = Luck(), Busts(), Collected()
        tables = (self.results, self.pace, self.outcomes, self.endings)
        super().__init__(*tables, self.luck, self.busts, self.shuffles)

    def __getstate__(self) -> dict[str, Any]:
        """What adds up, and nothing of the log that is being read."""
        return {"counts": self.counts, "unknown": self.unknown}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Numbers.__init__(self)
        self._add(**state)

    def merge(self, other: Numbers) -> None:
        """Add what was counted of other tables of the log."""
        self._add(other.counts, other.unknown)

    def _add(self, counts: tuple[Any, ...], unknown: int) -> None:
        for mine, theirs in zip(self.counts, counts, strict=True):
            mine.merge(theirs)
        self.unknown += unknown

    def sections(self, audit: Report, profile: Profile) -> list[Section]:
        """What clauses of standards may name, as it stands on the page."""
        return [
            checks(audit),
            findings(audit),
            luck(self.luck, self.unknown, profile),
            busts(self.busts, profile),
            shuffles(self.shuffles, profile),
            behaviour(audit, self.results, self.endings, profile),
            results(self.results, profile),
            outcomes(self.outcomes, self.results, profile),
            pace(self.pace),
            choices(audit),
        ]


class Made(NamedTuple):
    """A report, and the audit that it is of."""

    audit: Report
    sections: list[Section]
    profile: Profile

    @property
    def title(self) -> str:
        return f"Audit of {self.audit.log.origin or 'a log'}"

    @property
    def says(self) -> str:
        """The verdict in a sentence."""
        return self.sections[0].says

    @property
    def good(self) -> bool:
        """Whether nothing fails, and nothing is asked."""
        return self.sections[0].status not in ("bad", "question")

    def html(self) -> str:
        """One page. Raises InputError where Jinja2 is not installed."""
        return page(self.title, self.sections)

    def as_json(self) -> dict[str, Any]:
        return {
            "v": VERSION,
            "tool": TOOL,
            "confidence": self.profile.name,
            "sections": {section.name: section.as_json() for section in self.sections},
            "audit": self.audit.as_json(),
        }


def make(
    log: Path,
    profile: Profile,
    *,
    key: str | None = None,
    remembered: Sequence[Path] = (),
    before: Sequence[Before] = (),
    wanted: Wanted | None = None,
    standards: Sequence[str] = (),
    progress: Callable[[int], None] | None = None,
    workers: Workers | None = None,
) -> Made:
    """Audit a log and report on it; `standards`: profiles by name or file, all that come along if none is named.

    Raises LogError, InputError.
    """
    told = [standard_of(name) for name in standards or shipped()]
    numbers = Numbers()
    audit = verify(
        log,
        key=key,
        remembered=remembered,
        before=before,
        wanted=wanted or Wanted(),
        progress=progress,
        watch=numbers,
        workers=workers,
    )
    body = numbers.sections(audit, profile)
    rest = [*body, standards_section(audit, body, told), reproduce(audit, profile), unseen()]
    return Made(audit, [head(audit, rest), *rest], profile)
