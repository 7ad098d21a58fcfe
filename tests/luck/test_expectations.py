"""The data file, and what a reference strategy's round is expected to come to."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path

import pytest

from audit_cli.report.luck import expectations
from audit_cli.report.luck.expectations import (
    MAX_SEATS,
    Expectation,
    expectation,
    made,
    read,
    sample,
    spread_of,
    usual_seats,
)
from audit_cli.report.luck.reference import game_of
from fairshoe.engine.rules import RULES, rules_of
from tests.long import expectations as made_by
from tests.long.expectations import solved

FAR = 4.5


def variance_of(found: Expectation, seats: int) -> float:
    """Of the sum of so many seats of one round, which all play against the same dealer."""
    return seats * found.variance + seats * (seats - 1) * found.covariance


@pytest.mark.parametrize("name", sorted(RULES))
def test_the_reference_of_the_file(name: str) -> None:
    found = expectation(rules_of(name))
    assert found.rounds >= 1_000_000
    assert found.error < 0.002
    assert list(found.sums) == list(range(1, usual_seats(game_of(rules_of(name))) + 1))
    for seats, counts in found.sums.items():
        assert sum(counts.values()) == found.rounds * len(found.sums)
        if found.error:
            mean = sum(net * count for net, count in counts.items()) / sum(counts.values()) / 2
            assert mean == pytest.approx(seats * found.mean, abs=1e-6)
        assert spread_of(game_of(rules_of(name)), seats).variance == pytest.approx(variance_of(found, seats), rel=0.02)


def test_limits_of_bets_and_such_change_nothing() -> None:
    assert game_of(rules_of("casino", {"minimum": 10, "insert": 70})) == game_of(rules_of("casino"))
    assert game_of(rules_of("lounge", {"gift": 7})) == game_of(rules_of("lounge"))
    assert game_of(rules_of("casino", {"packs": 8})) != game_of(rules_of("casino"))
    assert game_of(rules_of("chinese", {"escape": False})) != game_of(rules_of("chinese"))


def test_a_game_that_is_not_in_the_file_is_simulated_alike_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expectations, "UNKNOWN_HANDS", 2_000)
    rules = game_of(rules_of("banker", {"packs": 1}))
    first, again = (expectation.__wrapped__(rules) for _ in range(2))
    assert first == again
    assert isinstance(first, Expectation)
    assert first.rounds == 2_000
    assert 0.02 < first.error < 0.04
    assert abs(first.mean) < FAR * first.error
    assert not any(first.slopes)


def test_neighbours_of_a_full_table_stand_for_a_smaller_one() -> None:
    """The dealer of one box is the dealer of seven."""
    full, alone = made(sample(rules_of("boxes"), 3_000)), sample(rules_of("boxes"), 6_000, 1)
    total, square = sum(n * c for n, c in alone.sums[1].items()), sum(n * n * c for n, c in alone.sums[1].items())
    mean, variance = total / 12_000, square / 24_000
    assert abs(mean - full.mean) < FAR * sqrt(full.error**2 + full.variance / 6_000)
    assert variance - mean**2 == pytest.approx(full.variance, rel=0.1)


def test_more_seats_than_the_file_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expectations, "UNKNOWN_HANDS", 3_000)
    rules = game_of(rules_of("lounge"))
    seats = MAX_SEATS + 3
    found = spread_of.__wrapped__(rules, seats)
    assert found.variance == pytest.approx(variance_of(expectation(rules), seats), rel=0.3)


def test_sums_of_neighbours_are_counted_round_the_table() -> None:
    found = sample(rules_of("boxes"), 10)
    assert found.sums[7].total() == found.sums[1].total() == 70
    assert found.net == sum(net * count for net, count in found.sums[1].items())
    assert sum(net * count for net, count in found.sums[3].items()) == 3 * found.net


def test_linear_equations() -> None:
    assert solved([[2.0, 1.0, 5.0], [1.0, 3.0, 10.0]]) == pytest.approx([1, 3])
    assert solved([[1.0, 1.0, 2.0], [1.0, 1.0, 3.0]]) == [0, 0]


def test_the_data_file_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its form; the figures take minutes."""
    kept = json.loads(made_by.PATH.read_text())
    path = tmp_path / "made.json"
    made_by.write(20, 1, path)
    made = json.loads(path.read_text())
    assert [entry["rules"] for entry in made] == [entry["rules"] for entry in kept] == sorted(RULES)
    assert capsys.readouterr().out.count("\n") == len(made)
    for entry, old in zip(made, kept, strict=True):
        assert read(entry).sums[1]
        assert entry.keys() == old.keys()
        assert (entry["digest"], entry["strategy"]) == (old["digest"], old["strategy"])
    made_by.write(30, 1, path, ["boxes"])
    assert [entry["rounds"] for entry in json.loads(path.read_text())] == [20, 30, *[20] * (len(made) - 2)]
