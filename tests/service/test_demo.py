"""`fairshoe demo`: its hints run as printed, and it overwrites nothing that it did not write."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from fairshoe.cli import main
from fairshoe.commands import demo
from fairshoe.commands._demo import audit_hint
from fairshoe.page import fill_page

README = Path(__file__).parents[2] / "README.md"
BIN = Path(sys.executable).parent
WITHOUT = {"PATH": "/usr/bin:/bin", "HOME": "/"}
"""An environment in which neither program is on the PATH."""


def hints(text):
    *_, told = text.partition("\nThe log lies in ")
    return [line.strip() for line in told.splitlines() if line.startswith("  ") and "file://" not in line]


def run(command, cwd, env=WITHOUT):
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)


def played(cwd, *arguments, env=WITHOUT, program=None):
    """What `fairshoe demo` prints, run by its path relative to a directory."""
    program = program or os.path.relpath(BIN / "fairshoe", cwd)
    done = run([program, "demo", "--rounds", "2", *arguments], cwd, env)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_hints_run_as_printed_with_nothing_on_the_path(tmp_path):
    name = '--key alice\'s & bob "log" $HOME `id` \\'
    told = played(tmp_path, "--out", name)
    found = hints(told)
    program = BIN / "fairshoe-audit"
    assert [line.split(" ")[:2] for line in found] == [
        [str(program), name] for name in ("verify", "hand", "receipt", "hand")
    ]
    for hint in found:
        done = run(["sh", "-c", hint], tmp_path)
        assert done.returncode == 0, (hint, done.stdout, done.stderr)
    (out,) = (Path(tmp_path, root) for root, _, files in os.walk(tmp_path) if "log.jsonl" in files)
    assert out == tmp_path / name
    (address,) = re.findall(r"^  (file://\S+)$", told, re.M)
    page = Path(url2pathname(urlsplit(address).path))
    assert page == out / "verify.html"
    key = (out / "log.vkey").read_text().strip()
    assert page.read_text(encoding="utf-8") == fill_page((out / "hand.json").read_bytes(), key)


def test_the_hints_name_the_auditor_as_readme_does(monkeypatch):
    """Where the environment of the program is in the current directory, and not on the path."""
    monkeypatch.setenv("PATH", WITHOUT["PATH"])
    monkeypatch.chdir(BIN.parents[1])
    (named,) = {
        line.split()[0] for line in README.read_text().splitlines() if line.startswith(".venv/bin/fairshoe-audit ")
    }
    assert audit_hint("verify", "log") == f"{BIN.relative_to(BIN.parents[1])}/{Path(named).name} verify log"


def refused(tmp_path, monkeypatch, capsys):
    """The demo refuses the directory before anything is played, and leaves it as it is."""
    monkeypatch.setattr(demo, "_play", lambda *_: pytest.fail("played"))
    out = tmp_path / "log"
    before = {path: path.read_bytes() for path in out.iterdir()} if out.is_dir() else out.read_bytes()
    assert main(["demo", "--out", str(out)]) == 2
    told = capsys.readouterr().err
    assert "--out" in told
    assert ({path: path.read_bytes() for path in out.iterdir()} if out.is_dir() else out.read_bytes()) == before
    return told


@pytest.mark.parametrize("name", ["log.jsonl", "checkpoint", "log.vkey", "novel.txt"])
def test_a_directory_that_no_demo_wrote_is_refused(tmp_path, monkeypatch, capsys, name):
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / name).write_text("somebody's")
    assert "no demo wrote" in refused(tmp_path, monkeypatch, capsys)


def test_with_a_placer_beside_it(tmp_path):
    """Neither knows the next card: the log shows it, and what the two said to each other agrees with it."""
    told = played(tmp_path, "--out", "log", "--placer", "--rules", "pontoon")
    wanted = [line for line in hints(told) if " verify " in line or " placed " in line]
    assert len(wanted) == 2
    for hint in wanted:
        done = run(["sh", "-c", hint], tmp_path)
        assert done.returncode == 0, (hint, done.stdout, done.stderr)
    assert "AGREES" in done.stdout
    assert '"kind":"placed"' in (tmp_path / "log" / "log.jsonl").read_text()
