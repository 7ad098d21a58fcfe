"""Rounds that are counted: they repeat, are shared out without a trace, and meet exact chances."""

from __future__ import annotations

import json
from functools import cache
from math import sqrt
from typing import Any

import pytest

from fairshoe.cli import main
from fairshoe.engine.rules import RULES
from fairshoe.simulate.count import BLOCK, Tally, plan, simulate

KEY = bytes(range(32))
GAMES = sorted(RULES)
PACKS = {"banker": 6, "boxes": 8, "casino": 6, "chinese": 1, "lounge": 6, "pontoon": 1}
ROUNDS = BLOCK


@cache
def tally(name: str, strategy: str = "mimic", rounds: int = ROUNDS) -> Tally:
    return simulate(plan(name, strategy, rounds, KEY))


def near(observed: int, chance: float, trials: int) -> bool:
    return abs(observed - trials * chance) <= 4 * sqrt(trials * chance * (1 - chance))


@pytest.mark.parametrize("name", GAMES)
def test_the_same_key_repeats_and_another_differs(name: str) -> None:
    for strategy in ("mimic", "random"):
        first = simulate(plan(name, strategy, 300, KEY))
        assert simulate(plan(name, strategy, 300, KEY)) == first
        assert simulate(plan(name, strategy, 300, bytes(32))) != first


def test_the_number_of_processes_changes_nothing() -> None:
    planned = plan("banker", "random", BLOCK + 7, KEY)
    heard: list[int] = []
    alone = simulate(planned, progress=heard.append)
    assert heard == [BLOCK, BLOCK + 7]
    assert simulate(planned, jobs=2) == alone
    assert alone.played == BLOCK + 7


@pytest.mark.parametrize("name", [name for name in GAMES if name != "pontoon"])
def test_naturals(name: str) -> None:
    """In pontoon a natural ends the shoe, so that later rounds of one are not as the first: see tests/exact."""
    packs, found = PACKS[name], tally(name)
    chance = 2 * 4 * packs * 16 * packs / (52 * packs * (52 * packs - 1))
    assert near(found.naturals, chance, found.rounds)


@pytest.mark.parametrize("name", ["banker", "boxes", "casino"])
def test_insurance(name: str) -> None:
    packs, found = PACKS[name], tally(name)
    assert near(found.insurance_offered, 1 / 13, found.rounds)
    assert near(found.insurance_won, 16 * packs / (52 * packs - 1), found.insurance_offered)
    assert found.insurance_won > 0


def test_chinese_specials_and_symmetry() -> None:
    found = tally("chinese")
    assert found.played == ROUNDS
    assert near(found.rounds, 1 / 2, ROUNDS), "the bank rotates"
    unpaid = 2 * (3 + 45 + 116), 2 * (1 + 112)
    """Pairs of the dealer's: a special that is not lower, or 15 points (CH-22); see tests/exact."""
    assert near(found.bonuses["ban-nag"], 128 / (52 * 51) * (1 - unpaid[0] / (50 * 49)), found.rounds)
    assert near(found.bonuses["ban-ban"], 12 / (52 * 51) * (1 - unpaid[1] / (50 * 49)), found.rounds)


def test_pontoon_counts_the_rounds_in_which_another_holds_the_bank() -> None:
    found = tally("pontoon")
    assert 0 < found.rounds < found.played == ROUNDS
    assert set(found.bonuses) <= {"7-7-7", "8-7-6", *(f"{n} cards" for n in range(5, 12))}
    assert found.bonuses["5 cards"] > found.bonuses["6 cards"] > 0


@pytest.mark.parametrize("name", ["banker", "boxes", "casino", "lounge"])
def test_the_house_has_its_edge_over_mimic(name: str) -> None:
    report = tally(name).report(1)
    assert report["wagered"] == ROUNDS * plan(name, "mimic", 1, KEY).bet
    assert report["mean"] < -3 * report["se"] < 0


def test_bicycle_does_better_than_mimic_and_splits_and_doubles() -> None:
    mimic_, found = tally("casino"), tally("casino", "bicycle")
    assert found.net > mimic_.net
    assert 0 < found.splits < found.doubles
    assert found.wagered == 2 * (ROUNDS + found.splits + found.doubles)
    assert (mimic_.splits, mimic_.doubles) == (0, 0)


def test_stand_and_never_bust_do_not_bust() -> None:
    for strategy in ("stand", "never-bust"):
        found = tally("casino", strategy, 2000)
        assert (found.player_busts, found.dealer_busts > 0) == (0, True)


def test_in_the_lounge_a_hand_is_won_or_lost_whatever_its_stake() -> None:
    found = simulate(plan("lounge", "bicycle", 2000, KEY))
    assert found.doubles > 0
    assert found.squares == 2000 * 1000**2
    assert found.net % 2000 == 0


def test_a_seat_that_always_holds_the_bank_is_never_counted() -> None:
    found = simulate(plan("chinese", "mimic", 50, KEY, options={"rotation": "fixed"}))
    assert (found.played, found.rounds) == (50, 0)
    assert (found.report(1)["mean"], found.report(1)["se"]) == (None, None)
    other = simulate(plan("chinese", "mimic", 50, KEY, options={"rotation": "fixed", "first_dealer": 2}))
    assert other.rounds == 50


def output(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["simulate", *words]) == 0
    return capsys.readouterr().out


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--rules", "casino", "--strategy", "bicycle", "--rounds", "200", "--key", KEY.hex(), "--json"]
    body: dict[str, Any] = json.loads(output(capsys, *words, "--option", "packs=8", "--seats", "3"))
    counts = {"naturals", "player_busts", "dealer_busts", "splits", "doubles", "insurance_offered", "insurance_won"}
    assert counts | {"rounds", "played", "net", "mean", "se", "wagered", "bonuses"} <= set(body)
    assert all(type(body[name]) is int for name in (*counts, "rounds", "played"))
    assert (body["rounds"], body["seats"], body["options"]["packs"], body["key"]) == (200, 3, 8, KEY.hex())
    assert body["mean"] == body["net"] / 200
    assert json.loads(output(capsys, *words, "--option", "packs=8", "--seats", "3", "--jobs", "2")) == body


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--rules", "boxes"], ["--strategy", "luck"], ["--seats", "8"], ["--jobs", "0"], ["--tables", "2"]):
        assert main(["simulate", "--rules", "casino", "--rounds", "5", *words]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert "Traceback" not in told.err
