"""Decisions, the dealer's procedure, bets."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from fairshoe.engine import steps
from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.table import Bet
from tests.house import House, Seating

from ..planting import (
    Planted,
    anything_goes,
    at_table,
    caught,
    crooked,
    entries_in,
    entries_of,
    fraud,
    log_open,
    places,
    sealed_at,
    sealed_table,
)


@fraud("decision-illegal")
def an_illegal_double_accepted() -> Planted:
    return first_move("double")


@fraud("decision-illegal")
def an_illegal_split_accepted() -> Planted:
    return first_move("split")


def first_move(move: str) -> Planted:
    """The first decision of a hand, which may not double or split, does so all the same."""
    kind = type("Crook", (Seating,), {"choose": lambda self, ask: eager(self, ask, move)})
    with anything_goes():
        house, table = crooked(kind, rounds=6, seats=(1,))
    assert table.cheated  # type: ignore[attr-defined]
    index = places(entries_in(house), "round", round=table.cheated)[0]  # type: ignore[attr-defined]
    return caught(house, index, field="decision")


def eager(table: Any, ask: Ask, move: str) -> Decision:
    names = [legal.name for legal in ask.moves]
    if "hit" in names and move not in names and not getattr(table, "cheated", 0):
        table.cheated = table.rounds
        return Decision(ask.actor, move)
    return Decision(ask.actor, "stand" if "stand" in names else "decline")


@fraud("decision-illegal")
def insurance_above_half_the_bet_accepted() -> Planted:
    class Crook(Seating):
        cheated = 0

        def choose(self, ask: Ask) -> Decision:
            if ask.moves[0].name == "insure" and not self.cheated:
                self.cheated = self.rounds
                return Decision(ask.actor, "insure", ask.moves[0].high + 1)
            return super().choose(ask)

    with anything_goes():
        house, table = crooked(Crook, rounds=30)
    assert isinstance(table, Crook)
    index = places(entries_in(house), "round", round=table.cheated)[0]
    return caught(house, index, field="decision")


@fraud("decision-illegal", "limit-early")
def a_decision_by_the_table_that_is_not_its_default() -> Planted:
    entries = entries_of("casino")
    index = next(i for i in places(entries, "round") if {"move": "hit", "seat": 1} in entries[i]["decisions"])
    decision = next(d for d in entries[index]["decisions"] if d == {"move": "hit", "seat": 1})
    decision |= {"at": entries[index]["at"], "by": "table"}
    return caught(entries, index, field="decision")


@fraud("dealer-stopped-early")
def a_dealer_who_stands_on_16() -> Planted:
    return dealer_that_draws_below(16)


@fraud(
    "dealer-cards-differ", "cards-extra", "dealer-total-differs", "outcome-differs", "payout-differs", "chips-differ"
)
def a_dealer_who_draws_on_17() -> Planted:
    return dealer_that_draws_below(18)


def dealer_that_draws_below(limit: int) -> Planted:
    def draw(round: Any, hand: Any, *, hit_soft_17: bool) -> None:
        while hand.total < limit:
            round.deal(hand)

    with patch.object(steps, "draw_to_17", draw):
        house = House()
        table = Seating(house, "casino", "casino", (1,), packs=3)
        wrong = {16} if limit == 16 else {17}
        for _ in table.steps(60):
            entry = entries_in(house)[-1]
            dealer = [entry["cards"][i] for i in entry["dealer"]["cards"]]
            seen = entry["dealer"]["total"] in wrong if limit == 16 else drew_on_17(dealer)
            if seen and any(hand["outcome"] in ("win", "lose", "push") for hand in entry["hands"]):
                break
    return caught(house)


def drew_on_17(cards: list[str]) -> bool:
    """Whether a hand without aces took a card on 17 exactly."""
    values = ["A23456789TJQK".index(card[0]) + 1 for card in cards]
    return 1 not in values and sum(min(value, 10) for value in values[:-1]) == 17


@fraud("bet-illegal", each=["over the limit", "odd", "not covered", "twice by one seat"])
def a_bet(wrong: str) -> Planted:
    table, shoe, _ = sealed_table(chips=180)
    bets = {
        "over the limit": [Bet(1, 502, 1)],
        "odd": [Bet(1, 11, 1)],
        "not covered": [Bet(1, 200, 1)],
        "twice by one seat": [Bet(1, 10, 1), Bet(1, 10, 1)],
    }[wrong]
    log_open(table, shoe, bets, passed=(2,))
    return caught(table.house)


@fraud("bet-illegal", "bet-without-seed")
def a_bet_by_an_empty_seat() -> Planted:
    table = at_table()
    log_open(table, sealed_at(table)[0], [Bet(1, 10, 1), Bet(5, 10, 5)], waived=(5,), passed=(2,))
    return caught(table.house)
