"""Somebody is made to bank a shoe, or to pay for a game, in whose making they had no part."""

from __future__ import annotations

from fairshoe.engine.table import Bet
from fairshoe.log.times import HOUR, SECOND

from ..planting import Planted, at_table, caught, fraud, log_open, meanwhile


@fraud("shoe-not-retired")
def a_newcomer_in_the_bankers_chair_banks_a_shoe_of_the_others() -> Planted:
    """The house's banker leaves, its other seats cannot bank for a moment, and the newcomer has the same chair."""
    table = at_table("chinese", (1, 2, 3), chips=1000)
    table.settle_bank()
    shoe = table.prepare()
    table.chips("cash-out", 1, 1000, leaves=True)
    for seat in (2, 3):
        table.chips("cash-out", seat, 999)
    table.chips("buy-in", 1, 600, player="newcomer")
    table.settle_bank()
    assert table.table.bank == 1
    for seat in (2, 3):
        table.chips("buy-in", seat, 5000)
    log_open(table, shoe, [Bet(2, 100, 2), Bet(3, 100, 3)])
    return caught(table.house, expected="a new shoe after the bank left", found=shoe.id)


@fraud("away-not-allowed", each=["away"])
@fraud("shoe-differs", each=["waits", "owes"])
def a_newcomer_who_banks_left_out_of_the_roster(reason: str) -> Planted:
    """Whoever sits down after a void for a seed waits; but not who banks."""
    table = at_table("chinese", (1, 2, 3, 4), chips=1000)
    table.settle_bank()
    late = table.unopened_seed()
    table.keeping = {late}
    table.chips("buy-in", 5, 600, player="newcomer")
    for seat in (2, 3, 4):
        table.chips("cash-out", seat, table.table.purse[seat] - 1)
    table.chips("cash-out", 1, table.table.purse[1] - 1)
    table.settle_bank()
    assert table.table.bank == 5
    for seat in (2, 3, 4):
        table.chips("buy-in", seat, 5000)
    honest = table.roster()
    assert "newcomer" in honest
    table.roster = lambda away=(): [who for who in honest if who != "newcomer"]  # type: ignore[method-assign]
    table.left_out = lambda roster: {"owes": [1], reason: [5] if reason == "away" else [1, 5]}  # type: ignore[method-assign]
    table.commit()
    if reason == "away":
        return caught(table.house, field="away", expected="some of []", found=[5])
    return caught(table.house, field="roster", expected=honest)


@fraud("chips-not-allowed")
def players_who_pay_for_a_game_whose_first_shoe_is_made_already() -> Planted:
    """They would have no part in it, and it may use up the pool."""
    table = at_table("lounge", (1, 2, 3), gift=9000)
    table.prepare()
    table.chips("buy-in", 4, 10_000, player="newcomer")
    return caught(table.house, field="op", found="buy-in")


@fraud("step-overdue")
def a_pool_that_nobody_gets() -> Planted:
    table = at_table("lounge", (1, 2), gift=1000)
    table.play(1)
    for seat in (1, 2):
        table.leave(seat)
    meanwhile(table.house, 25 * HOUR // SECOND)
    return caught(table.house, table="lounge")
