"""What is loaded when: the protocol alone, until somebody asks for more."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ["flask", "sqlalchemy", "marshmallow", "fairshoe.engine", "fairshoe.log", "fairshoe.record", "fairshoe.service"]
SHUFFLE = ["shuffle", "--key", "00" * 32, "--shoe", "s", "--deck", "french:1", "--first", "0"]


@pytest.mark.parametrize(
    "code",
    [
        "import fairshoe",
        "from fairshoe.cli import main; main(['--help'])",
        f"from fairshoe.cli import main; main({SHUFFLE})",
    ],
    ids=["import", "help", "shuffle"],
)
def test_nothing_heavy_is_loaded(code: str) -> None:
    program = f"{code}\nimport sys\nprint('loaded:', *(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded:"
