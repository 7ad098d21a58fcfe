"""docs/witness.md works as printed, and says what the code does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from audit_cli.evidence.forks import KIND, VERSION
from audit_cli.witness import memory, shelf, submission
from audit_cli.witness.refused import CONFLICT, INCONSISTENT, MALFORMED, UNKNOWN, UNSIGNED
from fairshoe.service import witnesses
from fairshoe.service.store.cosignatures import KEPT
from tests.service.test_documentation import free_port

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "witness.md").read_text(encoding="utf-8")


def test_the_shell_examples(tmp_path: Path) -> None:
    assert all(map(shutil.which, ("bash", "curl", "grep"))), "tests/run installs what is missing"
    script = "set -eu\ntrap 'kill $(jobs -pr) 2>/dev/null || true' EXIT\n"
    script += "".join(re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S))
    house, witness = free_port(), free_port()
    script = script.replace("serve --data house", f"serve --port {house} --data house")
    script = script.replace(":8000", f":{house}").replace(":8001", f":{witness}")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    first, again, verdict, key, line, pulled, copied, signed, cosigned, consistent = done.stdout.splitlines()
    assert first.startswith("— witness.example/w1 ")
    assert again.startswith("— witness.example/w1 ")
    assert verdict.startswith("PASS: ")
    assert key == (tmp_path / "w2.vkey").read_text().strip()
    assert line.startswith("— witness.example/w2 ")
    assert "entries of fairshoe.local/" in pulled
    assert copied.startswith("PASS: ")
    assert signed.startswith("PASS: fairshoe.local/")
    assert cosigned.startswith("Cosigned by witness.example/w3 at ")
    assert consistent.startswith("PASS: the log of ")


def test_the_figures_are_those_of_the_code() -> None:
    assert f"the newest {shelf.MOST_HEADS} of them" in PAGE
    assert f"over {submission.MOST_BODY // 1024} KiB" in PAGE
    assert f"for {witnesses.ROUND:g} seconds" in PAGE
    assert f"at most {witnesses.LONGEST_PAUSE:g} seconds" in PAGE
    assert f"the newest {KEPT:,} are" in PAGE
    assert (f'`"{KIND}"`' in PAGE, VERSION) == (True, 1)
    for status in (MALFORMED, UNSIGNED, UNKNOWN, CONFLICT, INCONSISTENT):
        assert f"\n| {status} |" in PAGE


def test_the_files_of_a_memory_are_listed() -> None:
    for name in (memory.MARK, memory.KEY, memory.CHECKPOINT, memory.LEAVES, f"{shelf.REFUSED}/HASH/{shelf.FORK}"):
        assert f"/{name} " in PAGE


def test_every_link_leads_somewhere() -> None:
    headings = {line[3:].lower().replace(" ", "-") for line in PAGE.splitlines() if line.startswith("## ")}
    for anchor in re.findall(r"\]\(#([a-z-]+)\)", PAGE):
        assert anchor in headings
