"""Who may take a chair, which chips may leave it while bets stand, and who banks (PO-37)."""

from __future__ import annotations

import pytest

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.phase import deadlines, phase
from fairshoe.ceremony.policy import Policy
from fairshoe.engine.rules import rules_of
from fairshoe.engine.table import HOUSE, POOL
from fairshoe.errors import FairshoeError, InputError
from fairshoe.log.times import SECOND

from .search import START, Node, create, hashed, sealed
from .test_progress import contribute, table


def betting(rules: str, **chips: int) -> Node:
    """A table where bets are taken, of players with so many chips."""
    node = table(rules, list(chips))
    for seat, amount in enumerate(chips.values(), 1):
        node = node.step(say.CashOut(seat, node.state.table.purse[seat] - amount))
    node = node.step(say.AskShoe(1))
    return hashed(node) if node.state.rules.one_round else sealed(node)


def refused(node: Node, command: say.Command, why: str) -> None:
    with pytest.raises(FairshoeError, match=why):
        node.step(command)


@pytest.mark.parametrize("rules", ["boxes", "casino"])
def test_chips_that_cover_no_bet_may_go_and_the_others_may_not(rules: str) -> None:
    node = betting(rules, ann=100, bob=100)
    node = node.step(say.PlaceBets(1, 1, (say.Stake(60),)))
    assert node.step(say.CashOut(1, 40)).state.table.purse[1] == 60
    assert node.step(say.Transfer(1, 40, 2)).state.table.purse[2] == 140
    refused(node, say.CashOut(1, 41), "bets stand on these chips")
    refused(node, say.Transfer(1, 41, 2), "bets stand on these chips")
    assert node.step(say.CashOut(2, 99)).state.table.purse[2] == 1, "who has not bet may do as they like"


def test_bets_of_several_chairs_stand_on_their_own_chips_each() -> None:
    node = betting("boxes", ann=100, bob=100)
    node = node.step(say.PlaceBets(1, 1, (say.Stake(20, 1), say.Stake(40, 3))))
    assert node.step(say.CashOut(1, 40)).state.bets.keys() == {1}
    passed = node.step(say.PlaceBets(1, 1, ()))
    assert passed.step(say.CashOut(1, 99)).state.table.purse[1] == 1, "nor has one who passed"


def test_the_bets_of_whoever_leaves_go_too() -> None:
    node = betting("boxes", ann=100, bob=100, eve=100).step(say.PlaceBets(1, 1, (say.Stake(60, 1),)))
    left = node.step(say.CashOut(1, None, leave=True))
    assert (left.state.bets, left.state.first_bet, list(left.state.table.players)) == ({}, None, [2, 3])
    taken = left.step(say.PlaceBets(2, 1, (say.Stake(60, 1),)))
    assert taken.state.bets.keys() == {2}
    other = node.step(say.PlaceBets(2, 1, (say.Stake(60, 2),))).step(say.CashOut(1, None, leave=True))
    assert other.state.bets.keys() == {2}, "whose bets stand does not keep others from leaving with theirs"


def test_a_dealers_chips_cover_the_bets_that_were_offered() -> None:
    node = betting("chinese", ann=90, bob=90, eve=90)
    dealer, player, _ = node.state.table.bank, *node.state.rules.acting_order(node.state.table)
    node = node.step(say.PlaceBets(player, 1, (say.Stake(20),)))
    assert node.step(say.CashOut(dealer, 30)).state.table.purse[dealer] == 60
    refused(node, say.CashOut(dealer, 31), "bets stand on these chips")
    left = node.step(say.CashOut(dealer, None, leave=True))
    assert dealer not in left.state.table.players, "who leaves takes the shoe along"
    assert (left.state.shoe, left.state.bets) == (None, {})


# A chair is taken.


def test_the_lowest_free_chair_unless_another_is_named() -> None:
    node = table("casino", ["ann", "bob"]).step(say.CashOut(1, None, leave=True))
    assert node.step(say.TakeSeat("eve", 10)).state.table.players == {2: "bob", 1: "eve"}
    named = node.step(say.TakeSeat("eve", 10, 7, "Eve the 7th")).state
    assert (named.table.players[7], named.book.chairs[7].name) == ("eve", "Eve the 7th")
    for wrong in (8, 9):
        with pytest.raises(InputError, match="1 to 7"):
            node.step(say.TakeSeat("eve", 10, wrong))


def test_a_chair_that_is_taken_is_refused_with_those_that_are_free() -> None:
    node = table("casino", ["ann", "bob"])
    with pytest.raises(FairshoeError, match="chair 2 is taken") as caught:
        node.step(say.TakeSeat("eve", 10, 2))
    assert caught.value.expected == "3, 4, 5, 6, 7"
    refused(node, say.TakeSeat("bob", 10, 3), "bob sits here")


def test_a_full_table_takes_nobody() -> None:
    node = table("casino", [f"p{number}" for number in range(7)])
    refused(node, say.TakeSeat("eve", 10), "every chair is taken")
    refused(node, say.TakeSeat("eve", 10, 3), "every chair is taken")


def test_who_owes_a_seed_or_had_a_part_in_the_shoe_in_play_does_not_come_back_at_once() -> None:
    node = table("casino", ["ann", "bob", "eve"]).step(say.AskShoe(1))
    node = node.step(say.CashOut(3, None, leave=True))
    refused(node, say.TakeSeat("eve", 10), "had a part in the present shoe")
    assert node.step(say.TakeSeat("dan", 10)).state.table.players[3] == "dan"
    owing = contribute(table("casino", ["ann", "bob"]).step(say.AskShoe(1)), {"ann", "bob"}, {"ann"})
    owing = owing.step(say.GiveSeed(1, owing.seed(1, "t/1").hex())).step(say.CashOut(1, None, leave=True))
    refused(owing, say.TakeSeat("ann", 10), "had not opened a seed")


def test_a_closed_table_takes_nobody() -> None:
    node = table("casino", ["ann"]).step(say.Close())
    refused(node, say.TakeSeat("eve", 10), "the table is closed; choose another table")


# Who banks: asked in pontoon after the first banker's draw.


def asked() -> tuple[Node, int]:
    """A table that asks whoever drew the black jack, and that chair."""
    node = table("pontoon", ["ann", "bob"]).step(say.AskShoe(1))
    node = contribute(node, {"ann", "bob"}, set())
    assert node.state.table.bank != HOUSE
    node = node.step(say.AskShoe(1))
    assert phase(node.state) == "bank"
    return node, node.state.table.bank


def test_the_entitled_chair_has_one_decision_limit_and_no_more() -> None:
    node, _ = asked()
    (limit, moment), *others = deadlines(node.state)
    assert (limit, others) == ("decision", [])
    assert moment == node.state.decision_since + node.state.book.policy.decision * SECOND
    before = Node(node.state, moment - 2 * SECOND, node.key, ()).step(say.Here(1))
    assert phase(before.state) == "bank"
    after = node.step(None)
    assert after.now <= moment + SECOND
    assert phase(after.state) == "hash"


def test_the_bank_is_given_with_the_consent_of_the_other() -> None:
    node, chair = asked()
    other = 3 - chair
    rounds = node.state.book.rounds
    node = node.step(say.Decide(chair, rounds, 0, "give", 0, (other,)))
    node = node.step(say.Decide(other, rounds, 1, "agree"))
    assert node.state.table.bank == other
    assert phase(node.state) == "hash"


def test_nobody_is_put_out_while_the_bank_is_offered() -> None:
    node, chair = asked()
    other = 3 - chair
    rounds = node.state.book.rounds
    node = node.step(say.Decide(chair, rounds, 0, "give", 0, (other,))).step(say.Evict(other))
    assert other in node.state.table.players
    node = node.step(say.Decide(other, rounds, 1, "refuse"))
    assert other not in node.state.table.players


def test_a_bet_on_another_box_may_be_replaced_and_the_box_is_taken_for_others() -> None:
    """BX-06."""
    node = betting("boxes", ann=100, bob=100).step(say.PlaceBets(1, 1, (say.Stake(10, 5),)))
    node = node.step(say.PlaceBets(1, 1, (say.Stake(20, 5),)))
    assert [(bet.amount, bet.box) for bet in node.state.bets[1]] == [(20, 5)]
    refused(node, say.PlaceBets(2, 1, (say.Stake(10, 5),)), "box 5 is taken")


def test_a_chair_that_nobody_has_cannot_be_put_out() -> None:
    refused(table("casino", ["ann"]), say.Evict(3), "nobody sits in chair 3")


def dealt(players: list[str], away: set[str]) -> Node:
    """A lounge table after a round, and two more shoes to which those in `away` send nothing."""
    node = contribute(table("lounge", players).step(say.AskShoe(1)), set(players), set())
    while node.state.shoe is not None or (away and node.state.book.shoes < 3):
        if node.state.shoe is None:
            node = node.step(say.AskShoe(None))
        node = contribute(node, set(players) - away, set())
        decisions = [
            each for seat in node.state.table.players for each in node.own(seat) if isinstance(each, say.Decide)
        ]
        node = node.step(decisions[0] if decisions else None)
    assert {player for seat, player in enumerate(players, 1) if node.state.is_absent(seat)} == away
    return node


@pytest.mark.parametrize(
    ("players", "away", "refunded", "left"),
    [
        (["ann"], set(), [], False),
        (["ann"], {"ann"}, [], True),
        (["ann"], set(), [1], True),
        (["ann", "bob"], {"ann"}, [], False),
        (["ann", "bob"], {"ann"}, [2], False),
        (["ann", "bob"], set(), [1], True),
    ],
)
def test_the_house_puts_nobody_out_of_a_part_in_a_pool(
    players: list[str], away: set[str], refunded: list[int], left: bool
) -> None:
    """LO-04: but after a refund, or where the pool is then paid to that player alone."""
    node = dealt(players, away)
    assert node.state.table.purse[POOL] > 0
    for seat in refunded:
        node = node.step(say.Refund(players[seat - 1], 1, "round"))
    node = node.step(say.Evict(1))
    assert (1 in node.state.table.players) == (not left)
    if left and len(players) == 1:
        assert node.state.table.purse[POOL] == 0
        node.step(say.TakeSeat("eve", 10_000, 1))


def test_whoever_was_refunded_before_the_first_deal_can_be_put_out_at_once() -> None:
    node = table("lounge", ["ann", "bob"]).step(say.Evict(1)).step(say.Evict(2))
    assert sorted(node.state.table.players) == [1, 2]
    node = node.step(say.Refund("bob", 1, "round"))
    assert (sorted(node.state.table.players), node.state.evicted) == ([1], [1])


def waiting_for(fewest: int, *players: str) -> Node:
    """A lounge table whose first deal waits for so many, with these players."""
    node = Node(create("t", rules_of("lounge", {"fewest": fewest}), Policy(), START).state, START + 1, b"", ())
    for seat, player in enumerate(players, 1):
        node = node.step(say.TakeSeat(player, 10_000, seat))
    return node


def test_whoever_waits_for_other_players_may_leave_and_they_may_come() -> None:
    """LO-08."""
    node = waiting_for(2, "ann")
    refused(node, say.AskShoe(1), "bets: 1 joined the game; expected at least 2 before its first deal; wait until")
    assert not any(isinstance(command, say.AskShoe) for command in node.own(1))
    both = node.step(say.TakeSeat("bob", 10_000, 2)).step(say.AskShoe(1))
    left = both.step(say.CashOut(2, None, leave=True))
    while left.state.shoe is not None:
        hashes = [command for command in left.own(1) if isinstance(command, say.GiveHash)]
        left = left.step(hashes[0] if hashes else None)
    assert left.state.book.rounds == 0, "void: too few are left"
    played = contribute(both, {"ann", "bob"}, set())
    assert played.state.book.open_round is not None
    assert node.step(say.CashOut(1, None, leave=True)).state.table.purse[POOL] == 0


def test_a_player_without_a_bet_in_the_first_deal_may_leave_before_it() -> None:
    """LO-08: the round was opened, and is dealt."""
    node = waiting_for(3, "ann", "bob", "eve").step(say.AskShoe(1))
    hashes = [each for seat in (1, 2) for each in node.own(seat) if isinstance(each, say.GiveHash)]
    node = node.step(hashes[0]).step(hashes[1]).step(None)
    assert node.state.book.open_round is not None
    node = contribute(node.step(say.CashOut(3, None, leave=True)), {"ann", "bob"}, set())
    while node.state.shoe is not None:
        node = node.step(None)
    assert node.state.last_round is not None
    assert [hand["seat"] for hand in node.state.last_round["hands"]] == [1, 2]
