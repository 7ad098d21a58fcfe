"""docs/embedding.md and the README's example work as printed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

import fairshoe

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "embedding.md"
README = ROOT / "README.md"


def blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)


def run(name: str, directory: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "WAR_SECRET": "5e" * 32}
    return subprocess.run([sys.executable, name], cwd=directory, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game, played to its end through the restart."""
    folder = Path(copytree(ROOT / "docs" / "examples" / "war", tmp_path_factory.mktemp("game") / "war"))
    started = run("start.py", folder)
    assert (started.returncode, started.stderr) == (1, "")
    assert len(announced(folder, "cards")) == 2
    (folder / "war.saved").with_suffix(".live").write_bytes((folder / "war.saved").read_bytes())
    ended = run("go_on.py", folder)
    assert (ended.returncode, ended.stderr) == (0, "")
    return folder


@pytest.fixture
def table(played: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(copytree(played, tmp_path / "war"))


def announced(directory: Path, what: str) -> list[dict[str, object]]:
    notes = [json.loads(line) for line in (directory / "announced.jsonl").read_text().splitlines()]
    return [note for note in notes if what in note]


def test_the_game_goes_on_after_the_crash_and_its_proof_holds(table: Path) -> None:
    checked = run("check.py", table)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert len(checked.stdout.split()) == 16
    assert [note["pos"] for note in announced(table, "cards")] == [0, 3, 3, 6, 9, 12]
    proof = fairshoe.Proof.from_json((table / "proof.json").read_text())
    assert proof.key.hex() not in (table / "war.live").read_text()


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ('"cut": 20', '"cut": 21'),
        ('"cards": ["', '"cards": ["?'),
        ('"player": "alice", "seed": "', '"player": "alice", "seed": "00'),
        ('"commitment": "', '"commitment": "00'),
    ],
)
def test_what_alice_remembers_otherwise_is_found(table: Path, was: str, becomes: str) -> None:
    file = table / "announced.jsonl"
    assert was in file.read_text()
    file.write_text(file.read_text().replace(was, becomes, 1))
    checked = run("check.py", table)
    assert checked.returncode == 1
    assert "VerificationError" in checked.stderr


def test_a_hidden_card_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = [block for block in blocks(PAGE) if "Opening.from_json" in block]
    names: dict[str, object] = {}
    exec(compile(block, str(PAGE), "exec"), names)
    assert capsys.readouterr().out == f"0 {names['sealed'].first(1)[0]}\n"  # type: ignore[attr-defined]


def test_the_other_games(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(blocks(PAGE)[-2], str(PAGE), "exec"), {})
    dice, prizes = map(json.loads, capsys.readouterr().out.replace("'", '"').splitlines())
    assert all(1 <= pips <= 6 for pips in dice)
    assert len({*prizes}) == 3


def test_the_reshuffle_in_the_middle_of_a_deal(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(blocks(PAGE)[-1], str(PAGE), "exec"), {})
    table, left, card = re.fullmatch(r"(\[.*\]) (\d+) (\w+)\n", capsys.readouterr().out).groups()  # type: ignore[union-attr]
    on_table = json.loads(table.replace("'", '"'))
    assert (len(on_table), left, card in on_table) == (7, "45", False)


def test_the_example_of_the_readme() -> None:
    (example,) = blocks(README)
    names: dict[str, object] = {}
    exec(compile(example, str(README), "exec"), names)
    proof = fairshoe.Proof.from_json(str(names["proof"]))
    assert fairshoe.verify(proof).dealt == [names["cards"]]
    assert [who for who, _ in proof.seeds] == ["alice"]


def test_every_call_and_every_error_is_described() -> None:
    text = PAGE.read_text(encoding="utf-8")
    errors = {
        name
        for name in fairshoe.__all__
        if isinstance(getattr(fairshoe, name), type) and issubclass(getattr(fairshoe, name), Exception)
    }
    public = [name for kind in (fairshoe.Committed, fairshoe.Record) for name in vars(kind) if not name.startswith("_")]
    assert [name for name in [*errors, *public, "keep", "resume", "new_key", "check_record"] if name not in text] == []


@pytest.mark.parametrize("page", [PAGE, README, ROOT / "docs" / "protocol.md"], ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\[([^]]+)\]\(([^)#]*)(?:#([^)]+))?\)", page.read_text(encoding="utf-8"))
    assert links
    for _, target, anchor in links:
        file = page.parent / target if target else page
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.M)
            assert anchor in [heading.lower().replace(" ", "-") for heading in headings]


def test_the_readme_reads_well_where_its_links_lead_nowhere() -> None:
    """On a package index there is no docs/: what a link is called must say where it leads."""
    for text, target in re.findall(r"(?<!!)\[([^]]+)\]\(([^)]+)\)", README.read_text(encoding="utf-8")):
        assert target in (text, f"{text}/README.md") or target.startswith("https://"), text
