"""The tables of a log against the log itself, read by other programs than those that wrote them."""

import csv
import json
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from audit_cli.data.export import export
from audit_cli.data.schema import TABLES
from audit_cli.verify import verify
from fairshoe.errors import InputError
from tests.simulated import simulated

ROUNDS = 120


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated(tmp_path_factory.mktemp("log") / "house", rounds=ROUNDS, careless=0.05)


@pytest.fixture(scope="module")
def tables(log: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    assert export(log, verify(log).findings, {"csv": folder, "parquet": folder}) == 0
    return folder


def entries(log: Path) -> list[dict]:
    return [json.loads(line) for line in (log / "log.jsonl").read_text().splitlines()]


def test_both_formats_have_the_same_rows(tables: Path) -> None:
    for table in TABLES:
        with (tables / f"{table.name}.csv").open(newline="") as file:
            head, *rows = csv.reader(file)
        ((count,),) = duckdb.sql(f"SELECT count(*) FROM '{tables}/{table.name}.parquet'").fetchall()
        assert head == [column.name for column in table.columns]
        assert len(rows) == count


def test_rounds_hands_and_decisions_are_those_of_the_log(log: Path, tables: Path) -> None:
    rounds = {index: entry for index, entry in enumerate(entries(log)) if entry["kind"] == "round"}
    assert len(rounds) == ROUNDS
    found = duckdb.sql(
        f"SELECT entry, cards, hands, decisions, dealer_total, net, wagered FROM '{tables}/rounds.parquet'"
    ).fetchall()
    assert found == [
        (
            index,
            " ".join(entry["cards"]),
            len(entry["hands"]),
            len(entry["decisions"]),
            entry["dealer"]["total"],
            sum(hand["net"] + hand.get("insurance", 0) for hand in entry["hands"]),
            sum(hand["bet"] + hand.get("insured", 0) for hand in entry["hands"]),
        )
        for index, entry in rounds.items()
    ]
    hands = duckdb.sql(f"SELECT entry, hand, seat, bet, outcome, net FROM '{tables}/hands.parquet'").fetchall()
    assert hands == [
        (index, number, hand["seat"], hand["bet"], hand["outcome"], hand["net"])
        for index, entry in rounds.items()
        for number, hand in enumerate(entry["hands"])
    ]
    moves = duckdb.sql(f"SELECT entry, step, seat, move, by_table FROM '{tables}/decisions.parquet'").fetchall()
    assert moves == [
        (index, step, each["seat"], each["move"], each.get("by") == "table")
        for index, entry in rounds.items()
        for step, each in enumerate(entry["decisions"])
    ]


def test_every_shoe_has_one_row_and_its_end(log: Path, tables: Path) -> None:
    said = entries(log)
    ends = Counter(entry["kind"] for entry in said if entry["kind"] in ("reveal", "void", "lost"))
    rows = duckdb.sql(f"""SELECT ending, count(*) FROM '{tables}/shoes.parquet' GROUP BY ending""").fetchall()
    assert dict(rows) == ends
    shoes = [entry["shoe"] for entry in said if entry["kind"] == "shoe"]
    assert sorted(shoes) == sorted(
        row[0] for row in duckdb.sql(f"SELECT shoe_id FROM '{tables}/shoes.parquet'").fetchall()
    )


def test_stakes_are_those_of_the_open(log: Path, tables: Path) -> None:
    staked = {
        (entry["shoe"], entry["round"]): sum(bet["amount"] for bet in entry["bets"])
        for entry in entries(log)
        if entry["kind"] == "open"
    }
    for shoe, number, amount in duckdb.sql(
        f"SELECT shoe_id, round, staked + returned FROM '{tables}/rounds.parquet'"
    ).fetchall():
        assert staked[shoe, number] == amount
    returned = f"SELECT sum(returned) FROM '{tables}/rounds.parquet'"
    dealt = f"SELECT sum(staked) FROM '{tables}/rounds.parquet'"
    by_hand = f"SELECT sum(staked) FROM '{tables}/hands.parquet'"
    assert duckdb.sql(dealt).fetchall() == duckdb.sql(by_hand).fetchall()
    assert duckdb.sql(returned).fetchall()[0][0] > 0


def test_players_are_those_who_sat_there(log: Path, tables: Path) -> None:
    sitting: dict[tuple[str, int], str] = {}
    expected = []
    for entry in entries(log):
        if entry["kind"] == "chips" and entry["op"] == "buy-in":
            sitting[entry["table"], entry["seat"]] = entry["player"]
        elif entry["kind"] == "round":
            table = entry["shoe"].rpartition("/")[0]
            expected += [sitting[table, hand["seat"]] for hand in entry["hands"]]
    assert [row[0] for row in duckdb.sql(f"SELECT player FROM '{tables}/hands.parquet'").fetchall()] == expected


def test_a_text_is_no_formula_for_a_spreadsheet(tmp_path: Path, log: Path) -> None:
    finding = verify(log).findings[0]._replace(field='=HYPERLINK("x")')
    export(log, [finding], {"csv": tmp_path})
    with (tmp_path / "findings.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["field"] == """'=HYPERLINK("x")"""


def test_hostile_entries_have_no_rows_and_are_counted(tmp_path: Path, log: Path) -> None:
    lines = (log / "log.jsonl").read_bytes().splitlines()
    where = next(i for i, line in enumerate(lines) if b'"kind":"round"' in line)
    lines[where] = lines[where].replace(b'"hands":[{', b'"hands":[7,{')
    lines.insert(where, b"\xff\xfe not an entry")
    lines.insert(where, b'{"at":"2026-01-01T00:00:00.000000Z","kind":"surprise","v":1}')
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    assert export(tmp_path / "log.jsonl", [], {"csv": tmp_path / "out"}) == 3
    with (tmp_path / "out" / "rounds.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == ROUNDS - 1


def test_nothing_is_left_of_what_could_not_be_written(tmp_path: Path, log: Path) -> None:
    (tmp_path / "file").write_text("here already")
    with pytest.raises(InputError, match="cannot write"):
        export(log, [], {"csv": tmp_path / "file"})
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
