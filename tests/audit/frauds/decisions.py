"""Decisions, the dealer's procedure, bets."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.rules import casino
from tests.house import House, Seating

from ..planting import (
    Planted,
    anything_goes,
    crooked,
    encoded,
    entries_in,
    entries_of,
    fraud,
    places,
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
    return Planted(house.lines, index, f"casino#{table.cheated}", "decision")  # type: ignore[attr-defined]


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
    return Planted(house.lines, index, f"casino#{table.cheated}", "decision")


@fraud("decision-illegal")
def a_decision_by_the_table_that_is_not_its_default() -> Planted:
    entries = entries_of("casino")
    index = next(i for i in places(entries, "round") if {"move": "hit", "seat": 1} in entries[i]["decisions"])
    decision = next(d for d in entries[index]["decisions"] if d == {"move": "hit", "seat": 1})
    decision["by"] = "table"
    return Planted(encoded(entries), index, f"casino#{entries[index]['round']}", "decision")


@fraud("dealer-stopped-early")
def a_dealer_who_stands_on_16() -> Planted:
    return dealer_that_draws_below(16)


@fraud("dealer-cards-differ", "cards-extra", "dealer-total-differs")
def a_dealer_who_draws_on_17() -> Planted:
    return dealer_that_draws_below(18)


def dealer_that_draws_below(limit: int) -> Planted:
    def draw(round: Any, hand: Any, *, hit_soft_17: bool) -> None:
        while hand.total < limit:
            round.deal(hand)

    with patch.object(casino, "draw_to_17", draw):
        house = House()
        table = Seating(house, "casino", "casino", (1,), packs=3)
        wrong = {16} if limit == 16 else {17}
        for _ in table.steps(60):
            entry = entries_in(house)[-1]
            dealer = [entry["cards"][i] for i in entry["dealer"]["cards"]]
            seen = entry["dealer"]["total"] in wrong if limit == 16 else drew_on_17(dealer)
            if seen and any(hand["outcome"] in ("win", "lose", "push") for hand in entry["hands"]):
                break
    return Planted(house.lines, len(house.lines) - 1, f"casino#{entry['round']}")


def drew_on_17(cards: list[str]) -> bool:
    """Whether a hand without aces took a card on 17 exactly."""
    values = ["A23456789TJQK".index(card[0]) + 1 for card in cards]
    return 1 not in values and sum(min(value, 10) for value in values[:-1]) == 17


class Betting(Seating):
    """Bets as they should not be, in the third round."""

    def wrong(self, bets: list[Any]) -> list[Any]:
        raise NotImplementedError

    def bets(self) -> list[Any]:
        bets = super().bets()
        return self.wrong(bets) if self.rounds == 2 else bets


def betting(wrong: Any, **options: Any) -> Planted:
    kind = type("Crook", (Betting,), {"wrong": staticmethod(wrong)})
    with patch.object(casino.Casino, "check", lambda *_: None):
        house, _ = crooked(kind, rounds=4, **options)
    index = places(entries_in(house), "open", round=3)[0]
    return Planted(house.lines[: index + 1], index, "casino#3")


@fraud("bet-illegal")
def a_bet_over_the_limit() -> Planted:
    return betting(lambda bets: [bets[0]._replace(amount=502)])


@fraud("bet-illegal")
def an_odd_bet() -> Planted:
    return betting(lambda bets: [bets[0]._replace(amount=11)])


@fraud("bet-illegal")
def a_bet_that_is_not_covered() -> Planted:
    return betting(lambda bets: [bets[0]._replace(amount=300)], chips=180)


@fraud("bet-illegal")
def a_bet_twice_by_one_seat() -> Planted:
    return betting(lambda bets: [bets[0], bets[0]])


@fraud("bet-illegal")
def a_bet_by_an_empty_seat() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "open")[2]
    entries[index]["bets"].append({"amount": 2, "seat": 5})
    entries[index]["waived"] = [5]
    return Planted(encoded(entries[: index + 1]), index, "casino#3", "bets")
