"""Every fraud of tests/audit/frauds is found; and what only a memory finds."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from audit_cli.verify import verify
from fairshoe.log.directory import write_log
from fairshoe.log.times import DAY, HOUR, SECOND
from fairshoe.protocol.shoe import Sealed
from tests.house import POLICY, SIGNER, House, Prepared, Seating

from . import frauds
from .planting import (
    FRAUDS,
    KEY,
    Fraud,
    at_table,
    check_found,
    crooked,
    dealt_at,
    entries_in,
    log,
    log_open,
    places,
    sealed_at,
)
from .walk import full

CASES = [case for case in FRAUDS if case.module.startswith(frauds.__name__)]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_it_is_found(case: Fraud, tmp_path: Path) -> None:
    check_found(case, tmp_path)


# What only a memory finds.


class NewKey(Seating):
    """Another key for the second shoe, after everybody's seeds were known."""

    def new_key(self) -> bytes:
        drawn = super().new_key()
        return drawn[::-1] if self.shoes == 2 else drawn


class NewSeed(Seating):
    """Another seed for a sole contributor, whose hash nobody published."""

    def seal(self, shoe: Prepared) -> Sealed:
        if self.shoes == 2:
            shoe.seeds = {who: value[::-1] for who, value in shoe.seeds.items()}
        return super().seal(shoe)


@pytest.mark.parametrize(
    ("kind", "game", "steps"), [(NewKey, "casino", ("shoe", "seeds")), (NewSeed, "banker", ("seal",))]
)
def test_a_log_written_anew_is_found_by_whoever_remembers(
    kind: type[Seating], game: str, steps: tuple[str, ...], tmp_path: Path
) -> None:
    seats = (1,) if game == "banker" else (1, 2)
    honest, _ = crooked(Seating, game, 20, seats=seats)
    forged, _ = crooked(kind, game, 20, seats=seats)
    write_log(tmp_path / "now", forged.lines, SIGNER)
    alone = verify(tmp_path / "now", key=KEY)
    assert not alone.failed, "consistent in itself"
    assert alone.checks["remembered"] == "not-checked", "and the report says what was not checked"
    index = places(entries_in(honest), steps[0])[1]
    size = places(entries_in(honest), steps[-1])[1] + 1
    write_log(tmp_path / "then", honest.lines[:size], SIGNER)
    for old, place in (("then/checkpoint", None), ("then", index)):
        report = verify(tmp_path / "now", key=KEY, remembered=[tmp_path / old])
        assert report.failed
        assert report.checks["remembered"] == "fail"
        assert [(f.code, f.fault, f.entry) for f in report.findings] == [("remembered-differs", "house", place)]


def test_the_honest_logs_of_these_frauds_are_clean(tmp_path: Path) -> None:
    for name in ("casino", "pontoon", "boxes", "lounge", "banker", "everything"):
        write_log(tmp_path / name, log(name), SIGNER)
        report = verify(tmp_path / name, key=KEY)
        assert not report.failed


# What is no fraud: a note at most, since it may have been so.


def notes(house: House) -> list[str]:
    report = full(house.lines)
    assert [f for f in report.findings if f.severity == "fail"] == []
    return [f.code for f in report.findings]


def counts(house: House) -> dict[str, int]:
    """How often the service started, by what the report counts."""
    counted: dict[str, int] = full(house.lines).as_json()["choices"]["log"]
    return {name: times for name, times in counted.items() if name.startswith("start")}


@pytest.mark.parametrize("step", ["seal", "round", "reveal"])
def test_a_step_that_was_made_good_is_a_note(step: str) -> None:
    table = at_table("boxes")
    house, shoe = table.house, table.prepare()

    def late(now: str) -> None:
        house.now += 3 * HOUR * (now == step)

    log_open(table, shoe, bets := table.offers([1, 2]))
    table.open_seeds(shoe, bets)
    late("seal")
    sealed = table.seal(shoe)
    late("round")
    table.round(shoe, sealed, bets)
    late("reveal")
    table.reveal(shoe, sealed, "worn")
    report = full(house.lines)
    assert not report.failed
    (found,) = report.findings
    assert (found.code, found.severity, found.fault) == ("step-late", "note", "house")
    assert found.entry == places(entries_in(house), step)[0]
    assert (found.table, found.shoe, found.round) == ("boxes", "boxes/1", None)


def test_a_step_that_is_still_missing_at_the_end_is_a_note() -> None:
    table = at_table("boxes")
    shoe = table.prepare()
    log_open(table, shoe, bets := table.offers([1, 2]))
    table.open_seeds(shoe, bets)
    table.house.now += 3 * HOUR
    Seating(table.house, "other", "boxes", ())
    assert notes(table.house) == ["step-late"]


def test_a_raffle_without_a_contributor_says_so() -> None:
    report = full(log("everything"))
    assert not report.failed
    assert [f.shoe for f in report.findings if f.code == "entropy-house-only"] == ["raffle-3"]


def test_a_word_closes_the_betting_in_boxes() -> None:
    table = at_table("boxes")
    log_open(table, table.prepare(), table.offers([1]), late=(2,))
    assert notes(table.house) == []


def test_a_start_makes_limits_begin_anew_and_they_pass() -> None:
    table = at_table()
    shoe, sealed = sealed_at(table)
    table.house.now += 50 * SECOND
    table.house.start()
    table.house.now += POLICY["bet"] * SECOND
    log_open(table, shoe, bets := table.offers([1]), late=(2,))
    table.round(shoe, sealed, bets)
    assert notes(table.house) == []
    assert counts(table.house) == {"start": 1, "start while a shoe was in play": 1}


def test_starts_are_counted_and_again_where_a_shoe_was_in_play() -> None:
    table = at_table()
    table.house.start()
    assert counts(table.house) == {"start": 1}
    table.commit()
    table.house.start()
    table.house.start()
    assert counts(table.house) == {"start": 3, "start while a shoe was in play": 2}
    assert notes(table.house) == []


def test_nobody_waits_for_who_let_two_limits_pass() -> None:
    table = at_table()
    table.tardy = {2}
    shoe, sealed = sealed_at(table)
    dealt_at(table, shoe, sealed, 2)
    log_open(table, shoe, table.offers([1]), late=(2,))
    assert notes(table.house) == []


def test_shoes_void_one_after_the_other_never_fail() -> None:
    """They are counted."""
    table = at_table("banker", (1,))
    for _ in range(50):
        table.asked_reshuffle("banker-p1")
    assert notes(table.house) == ["shoe-void"] * 50


def test_a_closed_lounge_plays_its_game_on() -> None:
    table = at_table("lounge", gift=1000)
    table.play(1)
    table.close()
    table.house.now += 29 * DAY
    table.play(1)
    assert notes(table.house) == []


def test_an_age_is_over_when_the_last_round_is() -> None:
    """A round that is open at the shoe's age is finished, and the reveal follows."""
    table = at_table()
    shoe, sealed = sealed_at(table)
    table.house.now = shoe.sealed + DAY - 2 * SECOND
    log_open(table, shoe, bets := table.offers([1, 2]))
    table.house.now += 10 * SECOND
    table.round(shoe, sealed, bets)
    table.reveal(shoe, sealed, "age")
    assert set(notes(table.house)) <= {"step-late"}


def test_a_log_that_asks_for_more_cards_than_its_size_explains() -> None:
    table = at_table("boxes")
    table.play(3)
    with patch("audit_cli.walk.audit.FREE_CARDS", 600), patch("audit_cli.walk.audit.CARDS_AN_ENTRY", 1):
        report = full(table.house.lines)
    found = [(f.code, f.shoe, f.found) for f in report.findings]
    assert found == [("bound-exceeded", "boxes/2", 832), ("bound-exceeded", "boxes/3", 1248)]
