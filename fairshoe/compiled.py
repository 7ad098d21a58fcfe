"""Choice of implementation: compiled modules and the C kernel, or Python files as they stand with FAIRSHOE_PURE=1. All
give the same, byte for byte; the tests compare them."""

from __future__ import annotations

import os
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, PathFinder, SourceFileLoader

VARIABLE = "FAIRSHOE_PURE"
_HERE = os.path.dirname(__file__)
PLACES = (_HERE, os.path.join(os.path.dirname(_HERE), "audit_cli"))


def _source_finder(path: str) -> FileFinder:
    if path.startswith(PLACES):
        return FileFinder(path, (SourceFileLoader, SOURCE_SUFFIXES))
    raise ImportError(path)


if os.environ.get(VARIABLE, "0") not in ("", "0"):
    sys.path_hooks.insert(0, _source_finder)
    for _place in [path for path in sys.path_importer_cache if path.startswith(PLACES)]:
        del sys.path_importer_cache[_place]


def describe_build() -> str:
    """For `--version`: whether the rules are compiled, and which kernel shuffles."""
    from .protocol.kernel import RUNS

    spec = PathFinder.find_spec("fairshoe.log.times", [os.path.join(_HERE, "log")])  # nothing is loaded
    compiled = spec is not None and not (spec.origin or "").endswith(".py")
    return f"{'compiled' if compiled else 'interpreted'}, {RUNS}"
