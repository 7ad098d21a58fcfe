"""What a lounge owes: refunds, the shares of a pool, games that go on after the closing."""

from __future__ import annotations

from typing import Any

from fairshoe.ceremony.chairs import GAMES_KEPT
from fairshoe.engine.rules.lounge import BUY_IN
from fairshoe.log.times import DAY, HOUR, SECOND
from fairshoe.record import entries as forms
from tests.house import Seating

from ..planting import Planted, at_table, caught, entries_in, fraud, meanwhile


def game(rounds: int = 1, seats: tuple[int, ...] = (1, 2)) -> Seating:
    table = at_table("lounge", seats, gift=1000)
    table.play(rounds)
    return table


def refund(table: Seating, seat: int, amount: int = BUY_IN, **more: Any) -> Planted:
    """A refund as the house writes it, whatever the rules say."""
    what: dict[str, Any] = {"player": f"lounge-p{seat}", "game": 1, "why": "round", **more}
    purse = table.table.purse
    chips = {seat: purse.get(seat, 0) + amount, 0: purse[0] - amount}
    house = table.house
    house.log(forms.chips_entry(house.at(), "lounge", "refund", seat, what.pop("player"), amount, chips, **what))
    return caught(house)


def wanted(planted: Planted, **fields: Any) -> Planted:
    return planted._replace(**fields)


@fraud("refund-not-owed")
def a_refund_given_twice() -> Planted:
    table = game()
    table.chips("refund", 1, BUY_IN, game=1, why="round")
    return wanted(refund(table, 1), field="game", found=1)


@fraud("refund-not-owed", "chips-differ")
def a_refund_of_a_game_that_never_was() -> Planted:
    return wanted(refund(game(), 1, game=2), field="game", found=2)


@fraud("refund-not-owed")
def a_refund_of_a_game_of_long_ago() -> Planted:
    """The buy-ins of the last games are remembered, and no others."""
    table = at_table("lounge", (1, 2), gift=9000)
    while table.table.memory.get("game", 0) <= GAMES_KEPT:
        table.play(1)
    return wanted(refund(table, 1), field="game", found=1)


@fraud("refund-not-owed", "chips-differ")
def a_refund_to_somebody_who_never_paid() -> Planted:
    return wanted(refund(game(), 1, player="eve"), field="game", found=1)


@fraud("refund-not-owed", "chips-differ")
def a_refund_for_a_chair_that_nobody_paid_for() -> Planted:
    return wanted(refund(game(), 3), field="game", found=1)


@fraud("chips-differ", each=[9_000, 10_001])
def a_refund_of_another_amount(amount: int) -> Planted:
    return wanted(refund(game(), 1, amount), field="amount", expected="10000", found=str(amount))


@fraud("chips-differ")
def a_refund_of_a_game_not_played_out_with_the_gifts() -> Planted:
    """LO-04: gifts won count against it."""
    table = game(3)
    seat = next(seat for seat in (1, 2) if table.table.purse[seat])
    table.close()
    table.house.now += 31 * DAY
    return wanted(refund(table, seat, why="unfinished"), field="amount")


@fraud("refund-not-owed")
def a_refund_of_a_game_that_could_still_be_played_out() -> Planted:
    table = game()
    seat = next(seat for seat in (1, 2) if not table.table.purse[seat])
    return wanted(refund(table, seat, why="unfinished"), field="why", found="unfinished")


def alone(step: str) -> Seating:
    """One player of a lounge, whose second shoe has come so far; the seed comes with the `open`."""
    table = game(1, (1,))
    return stepped(table, step)


def stepped(table: Seating, step: str) -> Seating:
    """The next shoe has come so far."""
    shoe = table.commit()
    if step == "shoe":
        return table
    table.hash(shoe)
    if step == "seeds":
        return table
    betting = table.open(shoe)
    if betting is None:
        raise LookupError("nobody is dealt in")
    if step == "open":
        return table
    table.open_seeds(shoe, list(betting.bets))
    if step == "opened":
        return table
    sealed = table.seal(shoe)
    if step == "round":
        table.round(shoe, sealed, list(betting.bets))
    return table


@fraud("chips-not-allowed", each=["seeds", "open", "opened", "seal", "round"])
def a_refund_once_the_house_could_know_the_order(step: str) -> Planted:
    """Who is refunded may be out of the game by it, and that is nothing to choose with the cards in sight."""
    return wanted(refund(stepped(game(), step), 1), field="op", found="refund")


@fraud("chips-not-allowed", each=["open", "opened", "seal", "round"])
def a_refund_once_the_house_could_know_a_sole_players_order(step: str) -> Planted:
    return wanted(refund(alone(step), 1), field="op", found="refund")


@fraud("field-invalid", each=["why"])
@fraud("field-invalid", "refund-not-owed", "chips-differ", each=["game"])
def a_refund_that_does_not_say_what_for(field: str) -> Planted:
    table = game()
    refund(table, 1)
    entries = entries_in(table.house)
    entries[-1].pop(field)
    return caught(entries, field=field)


@fraud("chips-differ")
def a_second_buy_in_while_the_game_runs() -> Planted:
    table = game()
    purse = table.table.purse
    chips = {1: purse[1], -1: purse[-1] + 9000, 0: purse[0] + 1000}
    house = table.house
    house.log(forms.chips_entry(house.at(), "lounge", "buy-in", 1, "lounge-p1", BUY_IN, chips))
    return caught(house)


def left_by_all() -> Seating:
    table = game(1, (1, 2, 3))
    table.leave(1)
    table.leave(2)
    table.leave(3)
    return table


def share(table: Seating, seat: int, amount: int, who: str | None = None) -> Planted:
    house, pool = table.house, table.table.purse[-1]
    chips = {seat: 0, -1: pool - amount}
    house.log(forms.chips_entry(house.at(), "lounge", "share", seat, who or f"lounge-p{seat}", amount, chips))
    return caught(house)


@fraud("chips-differ")
def a_share_of_the_pool_that_is_too_small() -> Planted:
    table = left_by_all()
    return wanted(share(table, 1, 10), field="amount", found="10")


@fraud("chips-differ")
def the_pools_remainder_given_to_somebody_else() -> Planted:
    table = left_by_all()
    return wanted(share(table, 2, table.table.purse[-1] // 3), field="share")


@fraud("seat-differs")
def a_share_paid_to_somebody_who_did_not_pay() -> Planted:
    table = left_by_all()
    pool = table.table.purse[-1]
    planted = share(table, 1, pool // 3 + pool % 3, "eve")
    return wanted(planted, field="player", expected="lounge-p1", found="eve")


@fraud("chips-differ")
def a_pool_shared_while_somebody_plays_for_it() -> Planted:
    table = game()
    table.leave(1)
    return wanted(share(table, 1, table.table.purse[-1] // 2), field="share")


@fraud("chips-not-allowed", each=["paid", "begun", "closed"])
def somebody_put_out_of_a_game_that_has_been_paid_for(when: str) -> Planted:
    """The pool is played for: a seat of the house would be left to win it alone."""
    table = at_table("lounge", (1, 2)) if when == "paid" else game()
    if when == "closed":
        table.close()
    table.leave(1, by="house")
    reason = "a game has been paid for: the house puts nobody out before its end"
    return wanted(caught(table.house), field="op", expected=f"no cash-out: {reason}")


@fraud("table-closed")
def a_closed_lounge_that_plays_on_for_more_than_30_days() -> Planted:
    table = game()
    table.close()
    table.house.now += 31 * DAY
    table.commit()
    return caught(table.house, found=entries_in(table.house)[-1]["shoe"])


@fraud("table-closed")
def a_closed_lounge_that_begins_a_game() -> Planted:
    table = at_table("lounge", (1, 2))
    table.close()
    table.commit()
    return caught(table.house, found="lounge/1")


@fraud("step-overdue")
def a_pool_withheld_behind_refunds_of_its_own_seats() -> Planted:
    """What else is logged at the table puts the share off by nothing."""
    table = left_by_all()
    for seat in (3, 2):
        meanwhile(table.house, 23 * HOUR // SECOND)
        table.chips("refund", seat, BUY_IN, player=f"lounge-p{seat}", game=1, why="round")
    meanwhile(table.house, 23 * HOUR // SECOND)
    return caught(table.house, table="lounge", shoe=None)
