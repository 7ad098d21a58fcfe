"""A report of a log: the audit, what is counted beside it, and the sections made of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self, cast

from ..verify.evidence.witnesses import RequiredWitnesses
from ..verify.findings.report import Report
from ..verify.pool import WorkerPool
from ..verify.resume import AuditInputs, resume
from ..verify.run import NOBODY
from ..verify.sharing import NotShareable
from .behaviour import Endings, behaviour
from .blocks import Section
from .chance import busts, luck, shuffles
from .charts import charts
from .counting.watcher import CountWatcher
from .cover import Cover
from .luck.busts import Busts
from .luck.house import Luck
from .outcomes import Outcomes, outcomes
from .results import Results, games, results
from .standards import Standard, included_profiles, read_standard, standards
from .statistics.collection import MAX_DECKS, OrderCount
from .verdict import checks, choices, findings, head, reproduce, unseen


class ReportCounts(CountWatcher):
    """All that a report counts beside the audit: given to `verify` as its `watch`."""

    def __init__(self) -> None:
        self.results, self.outcomes, self.endings = Results(), Outcomes(), Endings()
        self.luck, self.busts, self.shuffles = Luck(), Busts(), OrderCount()
        super().__init__(self.results, self.outcomes, self.endings, self.luck, self.busts, self.shuffles)

    def add_shares(self, shares: Sequence[Self]) -> None:
        """Add what shares counted. Raises NotShareable also where there may be more decks than are counted."""
        if len({deck for each in shares for deck in each.shuffles.shoes}) >= MAX_DECKS:
            raise NotShareable
        super().add_shares(shares)

    def sections(self, audit: Report, once: bool, told: Sequence[Standard]) -> list[Section]:
        """All but the first screen, as they stand on the page."""
        self.results.take_play(self.luck.play)
        counted = [
            games(self.results, audit),
            charts(self.results, self.busts, self.outcomes),
            checks(audit),
            findings(audit),
            luck(self.luck, self.unknown, once),
            busts(self.busts, once),
            shuffles(self.shuffles),
            behaviour(audit, self.results, self.endings),
            results(self.results),
            outcomes(self.outcomes, self.results),
            choices(audit, self.choices),
        ]
        return [*counted, standards(audit, counted, told), reproduce(audit, once), unseen()]


class ReportResult(NamedTuple):
    """A report, and the audit that it is of; why the next one cannot go on from it, where that is so; the log's `name`
    among those of one report."""

    audit: Report
    sections: list[Section]
    why_not: str = ""
    name: str = ""

    @property
    def house(self) -> str:
        """The name of the log's house, as a page has it."""
        return self.audit.log.origin or "a log"

    @property
    def says(self) -> str:
        """The verdict in a sentence."""
        return self.sections[0].says

    @property
    def good(self) -> bool:
        """Whether nothing fails, and nothing is asked."""
        return self.sections[0].status not in ("bad", "question")

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "sections": {section.name: section.as_json() for section in self.sections},
            "audit": self.audit.as_json(),
        }


def make(
    log: Path,
    *,
    key: str | None = None,
    remembered: Sequence[Path] = (),
    wanted: RequiredWitnesses | None = None,
    once: bool = False,
    profiles: Sequence[str] = (),
    cover: Cover | None = None,
    workers: WorkerPool | None = None,
    state: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> ReportResult:
    """Audit a log and report on it. Raises LogError, InputError.

    `once`: the reader looks a single time, chosen before. `profiles`: standards by name or file, all that come along if
    none. `cover`: None where that of several logs stands elsewhere. `workers` share out the log's tables, where nothing
    forbids it; `state` is the file from which an audit goes on, and in which the next one finds its own: the report is
    the same.
    """
    told = [read_standard(name) for name in profiles or included_profiles()]
    given, numbers, why_not = AuditInputs(key, remembered, wanted or NOBODY), ReportCounts(), ""
    if state is None:
        audit = given.audit(log, progress, watch=numbers, workers=workers)
    else:
        audit, why_not, watch = resume(log, state, given, progress, ReportCounts)
        numbers = cast(ReportCounts, watch)
    rest = numbers.sections(audit, once, told)
    return ReportResult(audit, [head(audit, rest, cover), *rest], why_not)
