"""docs/witness.md works as printed, and says what the code does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from audit_cli.verify.evidence.histories import KIND, VERSION
from fairshoe.service import witnesses
from fairshoe.service.signing import MAX_COSIGNATURES
from tests.service.test_documentation import free_port

from .logs import WITNESS
from .stand_in import StandIn, answering

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "witness.md").read_text(encoding="utf-8")


def test_the_shell_examples(tmp_path: Path) -> None:
    assert all(map(shutil.which, ("bash", "curl", "grep"))), "tests/run installs what is missing"
    script = "set -eu\ntrap 'kill $(jobs -pr) 2>/dev/null || true' EXIT\n"
    script += "".join(re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S))
    house = free_port()
    (tmp_path / "w1.vkey").write_text(f"{WITNESS.key}\n")
    with answering(StandIn(WITNESS, tmp_path / "house.vkey")) as witness:
        script = script.replace("serve --data house", f"serve --port {house} --data house")
        script = script.replace(":8000", f":{house}").replace("http://127.0.0.1:8001", witness)
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path}
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
    assert done.returncode == 0, done.stdout + done.stderr
    pulled, verified, consistent = done.stdout.splitlines()
    assert "entries of fairshoe.local/" in pulled
    assert verified.startswith("PASS")
    assert consistent.startswith("PASS: the log of ")


def test_the_figures_are_those_of_the_code() -> None:
    assert f"for {witnesses.MAX_SUBMIT_TIME:g} seconds" in PAGE
    assert f"at most {witnesses.MAX_PAUSE:g} seconds" in PAGE
    assert f"the newest {MAX_COSIGNATURES:,} are" in PAGE
    assert (f'`"{KIND}"`' in PAGE, VERSION) == (True, 1)
