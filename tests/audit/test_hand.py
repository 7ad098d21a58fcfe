"""`fairshoe-audit hand` and `refunds`, as a person runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairshoe.log.canonical import encode
from tests.house import SIGNER, honest

GAMES = {
    "casino": (1, 2, 3),
    "banker": (1,),
    "boxes": (1, 2),
    "lounge": (1, 2),
    "pontoon": (1, 2, 3),
    "chinese": (1, 2),
}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "audit_cli.main", *arguments], capture_output=True, text=True, check=False
    )


def rewritten(directory: Path, lines: list[bytes], change: Callable[[dict[str, Any]], object]) -> Path:
    """The log with its first round changed, signed again."""
    from fairshoe.log.directory import write_log

    entries = [json.loads(line) for line in lines]
    change(next(entry for entry in entries if entry["kind"] == "round"))
    write_log(directory, map(encode, entries), SIGNER)
    return directory


@pytest.mark.parametrize("rules", sorted(GAMES))
def test_a_hand_is_told_card_by_card(rules: str, tmp_path: Path) -> None:
    house = honest(rules, 3, seats=GAMES[rules], chips=100_000)
    house.write(tmp_path)
    told = run("hand", str(tmp_path), "--round", f"{rules}#1")
    assert told.returncode == 0, told.stdout + told.stderr
    entry = next(entry for entry in map(json.loads, house.lines) if entry["kind"] == "round")
    for offset, card in enumerate(entry["cards"]):
        assert told.stdout.count(f"✓ {card}   i = ") >= entry["cards"][: offset + 1].count(card)
    for account, chips in entry["chips"].items():
        assert f"seat {account}) {chips:,}" in told.stdout or f"the {account} {chips:,}" in told.stdout
    assert "✗" not in told.stdout
    assert told.stdout.rstrip().endswith("is what the key and the rules give.")


def test_the_arithmetic_is_the_protocols(tmp_path: Path) -> None:
    """Each line `i + w mod m = j` is right, and swapping by them gives the cards."""
    import re

    house = honest("casino", 1, chips=10_000)
    house.write(tmp_path)
    told = run("hand", str(tmp_path), "--round", "1").stdout
    sums = re.findall(r"i = (\d+), w = (\d+).*?: (\d+) \+ (\d+) mod (\d+) = (\d+)", told)
    assert len(sums) >= 6
    for i, w, again, word, m, j in sums:
        assert (i, w, int(m)) == (again, word, 312 - int(i))
        assert int(i) + int(w) % int(m) == int(j)


def test_a_changed_card_and_payout_show_in_the_hand(tmp_path: Path) -> None:
    house = honest("casino", 3, chips=10_000)

    def change(entry: dict[str, Any]) -> None:
        entry["hands"][0]["net"] += 2

    told = run("hand", str(rewritten(tmp_path, house.lines, change)), "--round", "casino#1")
    assert told.returncode == 1
    assert "payout-differs hands[0].net" in told.stdout
    changed = run("hand", str(tmp_path), "--round", "casino#2")
    assert changed.returncode == 0, "another round of the same log is as it should be"


def test_a_hand_whose_key_is_not_out_yet(tmp_path: Path) -> None:
    house = honest("casino", 3, chips=10_000)
    end = next(i for i, line in enumerate(house.lines) if b'"kind":"reveal"' in line)
    house.lines = house.lines[:end]
    house.write(tmp_path)
    told = run("hand", str(tmp_path), "--round", "1")
    assert told.returncode == 0
    assert "The key is not revealed yet" in told.stdout
    assert "Nothing is wrong so far" in told.stdout


@pytest.mark.parametrize("name", ["casino#99", "99", "nowhere#1", "casino", "casino#x", "casino#" + "9" * 30])
def test_a_round_that_is_not_there(name: str, tmp_path: Path) -> None:
    honest("casino", 2, chips=10_000).write(tmp_path)
    told = run("hand", str(tmp_path), "--round", name)
    assert (told.returncode, told.stdout) == (2, "")
    assert "expected" in told.stderr
    assert "Traceback" not in told.stderr


def test_refunds_are_owed_to_everybody_seated_in_a_wrong_round(tmp_path: Path) -> None:
    """LO-07."""
    house = honest("lounge", 3, seats=(1, 2))
    house.write(tmp_path / "honest")
    assert run("refunds", str(tmp_path / "honest")).returncode == 0

    def change(entry: dict[str, Any]) -> None:
        entry["hands"][1]["net"] += 1000

    owed = run("refunds", str(rewritten(tmp_path / "wrong", house.lines, change)), "--format", "json")
    assert owed.returncode == 1
    assert [(r["table"], r["player"], r["amount"], r["rounds"]) for r in json.loads(owed.stdout)] == [
        ("lounge", "lounge-p1", 10_000, ["lounge#1"]),
        ("lounge", "lounge-p2", 10_000, ["lounge#1"]),
    ]


def test_a_wrong_key_makes_the_rounds_of_its_shoe_refundable(tmp_path: Path) -> None:
    from fairshoe.log.directory import write_log

    house = honest("lounge", 2, seats=(1,))
    entries = [json.loads(line) for line in house.lines]
    reveal = [entry for entry in entries if entry["kind"] == "reveal"][1]
    reveal["key"] = "00" * 32
    write_log(tmp_path, map(encode, entries), SIGNER)
    owed = run("refunds", str(tmp_path), "--format", "json")
    assert [r["rounds"] for r in json.loads(owed.stdout)] == [["lounge#2"]]
