"""The second reading, `fairshoe/web/verifier`: each of its test scripts in Node."""

import subprocess
from pathlib import Path

import pytest

from .node import node

HERE = Path(__file__).parent
SCRIPTS = sorted(path.name for path in HERE.glob("*.mjs"))
LIMIT = 300  # seconds


def test_there_are_scripts() -> None:
    assert {"package.mjs", "primitives.mjs", "protocol.mjs", "telling.mjs"} <= set(SCRIPTS)


@pytest.mark.parametrize("script", SCRIPTS)
def test_second_reading(script: str) -> None:
    command = [node(), "--test-reporter=tap", str(HERE / script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    failed = done.stdout[done.stdout.find("not ok") :] if "not ok" in done.stdout else ""
    assert done.returncode == 0, failed + done.stderr
    assert "\n# pass 0\n" not in done.stdout
