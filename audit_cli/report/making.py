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
from .blocks import Section
from .counting import Counting
from .facts import Facts, Profile
from .sections import sections

VERSION = 1
"""Of the JSON form."""


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
    counting = Counting()
    audit = verify(
        log,
        key=key,
        remembered=remembered,
        before=before,
        wanted=wanted or Wanted(),
        progress=progress,
        watch=counting,
        workers=workers,
    )
    facts = Facts(audit, counting, profile)
    return Made(audit, sections(facts, standards), profile)
