"""docs/service.md works as printed."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "service.md"
TOOLS = ("bash", "curl", "jq", "xxd", "sha256sum")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.M | re.S)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_the_shell_examples(tmp_path):
    assert all(map(shutil.which, TOOLS)), "tests/run installs what is missing"
    port = str(free_port())
    script = "set -eu -o pipefail\ntrap 'kill %1 2>/dev/null' EXIT\n" + "".join(blocks("sh"))
    script = script.replace("serve --data house", f"serve --port {port} --data house").replace(":8000", f":{port}")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for text in ('"idle"', "PASS", '"closed"', '["alice"]', '"status": 422', "an even bet"):
        assert text in done.stdout


def test_the_python_example(place):
    place.operator.create_table("casino", table="t3")
    (example,) = blocks("python")
    exec(compile(example.replace("http://127.0.0.1:8000", place.address), str(PAGE), "exec"), {})
    assert "round" in place.kinds()
