"""Tables whose player places: the ceremony by the machine alone, and what an auditor says of its logs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from audit_cli.verify.findings.report import Report
from fairshoe.ceremony.acting.state import State, fold
from fairshoe.ceremony.policy import MAX_UNPLACED
from fairshoe.log.times import DAY, HOUR, SECOND
from tests.audit.planting import meanwhile

from .house import entries_in
from .own import OWN, OwnHouse, OwnSeating, own
from .test_logs import audited
from .walk import OwnWalk, told, walked_clean

NEVER = {"seeds", "opened", "lapse", "late"}


@pytest.mark.parametrize("trouble", [0.0, 0.3])
@pytest.mark.parametrize("rules", OWN)
def test_an_auditor_finds_its_logs_clean(rules: str, trouble: float, tmp_path: Path) -> None:
    """With clients that answer at once, and such that are waited for."""
    walk = walked_clean(OwnWalk(rules, random.Random(f"{rules} {trouble}"), trouble, slow=trouble), tmp_path)
    kinds = {entry["kind"] for entry in walk.log}
    assert not kinds & NEVER
    assert {"shoe", "open", "seal", "round", "reveal", "placed"} <= kinds
    assert not any("cutter" in entry or entry.get("why") == "seed" for entry in walk.log)


@pytest.mark.parametrize("game", OWN)
def test_an_honest_house_passes(game: str, tmp_path: Path) -> None:
    """One that was written by the documents alone."""
    report = audited(own(game, 40, careless=0.1), tmp_path)
    assert told(report) == []
    assert report.complete


@pytest.mark.parametrize("late", [2 * HOUR, 31 * DAY])
def test_a_round_waits_for_its_player_without_end(late: int, tmp_path: Path) -> None:
    """It is counted, and not even noted."""
    house = OwnHouse()

    class Waiting(OwnSeating):
        def reshuffles(self, *about: Any) -> None:
            elsewhere(house, late)
            super().reshuffles(*about)

    report = audited(own("banker", 1, house=house, kind=Waiting), tmp_path)
    assert {finding.code for finding in report.findings if finding.shoe == "banker/1"} == set()
    assert counts(report)["waited for the player's places for over an hour"] == 1


@pytest.mark.parametrize(("late", "times"), [(29 * DAY, 0), (31 * DAY, 1)])
def test_a_key_that_never_comes(late: int, times: int, tmp_path: Path) -> None:
    """Cards are compared all the same: with what lies at the places that were given. After thirty days the house's log
    waits for it no more."""
    house = OwnHouse()
    house.keeping = True
    own("banker", 1, house=house)
    elsewhere(house, late)
    report = audited(house, tmp_path)
    assert told(report) == []
    assert report.complete == bool(times)
    assert not [finding for finding in report.findings if finding.shoe == "banker/1"]
    assert counts(report).get("key of the player's places out for over 30 days", 0) == times


def test_of_many_missing_keys_the_oldest_is_waited_for_no_more(tmp_path: Path) -> None:
    """Else a player who sends none makes every step of the house slower, without end. One that is logged later is
    taken."""
    house = OwnHouse()
    house.keeping = True
    own("banker", MAX_UNPLACED + 2, house=house)
    report = audited(house, tmp_path)
    assert told(report) == []
    assert counts(report)["key of the player's places out for over 30 days"] == 2
    states: dict[str, State] = {}
    fold(states, entries_in(house))
    assert list(states["banker"].book.unrevealed_placers) == [
        f"banker/{number}" for number in range(3, MAX_UNPLACED + 3)
    ]
    house.reveal_key(house.steps["banker/1"])
    assert told(audited(house, tmp_path / "late")) == []


def counts(report: Report) -> dict[str, int]:
    """What is counted of the player."""
    found: dict[str, int] = report.choices.as_json()["players"]["banker"]["banker-p1"]
    return found


def elsewhere(house: OwnHouse, late: int) -> None:
    """The house goes on at another table meanwhile, where nobody places."""
    table, taken = house.table, house.takes
    house.table = house.takes = lambda _: None  # type: ignore[method-assign]
    meanwhile(house, late // SECOND)
    house.table, house.takes = table, taken  # type: ignore[method-assign]
