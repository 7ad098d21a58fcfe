"""lounge, clause by clause (docs/rules.md, LO). The deal: both cards of each seat, dealer up, dealer down."""

from __future__ import annotations

from functools import partial

import pytest

from fairshoe.engine.hand import DOWN, UP
from fairshoe.engine.moves import Decision
from fairshoe.engine.rules import rules_of
from fairshoe.engine.rules.lounge import Lounge
from fairshoe.engine.table import HOUSE, POOL, Bet, Table, changed_accounts, fresh_table, move_chips
from fairshoe.engine.view import view
from fairshoe.errors import IllegalBet, RuleError
from tests.hands import (
    begin,
    bets_of,
    check_hand,
    every_hand,
    go_on,
    legal,
    lounge,
    nets,
    play,
    ranks,
    refused,
    refused_bets,
    seated,
    won,
)

RULES = Lounge()
GIFT = 1000


def with_pool(pool: int, *, seats: int = 1, gift: int = GIFT) -> Table:
    """A table in mid-game whose pool has fallen to `pool`."""
    return played(seated("lounge", range(1, seats + 1), gift=gift)).after({POOL: pool})


def leave(table: Table, seat: int) -> Table:
    """The table after a player cashed out everything and left the chair."""
    return move_chips(table, "cash-out", seat, table.players[seat], table.purse[seat], leaves=True)


def played(table: Table) -> Table:
    """The table after a round that moved nothing: the dealer has Blackjack."""
    seats = sorted(table.players)
    rules = table.rules
    cards = "T 8 " * len(seats) + "A K"
    return begin(table, cards, dict.fromkeys(seats, rules.minimum), "stand " * len(seats)).close()


def test_LO_01_nearest_to_21_and_higher_than_the_dealer() -> None:
    won_, lost = lounge("T 9 | T 8", "stand"), lounge("T 8 | T 8", "stand")
    assert (nets(won_), won(won_, POOL)) == ([GIFT], -GIFT)
    assert (nets(lost), lost.purse) == ([0], {POOL: 9_000, 1: 0}), "a lost hand moves no money"


def test_LO_02_one_buy_in_of_10_000_before_the_first_deal() -> None:
    table = seated("lounge", (1, 2))
    for amount in (9_999, 10_001, 0, 20_000):
        with pytest.raises(IllegalBet):
            RULES.buy_in(table, 3, amount)
    with pytest.raises(IllegalBet):
        RULES.buy_in(table, 1, 10_000)
    assert RULES.buy_in(table, 3, 10_000).purse[POOL] == 27_000
    with pytest.raises(IllegalBet):
        RULES.buy_in(played(table), 3, 10_000)


def test_LO_02_no_re_entry_during_a_game() -> None:
    """Neither into the chair that was paid for nor, once dealt, into another."""
    left = leave(seated("lounge", (1, 2)), 2)
    for player in ("player-2", "somebody else"):
        with pytest.raises(IllegalBet):
            move_chips(left, "buy-in", 2, player, 10_000)
    assert move_chips(left, "buy-in", 3, "somebody else", 10_000).purse[POOL] == 27_000, "not yet dealt"
    for seat in (2, 3):
        with pytest.raises(IllegalBet):
            move_chips(leave(played(seated("lounge", (1, 2))), 2), "buy-in", seat, "player-2", 10_000)


def test_LO_02_a_chair_may_be_left_and_is_dealt_no_more() -> None:
    table = leave(played(seated("lounge", (1, 2, 3))), 2)
    assert RULES.acting_order(table) == [1, 3]
    assert RULES.payers(table) == [1, 2, 3], "its payer is remembered"
    assert (table.purse[POOL], dict(table.players)) == (27_000, {1: "player-1", 3: "player-3"})
    with pytest.raises(IllegalBet):
        begin(table, "", {1: GIFT, 2: GIFT, 3: GIFT})
    assert begin(table, "T 8 T 8 T 8", {1: GIFT, 3: GIFT}).ask


def test_LO_03_9_000_to_the_pool_1_000_to_the_house() -> None:
    table = seated("lounge", (1, 2, 3))
    assert table.purse == {HOUSE: 3_000, POOL: 27_000, 1: 0, 2: 0, 3: 0}
    assert table.bank == POOL


def test_LO_04_the_game_ends_when_the_pool_is_used_up() -> None:
    table = begin(with_pool(GIFT), "T 9 | T 8", {1: GIFT}, "stand").close()
    assert table.purse[POOL] == 0
    with pytest.raises(IllegalBet):
        begin(table, "T 9 T 8", {1: GIFT})
    again = table.rules.buy_in(table, 1, 10_000)
    assert (again.purse[POOL], again.purse[1]) == (9_000, GIFT)
    assert begin(again, "T 9 T 8", {1: GIFT}).ask, "a new game"


def test_LO_04_a_game_is_unbegun_until_its_first_deal_and_runs_until_its_end() -> None:
    paid = seated("lounge", (1, 2))
    stages = [fresh_table(RULES), paid, played(paid), played(paid).after({POOL: 0}), paid.after({POOL: 0})]
    assert [RULES.has_unstarted_game(table) for table in stages] == [False, True, False, False, False]
    assert [RULES.has_running_game(table) for table in stages] == [False, False, True, False, False]


def test_LO_04_a_game_that_all_have_left_goes_to_its_payers_in_equal_parts() -> None:
    table = played(seated("lounge", (2, 3, 5))).after({POOL: 20_000})
    for seat in (3, 5):
        table = leave(table, seat)
        with pytest.raises(RuleError):
            RULES.pay_share(table, 2)
    table = leave(table, 2)
    assert RULES.left_by_all(table)
    assert not RULES.game_over(table)
    for wrong in (3, 5, 1):
        with pytest.raises(RuleError):
            RULES.pay_share(table, wrong)
    parts = []
    for seat, rest in ((2, 13_332), (3, 6_666), (5, 0)):
        table, part = RULES.pay_share(table, seat)
        parts.append(part)
        assert table.purse[POOL] == rest
        with pytest.raises(RuleError):
            RULES.pay_share(table, seat)
    assert parts == [6_668, 6_666, 6_666], "the remainder to the first"
    assert (dict(table.memory), RULES.game_over(table), RULES.left_by_all(table)) == ({"game": 1}, True, False)
    again = move_chips(table, "buy-in", 3, "somebody else", 10_000)
    assert dict(again.memory) == {"game": 2, "3": 1}


def test_LO_04_the_refund_of_a_game_not_played_out_is_less_gifts_won() -> None:
    table = played(seated("lounge", (1, 2)))
    assert RULES.refund(table, 2, "player-2", 1, 3_000).purse == {HOUSE: 2_000 - 7_000, POOL: 18_000, 1: 0, 2: 7_000}
    assert move_chips(table, "refund", 2, "player-2", 1, game=1, gifts=9_999).purse[2] == 1
    for gifts in (-1, 10_000):
        with pytest.raises(RuleError):
            RULES.refund(table, 2, "player-2", 1, gifts)
    with pytest.raises(RuleError):
        RULES.refund(seated("lounge", (1, 2)), 2, "player-2", 1, 3_000)


def test_LO_05_the_stake_is_one_gift() -> None:
    for gift in (1, 9_000):
        assert won(lounge("T 9 | T 8", "stand", gift=gift)) == gift
    for amount in (GIFT - 1, GIFT + 1, 0, 2 * GIFT):
        refused_bets("lounge", [amount], chairs=[1])
    round = lounge("5 6 | T 8")
    assert round.purse[1] == 0, "nothing leaves the purse"


def test_LO_06_a_pool_too_small_pays_in_order_and_the_rest_is_short() -> None:
    round = begin(with_pool(1_500, seats=2), "T 9 | T 9 | T 8", [GIFT, GIFT], "stand stand")
    assert nets(round) == [1_000, 500]
    assert [hand.short for hand in round.hands] == [0, 500]
    assert view(round, 1)["hands"][1]["short"] == 500
    with pytest.raises(IllegalBet):
        begin(round.close(), "T 9 | T 9 | T 8", [GIFT, GIFT])


def test_LO_06_double_is_legal_whatever_the_pool_holds() -> None:
    round = begin(with_pool(500, seats=2), "5 6 | T 9 | T 8 | T", [GIFT, GIFT], "double stand")
    assert nets(round) == [500, 0]
    assert [hand.short for hand in round.hands] == [1_500, 1_000], "and the round is completed"


def test_LO_07_a_refund_before_the_first_deal() -> None:
    table = RULES.refund(seated("lounge", (1, 2)), 2, "player-2", 1)
    assert table.purse == {HOUSE: 1_000, POOL: 9_000, 1: 0, 2: 10_000}
    assert (dict(table.memory), table.players[2]) == ({"game": 1, "1": 1}, "player-2"), "keeps the chair until leaving"
    with pytest.raises(RuleError):
        RULES.refund(table, 2, "player-2", 1)
    assert move_chips(table, "cash-out", 2, "player-2", 10_000, leaves=True).players == {1: "player-1"}
    assert dict(RULES.buy_in(table, 2, 10_000).memory) == {"game": 1, "1": 1, "2": 1}, "and may join after all"
    assert begin(table, "T 8 T 8", {1: GIFT}).ask, "seat 2 is out of the game"
    with pytest.raises(IllegalBet):
        begin(table, "T 8 T 8 T 8", {1: GIFT, 2: GIFT})


def test_LO_07_a_refund_afterwards() -> None:
    before = played(seated("lounge", (1, 2)))
    table = RULES.refund(before, 2, "player-2", 1)
    assert table.purse == {HOUSE: 2_000 - 10_000, POOL: 18_000, 1: 0, 2: 10_000}
    assert dict(table.memory) == dict(before.memory)
    assert begin(table, "T 8 T 8 T 8", {1: GIFT, 2: GIFT}).ask, "the seat plays on"


@pytest.mark.parametrize(
    ("seat", "player", "game"),
    [(2, "player-2", 0), (2, "player-2", 2), (2, "player-2", -1), (3, "player-3", 1), (2, "player-1", 1)],
)
@pytest.mark.parametrize("started", [False, True])
def test_LO_07_only_to_a_payer_of_that_game(seat: int, player: str, game: int, started: bool) -> None:
    table = seated("lounge", (1, 2))
    with pytest.raises(RuleError):
        RULES.refund(played(table) if started else table, seat, player, game)
    with pytest.raises(RuleError):
        RULES.refund(fresh_table(RULES), seat, player, game)


def test_LO_07_a_payer_who_has_left_is_paid_out() -> None:
    before = leave(seated("lounge", (1, 2)), 2)
    table = move_chips(before, "refund", 2, "player-2", 10_000, game=1)
    assert (table.purse, dict(table.memory)) == ({HOUSE: 1_000, POOL: 9_000, 1: 0}, {"game": 1, "1": 1})
    before = leave(played(seated("lounge", (1, 2))), 2)
    table = move_chips(before, "refund", 2, "player-2", 10_000, game=1)
    assert table.purse == {HOUSE: 2_000 - 10_000, POOL: 18_000, 1: 0}
    assert changed_accounts(before, table, 2) == {HOUSE: -8_000, 2: 0}
    assert RULES.payers(table) == [1, 2]


def test_LO_07_a_later_games_buy_in_is_never_touched() -> None:
    """Somebody else has the chair now, for game 2, which has not begun."""
    over = leave(begin(with_pool(GIFT, seats=2), "T 9 | T 7 | T 8", [GIFT, GIFT], "stand stand").close(), 2)
    new = move_chips(over, "buy-in", 2, "somebody else", 10_000)
    assert dict(new.memory) == {"game": 2, "2": 1}
    paid_out = RULES.refund(new, 2, "player-2", 1)
    assert (paid_out.purse[HOUSE], paid_out.purse[POOL], paid_out.purse[2]) == (new.purse[HOUSE] - 10_000, 9_000, 0)
    assert dict(paid_out.memory) == {"game": 2, "2": 1}
    still_there = RULES.refund(new, 1, "player-1", 1)
    assert still_there.purse[1] == GIFT + 10_000, "into the purse of who sits there still"
    assert still_there.purse[POOL] == 9_000
    moved = RULES.refund(new, 7, "player-1", 1)
    assert 7 not in moved.purse
    with pytest.raises(RuleError):
        RULES.refund(new, 2, "player-2", 2)
    with pytest.raises(RuleError):
        RULES.refund(new, 1, "player-1", 2)


def test_LO_08_both_cards_of_each_seat_then_the_dealers() -> None:
    round = begin(seated("lounge", (1, 2)), "2 3 | 4 5 | 6 7", [GIFT, GIFT])
    assert [ranks(hand) for hand in round.hands] == ["2 3", "4 5"]
    assert (ranks(round.dealer), round.dealer.faces) == ("6 7", [UP, DOWN])


def test_LO_08_the_first_deal_waits_until_the_fewest_seats_have_joined() -> None:
    one, two = (seated("lounge", range(1, seats + 1), fewest=2) for seats in (1, 2))
    assert (one.rules.forced_bets(one, [1]), two.rules.forced_bets(two, [1])) == ([], bets_of({1: GIFT}))
    with pytest.raises(IllegalBet) as caught:
        one.rules.check_enough_players(one)
    assert caught.value.expected.startswith("at least 2")
    two.rules.check_enough_players(two)
    refunded = two.rules.refund(two, 2, "player-2", 1)
    assert refunded.rules.forced_bets(refunded, [1, 2]) == []
    begun = leave(played(two), 2)
    assert begun.rules.forced_bets(begun, [1]) == bets_of({1: GIFT}), "the game is played to its end"
    assert (RULES.players_needed, two.rules.players_needed) == (1, 2)


def test_LO_09_LO_10_six_packs_are_shuffled_for_each_round_and_serve_61_players_who_are_all_dealt_in() -> None:
    assert (RULES.one_round, RULES.is_worn_out(7, 312, {}), RULES.cut_range()) == (True, True, None)
    assert (RULES.cards, RULES.chairs) == (312, (1, 61))
    assert (RULES.chairs[1] + 1) * 5 <= RULES.cards
    table = seated("lounge", range(1, 62))
    full = begin(table, "T 8 " * 61 + "T 8", [GIFT] * 61, "stand " * 61)
    assert len(full.hands) == 61
    assert rules_of("lounge", {"packs": 8}).cards == 416


def test_LO_09_every_joined_seat_with_a_seed_is_dealt_and_the_others_sit_the_round_out() -> None:
    table = seated("lounge", (1, 2, 5))
    assert RULES.forced_bets(table, [5, 1, 2]) == bets_of({1: GIFT, 2: GIFT, 5: GIFT}), "in seat order"
    assert RULES.forced_bets(table, {2, 5}) == bets_of({2: GIFT, 5: GIFT})
    assert RULES.forced_bets(table, [3, 5]) == bets_of({5: GIFT})
    assert RULES.forced_bets(table, []) == []
    round = begin(table, "T 8 | T 9 | T 8", {2: GIFT, 5: GIFT}, "stand stand")
    assert [won(round, seat) for seat in (2, 5)] == [0, GIFT]
    after = round.close()
    assert RULES.acting_order(after) == [1, 2, 5], "and are dealt in the next one"
    for wrong in ({5: GIFT, 2: GIFT}, {3: GIFT}, {}):
        with pytest.raises(IllegalBet):
            begin(table, "", wrong)


def test_LO_09_who_has_joined() -> None:
    """Who has paid for the running game, was not refunded before its first deal, and sits."""
    table = seated("lounge", (1, 2, 5))
    assert RULES.forced_bets(leave(table, 1), [1, 2, 5]) == bets_of({2: GIFT, 5: GIFT})
    refunded = RULES.refund(table, 2, "player-2", 1)
    assert RULES.forced_bets(refunded, [1, 2, 5]) == bets_of({1: GIFT, 5: GIFT})
    with pytest.raises(IllegalBet):
        begin(refunded, "", {1: GIFT, 2: GIFT})
    afterwards = RULES.refund(played(table), 2, "player-2", 1)
    assert RULES.forced_bets(afterwards, [1, 2, 5]) == bets_of({1: GIFT, 2: GIFT, 5: GIFT})
    over = played(table).after({POOL: 0})
    assert RULES.forced_bets(over, [1, 2, 5]) == [], "the game is over"
    new = RULES.buy_in(over, 5, 10_000)
    assert RULES.forced_bets(new, [1, 2, 5]) == bets_of({5: GIFT}), "of the new game"


def test_LO_11_stand_or_hit_in_seat_order() -> None:
    round = begin(seated("lounge", (1, 2)), "9 3 | 9 4 | T 8 | 2 T", [GIFT, GIFT])
    assert legal(round) == {"hit", "stand"}
    assert round.ask is not None
    assert round.ask.actor == 1
    go_on(round, "hit stand")
    assert round.ask.actor == 2
    go_on(round, "hit")
    assert nets(round) == [0, 0]


def test_LO_13_a_soft_hand() -> None:
    round = begin(seated("lounge"), "A 6 | T 8 | T", [GIFT])
    assert (round.hands[0].total, round.hands[0].soft) == (17, True)
    go_on(round, "hit")
    assert (round.hands[0].total, round.hands[0].soft) == (17, False)


def test_LO_16_the_dealer_cannot_double() -> None:
    """With 11 in two cards a double would be one card, and stop below 17; the dealer is never asked."""
    round = begin(seated("lounge"), "5 6 | 5 6 | T", [GIFT])
    assert legal(round) == {"hit", "stand", "double"}, "on the same cards the player may"
    refused(round, Decision(POOL, "double"))
    round = lounge("T 8 | 5 6 | 2 4", "stand")
    assert (ranks(round.dealer), round.dealer.total) == ("5 6 2 4", 17)
    assert (nets(round), won(round, POOL)) == ([GIFT], -GIFT), "and pays one gift"
    for wrong in ("double", "hit"):
        refused(round, Decision(POOL, wrong))


@pytest.mark.parametrize("dealer", ["A K", "K A"])
def test_LO_17_no_peek_the_dealers_blackjack_takes_doubles(dealer: str) -> None:
    round = begin(seated("lounge"), f"6 5 | {dealer} | T", [GIFT])
    assert legal(round) == {"hit", "stand", "double"}
    assert round.dealer.faces == [UP, DOWN]
    go_on(round, "double")
    assert (nets(round), round.dealer.faces) == ([0], [UP, UP])


def test_LO_28_LO_30_blackjack_beats_every_other_hand_both_ways_and_pays_one_gift() -> None:
    round = begin(seated("lounge", (1, 2)), "A T | T 8 | 7 7 | 7", [GIFT, GIFT])
    assert round.ask is not None
    assert round.ask.actor == 2, "no further action"
    assert round.hands[0].outcome == "", "settled after the hole card is shown"
    go_on(round, "stand")
    assert round.dealer.total == 21
    assert nets(round) == [GIFT, 0]


def test_LO_31_each_hand_won_earns_a_gift() -> None:
    round = lounge("T 9 | T 9 | T 9 | T 8", "stand stand stand", seats=3)
    assert [won(round, seat) for seat in (1, 2, 3, POOL)] == [GIFT, GIFT, GIFT, -3 * GIFT]


def test_LO_32_side_bets_are_outside_the_engine() -> None:
    """Between players chips move by a transfer; a round knows one gift a seat, and settles nothing else."""
    refused_bets("lounge", [Bet(1, GIFT, 1), Bet(1, GIFT, 1)], chairs=[1])
    refused_bets("lounge", [Bet(1, GIFT, 2)], chairs=[1, 2])
    table = seated("lounge", (1, 2)).after({1: 5_000, 2: 3_000})
    round = begin(table, "T 9 | T 7 | T 8", [GIFT, GIFT])
    for word in ("side:1000", "bet:1000", "stand:1000", "stand@2"):
        refused(round, word)
    go_on(round, "stand stand")
    assert [won(round, seat) for seat in (1, 2, POOL)] == [GIFT, 0, -GIFT]
    paid = move_chips(round.close(), "transfer", 2, "player-2", 1_000, to=1)
    assert (paid.purse[1], paid.purse[2], paid.purse[POOL]) == (7_000, 2_000, 17_000)


HANDS = """
LO-12 over 21 the player loses, whatever the dealer gets: T 6 | T 6 | T, hit = 0 bust
LO-14 double on 2,2: 2 2 | T 8 ? hit stand double
LO-14 on 11: 5 6 | T 8 ? hit stand double
LO-14 on 10: 5 5 | T 8 ? hit stand double
LO-14 on 7: 4 3 | T 8 ? hit stand double
LO-14 on 9 and 2: 9 2 | T 8 ? hit stand double
LO-14 not on soft 13: A 2 | T 8 ? hit stand ! double
LO-14 nor on soft 12: A A | T 8 ? hit stand ! double
LO-14 nor on 12: T 2 | T 8 ? hit stand ! double
LO-14 of two sixes neither: 6 6 | T 8 ? hit stand ! double
LO-14 nor on soft 20: A 9 | T 8 ? hit stand ! double
LO-15 exactly one card, for two gifts: 5 6 | T 8 | T, double = 2000
LO-15 not after a hit: 2 3 | T 8 | 4, hit ? hit stand ! double
LO-15 whatever the card: 5 6 | T 8 | 2, double = 0
LO-18 the dealer draws to 17: T 9 | T 6 | 2, stand = 1000 # T 6 2
LO-18 and stands on it: T 9 | T 7, stand = 1000 # T 7
LO-19 the dealer hits soft 17: T 9 | A 6 | T, stand = 1000 # A 6 T
LO-19 for better or worse: T 9 | A 6 | 4, stand = 0 # A 6 4
LO-19 and stands on soft 18: T 9 | A 7, stand = 1000 # A 7
LO-19 on soft 19: T 9 | A 8, stand = 0 # A 8
LO-19 on soft 20: T 9 | A 9, stand = 0 # A 9
LO-20 the dealer's play is automatic: T 9 | 2 3 | 4 5 T, stand = 1000 # 2 3 4 5 T
LO-21 after four cards there is a choice: 2 2 | T 8 | 2 2 3, hit hit ? hit stand
LO-21 five end the turn, without a bonus: 2 2 | T 8 | 2 2 3, hit hit hit = 0 % 11
LO-21 the dealer's too: T 3 | 2 2 | 3 2 3, stand = 1000 # 2 2 3 2 3
LO-21 even on soft 17: T 8 | A 2 | A A 2, stand = 1000 # A 2 A A 2
LO-22 the double card ends the turn: 2 2 | T 8 | 2, double = 0 % 6
LO-23 after a bust the dealer draws nothing: T 6 | 6 5 | T, hit = 0 # 6 5
LO-23 nor against Blackjack: A K | 6 5 = 1000 # 6 5
LO-23 one other hand is enough [1000 1000]: A K | T 8 | 6 5 | 6, stand = 1000, 1000 # 6 5 6
LO-24 a bust loses even if the dealer busts [1000 1000]: T 6 | T 8 | T 6 | T | T, hit stand = 0 bust, 1000 # T 6 T
LO-25 who pays everybody else [1000 1000]: T 2 | 2 3 | T 6 | 4 | T, stand double = 1000, 2000
LO-26 higher is paid, lower is not [1000 1000]: T 9 | T 7 | T 8, stand stand = 1000, 0
LO-27 equal totals lose: T 7 | T 7, stand = 0
LO-27 of 18: T 8 | T 8, stand = 0
LO-27 of 19: T 9 | T 9, stand = 0
LO-27 of 20: T T | T T, stand = 0
LO-27 a 21 included: T 5 | T 5 | 6 6, hit stand = 0
LO-28 LO-30 Blackjack is paid one gift: A T | T 9 = 1000
LO-28 it beats a hard 21: 7 7 | A K | 7, hit stand = 0
LO-28 and a soft 21: A 5 | A K | 5, hit stand = 0
LO-29 Blackjack against Blackjack loses: A T | A K = 0 lose
LO-29 whichever card is up: A T | K A = 0 lose
LO-29 as does every other hand: T 9 | A K, stand = 0 lose
LO-33 no split, insurance, surrender: 8 8 | A 8 ? hit stand ! split insure:500 surrender
LO-34 21 on three cards may still hit: 7 7 | T 8 | 7 T, hit ? hit stand
LO-34 and bust: 7 7 | T 8 | 7 T, hit hit = 0 bust
"""


start = partial(play, "lounge", bets=[GIFT])


@every_hand(HANDS)
def test_hands(line: str) -> None:
    check_hand(start, line)
