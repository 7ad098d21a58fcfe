"""docs/service.md, docs/receipts.md and docs/operations.md work as printed, and say what the service goes by."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import get_args

import pytest

from audit_cli.cases.receipts.case import Word
from audit_cli.cases.receipts.run import decide
from fairshoe.ceremony.acting.view import FORMS
from fairshoe.ceremony.policy import Policy, bounds
from fairshoe.engine.rules import rules_of
from fairshoe.service.route_list import route_list
from fairshoe.service.settings import Settings
from tests.long.serving import free_port

pytestmark = pytest.mark.wire

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "service.md"
RECEIPTS = (DOCS / "receipts.md").read_text(encoding="utf-8")
OPERATIONS = (DOCS / "operations.md").read_text(encoding="utf-8")
TOOLS = ("bash", "curl", "jq", "xxd", "sha256sum")


def blocks(language, text=None):
    return re.findall(rf"^```{language}\n(.*?)^```$", text or PAGE.read_text(), re.M | re.S)


def shell(script, folder):
    """The exit code of a script that ends where something fails, and what it printed; where it did, its errors too."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", f"set -eu -o pipefail\n{script}"],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + (done.stderr if done.returncode else "")


def lines(section):
    """The lines of a section's list: what each begins with, and what it says of that."""
    found = re.search(rf"^### {re.escape(section)}\n(.*?)(?=^##)", PAGE.read_text(), re.M | re.S)
    return re.findall(r"^- `(.+?)`(.*)$", found[1], re.M)


def test_the_shell_examples(tmp_path):
    assert all(map(shutil.which, TOOLS)), "tests/run installs what is missing"
    port = str(free_port())
    script = "trap 'kill %1 2>/dev/null' EXIT\n" + "".join(blocks("sh"))
    script = script.replace("serve --data house", f"serve --port {port} --data house").replace(":8000", f":{port}")
    code, told = shell(script, tmp_path)
    assert code == 0, told
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
        assert text in told, told


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


def test_the_page_has_the_routes_that_the_command_prints():
    assert route_list() in PAGE.read_text()


def test_every_form_of_expects_is_listed():
    assert [do for do, _ in lines("`you.expects`")] == list(FORMS)


def test_the_time_limits_are_the_services():
    figures = {name: re.findall(r"[\d,]*\d", told) for name, told in lines("Time limits")}
    listed = {name: [int(figure.replace(",", "")) for figure in told] for name, told in figures.items()}
    assert listed == {name: [default, *bounds(name)] for name, default in Policy()._asdict().items()}


# docs/receipts.md.


def test_every_word_about_a_receipt_is_explained():
    assert set(re.findall(r"^- `([a-z ]+)`: ", RECEIPTS, re.M)) >= set(get_args(Word))


# docs/operations.md: a house that is backed up, pulled, lost, and restored in each of its ways.


def test_the_commands_of_the_page(place, postgresql):
    """In their order, in a folder with the house beside its backups and its mirror."""
    backing_up, pulling, restoring, moving, publishing, newest = blocks("sh", OPERATIONS)
    folder = place.directory.parent
    os.symlink(place.directory, folder / "house")
    (folder / "backups").mkdir()
    seats = place.sealed()
    code, told = shell(backing_up, folder)
    assert (code, told.count("is whole")) == (0, 1), told
    place.bet_and_finish(seats)
    code, told = shell(pulling.replace("http://127.0.0.1:8000", place.address), folder)
    assert (code, "holds 10 entries" in told) == (0, True), told

    place.stop()
    code, told = shell(restoring, folder)
    assert code == 0, told
    assert "1, lost: 0." in told
    assert "is whole: 10 entries" in told
    assert (place.directory / "fairshoe.db").exists()

    code, told = shell(newest, folder)
    assert code == 0, told
    assert "1, lost: 1." in told
    code, told = shell(publishing, folder)
    assert (code, "holds 8 entries" in told) == (0, True), told
    code, told = shell("fairshoe-audit verify published", folder)
    assert (code, "PASS so far" in told) == (0, True), told
    place.start(clock_is_right=True)
    place.stop()

    made, *moves, served = moving.splitlines()
    assert (made.split()[0], served.split()[:2]) == ("createdb", ["fairshoe", "serve"])
    address = postgresql.database()
    code, told = shell("\n".join(moves).replace("postgresql+psycopg://user@host/house", address), folder)
    assert code == 0, told
    assert "1, lost: 0." in told
    assert not list(place.directory.glob("fairshoe.db*"))
    place.settings = Settings(database=address)
    place.start(clock_is_right=True)


def test_every_file_that_the_page_names_is_there(place):
    for path in place.directory.iterdir():
        assert path.name in OPERATIONS or path.name.startswith(("fairshoe.db-", "newest.checkpoint")), path.name
