"""hands.csv against the log itself, and docs/analysis.md: its questions run as printed."""

from __future__ import annotations

import csv
import json
import re
import subprocess
from pathlib import Path

import duckdb
import pytest

from audit_cli.main import main
from audit_cli.report.hands_csv import COLUMNS, FORMULA, write_hands
from tests.simulated import simulated

PAGE = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text(encoding="utf-8")
QUESTIONS = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)
VIEWS = (Path(__file__).parents[2] / "docs" / "examples" / "views.sql").read_text(encoding="utf-8")
ROUNDS = 120


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated(tmp_path_factory.mktemp("log") / "house", rounds=ROUNDS, careless=0.1)


def entries(log: Path) -> list[dict]:
    return [json.loads(line) for line in (log / "log.jsonl").read_text().splitlines()]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_rows_are_the_hands_of_the_log(log: Path, tmp_path: Path) -> None:
    write_hands(log, tmp_path / "hands.csv")
    sitting: dict[tuple[str, int], str] = {}
    opened: dict[tuple[str, int], int] = {}
    expected = []
    for index, entry in enumerate(entries(log)):
        if entry["kind"] == "chips" and entry["op"] == "buy-in":
            sitting[entry["table"], entry["seat"]] = entry["player"]
        elif entry["kind"] == "round":
            table = entry["shoe"].rpartition("/")[0]
            for number, hand in enumerate(entry["hands"]):
                who = sitting[table, hand["seat"]]
                cards = " ".join(entry["cards"][at] for at in hand["cards"])
                expected.append((index, number, who, hand["bet"], cards, hand["outcome"], hand["net"]))
                opened.setdefault((entry["shoe"], entry["round"]), 0)
    found = rows(tmp_path / "hands.csv")
    assert [
        (int(r["entry"]), int(r["hand"]), r["player"], int(r["bet"]), r["cards"], r["outcome"], int(r["net"]))
        for r in found
    ] == expected
    assert tuple(found[0]) == tuple(COLUMNS)
    assert sum(int(r["staked"] or 0) for r in found) <= sum(
        bet["amount"] for entry in entries(log) if entry["kind"] == "open" for bet in entry["bets"]
    )


def test_a_text_is_no_formula_and_a_hostile_entry_has_no_row(log: Path, tmp_path: Path) -> None:
    lines = (log / "log.jsonl").read_bytes().splitlines()
    at = [i for i, line in enumerate(lines) if b'"kind":"round"' in line]
    lines[at[0]] = lines[at[0]].replace(b'"hands":[{', b'"hands":[7,{')
    lines[at[1]] = re.sub(rb'"outcome":"[a-z-]+"', b'"outcome":"=1+1"', lines[at[1]])
    lines.insert(at[0], b"\xff\xfe not an entry")
    lines.insert(at[0], b'{"at":"2026-01-01T00:00:00.000000Z","kind":"surprise","v":1}')
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    write_hands(tmp_path / "log.jsonl", tmp_path / "hands.csv")
    found = rows(tmp_path / "hands.csv")
    assert len({row["entry"] for row in found}) == ROUNDS - 1
    assert not any(cell.startswith(FORMULA) for row in found for name, cell in row.items() if name == "outcome")


def test_the_questions_of_the_page(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (log / "log.jsonl").read_bytes().splitlines(keepends=True)
    where = next(i for i, line in enumerate(lines) if b'"kind":"round"' in line and b'"net":-' in line)
    lines[where] = lines[where].replace(b'"net":-', b'"net":-1', 1)
    (tmp_path / "log.jsonl").write_bytes(b"".join(lines))
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "log.jsonl", "--format", "jsonl"]) == 1
    Path("findings.jsonl").write_text(capsys.readouterr().out)
    connection = duckdb.connect()
    connection.execute(VIEWS)
    rounds = [entry for entry in entries(tmp_path) if entry["kind"] == "round"]
    assert connection.sql("SELECT count(*) FROM rounds").fetchall() == [(len(rounds),)]
    hands = [(h["bet"], h["net"]) for entry in rounds for h in entry["hands"]]
    assert sorted(connection.sql("SELECT bet, net FROM hands").fetchall()) == sorted(hands)
    assert connection.sql("SELECT count(*) FROM hands WHERE player IS NULL").fetchall() == [(0,)]
    answers = [connection.sql(question).fetchall() for question in QUESTIONS]
    assert all(answers)
    assert "payout-differs" in {row[0] for row in answers[-1]}


def test_the_line_for_jq_works_as_printed(log: Path) -> None:
    (command,) = re.findall(r"```sh\n(jq .+?)\n```", PAGE)
    done = subprocess.run(command, shell=True, cwd=log, capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == sum(len(entry["hands"]) for entry in entries(log) if entry["kind"] == "round")
