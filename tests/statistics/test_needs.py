"""Without scipy and numpy the auditor works; only the statistics say what they need."""

from __future__ import annotations

import subprocess
import sys

import pytest

HIDE = "import sys; sys.modules.update(dict.fromkeys({hidden!r}))\n"


def python(code: str, *hidden: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", HIDE.format(hidden=hidden) + code], capture_output=True, text=True, check=False
    )


def test_the_auditor_needs_neither() -> None:
    code = (
        "import audit_cli.main, audit_cli.verify; print({each for each in sys.modules if each in ('numpy', 'scipy')})"
    )
    assert python(code).stdout == "set()\n"


@pytest.mark.parametrize("hidden", ["numpy", "scipy"])
def test_an_error_names_the_extra(hidden: str) -> None:
    code = (
        "from fairshoe.errors import InputError\n"
        "try:\n    import audit_cli.statistics.collected\n"
        "except InputError as error:\n    print(error)\n"
    )
    told = python(code, hidden).stdout
    assert f"{hidden} is not installed" in told
    assert "pip install 'fairshoe[stats]'" in told
