"""`fairshoe simulate`: it repeats, shards without a trace, deals what the protocol deals, and meets exact chances."""

from __future__ import annotations

import json
import re
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from fairshoe import engine
from fairshoe.cli import main
from fairshoe.engine.cards import ShoeCards, Shuffled
from fairshoe.engine.round import run
from fairshoe.engine.strategies import mimic
from fairshoe.errors import InputError
from fairshoe.protocol.shoe import Sealed, seal
from fairshoe.simulate.count import BLOCK, Tally, plan, simulate
from tests.hands import bets_of
from tests.hands_bank import banked

KEY = bytes(range(32))
GAMES = ("banker", "boxes", "casino", "chinese", "lounge", "pontoon")
PACKS = {"banker": 6, "boxes": 8, "casino": 6, "chinese": 1, "lounge": 6, "pontoon": 1}
ROUNDS = BLOCK


@cache
def tally(name: str, strategy: str = "mimic", rounds: int = ROUNDS) -> Tally:
    return simulate(plan(name, strategy, rounds, KEY))


def near(observed: int, chance: float, trials: int) -> bool:
    return abs(observed - trials * chance) <= 4 * sqrt(trials * chance * (1 - chance))


# The same key, the same result.


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


def test_more_rounds_begin_with_the_same_rounds() -> None:
    short, long = plan("casino", "mimic", BLOCK, KEY), plan("casino", "mimic", 2 * BLOCK, KEY)
    assert short.play(0, BLOCK) == long.play(0, BLOCK) == simulate(short)


# The cards are the protocol's.


def shoe(gone: int = 1) -> Sealed:
    sealed = seal(key=KEY, shoe="simulate/0/1", deck=[f"{r}{s}" for s in "cdhs" for r in "A23456789TJQK"])
    for _ in range(gone):
        sealed.draw()
    return sealed


def test_a_shoe_shuffled_at_once_deals_what_one_dealt_lazily_deals() -> None:
    table = banked("pontoon", [1] * 6)
    lazy, whole = shoe(), Shuffled(shoe(gone=0))
    whole.draw()
    whole.begin(whole.position)
    reshuffled = 0
    for _ in range(12):
        one = run(table, ShoeCards(lazy), bets_of([1] * 6), mimic)
        other = run(table, whole, bets_of([1] * 6), mimic)
        assert (one.position, one.cards, one.reshuffled) == (other.position, other.cards, other.reshuffled)
        assert (lazy.position, lazy.left) == (whole.position, whole.left)
        whole.begin(whole.position)
        reshuffled += len(one.reshuffled)
    assert reshuffled > 2
    assert [record[1:] for record in whole.shoe.reshuffles] == [record[1:] for record in lazy.reshuffles]


# Exact chances.


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


@pytest.mark.parametrize("name", GAMES)
def test_full_tables(name: str) -> None:
    most = plan(name, "mimic", 1, KEY).rules.chairs[1]
    found = simulate(plan(name, "random", 60, KEY, seats=most))
    assert found.played == 60


def test_a_tally_of_one_round_has_no_standard_error() -> None:
    assert tally("casino", "mimic", 1).report(2)["se"] is None


# The command.


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


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    out = output(capsys, "--rules", "chinese", "--strategy", "mimic", "--rounds", "50", "--option", "free_hand=true")
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert lines["played"] == "50"
    assert "free_hand true" in lines["options"]
    assert len(lines["key"]) == 64
    assert output(capsys, "--rules", "chinese", "--strategy", "mimic", "--rounds", "50", "--key", lines["key"])


@pytest.mark.parametrize(
    "words",
    [
        ["--rules", "poker", "--strategy", "mimic", "--rounds", "5"],
        ["--rules", "casino", "--strategy", "luck", "--rounds", "5"],
        ["--rules", "chinese", "--strategy", "bicycle", "--rounds", "5"],
        ["--rules", "casino", "--strategy", "mimic", "--rounds", "0"],
        ["--rules", "casino", "--strategy", "mimic", "--rounds", "5", "--seats", "8"],
        ["--rules", "pontoon", "--strategy", "mimic", "--rounds", "5", "--seats", "1"],
        ["--rules", "casino", "--strategy", "mimic", "--rounds", "5", "--key", "00"],
        ["--rules", "casino", "--strategy", "mimic", "--rounds", "5", "--jobs", "0"],
        ["--rules", "casino", "--strategy", "mimic", "--rounds", "5", "--option", "packs"],
        ["--rules", "casino", "--strategy", "mimic", "--rounds", "5", "--option", "packs=99"],
        ["--rules", "casino", "--strategy", "mimic", "--rounds", "5", "--option", "packs=six"],
        ["--rules", "casino", "--strategy", "mimic", "--rounds", "5", "--option", "packs=2", "--option", "packs=2"],
        ["--rules", "chinese", "--strategy", "mimic", "--rounds", "5", "--option", "free_hand=1"],
        ["--rules", "chinese", "--strategy", "mimic", "--rounds", "5", "--option", "direction=up"],
        ["--rules", "casino", "--strategy", "mimic"],
    ],
)
def test_wrong_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert captured.err


def test_a_plan_is_checked() -> None:
    with pytest.raises(InputError):
        plan("casino", "mimic", 0, KEY)
    with pytest.raises(InputError):
        plan("casino", "mimic", 1, KEY, seats=0)


def test_the_engine_knows_no_processes_and_no_simulator() -> None:
    for file in Path(engine.__path__[0]).rglob("*.py"):
        assert not re.search(r"multiprocessing|concurrent|import.*simulat", file.read_text(encoding="utf-8")), file
