"""Pools of the lounge that nobody plays for any more (LO-04): honest by both readings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fairshoe.engine.rules.lounge import BUY_IN
from fairshoe.log.directory import write_log
from fairshoe.log.times import HOUR
from tests.audit.planting import at_table
from tests.audit.walk import full
from tests.house import SIGNER, Seating

from .readings import Reading, second_readings


def refunded_in_a_game() -> Seating:
    """Who is refunded after the first deal has a part in the pool all the same (LO-07)."""
    table = at_table("lounge", (1, 2), gift=1000)
    table.play(1)
    table.chips("refund", 1, BUY_IN, game=1, why="round")
    table.leave_all()
    return table


def refunded_before_it_began() -> Seating:
    """Who was refunded before the first deal plays no part, and may sit there while the pool is shared."""
    table = at_table("lounge", (1, 2, 3), gift=1000)
    table.chips("refund", 3, BUY_IN, game=1, why="round")
    table.play(1)
    for seat in (1, 2):
        table.leave(seat)
    table.share([1, 2])
    return table


def shared_slowly() -> Seating:
    """A share is due with the share before it."""
    table = at_table("lounge", (1, 2), gift=1000)
    table.play(1)
    other = Seating(table.house, "other", "boxes", (1,))
    table.leave(1)
    table.leave(2)
    for payers in ([1, 2], [2]):
        for _ in range(20):
            table.house.now += HOUR
            other.chips("buy-in", 1, 100)
        table.share(payers[:1]) if len(payers) == 1 else table.chips("share", 1, _part(table, 2))
    return table


def _part(table: Seating, payers: int) -> int:
    pool = table.table.purse[-1]
    return pool // payers + pool % payers


@pytest.mark.parametrize("play", [refunded_in_a_game, refunded_before_it_began, shared_slowly])
def test_a_pool_is_shared(play: Callable[[], Seating], tmp_path: Path) -> None:
    table = play()
    assert table.table.purse[-1] == 0
    assert not full(table.house.lines).failed
    write_log(tmp_path, table.house.lines, SIGNER)
    assert list(second_readings([tmp_path / "log.jsonl"])) == [Reading("pass", None)]
