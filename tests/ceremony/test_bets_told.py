"""What the state of a seat says of each of its bets."""

from __future__ import annotations

from typing import Any

import pytest

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.view import table_view

from .search import Node, hashed
from .test_chips import betting


def own(node: Node, seat: int) -> Any:
    """What became of a seat's bets: the round, and each state with the amount and box of its bet."""
    betting = table_view(node.state, seat, node.now)["you"].get("betting")
    return betting and (betting["round"], [tuple(bet.values()) for bet in betting["bets"]])


def bet(node: Node, seat: int, *stakes: tuple[int, ...]) -> Node:
    return node.step(say.PlaceBets(seat, node.state.book.rounds + 1, tuple(say.Stake(*stake) for stake in stakes)))


def opened(node: Node, *, but: int = 0) -> Node:
    """Seeds are opened in turn, but for a seat that lets its own lapse, until the shoe is over."""
    while node.state.shoe is not None:
        seeds = [each for seat in node.state.table.players for each in node.own(seat) if isinstance(each, say.GiveSeed)]
        given = [each for each in seeds if each.seat != but]
        node = node.step(given[0] if given else None)
    return node


def test_a_bet_that_its_bank_does_not_cover_is_told() -> None:
    """CH-05."""
    node = betting("chinese", ann=40, bob=100, eve=100)
    assert node.state.table.bank == 1
    node = bet(bet(node, 2, (10,)), 3, (10,))
    assert (own(node, 2), own(node, 3), own(node, 1)) == ((1, [("stands", 10)]), (1, [("uncovered", 10)]), None)
    assert own(opened(node), 3) == (1, [("uncovered", 10)])


def test_a_bet_on_the_box_of_somebody_who_wants_it_is_told() -> None:
    """BX-06."""
    node = bet(betting("boxes", ann=100, bob=100, eve=100), 1, (10, 2), (20, 5))
    node = bet(node, 2, (30,))
    assert own(node, 1) == (1, [("offered", 20, 5), ("yielded", 10, 2)])
    assert own(bet(node, 1, (40, 5)), 1) == (1, [("offered", 40, 5)])
    stood = node.step(None)
    assert own(stood, 1) == (1, [("stands", 20, 5), ("yielded", 10, 2)])
    assert own(stood, 2) == (1, [("stands", 30)])
    assert own(stood, 3) == (1, [("late",)])
    assert own(opened(stood), 1) == (1, [("stands", 20, 5), ("yielded", 10, 2)])
    alone = bet(bet(betting("boxes", ann=100, bob=100), 1, (10, 2)), 2, (30,)).step(None)
    assert own(alone, 1) == (1, [("yielded", 10, 2), ("late",)])


def test_who_passed_was_late_or_had_too_few_chips_is_told() -> None:
    node = betting("casino", ann=100, bob=100, eve=100, dot=1)
    node = bet(bet(node, 1, (10,)), 2)
    assert (own(node, 1), own(node, 2), own(node, 3)) == ((1, [("offered", 10)]), (1, [("passed",)]), None)
    node = node.step(None)
    assert [own(node, seat) for seat in (1, 2, 3, 4)] == [
        (1, [(state, *amount)]) for state, *amount in (("stands", 10), ("passed",), ("late",), ("unfunded",))
    ]


@pytest.mark.parametrize("silent", [1, 2])
def test_a_bet_that_is_not_dealt_since_a_seed_is_missing_is_told(silent: int) -> None:
    """The first to open is struck; without the last one's seed the shoe is void."""
    node = bet(bet(betting("boxes", ann=100, bob=100), 1, (10,)), 2, (20,))
    over = opened(node, but=silent)
    told = {1: [("void", 10), ("void", 20)], 2: [("stands", 10), ("lapsed", 20)]}[silent]
    assert [own(over, seat) for seat in (1, 2)] == [(1, [each]) for each in told]


def test_bets_that_a_reshuffle_takes_back_are_told() -> None:
    node = bet(betting("boxes", ann=100, bob=100), 1, (10,))
    shoe = node.state.shoe
    assert shoe is not None
    node = node.step(say.AskReshuffle(2, shoe.id))
    assert own(node, 1) == (1, [("void", 10)])
    assert own(bet(hashed(node), 1, (20,)), 1) == (1, [("offered", 20)])
