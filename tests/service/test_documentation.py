"""docs/service.md works as printed, and its tables are those that the service goes by."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from audit_cli.receipts.run import decide
from fairshoe.ceremony.acting.view import FORMS
from fairshoe.ceremony.policy import Policy, bounds
from fairshoe.engine.rules import rules_of
from fairshoe.service.api.problems import ALL
from fairshoe.service.app import create_app

pytestmark = pytest.mark.wire

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "service.md"
TOOLS = ("bash", "curl", "jq", "xxd", "sha256sum")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.M | re.S)


def rows(first):
    """The cells of the table whose first column is headed so."""
    found = re.search(rf"^\| {re.escape(first)} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE.read_text(), re.M)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()]


def words(cell):
    return re.findall(r"`([^`]+)`", cell)


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
    for text in (
        '"idle"',
        '[{"do":"seed","shoe":"t1/1"}',
        "PASS",
        '"closed"',
        '["alice"]',
        '["bob","alice"]',
        '["bob"]',
        "[]\nnull",
        '"status": 422',
        "an even bet",
    ):
        assert text in done.stdout, done.stdout


def play_as_printed(place, name):
    (example,) = blocks("python")
    example = example.replace("http://127.0.0.1:8000", place.address).replace('"alice', f'"{name}')
    exec(compile(example.replace("hand.json", f"{name}.json"), str(PAGE), "exec"), {})
    return name


@pytest.mark.parametrize("rules", ["banker", "pontoon"])
def test_the_python_example_plays_a_game(place, tmp_path, monkeypatch, rules):
    """Two players where the game has two, each in a program of their own."""
    monkeypatch.chdir(tmp_path)
    place.operator.create_table(rules, table="t3")
    fewest, most = rules_of(rules).chairs
    names = ("alice", "bob")[: max(fewest, min(most, 2))]
    with ThreadPoolExecutor() as pool:
        assert list(pool.map(lambda name: play_as_printed(place, name), names)) == list(names)
    assert place.kinds().count("round") >= 3
    place.assert_clean()
    log, key = place.directory / "audited", place.public.verifier()
    for name in names:
        decided = decide(tmp_path / f"{name}.seat.receipts", log, key=key)
        assert {case.word for case in decided.cases} == {"agrees"}
        told = subprocess.run(
            [sys.executable, "-m", "audit_cli.main", "hand", tmp_path / f"{name}.json", "--key", key],
            capture_output=True,
            text=True,
        )
        assert told.returncode == 0, told.stdout + told.stderr


def shown(rule):
    """A route as the page has it."""
    names = {"<table>": "T", "<round>": "R", "<int:seat>": "N", "<int:number>": "N", "<seat>": "N"}
    rule = rule.removeprefix("/v1")
    for name, letter in names.items():
        rule = rule.replace(name, letter)
    return rule


def test_every_route_is_listed(place):
    listed = {route for cell, *_ in rows("route") for route in words(cell)}
    rules = create_app(place.house.sequencer).url_map.iter_rules()
    served = {
        f"{method} {shown(rule.rule)}"
        for rule in rules
        if rule.rule.startswith("/v1")
        for method in rule.methods & {"GET", "POST", "DELETE"}
    }
    assert listed == served


def test_every_form_of_expects_is_listed():
    assert [words(cell)[0] for cell, *_ in rows("`do`")] == list(FORMS)


def test_the_time_limits_are_the_services():
    listed = {words(limit)[0]: [int(cell.replace(",", "")) for cell in cells] for limit, *cells, _ in rows("limit")}
    assert listed == {name: [default, *bounds(name)] for name, default in Policy()._asdict().items()}


def test_the_problems_are_the_services():
    listed = [(int(status), name) for row in rows("status") for status, name in pairs(row)]
    assert sorted(listed) == sorted((kind.status, kind.name) for kind in ALL)


def pairs(row):
    statuses, names = row[0].split(", "), words(row[1])
    return zip(statuses if len(statuses) == len(names) else statuses * len(names), names, strict=True) if names else ()
