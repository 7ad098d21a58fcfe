"""The crooked house in short: a few dozen rounds of each trick; verdict and counts, not what it gains."""

from __future__ import annotations

import pytest

from tests.long import house
from tests.long.crooked.ends import Unrevealed
from tests.long.crooked.play import Play
from tests.long.crooked.world import World
from tests.long.house import FAILS, FOUND, OPEN, PLACED, TRICKS, audited, called, fair, row

ROUNDS = 14
MORE = {"lying-opening": 60}
"""Shoes of many rounds, of which few are bad enough to be left lying."""
CALLED = called()
WITH_A_PLACER = called(column=PLACED)
SOME = ("seat-steers", "bets-knowing", "decisions-unheard", "hidden-seats", "hidden-bank", "hash-unheard", "new-tables")
HARMLESS = {"last-opener", "put-out", "place-twice"}
"""They gain nothing."""


def test_the_page_has_every_trick() -> None:
    assert CALLED.keys() == TRICKS.keys()
    assert {name for name in TRICKS if not CALLED[name]} == HARMLESS


@pytest.mark.parametrize("name", [name for name, trick in TRICKS.items() if not trick.only_placed])
def test_a_few_rounds(name: str) -> None:
    found = row(TRICKS[name], MORE.get(name, ROUNDS))
    assert not found.codes, found
    assert bool(found.counts) == (CALLED[name] == OPEN) or name in HARMLESS, found


@pytest.mark.parametrize("name", SOME)
def test_a_few_rounds_with_a_placer(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(World, "placed", True)
    found = row(TRICKS[name], ROUNDS)
    assert bool(found.codes) == (WITH_A_PLACER[name] == FAILS), found


def test_rounds_that_a_house_keeps_back_are_found_by_what_the_placer_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(World, "placed", True)
    found = row(TRICKS["lying-bets"], ROUNDS)
    assert (found.codes, found.found, WITH_A_PLACER["lying-bets"]) == ([], ("notes: step-overdue",), FOUND)
    assert found.counts["waited without a published question"] == found.counts["bets not dealt"] > 0
    assert found.gain > 0


def test_cards_that_a_house_never_bound_are_found_when_they_are_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks honestly for each place, and deals what card it likes from it."""
    monkeypatch.setattr(World, "placed", True)
    found = row(TRICKS["unrevealed"], 2 * Unrevealed.most)
    wrong = "openings: opening-differs", f"client: WrongPlaces in {2 * (Unrevealed.most - 1)} of 20 rounds"
    assert (found.codes, found.found, WITH_A_PLACER["unrevealed"]) == ([], wrong, FOUND)
    assert found.gain > 0.5


def test_an_honest_house_takes_no_place_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made to take it, its log says so."""
    monkeypatch.setattr(World, "placed", True)
    found = row(TRICKS["place-twice"], 2 * ROUNDS)
    assert "place-repeated" in found.codes
    assert WITH_A_PLACER["place-twice"] == FAILS
    (refused,) = found.found
    assert refused.startswith("house: RepeatedPlace, ")
    assert found.gain > 0.5


def test_house_and_placer_together_are_as_a_house_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cards are others, so that the gain is no more than alike."""
    monkeypatch.setattr(World, "placed", True)
    alone = row(TRICKS["seat-steers"], 150)
    monkeypatch.setattr(World, "together", True)
    both = row(TRICKS["seat-steers"], 150)
    assert both.gain > 0.4 > alone.gain
    assert (both.codes, bool(both.counts)) == ([], True)


@pytest.mark.parametrize("name", sorted({fair(trick) for trick in TRICKS.values()}))
def test_the_honest_house_passes(name: str) -> None:
    report = audited(TRICKS[name].honest_house(ROUNDS))
    assert not report.failed, report.findings


@pytest.mark.parametrize("name", [name for name, trick in TRICKS.items() if trick.decides])
def test_honest_decisions_gain_nothing_over_themselves(name: str) -> None:
    trick = TRICKS[name]
    honest = type("Honest", (Play,), {**trick.honest_table(), "decides": True})(4)
    assert honest.play().sums == honest.fair_sums


def test_the_gain_is_paired() -> None:
    """The same shoes with one more won in each: no error is left but what differs."""
    honest = {shoe: [won, 2] for shoe, won in enumerate([2, -2, 2, -2])}
    crooked = {shoe: [won + 1, 2] for shoe, (won, _) in honest.items()}
    assert house.gain(crooked, honest) == (0.5, 0.0)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert house.main(["stopped", "--rounds", "20"]) == 0
    captured = capsys.readouterr()
    assert "start while a shoe was in play" in captured.out
    assert captured.err == ""
