"""GE-14: no account ever passes 2^52, whatever is bet, dealt and decided."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairshoe.cards import named_deck
from fairshoe.engine.round import Round
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.engine.rules.pontoon import MAX_LOSS, Pontoon
from fairshoe.engine.strategies import Chooser, choose_legal
from fairshoe.engine.table import HOUSE, MAX_BET, MAX_CHIPS, POOL, Bet, Table, move_chips
from fairshoe.errors import IllegalBet, IllegalDecision, InputError, RuleError
from tests.hands import begin, seated
from tests.hands_bank import banked, settle
from tests.hands_bank import begin as begin_banked
from tests.rules.test_properties import Pile

MOST = 1 << 52
"""What no account may reach past."""
SWING = 1 << 11
"""The most that a round may move an account, in highest bets."""
WINS = {"banker": 2.0, "boxes": 2.0, "casino": 2.0, "chinese": 3.0, "lounge": 2.0, "pontoon": 130.0}
COSTS = {"banker": 2.5, "boxes": 2.5, "casino": 2.5, "chinese": 3.0, "lounge": 0.0, "pontoon": 2.0}
"""The most that a bet wins and costs, in bets, a side bet included: the table in docs/rules.md."""
WIDEST: dict[str, dict[str, Any]] = {
    "chinese": {"packs": 2, "free_hand": True, "five_dragon_21_triple": True, "twenty_one_double": True},
    "pontoon": {"participants": 14},
    "lounge": {"gift": 9_000},
}
BANKED_BY_A_PLAYER = ("chinese", "pontoon")


def options(name: str) -> dict[str, Any]:
    """As high and as wide as a table may be."""
    return WIDEST.get(name, {}) | ({} if name == "lounge" else {"maximum": MAX_BET})


def at_the_bound(name: str, choose: Chooser) -> Table:
    """A full table of the highest bets, each account as near to a bound as it may be in a round."""
    rules = rules_of(name, options(name))
    chairs = range(1, rules.chairs[1] + 1)
    players = {chair: f"player-{chair}" for chair in chairs}
    near = [MAX_CHIPS, MAX_CHIPS - choose(1 << 45)]
    if rules.first_account == POOL:
        game = {"game": 1, **{str(chair): 1 for chair in chairs}}
        purse = {HOUSE: 0, POOL: choose(9_000 * len(chairs)) + 1, **{chair: near[choose(2)] for chair in chairs}}
        return Table(rules, players, purse, POOL, game)
    purse = {HOUSE: 0, **{chair: near[choose(2)] if choose(3) else rules.maximum * 3 for chair in chairs}}
    bank = 1 + choose(len(chairs)) if name in BANKED_BY_A_PLAYER else HOUSE
    if bank == HOUSE:
        purse[HOUSE] = near[choose(2)] * (choose(2) * 2 - 1)
    elif choose(2):
        purse[bank] = 3 * len(chairs) * rules.maximum
    return Table(rules, players, purse, bank)


def highest_bets(table: Table, choose: Chooser) -> list[Bet]:
    """The highest bet at every place; in boxes all seven may be one seat's."""
    rules = table.rules
    forced = rules.forced_bets(table, list(table.players))
    if forced is not None:
        return forced
    owner = choose(8)
    seats = [seat for seat in rules.acting_order(table) if seat != table.bank]
    owned = rules.name == "boxes" and owner and table.purse[owner] >= 7 * rules.maximum
    fit, _ = rules.partition_covered(table, [Bet(owner if owned else seat, rules.maximum, seat) for seat in seats])
    return fit


@pytest.mark.parametrize("name", sorted(RULES))
@settings(max_examples=40, deadline=None)
@example(seed=0)
@given(seed=st.integers(0, 2**32))
def test_GE_14_no_round_from_within_the_bounds_brings_an_account_beyond_2_to_the_52(name: str, seed: int) -> None:
    rng = Random(seed)
    choose = rng.randrange
    table = at_the_bound(name, choose)
    rules = table.rules
    bets = highest_bets(table, choose)
    rules.check_round_bets(table, bets)
    pile = Pile(named_deck(rules.deck), rng, int(rules.burns), rng.choice(["", "A", "AT", "A23", "23", "789", "456"]))
    round = Round(table, pile, bets)
    while round.ask is not None:
        round.decide(choose_legal(round.ask, choose))
    after = round.close()
    for account, chips in after.purse.items():
        assert abs(chips) <= MOST
        assert abs(chips - table.purse[account]) <= SWING * rules.maximum
    for box in {hand.box for hand in round.hands}:
        hands = [hand for hand in round.hands if hand.box == box]
        bet = next(bet.amount for bet in bets if bet.box == box)
        net = sum(hand.net + hand.insurance for hand in hands)
        assert -COSTS[name] * bet <= net <= WINS[name] * bet
    for account in after.purse:
        if abs(after.purse[account]) > MAX_CHIPS and account in {after.bank, *[bet.seat for bet in bets]}:
            with pytest.raises(IllegalBet):
                rules.check_round_bets(after, bets)


def test_GE_14_a_split_pair_that_pays_the_most() -> None:
    """Threes are split; the left hand draws to eleven cards, the right one to five."""
    moves = "split " + "hit " * 9 + "stand " + "hit hit hit stand"
    round = begin_banked(banked("pontoon", [1]), "3 K 3 7 | A A A A 2 2 2 2 3 3 | 4 4 4 4", [1], moves)
    assert [(hand.net, len(hand.cards)) for hand in round.hands] == [(128, 11), (2, 5)]
    assert round.is_over


@pytest.mark.parametrize("name", sorted(set(RULES) - {"lounge"}))
def test_GE_14_a_highest_bet_beyond_2_to_the_40_is_no_option(name: str) -> None:
    assert rules_of(name, {"maximum": MAX_BET}).maximum == 1 << 40
    for maximum in (MAX_BET + 1, MAX_BET + 2, 2**53 - 2):
        with pytest.raises(InputError) as refused:
            rules_of(name, {"maximum": maximum})
        assert refused.value.where == "options.maximum"


@pytest.mark.parametrize("chips", [MAX_CHIPS, -MAX_CHIPS])
def test_GE_14_a_house_that_is_beyond_its_bound_takes_no_bet(chips: int) -> None:
    """A player who loses on purpose stops there, and so does one who wins."""
    for name in ("banker", "boxes", "casino"):
        table = seated(name).after({HOUSE: chips})
        assert begin(table, "5 5 5 5", [2]).ask
        beyond = table.after({HOUSE: chips + (1 if chips > 0 else -1)})
        with pytest.raises(IllegalBet) as refused:
            begin(beyond, "5 5 5 5", [2])
        assert "house" in refused.value.what
        assert str(MAX_CHIPS) in refused.value.expected
        assert refused.value.remedy
        with pytest.raises(IllegalBet):
            beyond.rules.check_seat_bets(beyond, [Bet(1, 2, 1)], [])


def test_GE_14_no_move_of_chips_brings_an_account_beyond_its_bound() -> None:
    table = seated("boxes", (1, 2))
    assert move_chips(table, "buy-in", 1, "player-1", MAX_CHIPS - 1000).purse[1] == MAX_CHIPS
    rich = table.after({1: MAX_CHIPS})
    for op, seat, amount, more in (
        ("buy-in", 1, 1, {}),
        ("transfer", 2, 1, {"to": 1}),
        ("buy-in", 3, MAX_CHIPS + 1, {}),
    ):
        with pytest.raises(RuleError) as refused:
            move_chips(rich, op, seat, f"player-{seat}", amount, **more)
        assert refused.value.where == "amount"
        assert refused.value.expected
        assert refused.value.remedy
    beyond = table.after({1: MAX_CHIPS + 7})
    assert move_chips(beyond, "cash-out", 1, "player-1", 1).purse[1] == MAX_CHIPS + 6, "it comes nearer"
    assert move_chips(beyond, "transfer", 1, "player-1", 10, to=2).purse[1] == MAX_CHIPS - 3
    assert move_chips(beyond, "buy-in", 2, "player-2", 5).purse[2] == 1005, "the others' chips move"
    assert 1 not in move_chips(beyond, "cash-out", 1, "player-1", MAX_CHIPS + 7, leaves=True).players
    owing = banked("pontoon").after({2: -MAX_CHIPS - 5})
    assert move_chips(owing, "buy-in", 2, "player-2", 1).purse[2] == -MAX_CHIPS - 4


def test_GE_14_the_price_of_the_bank_keeps_the_seller_in_bounds() -> None:
    rules = Pontoon(maximum=MAX_BET)
    table = seated("pontoon", (1, 2), chips={1: MAX_CHIPS - 5, 2: 1000}, bank=1, maximum=MAX_BET)
    table = table.after({}, memory={"entitled": 1})
    assert rules.highest_price(table, 1, 2) == 5
    assert settle(table, "sell:5@2 agree:5").result.table.purse[1] == MAX_CHIPS
    with pytest.raises(IllegalDecision):
        settle(table, "sell:6@2")
    full = settle(table.after({1: MAX_CHIPS}))
    assert full.ask
    assert {move.name for move in full.ask.moves} == {"accept", "give"}
    assert rules.highest_price(table.after({1: 0}), 1, 2) == 1000 - MAX_LOSS * rules.minimum
