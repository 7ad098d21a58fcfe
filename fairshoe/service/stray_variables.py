"""Variables of the environment that look like settings and are none: a misspelt one would do nothing in silence."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from ..protocol.kernel import VARIABLE as PURE_VARIABLE
from .relocking import NEW_VARIABLE
from .settings import CONFIG_VARIABLE, PREFIX, settings
from .vault import MASTER_VARIABLE


def stray_variables(names: Iterable[str]) -> list[str]:
    """A line about each that begins with FAIRSHOE_ and that nothing reads.

    They are no errors: Kubernetes sets FAIRSHOE_SERVICE_HOST and the like where a service is called fairshoe.
    """
    others = {CONFIG_VARIABLE, MASTER_VARIABLE, NEW_VARIABLE, PURE_VARIABLE}
    known = others | {about.variable for about in settings()}
    return [_line(name, sorted(known)) for name in sorted(names) if name.startswith(PREFIX) and name not in known]


def _line(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1, cutoff=0.85)
    return f"{name} is no setting" + (f": {close[0]} is" if close else "")
