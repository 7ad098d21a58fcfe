"""What somebody may still have chosen is counted: no chips for a bet, a sealed shoe left or not ended, starts."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest

from fairshoe.engine.rules.lounge import BUY_IN
from fairshoe.log.times import SECOND
from tests.house import POLICY, House, Seating

from .planting import at_table, bets_at, dealt_at, log_open, notes, sealed_at, sealed_table
from .play import at
from .walk import full


def counted(house: House) -> dict[str, Any]:
    """The counts of an honest log: of the log, by table, by table and player."""
    report = full(house.lines)
    assert not report.failed
    return dict(report.as_json()["choices"])


def of_table(house: House, name: str) -> int:
    """How often at the table itself, which nobody but the log as a whole has besides."""
    choices = counted(house)
    table = house.lines[0].split(b'"table":"')[1].split(b'"')[0].decode()
    times: int = choices["tables"].get(table, {}).get(name, 0)
    assert choices["log"].get(name, 0) == times
    return times


def of_players(house: House, name: str) -> dict[str, int]:
    players = counted(house)["players"]
    return {who: counts[name] for table in players.values() for who, counts in table.items() if name in counts}


# Without the chips for a bet.


@pytest.mark.parametrize("game", ["casino", "boxes"])
def test_a_chair_without_chips_is_counted_each_time(game: str) -> None:
    play = at(f"{game} 123", "prepare, keep 2 1" if game == "boxes" else "sealed, keep 2 1")
    table, shoe = play.table, play.shoe
    log_open(table, shoe, table.offers([1, 3]), unfunded=(2,))
    assert of_players(table.house, "unfunded") == {f"{game}-p2": 1}
    assert of_table(table.house, "unfunded") == 1
    assert notes(table.house) == []


def test_who_could_not_bet_let_no_limit_pass() -> None:
    table, shoe, sealed = sealed_table(seats=(1, 2, 3))
    table.chips("cash-out", 2, 4999)
    dealt_at(table, shoe, sealed, 3)
    assert of_players(table.house, "unfunded") == {"casino-p2": 3}
    assert of_players(table.house, "late bet") == of_players(table.house, "pass") == {}
    table.chips("buy-in", 2, 100)
    log_open(table, shoe, table.offers([1, 3]), late=(2,))
    assert [f.code for f in full(table.house.lines).findings] == ["limit-early"], "it is waited for"


# A sealed shoe.


def test_who_leaves_a_sealed_shoe_with_a_part_in_it() -> None:
    table = at_table(seats=(1, 2, 3))
    table.silent = {"casino-p3"}
    shoe, sealed = sealed_at(table)
    table.chips("buy-in", 4, 100)
    table.leave(3)
    table.leave(4)
    assert of_players(table.house, "left a sealed shoe") == {}, "they had no part in it"
    table.leave(2)
    assert of_players(table.house, "left a sealed shoe") == {"casino-p2": 1}
    table.leave(1)
    table.reveal(shoe, sealed, "left")
    assert of_table(table.house, "left a sealed shoe") == 2


def test_who_leaves_in_the_opening_is_counted() -> None:
    """The house may have heard the other seeds, so that its own seat knows the order."""
    table = at_table(seats=(1, 2, 3))
    shoe = table.prepare()
    newest, *others = table.opening_order(shoe.seeds)
    table.opened(shoe, newest)
    table.chips("buy-in", 2, 100)
    table.leave(3)
    for who in others:
        table.opened(shoe, who)
    table.seal(shoe)
    assert of_players(table.house, "left a shoe in its opening") == {newest: 1}
    assert of_players(table.house, "left a sealed shoe") == {}


def test_who_leaves_before_the_opening_knows_nothing_and_is_not_counted() -> None:
    table = at_table("boxes", seats=(1, 2, 3))
    shoe = table.prepare()
    table.leave(3)
    log_open(table, shoe, table.offers([1, 2]))
    assert counted(table.house)["log"].keys().isdisjoint({"left a shoe in its opening", "left a sealed shoe"})


def test_a_table_closed_in_an_opening_is_counted() -> None:
    table = at_table()
    shoe = table.prepare()
    table.close()
    table.open_seeds(shoe, [])
    table.seal(shoe)
    assert of_table(table.house, "closed in an opening") == 1
    assert of_table(table.house, "closed after a seal") == 0


# Left out.


def test_who_is_left_out_as_away_is_counted_where_a_seed_is_owed_too() -> None:
    """All owe a seed, so that all contribute, but for one that let two limits pass."""
    table = at_table("boxes")
    assert table.unopened_seed() == "boxes-p1"
    assert table.unopened_seed() == "boxes-p2"
    table.silent.add("boxes-p1")
    table.asked_reshuffle("boxes-p2")
    assert table.unopened_seed() == "boxes-p2"
    with patch.object(table, "away", return_value=[1]):
        table.commit()
    assert b'"owes":[1]' in table.house.lines[-1]
    assert of_players(table.house, "left out as away") == {"boxes-p1": 1}


def test_a_seed_that_is_owed_is_counted_once_the_shoe_would_be_too_old() -> None:
    overdue = "seed not handed in by the shoe's age"
    table = at_table("boxes")
    owes = table.unopened_seed()
    assert of_players(table.house, overdue) == {}
    table.house.now += (POLICY["shoe"] - 60) * SECOND
    table.house.start()
    assert of_players(table.house, overdue) == {}
    table.house.now += 120 * SECOND
    table.house.start()
    assert of_players(table.house, overdue) == {owes: 1}


def test_a_refund_is_counted() -> None:
    """Before the first deal it puts its payer out of the game."""
    table = at_table("lounge")
    table.chips("refund", 2, BUY_IN, game=1, why="round")
    assert of_players(table.house, "refund") == {"lounge-p2": 1}


NOT_ENDED = ["shoe sealed and not ended", "cards left in shoes sealed and not ended", "bets not dealt"]


def at_the_end(house: House) -> list[int]:
    return [of_table(house, name) for name in NOT_ENDED]


def test_a_shoe_that_is_sealed_and_not_ended() -> None:
    table, shoe, sealed = sealed_table()
    assert at_the_end(table.house) == [1, 156, 0]
    dealt_at(table, shoe, sealed)
    assert at_the_end(table.house) == [1, 156 - sealed.position, 0]
    log_open(table, shoe, table.offers([1, 2]))
    assert at_the_end(table.house) == [1, 156 - sealed.position, 2]


# Starts.

START = "start while a step was due"


def waiting(table: Seating) -> Any:
    """A shoe whose seal is due from now on."""
    shoe = table.prepare()
    log_open(table, shoe, bets := table.offers([1, 2]))
    table.open_seeds(shoe, bets)
    return shoe, bets


@pytest.mark.parametrize("then", ["sealed", "the end of the log"])
def test_a_start_while_a_step_was_due(then: str) -> None:
    table = at_table("boxes")
    shoe, _ = waiting(table)
    for _ in range(3):
        table.house.start()
    if then == "sealed":
        table.seal(shoe)
    assert of_table(table.house, START) == 3
    assert notes(table.house) == []


def test_each_step_that_comes_after_it_was_due_counts_its_own() -> None:
    table = at_table("boxes")
    shoe, bets = waiting(table)
    table.house.start()
    sealed = table.seal(shoe)
    table.round(shoe, sealed, bets)
    table.house.start()
    table.house.start()
    table.reveal(shoe, sealed, "worn")
    table.house.start()
    assert of_table(table.house, START) == 3
    assert counted(table.house)["log"]["start"] == 4


def test_a_start_after_a_limit_that_had_passed_is_counted() -> None:
    """A seed was missing, and the player should have been struck."""
    table, shoe, _ = bets_at()
    table.house.now += (POLICY["seed"] + 1) * SECOND
    table.house.start()
    table.house.now += (POLICY["seed"] + 1) * SECOND
    table.lapse(shoe, "boxes-p2")
    assert of_table(table.house, START) == 1


@pytest.mark.parametrize(("tables", "times"), [((), 1), (("boxes",), 1), (("other", "boxes"), 1), (("other",), 0)])
def test_a_start_counts_at_the_tables_that_it_names(tables: tuple[str, ...], times: int) -> None:
    table = at_table("boxes")
    Seating(table.house, "other", "boxes", ())
    shoe, _ = waiting(table)
    table.house.start(*tables)
    table.seal(shoe)
    assert of_table(table.house, START) == times
    assert counted(table.house)["log"]["start"] == 1
