"""Chips that moved, and chairs that were taken or left, when that may not be."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.table import Bet
from fairshoe.record import entries as forms
from tests.house import Seating

from ..planting import Planted, at_table, caught, fraud, log_open, sealed_table
from .betting import Accepting, banked

MOVES = ["buy-in", "cash-out", "transfer", "transfer to", "leave"]


def move(table: Seating, what: str, seat: int, other: int) -> Planted:
    """Chips of a seat move, or to it."""
    if what == "leave":
        table.leave(seat)
    elif what == "transfer":
        table.chips("transfer", seat, 10, to=other)
    elif what == "transfer to":
        table.chips("transfer", other, 10, to=seat)
    else:
        table.chips(what, seat, 10)
    return caught(table.house, field="op")


# The banker.


@fraud("chips-not-allowed", each=MOVES)
def a_bankers_chips_move_from_the_opening_on(what: str) -> Planted:
    """The cover is what it was when the bets were taken."""
    table, _ = banked("pontoon")
    bank = table.table.bank
    return move(table, what, bank, bank % 3 + 1)


@fraud("chips-not-allowed", each=["opening", "dealt"])
def a_chinese_bankers_chips_move_before_the_reveal(when: str) -> Planted:
    table, shoe = banked("chinese")
    log_open(table, shoe, bets := [Bet(2, 5, 2), Bet(3, 5, 3)])
    table.open_seeds(shoe, bets)
    sealed = table.seal(shoe)
    if when == "dealt":
        table.round(shoe, sealed, bets)
    return move(table, "cash-out", 1, 2)


@fraud("chips-not-allowed", each=["cash-out", "transfer"])
def a_banker_who_takes_the_cover_away_after_the_commitment(what: str) -> Planted:
    table, _ = banked("chinese", (15, 1000, 1000))
    more: dict[str, Any] = {"to": 2} if what == "transfer" else {}
    table.chips(what, 1, 13, **more)
    return caught(table.house, shoe=None, field="amount")


@fraud("chips-not-allowed", each=[*MOVES[:3], "leave", "sit down"])
def chips_that_move_while_the_first_banker_is_dealt_for(what: str) -> Planted:
    table = at_table("pontoon", (1, 2, 3))
    shoe = table.commit("bank")
    table.hash(shoe)
    if what != "sit down":
        return move(table, what, 2, 3)
    table.chips("buy-in", 4, 100)
    return caught(table.house, field="op")


# Chairs.


class Broke(Accepting):
    """Everybody splits and hits on, and nobody buys in who lost more than there was."""

    def choose(self, ask: Ask) -> Decision:
        names = {move.name for move in ask.moves}
        move = "split" if "split" in names else "hit" if "hit" in names and ask.hand >= 0 else ""
        return Decision(ask.actor, move) if move else super().choose(ask)

    def top_up(self, *, but: int = 0) -> None:
        if min(self.table.purse[seat] for seat in self.table.players) < 0:
            raise BrokenPipeError
        super().top_up(but=but)


@fraud("chips-not-allowed", "chips-differ", each=["cash-out", "transfer", "leave"])
def chips_from_a_chair_that_has_less_than_none(what: str) -> Planted:
    """PO-38: what a banker could not cover is owed before anything leaves the chair."""
    table = at_table("pontoon", (1, 2, 3), Broke, chips=2, seed=2)
    with suppress(BrokenPipeError):
        table.play(500)
    seat = next(seat for seat in (1, 2, 3) if table.table.purse[seat] < 0)
    ways: dict[str, dict[str, Any]] = {"transfer": {"to": seat % 3 + 1}, "leave": {"leaves": True}}
    op, who, house = "cash-out" if what == "leave" else what, f"pontoon-p{seat}", table.house
    house.log(forms.chips_entry(house.at(), "pontoon", op, seat, who, 1, {seat: -9}, **ways.get(what, {})))
    return caught(house, field="op", expected=f"no {op}: the chair's chips are below zero")


@fraud("chips-not-allowed", each=["cash-out", "leave"])
def a_bet_taken_back(what: str) -> Planted:
    """From `open` to `round` a chair with a bet keeps its chips."""
    table, shoe, _ = sealed_table()
    log_open(table, shoe, table.offers([1, 2]))
    return move(table, what, 2, 1)


@fraud("chips-not-allowed", each=["buy-in", "transfer", "sit down"])
def chips_that_come_while_a_round_is_open(what: str) -> Planted:
    table, shoe, _ = sealed_table()
    log_open(table, shoe, table.offers([1]), passed=(2,))
    return move(table, "buy-in" if what == "sit down" else what, 3 if what == "sit down" else 2, 1)


@fraud("chips-not-allowed")
def a_contributor_who_leaves_before_the_own_seed_is_opened() -> Planted:
    """The last to open knows the order when it is the others' turn no more."""
    table = at_table()
    shoe = table.prepare()
    table.opened(shoe, "casino-p2")
    return move(table, "leave", 1, 2)


@fraud("chips-not-allowed")
def a_sole_contributor_who_leaves_before_the_seal() -> Planted:
    table = at_table("banker", (1,))
    table.open(table.prepare())
    return move(table, "leave", 1, 2)


@fraud("chips-not-allowed", each=["seeds", "opening", "seal", "round"])
def somebody_put_out_while_the_house_could_know_the_order(when: str) -> Planted:
    """From `seeds` on the house, with seats of its own, may know what the others' going would change."""
    table = at_table("boxes" if when == "seeds" else "casino", (1, 2, 3))
    shoe = table.prepare()
    if when != "seeds":
        table.opened(shoe, f"{table.name}-p3")
    if when in ("seal", "round"):
        for seat in (2, 1):
            table.opened(shoe, f"{table.name}-p{seat}")
        sealed = table.seal(shoe)
        if when == "round":
            table.round(shoe, sealed, list(table.open(shoe).bets))  # type: ignore[union-attr]
    table.leave(3, by="house")
    return caught(table.house, field="op")


@fraud("chips-not-allowed", each=["chinese", "pontoon"])
def a_banker_put_out(rules: str) -> Planted:
    """The bank is worth something."""
    table = at_table(rules, (1, 2, 3))
    table.play(1)
    table.leave(table.table.bank, by="house")
    return caught(table.house, field="op", expected="no cash-out: the house does not put the banker out")


@fraud("chips-not-allowed")
def chips_that_the_house_takes_from_a_chair() -> Planted:
    table = at_table()
    table.chips("cash-out", 2, 10, by="house")
    return caught(
        table.house, field="op", expected="no cash-out: the house moves a player's chips only to put the player out"
    )


@fraud("field-invalid", "chips-not-allowed")
def chips_that_the_house_pays_in_for_a_player() -> Planted:
    table = at_table()
    table.chips("buy-in", 3, 10, by="house")
    return caught(table.house, field="by")


@fraud("chips-not-allowed")
def a_new_chair_after_the_closing() -> Planted:
    table = at_table()
    table.close()
    return move(table, "buy-in", 3, 1)


@fraud("seat-differs", each=["another's chair", "a second chair"])
def a_chair_taken_by_somebody_who_may_not(wrong: str) -> Planted:
    table = at_table()
    seat, who = (2, "eve") if wrong == "another's chair" else (3, "casino-p2")
    chips = {2: 5010} if seat == 2 else {3: 10}
    table.house.log(forms.chips_entry(table.house.at(), "casino", "buy-in", seat, who, 10, chips))
    return caught(table.house, field="seat")
