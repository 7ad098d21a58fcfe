"""What a table's book keeps of an entry: who acted by it, and that a strange one cannot follow."""

from __future__ import annotations

import random

import pytest

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.state import State, fold
from fairshoe.errors import VerificationError
from fairshoe.log.canonical import Entry

from .test_progress import contribute, table
from .walk import Walk


def before(game: str, kind: str) -> tuple[dict[str, State], Entry]:
    """A table up to its first entry of a kind, and that entry."""
    walk = Walk(game, random.Random(f"book {game}"), 0.0, seats=2)
    walk.play(2)
    at = next(place for place, entry in enumerate(walk.log) if entry["kind"] == kind)
    states: dict[str, State] = {}
    fold(states, walk.log[:at])
    return states, walk.log[at]


@pytest.mark.parametrize(("game", "lapsed"), [("casino", 0), ("lounge", 1)])
def test_a_bet_is_an_act_where_bets_are_free_and_none_where_the_table_bets(game: str, lapsed: int) -> None:
    states, opened = before(game, "open")
    chairs = states["t"].book.chairs
    for chair in chairs.values():
        chair.lapse_count = 1
    fold(states, [opened])
    assert [chairs[bet["seat"]].lapse_count for bet in opened["bets"]] == [lapsed] * len(opened["bets"])


def test_a_refund_is_no_act_of_the_player_who_gets_it() -> None:
    node = table("lounge", ["ann", "bob"]).step(say.AskShoe(1))
    node = contribute(node, {"ann", "bob"}, set())
    while node.state.shoe is not None:
        node = node.step(None)
    node.state.book.chairs[1].lapse_count = 1
    node = node.step(say.Refund("ann", 1, "round"))
    assert node.state.book.chairs[1].lapse_count == 1


@pytest.mark.parametrize("bets", ["all", [{"seat": 1}], [{"amount": "1", "seat": 1}]])
def test_an_open_without_bets_that_can_be_read_cannot_follow(bets: object) -> None:
    states, opened = before("casino", "open")
    with pytest.raises(VerificationError, match="cannot follow"):
        fold(states, [opened | {"bets": bets}])
