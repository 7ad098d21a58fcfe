"""What the machine refuses, in which words, and whom it does not wait for."""

from __future__ import annotations

import hashlib
import random

import pytest

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.machine import apply
from fairshoe.ceremony.acting.phase import due, phase
from fairshoe.ceremony.acting.playing import IllegalMove
from fairshoe.ceremony.acting.state import Keys
from fairshoe.ceremony.book import Debt
from fairshoe.ceremony.chairs import chips_hold_reason, keeps_cover
from fairshoe.ceremony.contributing import cut_range, may_be_away, roster
from fairshoe.ceremony.ending import due_time as due_by
from fairshoe.ceremony.ending import is_deserted, is_idle, may_void, wait_start, why_ends
from fairshoe.ceremony.policy import IDLE_LIMIT, MAX_LAPSED_LIMITS
from fairshoe.engine.table import Table
from fairshoe.log.times import SECOND, microseconds, timestamp

from .search import hashed, sealed
from .test_chips import betting, refused
from .test_progress import table
from .walk import Walk


@pytest.mark.parametrize(
    "command",
    [
        say.BuyIn(2, 5),
        say.CashOut(2, 5),
        say.Transfer(2, 5, 1),
        say.AskShoe(2),
        say.AskReshuffle(2),
        say.GiveHash(2, "0" * 64),
        say.GiveSeed(2, "00" * 16),
        say.Waive(2),
        say.PlaceBets(2, 1, ()),
        say.Here(2),
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_chair_that_was_left(command: say.Command) -> None:
    """What was due is done before a command: it may have put its sender out."""
    node = betting("casino", ann=100, bob=100)
    node = node.step(say.CashOut(2, None, leave=True))
    refused(node, command, "seat: chair 2 was left; take a seat")


def test_decisions() -> None:
    node = betting("casino", ann=100, bob=100)
    refused(node, say.Decide(1, 1, 0, "stand"), "decision: there is nothing to decide; wait for your turn")
    node = node.step(say.PlaceBets(1, 1, (say.Stake(10),))).step(say.PlaceBets(2, 1, (say.Stake(10),)))
    assert phase(node.state) == "round"
    refused(node, say.Decide(2, 1, 0, "stand"), "it is seat 1's turn")
    refused(node, say.Decide(1, 2, 0, "stand"), "round: round 2; expected 1")
    refused(node, say.Decide(1, 1, 1, "stand"), "step: step 1; expected 0")
    refused(node, say.Decide(1, 1, 0, "reveal"), "move: reveal is not legal now; expected (hit; stand|decline; insure)")
    refused(node, say.Decide(1, 1, 0, "reveal", 5), "move: reveal 5 is not legal now")
    with pytest.raises(IllegalMove) as caught:
        node.step(say.Decide(1, 1, 0, "reveal"))
    assert {form["move"] for form in caught.value.more["legal"]} >= {"hit", "stand"}


def test_bets() -> None:
    node = hashed(table("casino", ["ann", "bob"]).step(say.AskShoe(1)))
    node = node.step(None)
    node = node.step(next(command for command in node.own(1) if isinstance(command, say.GiveSeed)))
    refused(node, say.PlaceBets(2, 1, (say.Stake(10),)), "no seed of yours is in this shoe; wait for the next shoe")
    boxes = betting("boxes", ann=100, bob=100)
    refused(boxes, say.PlaceBets(1, 2, (say.Stake(10),)), "round: round 2; expected 1")
    refused(boxes, say.NoMoreBets(), "bets: nobody has bet; wait for a bet")
    refused(boxes.step(say.PlaceBets(1, 1, ())), say.NoMoreBets(), "bets: nobody has bet; wait for a bet")
    refused(node, say.NoMoreBets(), "bets: these rules do not know that")


def test_where_a_shoe_may_be_cut() -> None:
    """Anywhere, where no rule says less."""
    book = table("casino", ["ann"]).step(say.AskShoe(1)).state.book
    assert book.shoe is not None
    assert cut_range(book.rules, book.shoe) == (1, 311)
    assert cut_range(None, book.shoe) == (0, 311)


def test_a_cutter_who_is_away_cuts_nothing() -> None:
    node = table("casino", ["ann", "bob"])
    node.state.book.chairs[1].lapse_count = MAX_LAPSED_LIMITS
    node = node.step(say.AskShoe(2))
    refused(node, say.GiveHash(2, "aa" * 32, 9), "cut: nobody cuts this shoe; leave it out")


def test_cuts() -> None:
    node = table("casino", ["ann", "bob"]).step(say.AskShoe(1))
    digest = hashlib.sha256(b"x").hexdigest()
    refused(node, say.GiveHash(2, digest, 9), "cut: ann cuts this shoe; leave it out")
    refused(node, say.GiveHash(1, digest, 312), "cut: 312; expected 1 to 311")
    refused(
        node, say.GiveHash(1, digest), "cut: you cut this shoe, and the hash came without the cut; expected 1 to 311"
    )
    refused(node.step(say.GiveHash(1, digest, 9)), say.GiveHash(1, digest, 10), "cut: you have cut; expected 9")
    refused(table("casino", ["ann"]), say.GiveHash(1, digest), "hash: no shoe is live; expected seed, shoe, seats")
    refused(betting("casino", ann=10, bob=10), say.GiveHash(1, digest), "hash: not in the phase bet; expected seed")
    pontoon = table("pontoon", ["ann", "bob"]).step(say.AskShoe(1))
    refused(pontoon, say.GiveHash(1, digest, 9), "cut")


def test_shoes() -> None:
    node = table("casino", ["ann", "bob"]).step(say.AskShoe(1))
    refused(node, say.AskShoe(2), "shoe")
    refused(table("casino", []), say.AskShoe(None), "0 chairs are taken; expected at least 1")
    refused(
        sealed(node), say.AskReshuffle(1), "shoe: the seeds are being opened, or the shoe is sealed; play this shoe"
    )
    poor = table("casino", ["ann"])
    poor = poor.step(say.CashOut(1, poor.state.table.purse[1] - 1))
    refused(poor, say.AskShoe(1), "shoe: nobody could bet on it; buy in, or leave")


def test_no_shoe_for_those_alone_who_owe_a_seed() -> None:
    """Who owes none comes first, and cannot bet."""
    node = table("casino", ["ann", "bob"])
    node = node.step(say.CashOut(1, node.state.table.purse[1] - 1))
    node.state.book.debts["bob"] = Debt(node.state.book.at, "t/1", {"t/1": "aa" * 32})
    assert roster(node.state.book) == [1]
    refused(node, say.AskShoe(2), "nobody could bet on it: bob must hand a seed in; hand it in, buy in, or leave")
    node.state.book.debts["ann"] = Debt(node.state.book.at, "t/1", {"t/1": "bb" * 32})
    assert roster(node.state.book) == [1, 2], "all owe one"


def test_chips() -> None:
    node = betting("casino", ann=100, bob=100)
    refused(node, say.CashOut(2, 99, leave=True), "amount: 99; expected 100, all that the seat has")
    refused(node, say.CashOut(2, None), "amount: missing; expected an amount, or leave: true to take everything")
    node = node.step(say.CashOut(2, 100))
    assert 2 not in node.step(say.CashOut(2, None, leave=True)).state.table.players, "a chair without chips may be left"
    node = betting("casino", ann=100, bob=100)
    node = node.step(say.PlaceBets(1, 1, (say.Stake(10),))).step(say.PlaceBets(2, 1, (say.Stake(10),)))
    assert phase(node.state) == "round"
    refused(node, say.BuyIn(2, 5), "amount: a round is open; wait until that is over")
    refused(node, say.CashOut(1, 5), "amount: a bet of this chair stands")
    banked = table("chinese", ["ann", "bob"]).step(say.AskShoe(1))
    bank = banked.state.table.bank
    refused(banked, say.CashOut(bank, banked.state.table.purse[bank] - 2), "amount: the banker covers the lowest bet")
    first = hashed(table("pontoon", ["ann", "bob"]).step(say.AskShoe(1)))
    refused(first, say.CashOut(1, 1), "amount: the first banker is being dealt for")
    refused(first, say.CashOut(1, None, leave=True), "leave: the first banker is being dealt for")


@pytest.mark.parametrize("rules", ["chinese", "pontoon"])
def test_a_banker_is_never_left_out_as_away(rules: str) -> None:
    node = betting(rules, ann=200, bob=200, eve=200)
    book = node.state.book
    for chair in book.chairs.values():
        chair.lapse_count = MAX_LAPSED_LIMITS
    assert book.table.bank in book.chairs
    assert may_be_away(book) == sorted(set(book.chairs) - {book.table.bank})
    node = betting("casino", ann=200, bob=200)
    node.state.book.chairs[2].lapse_count = MAX_LAPSED_LIMITS - 1
    node.state.book.chairs[1].lapse_count = MAX_LAPSED_LIMITS
    assert may_be_away(node.state.book) == [1]


def test_who_was_away_and_asks_for_a_shoe_is_waited_for() -> None:
    node = table("casino", ["ann", "bob"])
    for chair in node.state.book.chairs.values():
        chair.lapse_count = MAX_LAPSED_LIMITS
    node = node.step(say.AskShoe(1))
    assert node.state.shoe is not None
    assert node.state.shoe.roster == ["ann"]


def test_what_a_chair_did_outside_the_log_counts_until_the_log_has_something_of_it() -> None:
    state = table("casino", ["ann", "bob"]).state
    state.book.chairs[1].lapse_count = state.book.chairs[2].lapse_count = MAX_LAPSED_LIMITS
    state.lapse_credits = {1: MAX_LAPSED_LIMITS, 2: 0, 3: 1}
    assert [state.is_absent(1), state.is_absent(2)] == [False, True]
    state.drop_lapse_credits()
    assert state.lapse_credits == {1: MAX_LAPSED_LIMITS}
    state.book.chairs[1].lapse_count = 0
    state.drop_lapse_credits()
    assert state.lapse_credits == {}
    state.book.chairs[1].lapse_count = MAX_LAPSED_LIMITS
    assert state.is_absent(1)


def test_all_whom_the_house_wants_out_go_when_the_shoe_ends() -> None:
    node = betting("casino", ann=100, bob=100, eve=100).step(say.Evict(2)).step(say.Evict(3))
    assert sorted(node.state.table.players) == [1, 2, 3]
    while node.state.shoe is not None:
        node = node.step(None)
    assert sorted(node.state.table.players) == [1]
    assert node.state.evicted == []
    assert node.state.commitment == ""


def test_a_shoe_of_a_closed_table_is_looked_at_when_its_players_have_been_silent() -> None:
    node = betting("casino", ann=100, bob=100)
    book, shoe = node.state.book, node.state.book.shoe
    assert shoe is not None
    silent = wait_start(book, shoe.betting_since) + IDLE_LIMIT
    assert due(node.state, silent) == microseconds(shoe.sealed) + shoe.policy.shoe * SECOND
    closed = node.step(say.Close()).state
    assert closed.book.closed_at > max(chair.last_act for chair in closed.book.chairs.values())
    assert due(closed, silent) == microseconds(closed.book.closed_at) + IDLE_LIMIT


def test_why_a_shoe_ends_or_may_be_void() -> None:
    book = betting("casino", ann=100, bob=100).state.book
    assert book.shoe is not None
    oldest = microseconds(book.shoe.sealed) + book.shoe.policy.shoe * SECOND
    book.shoe.betting_since = timestamp(oldest)
    assert why_ends(book, book.shoe, oldest, worn=False) == "age"
    assert why_ends(book, book.shoe, oldest - 1, worn=False) is None
    book = table("casino", ["ann", "bob"]).step(say.AskShoe(1)).state.book
    assert book.shoe is not None
    late = microseconds(book.shoe.at) + book.shoe.policy.hash * SECOND
    assert may_void(book, book.shoe, "idle", None, late)
    assert may_void(book, book.shoe, "reshuffle", "ann", late)
    for why, by in (("idle", "ann"), ("whim", None), ("reshuffle", None), ("age", None), ("close", None)):
        assert not may_void(book, book.shoe, why, by, late), why


def test_a_newcomer_keeps_no_shoe_of_others_who_are_away() -> None:
    node = table("casino", ["ann"]).step(say.AskShoe(1)).step(say.TakeSeat("eve", 100, 2))
    book = node.state.book
    assert book.shoe is not None
    assert not is_idle(book, book.shoe, node.now)
    book.chairs[1].lapse_count = MAX_LAPSED_LIMITS
    assert is_idle(book, book.shoe, node.now)
    book.chairs[1].lapse_count = 0
    assert not is_deserted(book, book.shoe)
    book.shoe.struck.append("ann")
    assert is_deserted(book, book.shoe)
    assert is_idle(book, book.shoe, node.now)


def test_by_when_a_shoes_next_step_is_there() -> None:
    """Bets by their limit; of those who still have to open a seed the first, whose silence voids an opening begun."""
    book = betting("boxes", ann=100, bob=100).state.book
    assert book.shoe is not None
    assert due_by(book, book.shoe) == microseconds(book.shoe.betting_since) + book.policy.bet * SECOND
    node = hashed(table("casino", ["ann", "bob", "eve"]).step(say.AskShoe(1)))
    node = node.step(next(command for command in node.own(3) if isinstance(command, say.GiveSeed)))
    book = node.state.book
    assert book.shoe is not None
    late = microseconds(book.shoe.seed_wait_since) + book.policy.seed * SECOND
    assert due_by(book, book.shoe) == late
    assert not may_void(book, book.shoe, "seed", "bob", late - 1)
    assert may_void(book, book.shoe, "seed", "bob", late)
    assert not may_void(book, book.shoe, "seed", "ann", late)


def test_nobody_banks_without_chips() -> None:
    node = table("pontoon", ["ann", "bob"])
    for seat in (1, 2):
        node = node.step(say.CashOut(seat, node.state.table.purse[seat] - 1))
    refused(node, say.AskShoe(1), "shoe: nobody covers the lowest bet as banker; buy in, or leave")


def test_a_banker_without_cover_may_buy_in_for_less_than_that() -> None:
    book = betting("chinese", ann=200, bob=200).state.book
    before = book.table
    after = Table(book.rules, dict(before.players), dict(before.purse), before.bank, before.memory)
    assert keeps_cover(book, after)
    after.purse[book.table.bank] = 1
    assert not keeps_cover(book, after)
    book.table.purse[book.table.bank] = 0
    assert keeps_cover(book, after)


def test_a_closed_table_takes_no_new_chair() -> None:
    node = table("casino", ["ann"]).step(say.Close())
    refused(node, say.Close(), "table: the table is closed; nothing: it stays closed")
    book = node.state.book
    assert chips_hold_reason(book, "buy-in", 2) == "the table is closed: no new chair"
    assert chips_hold_reason(book, "buy-in", 1) == ""
    lounge = table("lounge", ["ann", "bob"]).step(say.Close()).state.book
    assert chips_hold_reason(lounge, "buy-in", 1) == "the table is closed: no new game"


def test_chips_below_zero_take_a_buy_in_and_nothing_else() -> None:
    """A dealer whose cards cost more than the balance: PO-38."""
    book = table("casino", ["ann", "bob"]).state.book
    book.table.purse[1] = -5
    assert chips_hold_reason(book, "buy-in", 1) == ""
    assert (
        chips_hold_reason(book, "cash-out", 1)
        == chips_hold_reason(book, "transfer", 1, to=2)
        == "the chair's chips are below zero"
    )
    book.table.purse[1] = 0
    assert chips_hold_reason(book, "cash-out", 1) == ""


def test_nobody_is_put_out_of_a_game_that_has_been_paid_for() -> None:
    """Before the first deal, in the game, and where the table was closed in it."""
    walk = Walk("lounge", random.Random(1), 0.0, seats=2)
    walk.do(say.Evict(1))
    assert 1 in walk.state.table.players
    while walk.state.book.rounds < 1 or walk.state.shoe is not None:
        walk.turn()
    for command in (say.Evict(1), say.Close(), say.Evict(2)):
        walk.do(command)
    assert set(walk.state.table.players) >= {1, 2}
    assert walk.state.rules.has_running_game(walk.state.table)


def test_a_sole_players_seed_is_new_in_the_log() -> None:
    """Whoever keeps what was used is told."""
    node = table("boxes", ["ann"]).step(say.AskShoe(1)).step(say.PlaceBets(1, 1, (say.Stake(10),)))
    made = apply(node.state, say.GiveSeed(1, "aa" * 16), node.now + 1, Keys(lambda: node.key, node.key))
    assert made.claims == [hashlib.sha256(bytes.fromhex("aa" * 16)).hexdigest()]


@pytest.mark.parametrize("number", range(4))
def test_whoever_let_two_limits_pass_is_not_waited_for(number: int) -> None:
    """The third decision is made with the second: GE-13."""
    walk = Walk("boxes", random.Random(number), 0.0, seats=1)
    while walk.state.book.open_round is None:
        form = next((form for form in walk.expected(1) if form["do"] == "bets"), None)
        if form is None:
            walk.turn()
        else:
            walk.do(say.PlaceBets(1, form["round"], tuple(say.Stake(form["low"], box) for box in range(1, 8))))
    while not walk.state.cards_on_table and walk.state.shoe is not None:
        walk.turn()
    while walk.state.book.open_round is not None:
        walk.wait()
    made = next(entry for entry in reversed(walk.log) if entry["kind"] == "round")["decisions"]
    assert len(made) > 3
    times = [microseconds(each["at"]) for each in made]
    assert times[1] - times[0] >= 30_000_000
    assert times[-1] == times[2] == times[1]
