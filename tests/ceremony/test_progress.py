"""Two players who want to play get a shoe, whatever one or more others do about it; and from every state that a table
gets into within some hundred steps everybody gets out.

More of these states: python -m tests.long.ceremony
"""

from __future__ import annotations

import hashlib
from contextlib import suppress

import pytest

from fairshoe.ceremony.acting import commands as say
from fairshoe.engine.rules import RULES
from fairshoe.errors import FairshoeError, InputError

from .checks import check_node
from .search import START, Node, chips, create, reduced, rules_of, search
from .search import Policy as Limits

HONEST = ("ann", "bob")


def table(rules: str, players: list[str]) -> Node:
    node = Node(create("t", rules_of(rules), Limits(), START).state, START + 1, b"", ())
    for seat, player in enumerate(players, 1):
        node = node.step(say.TakeSeat(player, chips(node.state), seat))
    return node


def contribute(node: Node, players: set[str], refusing: set[str]) -> Node:
    """Everybody sends a hash and bets; seeds are opened in turn, but those of `refusing` never."""
    for _ in range(60):
        shoe = node.state.shoe
        if shoe is None or shoe.sealed:
            return node
        before = node
        for seat in sorted(node.state.table.players):
            player = node.state.table.players[seat]
            for command in node.own(seat):
                opens = isinstance(command, say.GiveSeed)
                wanted = isinstance(command, say.GiveHash) or (isinstance(command, say.PlaceBets) and command.stakes)
                if player in players and (wanted or (opens and player not in refusing)):
                    with suppress(FairshoeError):
                        node = node.step(command)
                    break
        if node is before:
            node = node.step(None)
    raise AssertionError("the shoe comes to nothing")


@pytest.mark.parametrize("rules", ["boxes", "casino"])
@pytest.mark.parametrize("others", [1, 2, 3])
def test_who_lets_seeds_lapse_and_comes_back_cannot_keep_a_table_from_dealing(rules: str, others: int) -> None:
    """The newest opens so that the next one makes the shoe void; it hands in, leaves, and comes back as the newest."""
    names = [f"m{number}" for number in range(others)]
    node = table(rules, [*HONEST, *names])
    count = others
    for voids in range(2 * others + 2):
        node = node.step(say.AskShoe(1))
        shoe = node.state.shoe
        assert shoe is not None
        bad = [who for who in shoe.roster if who not in HONEST]
        taken = {chair.player: chair.order_time for chair in node.state.book.chairs.values()}
        newest = max(bad, key=lambda who: taken[who]) if len(bad) > 1 else None
        node = contribute(node, {*HONEST, *bad}, {who for who in bad if who != newest})
        if node.state.shoe is not None:
            assert voids <= others
            return
        for player in list(node.state.book.debts):
            seat = node.state.book.seat_of(player)
            if seat is None:
                continue  # gone already
            seed = node.seed(seat, next(iter(node.state.book.debts[player].seeds)))
            node = node.step(say.GiveSeed(seat, seed.hex()))
            node = node.step(say.CashOut(seat, None, leave=True))
            node = node.step(say.TakeSeat(f"m{count}", chips(node.state), seat))
            count += 1
    raise AssertionError(f"no shoe was sealed: {reduced(node)}")


def test_a_seed_that_is_owed_keeps_its_owner_out_until_another_shoe_is_sealed() -> None:
    node = table("casino", ["ann", "bob", "eve"])
    node = node.step(say.AskShoe(1))
    node = contribute(node, {"ann", "bob", "eve"}, {"ann"})
    assert node.state.shoe is None
    debt = node.state.book.debts["ann"]
    assert not debt.is_paid
    with pytest.raises(FairshoeError, match="handed in"):
        node.step(say.CashOut(1, None, leave=True))
    node = node.step(say.GiveSeed(1, node.seed(1, "t/1").hex()))
    assert debt.seeds.keys() == {"t/1"}
    assert node.state.book.debts["ann"].is_paid
    node = node.step(say.AskShoe(2))
    assert node.state.shoe is not None
    assert node.state.shoe.roster == ["bob", "eve"]
    node = contribute(node, {"bob", "eve"}, set())
    assert node.state.shoe is not None
    assert node.state.shoe.sealed
    assert node.state.book.debts == {}


def test_a_hash_of_the_digits_is_told_when_the_seed_comes() -> None:
    node = table("casino", ["ann"]).step(say.AskShoe(1))
    seed = node.seed(1, "t/1").hex()
    node = node.step(say.GiveHash(1, hashlib.sha256(seed.encode()).hexdigest(), 5))
    with pytest.raises(InputError, match="hex digits"):
        node.step(say.GiveSeed(1, seed))


def test_seeds_owed_of_several_shoes_are_all_handed_in() -> None:
    """Alone at the table a debtor contributes all the same, and owes for each shoe."""
    node = table("casino", ["ann"])
    for number in (1, 2):
        node = node.step(say.AskShoe(1))
        digest = hashlib.sha256(node.seed(1, f"t/{number}")).hexdigest()
        node = node.step(say.GiveHash(1, digest, 5))
        node = node.step(None)
        assert node.state.shoe is None
    assert list(node.state.book.debts["ann"].seeds) == ["t/1", "t/2"]
    node = node.step(say.GiveSeed(1, node.seed(1, "t/2").hex()))
    with pytest.raises(FairshoeError, match="t/1"):
        node.step(say.CashOut(1, None, leave=True))
    node = node.step(say.GiveSeed(1, node.seed(1, "t/1").hex()))
    node.step(say.CashOut(1, None, leave=True))


def test_newcomers_are_in_the_roster_once_a_shoe_came_to_nothing() -> None:
    """A seat that stays after a void for a seed, and then sends no hash, does not keep them out."""
    node = table("casino", ["m1", "m2"]).step(say.AskShoe(1))
    node = contribute(node, {"m1", "m2"}, {"m1"})
    for seat, player in ((3, "ann"), (4, "bob")):
        node = node.step(say.TakeSeat(player, 1000, seat))
    node = node.step(say.AskShoe(3))
    assert node.state.shoe is not None
    assert node.state.shoe.roster == ["m2"]
    node = node.step(None)
    assert node.state.shoe is None
    node = node.step(say.AskShoe(3))
    assert node.state.shoe is not None
    assert node.state.shoe.roster == ["m2", "ann", "bob"]


def test_who_cannot_be_dealt_for_as_first_banker_does_not_keep_the_others_waiting() -> None:
    node = table("pontoon", ["poor", "m1"])
    node = node.step(say.AskShoe(1))
    node = contribute(node, {"poor", "m1"}, {"poor"})
    node = node.step(say.GiveSeed(1, node.seed(1, "t/1").hex()))
    node = node.step(say.CashOut(2, node.state.table.purse[2] - 1))
    for seat, player in ((3, "ann"), (4, "bob")):
        node = node.step(say.TakeSeat(player, 1000, seat))
    node = node.step(say.AskShoe(3))
    assert node.state.shoe is not None
    assert {"ann", "bob"} <= set(node.state.shoe.roster)


def test_a_game_that_the_closing_kept_from_its_first_deal_is_refunded() -> None:
    node = table("lounge", ["ann", "bob"])
    unbegun = say.Refund("ann", 1, "unfinished")
    with pytest.raises(FairshoeError, match="still played"):
        node.step(unbegun)
    node = node.step(say.Close())
    with pytest.raises(FairshoeError, match="no new game"):
        node.step(say.BuyIn(1, 10_000))
    node = node.step(unbegun)
    assert node.state.table.purse == {0: 1_000, -1: 9_000, 1: 10_000, 2: 0}
    with pytest.raises(FairshoeError, match="not refunded"):
        node.step(unbegun)


def test_a_bet_that_gives_way_is_no_pass() -> None:
    """The box before a chair is its own."""
    node = table("boxes", ["ann", "bob"]).step(say.AskShoe(1))
    for seat in (1, 2):
        node = node.step(next(c for c in node.own(seat) if isinstance(c, say.GiveHash)))
    node = node.step(say.PlaceBets(1, 1, (say.Stake(2, 2),)))
    assert node.state.bets.keys() == {1}
    before = node
    node = node.step(say.PlaceBets(2, 1, (say.Stake(2, 2),)))
    assert node.state.bets.keys() == {2}
    with pytest.raises(FairshoeError, match="taken"):
        node.step(say.PlaceBets(1, 1, (say.Stake(2, 2),)))
    with pytest.raises(FairshoeError, match="taken"):
        before.step(say.PlaceBets(1, 1, (say.Stake(2, 3),))).step(say.PlaceBets(2, 1, (say.Stake(2, 3),)))


def test_who_says_here_in_a_round_is_waited_for_again() -> None:
    """A limit passed in this very round, another passes after it: they are not two in a row."""
    node = table("boxes", ["ann", "bob"]).step(say.AskShoe(1))
    for seat in (1, 2):
        node = node.step(next(command for command in node.own(seat) if isinstance(command, say.GiveHash)))
    node = node.step(say.PlaceBets(1, 1, (say.Stake(2, 1), say.Stake(2, 7))))
    node = contribute(node.step(say.PlaceBets(2, 1, (say.Stake(2, 2),))), {"ann", "bob"}, set())
    node = node.step(None).step(say.Here(1)).step(say.Decide(2, 1, 1, "stand")).step(None)
    assert node.state.book.open_round is None
    assert node.state.book.chairs[1].lapse_count == 2
    assert not node.state.is_absent(1)


def test_a_pool_is_shared_when_all_have_left_a_game_of_which_a_buy_in_was_refunded() -> None:
    """A round that went wrong costs the house, not the pool (LO-07): whoever was refunded has a part in it still."""
    node = table("lounge", ["ann", "bob"]).step(say.AskShoe(1))
    for seat in (1, 2):
        node = node.step(next(command for command in node.own(seat) if isinstance(command, say.GiveHash)))
    node = contribute(node, {"ann", "bob"}, set())
    while node.state.shoe is not None:
        node = node.step(None)
    node = node.step(say.Refund("ann", 1, "round"))
    with pytest.raises(FairshoeError, match="not refunded"):
        node.step(say.Refund("ann", 1, "round"))
    node = node.step(say.CashOut(1, None, leave=True)).step(say.CashOut(2, None, leave=True))
    assert node.state.table.players == {}
    assert node.state.table.purse[-1] == 0


# Every state, for one to three chairs of each game.

STATES = 120
TABLES = [
    (name, chairs)
    for name in sorted(RULES)
    for chairs in (1, 2, 3)
    if rules_of(name).chairs[0] <= chairs <= rules_of(name).chairs[1]
]


@pytest.mark.parametrize(("rules", "chairs"), TABLES)
def test_no_state_is_a_dead_end(rules: str, chairs: int) -> None:
    """What is listed is accepted, all else refused without a trace, limits do something, and everybody gets out: in
    every other state."""
    found = list(search(rules, chairs, STATES))
    assert len(found) >= min(STATES, 15)
    for node in found[chairs % 2 :: 2]:
        check_node(node)
