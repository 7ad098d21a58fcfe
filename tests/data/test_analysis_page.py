"""docs/analysis.md: its columns are those that there are, its queries run as printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from audit_cli.data.documented import columns
from audit_cli.data.export import export
from audit_cli.verify import verify
from tests.simulated import simulated

PAGE = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text()
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)
SCRIPTS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    log = simulated(tmp_path_factory.mktemp("log") / "house", rounds=180, careless=0.1)
    lines = (log / "log.jsonl").read_bytes().splitlines(keepends=True)
    where = next(i for i, line in enumerate(lines) if b'"kind":"round"' in line and b'"net":-' in line)
    lines[where] = lines[where].replace(b'"net":-', b'"net":-1', 1)
    (log / "log.jsonl").write_bytes(b"".join(lines))
    folder = tmp_path_factory.mktemp("tables")
    export(log, verify(log).findings, {"parquet": folder})
    return folder


def test_the_columns_are_those_of_the_page() -> None:
    assert columns() in PAGE


def test_there_are_ten() -> None:
    assert len(QUERIES) + len(SCRIPTS) == 10


@pytest.mark.parametrize("query", QUERIES, ids=range(len(QUERIES)))
def test_query(folder: Path, query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert duckdb.sql(query).fetchall()


def test_scripts(folder: Path) -> None:
    """All of them in one process: pandas is slow to come."""
    marked = "\nprint('====')\n".join(SCRIPTS)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", marked],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = done.stdout.split("====")
    assert len(answers) == len(SCRIPTS)
    assert "casino" in answers[0]
    assert "mean" in answers[1]
    assert "payout-differs" in answers[2]
