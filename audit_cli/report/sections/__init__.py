"""One file a section of the report: `NAME`, `TITLE`, and `build(facts)`, which gives it.

`ORDER` is the order in which they stand; after them come what is made of them, and `LAST`. The head is made of all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..blocks import Section
from ..facts import Facts
from ..profiles import shipped, standard_of
from .behaviour import build as behaviour
from .busts import build as busts
from .checks import build as checks
from .choices import build as choices
from .findings import build as findings
from .head import build as head
from .luck import build as luck
from .outcomes import build as outcomes
from .pace import build as pace
from .reproduce import build as reproduce
from .results import build as results
from .shuffles import build as shuffles
from .standards import build as standards
from .unseen import build as unseen

Build = Callable[[Facts], Section]

ORDER: tuple[Build, ...] = (
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
LAST: tuple[Build, ...] = (reproduce, unseen)


def sections(facts: Facts, profiles: Sequence[str] = ()) -> list[Section]:
    """The head of the page, and after it every section; `profiles` of standards, by name or file. Raises InputError."""
    body = [build(facts) for build in ORDER]
    names = [section.name for section in body]
    told = [standard_of(name, names) for name in profiles or shipped()]
    rest = [*body, standards(facts, body, told), *(build(facts) for build in LAST)]
    return [head(facts, rest), *rest]
