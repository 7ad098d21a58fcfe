"""docs/receipts.md: receipts are kept with curl and jq as printed, and the log agrees with them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from fairshoe.receipts.kept import Word

pytestmark = pytest.mark.wire

PAGE = (Path(__file__).parents[2] / "docs/receipts.md").read_text(encoding="utf-8")
TOOLS = ("bash", "curl", "jq", "xxd", "sha256sum")


def test_receipts_are_kept_with_curl_and_jq_as_printed(place, tmp_path):
    assert all(map(shutil.which, TOOLS)), "tests/run installs what is missing"
    place.operator.create_table("casino", table="t5")
    section = PAGE.split("\n## Keep them with curl and jq\n")[1].partition("\n## ")[0]
    script = "set -eu -o pipefail\n" + "".join(re.findall(r"^```sh\n(.*?)^```$", section, re.M | re.S))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script.replace("http://127.0.0.1:8000", place.address)],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith(("PASS", "FAIL"))]
    count = int(re.search(r"(\d+) receipts", lines[-1])[1])
    assert lines[0] == f"PASS so far: {count} receipts are signed by the house; held against no log", done.stdout
    assert lines[-1] == f"PASS: the log agrees with {count} receipts", done.stdout
    acts = ("hash, shoe t5/1", "seed, shoe t5/1", "bet that stands, round 1: 10", "chips cash-out")
    for said in ("chips buy-in: 1,000", *acts):
        assert said in done.stdout, done.stdout
    assert "null" in (tmp_path / "alice.receipts").read_text().splitlines()


def test_every_word_about_a_receipt_is_explained():
    assert set(re.findall(r"^\| `([a-z ]+)` \| ", PAGE, re.M)) >= set(get_args(Word))
