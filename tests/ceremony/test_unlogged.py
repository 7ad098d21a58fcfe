"""What a restore keeps of a table: what its log tells, and nothing that came in after the last entry."""

from __future__ import annotations

import pytest

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.phase import due, phase
from fairshoe.ceremony.acting.shoes import drop_unlogged
from fairshoe.errors import FairshoeError
from fairshoe.log.times import SECOND

from .search import Node, hashed, sealed
from .test_chips import asked
from .test_progress import table


def restored(node: Node) -> Node:
    """The table after a restore a second later."""
    now = node.now + SECOND
    return Node(drop_unlogged(node.state, now), now, node.key, node.path)


def hashes(node: Node) -> list[say.GiveHash]:
    """What the chairs that have not sent a hash may send."""
    own = [command for seat in node.state.table.players for command in node.own(seat)]
    return [command for command in own if isinstance(command, say.GiveHash)]


def test_a_hash_that_is_not_logged_is_forgotten_and_may_be_another_one() -> None:
    node = table("casino", ["ann", "bob"]).step(say.AskShoe(1))
    first, second = hashes(node)
    node = node.step(first._replace(cut=9))
    assert (set(node.state.hashes), node.state.cuts) == ({"ann"}, {"ann": 9})
    before = node.state
    again = restored(node)
    assert (again.state.hashes, again.state.cuts) == ({}, {})
    assert before.hashes, "the state that was given is left as it is"
    other = say.GiveHash(1, "e" * 64, 7)
    with pytest.raises(FairshoeError, match="another hash"):
        node.step(other)
    again = again.step(other).step(second)
    shoe = again.state.shoe
    assert shoe is not None
    assert shoe.hashes["ann"] == "e" * 64
    assert shoe.cut is not None
    assert shoe.cut.at == 7


def test_hashes_that_are_logged_stay() -> None:
    node = hashed(table("casino", ["ann", "bob"]).step(say.AskShoe(1)))
    shoe = node.state.shoe
    assert shoe is not None
    assert shoe.hashes
    assert restored(node).state.hashes == dict(shoe.hashes) == node.state.hashes


def test_bets_that_are_not_logged_are_forgotten() -> None:
    node = sealed(table("casino", ["ann", "bob"]).step(say.AskShoe(1)))
    node = node.step(say.PlaceBets(1, 1, (say.Stake(10),)))
    assert (list(node.state.bets), node.state.first_bet is None) == ([1], False)
    again = restored(node)
    assert (again.state.bets, again.state.first_bet) == ({}, None)
    assert again.step(say.PlaceBets(1, 1, (say.Stake(20),))).state.bets[1][0].amount == 20


def test_a_waiver_stays_where_the_log_has_it() -> None:
    node = sealed(table("casino", ["ann", "bob"]).step(say.AskShoe(1)))
    node = node.step(say.TakeSeat("eve", 1_000, 3)).step(say.Waive(3))
    assert node.state.waivers == [3]
    assert restored(node).state.waivers == []
    for seat in (1, 2, 3):
        node = node.step(say.PlaceBets(seat, 1, (say.Stake(10),)))
    shoe = node.state.shoe
    assert shoe is not None
    assert shoe.waived == ["eve"]
    assert restored(node).state.waivers == [3]


def test_a_shoe_that_was_asked_for_a_question_about_the_bank_and_who_is_back_are_forgotten() -> None:
    node, chair = asked()
    assert (node.state.shoe_requested, node.state.bank_decisions) == (True, [])
    node = node.step(say.Decide(chair, node.state.book.rounds, 0, "give", 0, (3 - chair,)))
    again = restored(node)
    assert (again.state.shoe_requested, again.state.bank_decisions, again.state.lapse_credits) == (False, None, {})
    assert phase(again.state) != "bank"
    assert phase(again.step(say.AskShoe(1)).state) == "bank"


def test_decisions_are_made_anew_and_their_limit_begins_anew() -> None:
    node = sealed(table("casino", ["ann", "bob"]).step(say.AskShoe(1)))
    while not node.state.decisions:
        for seat in (1, 2):
            node = node.step(say.PlaceBets(seat, node.state.book.rounds + 1, (say.Stake(2),)))
        while node.state.cards_on_table and not node.state.decisions:
            own = [command for seat in (1, 2) for command in node.own(seat)]
            node = node.step(next(command for command in own if isinstance(command, say.Decide)))
    again = restored(node)
    assert (again.state.decisions, again.state.round_dealt) == ([], False)
    assert due(again.state, again.now) == again.now + again.state.book.policy.decision * SECOND
