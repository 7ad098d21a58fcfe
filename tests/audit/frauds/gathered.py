"""Shoes without a table that were reshuffled: cards that stay out, roots and orders that were changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairshoe.log.times import SECOND, microseconds, timestamp
from tests.house import POLICY, House
from tests.told import ToldGame, rummy

from ..planting import Entry, Plant, Planted, caught, entries_in, fraud, inserted, planted, without

SEAL, BOB, OPEN, FIRST, SOME, SHOWN, SECOND_TIME, MORE, ALL, LAST, END = 4, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16
"""Where the entries of the game stand: its seal; bob's hand; forty cards in public; a reshuffle while both hands stay
out; two cards in public; two of ann's shown; another reshuffle; 46 cards; a reshuffle of all; one card; the reveal."""
HOUSE = House(7)
ORDER = rummy(HOUSE).order


def edited(edit: Callable[[list[Entry]], Any], index: int, upto: int | None = None) -> Plant:
    """Anything done to the log up to `upto`, and where that is found."""

    def plant() -> Planted:
        log = entries_in(HOUSE)[:upto]
        edit(log)
        return caught(log, index)

    return plant


def out(index: int, *positions: int) -> Plant:
    """Other cards stay out of a reshuffle, after which the log ends."""
    return edited(lambda log: log[index].update(out=list(positions)), index, index + 1)


def said(index: int, at: int | None = None, **changed: Any) -> Plant:
    def edit(log: list[Entry]) -> None:
        log[index] = {name: value for name, value in (log[index] | changed).items() if value is not None}

    return edited(edit, index if at is None else at)


def shows(pos: int, place: int) -> Plant:
    """A hidden card is shown, before the entry at a place."""
    shown = {"cards": {str(pos): ORDER[pos]}}
    return lambda: caught(inserted(log := entries_in(HOUSE), place, log[SHOWN] | shown), place)


def too_old(log: list[Entry]) -> None:
    log[FIRST]["at"] = timestamp(microseconds(log[SEAL]["at"]) + POLICY["shoe"] * SECOND)
    del log[FIRST + 1 :]


def elsewhere(log: list[Entry]) -> None:
    log[ALL]["pos"] = 94


def back_in(log: list[Entry]) -> None:
    """A card of 46 in public is one that ann holds and has shown, and so is not in the deck."""
    log[MORE]["cards"][3] = log[SHOWN]["cards"]["48"]


planted(
    {
        "cards-root-differs": {"a reshuffle binds other cards": said(FIRST, cards_root="ab" * 32)},
        "cards-not-out": {
            "a card that was not drawn stays out": out(FIRST, 0, 1, 2, 3, 4, 46),
            "cards that stay out are not in order": out(FIRST, 1, 0, 2, 3, 4, 5),
            "a card stays out twice": out(FIRST, 0, 0, 2, 3, 4, 5),
            "every card stays out": out(ALL, *range(52)),
            "a card that was gathered stays out": out(SECOND_TIME, 0, 2, 3, 4, 5, 30, 48),
        },
        "number-gap": {
            "cards before the reshuffles are said to come after one": said(OPEN, gathered=1),
            "cards after a reshuffle are said to come before it": said(SOME, gathered=None),
            "cards after two reshuffles are said to come after one": said(MORE, gathered=1),
            "cards after three reshuffles are said to come after four": said(LAST, gathered=4),
        },
        "card-not-hidden": {
            "a card of a hand is shown when it was gathered": shows(2, LAST),
            "a card that stayed out before is shown when it was gathered": shows(4, END),
        },
        "position-differs": {"the new order begins elsewhere": edited(elsewhere, ALL, ALL + 1)},
        "cards-root-differs card-differs": {"another card stays out than is said": said(ALL, out=[60])},
        "shoe-not-retired": {"a shoe that is too old is reshuffled": edited(too_old, FIRST)},
        "card-too-often": {"a card that stays out is dealt, before the key is out": edited(back_in, MORE, END)},
    }
)


@fraud("number-gap", "card-differs", "cards-root-differs")
def a_reshuffle_is_left_out() -> Planted:
    return caught(without(entries_in(HOUSE), FIRST), FIRST)


@fraud("step-out-of-order")
def a_shoe_with_a_placer_is_reshuffled() -> Planted:
    house = House(7)
    game = ToldGame(house, "game", ["ann"], placed=True)
    game.draw(3)
    log = entries_in(house)
    gathered = entries_in(HOUSE)[ALL] | {"shoe": "game", "pos": 3, "at": log[-1]["at"]}
    return caught(inserted(log, len(log), gathered))
