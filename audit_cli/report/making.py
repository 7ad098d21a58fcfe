"""A report of a log: the audit, what is counted beside it, and the sections made of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..evidence.before import Before
from ..evidence.cosigned import Wanted
from ..findings.report import TOOL, Report
from ..sharing import Workers
from ..verify import verify
from .behaviour import behaviour
from .blocks import Section
from .clauses import shipped, standard_of, standards
from .limits import choices, reproduce, unseen
from .luck import busts, luck
from .numbers import Numbers
from .outcomes import outcomes
from .pace import pace
from .results import results
from .shuffles import shuffles
from .verdict import checks, findings, head

VERSION = 1
"""Of the JSON form."""
JUDGING = 5
"""So many sections ask by numbers: outcomes, shuffles, luck, busts, behaviour."""
ORDER = (
    checks,
    findings,
    luck,
    busts,
    shuffles,
    behaviour,
    results,
    outcomes,
    pace,
    choices,
)
"""The sections as they stand; after them come what is made of them, and what stands beside the verdict."""


class Profile(NamedTuple):
    """How sure a report has to be before it says that chance does not explain something: `level` is the chance that an
    honest log gives it any such reason at all. `once`: the reader looks once, at a time that was chosen before."""

    name: str
    level: float
    once: bool = False

    @property
    def share(self) -> float:
        """The level of one section, for all its tests together."""
        return self.level / JUDGING


PROFILES = {profile.name: profile for profile in (Profile("99", 0.01), Profile("95", 0.05))}


class Facts(NamedTuple):
    """The audit, what was counted beside it, and how sure the reader wants to be."""

    audit: Report
    numbers: Numbers
    profile: Profile


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
        from .html import page

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
    facts = Facts(audit, numbers, profile)
    return Made(audit, sections(facts, standards), profile)


def sections(facts: Facts, profiles: Sequence[str] = ()) -> list[Section]:
    """The head of the page, and after it every section; `profiles` of standards, by name or file. Raises InputError."""
    body = [build(facts) for build in ORDER]
    names = [section.name for section in body]
    told = [standard_of(name, names) for name in profiles or shipped()]
    rest = [*body, standards(facts, body, told), reproduce(facts), unseen(facts)]
    return [head(facts, rest), *rest]
