"""Shoes without a table whose cards the log tells: cards, numbers, hands and ends that were changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from fairshoe.log.times import SECOND, microseconds, timestamp
from fairshoe.protocol.transcript import Beacon
from tests.house import POLICY, House, Seating
from tests.told import ToldGame, card_game, house_only

from ..planting import Entry, Plant, Planted, caught, entries_in, fraud, inserted, planted, without

SHOE, SEAL, ANN, BOB, NOBODY, OPEN, DIE, SHOWN, SOME, MORE, LAST, END = 0, *range(4, 15)
"""Where the entries of the game stand: its commitment; its seal; cards hidden to ann, to bob, to nobody; three in
public with a die; the other die; ann's cards, two of bob's; two more in public; the card of nobody; the reveal."""
DICE_SEAL, DICE, DICE_END = 16, 17, 18
"""Of a shoe to which nobody contributed: its seal, its one number, its end."""

HOUSE = House(7)
ORDER = card_game(HOUSE).order
house_only(HOUSE)
DIES = {name: json.loads(HOUSE.lines[END])["draws"][name] for name in ("die/0", "die/1")}
OTHER = ORDER[40]
"""A card that nobody drew."""
Edit = Callable[[list[Entry]], None]


def edited(edit: Edit, index: int) -> Plant:
    """Anything done to the entries; found at one of them."""

    def plant() -> Planted:
        log = entries_in(HOUSE)
        edit(log)
        return caught(log, index)

    return plant


def said(index: int, at: int | None = None, **changed: Any) -> Plant:
    """An entry says something else; None: a field is gone. `at`: where that is found, if not there."""

    def edit(log: list[Entry]) -> None:
        log[index] = {name: value for name, value in (log[index] | changed).items() if value is not None}

    return edited(edit, index if at is None else at)


def cards(index: int, labels: dict[int, str]) -> Plant:
    """Other labels at these offsets in public, or at these positions among those that are shown."""

    def edit(log: list[Entry]) -> None:
        told = log[index]["cards"]
        for i, label in labels.items():
            told[str(i) if type(told) is dict else i] = label

    return edited(edit, index)


def again(index: int, place: int, **changed: Any) -> Plant:
    """An entry once more, before the one at a place, with something changed."""
    return lambda: caught(inserted(log := entries_in(HOUSE), place, log[index] | changed), place)


def gone(index: int, at: int) -> Plant:
    """An entry is gone; found at one of the others."""
    return lambda: caught(without(entries_in(HOUSE), index), at)


def stopped(index: int, edit: Edit, at: int) -> Plant:
    """The log ends before an entry, and so before the key is out."""

    def plant() -> Planted:
        log = entries_in(HOUSE)[:index]
        edit(log)
        return caught(log, at)

    return plant


def shifted(log: list[Entry]) -> None:
    """A card is skipped: what comes later lies one further on, and is told so."""
    log[MORE] |= {"pos": 15, "cards": list(ORDER[15:17])}
    log[END]["end"] += 1


def stacked(log: list[Entry]) -> None:
    """Cards of another order."""
    log[OPEN]["cards"], log[MORE]["cards"] = list(ORDER[21:24]), list(ORDER[24:26])
    log[SHOWN]["cards"] = {str(pos): ORDER[30 + pos] for pos in range(5)}


def once_more(log: list[Entry]) -> None:
    """A card in public for the second time."""
    log[MORE]["cards"][0] = ORDER[11]


def strange(log: list[Entry]) -> None:
    """A card in public that the deck does not have."""
    log[MORE]["cards"][0] = "Zz"


def lost(log: list[Entry]) -> None:
    """A card is another one, and the shoe is lost, its key known."""
    log[OPEN]["cards"][1] = OTHER
    log[END] = {name: log[END][name] for name in ("v", "at", "shoe", "key")} | {"kind": "lost"}


def too_old(log: list[Entry]) -> None:
    """A number is told when the shoe is a day old."""
    log[DICE]["at"] = timestamp(microseconds(log[DICE_SEAL]["at"]) + POLICY["shoe"] * SECOND)


def untold(log: list[Entry]) -> None:
    """The commitment does not say that the cards are told."""
    del log[SHOE]["told"], log[SHOE]["rules_hash"]
    log[SHOE]["v"] = 1


def void(log: list[Entry]) -> None:
    """A shoe is void instead of revealed."""
    log[END] = {name: log[END][name] for name in ("v", "at", "shoe", "key")} | {"kind": "void", "why": "age"}


planted(
    {
        "card-differs": {
            "a card in public is another one": cards(OPEN, {1: OTHER}),
            "the last card in public is another one": cards(MORE, {1: OTHER}),
            "a card in public twice": cards(OPEN, {1: ORDER[11]}),
            "two cards in public changed places": cards(OPEN, {0: ORDER[12], 1: ORDER[11]}),
            "a hidden card is shown as another one": cards(SHOWN, {3: OTHER}),
            "a card of the other hand is shown": cards(SHOWN, {3: ORDER[6]}),
            "two hidden cards changed places": cards(SHOWN, {0: ORDER[1], 1: ORDER[0]}),
            "the card of nobody is shown as another one": cards(LAST, {10: OTHER}),
            "cards of a hand changed places": cards(SOME, {6: ORDER[8], 8: ORDER[6]}),
        },
        "order-differs card-differs": {"the cards of another order": edited(stacked, END)},
        "card-unknown card-differs": {
            "a card in public that the deck does not have": cards(OPEN, {2: "Zz"}),
            "a hidden card that the deck does not have": cards(SHOWN, {2: "Zz"}),
        },
        "card-unknown": {"a card that the deck does not have, before the key is out": stopped(END, strange, MORE)},
        "card-too-often": {"a card in public twice, before the key is out": stopped(END, once_more, MORE)},
        "shoe-lost card-differs": {"a card is another one, and the shoe is lost": edited(lost, END)},
        "draw-differs": {
            "a number is another one": said(OPEN, draws={"die/0": (DIES["die/0"] + 1) % 6}),
            "a number that is too high": said(OPEN, draws={"die/0": 6}),
            "a number of no draw": said(DIE, draws={"die/2": 1}),
            "a number twice": again(DIE, SHOWN),
            "another number at the reveal": said(END, draws={"cut": 1, **DIES}),
            "a number of a shoe without players is too high": said(DICE, draws={"die": 6}),
        },
        "position-differs": {
            "a card is skipped": edited(shifted, MORE),
            "a hidden hand has a card more": said(BOB, NOBODY, hidden=6),
            "a hand is told once more": again(BOB, NOBODY),
            "cards are drawn once more": again(NOBODY, OPEN),
            "the end is before the last card": said(END, end=15),
            "the end is after the last card": said(END, end=17),
            "the end of a shoe of which no card was drawn": said(DICE_END, end=1),
            "a number at another position": said(DIE, pos=13),
            "more hidden cards than are left": said(DICE, hidden=53),
        },
        "card-not-hidden": {
            "a card is shown before it is drawn": again(SHOWN, DIE, cards={"20": ORDER[20]}),
            "a card is shown once more": again(SHOWN, MORE, cards={"2": ORDER[2]}),
            "a card in public is shown": again(SHOWN, MORE, cards={"12": ORDER[12]}),
        },
        "player-unknown": {"cards for somebody who is not in the shoe": said(ANN, to="eve")},
        "field-invalid": {
            "cards for a player in public": said(OPEN, to="ann"),
            "a `drawn` without anything": said(DIE, draws=None),
            "no card is shown": said(LAST, cards={}),
            "a position that is none": said(LAST, cards={"010": ORDER[10]}),
        },
        "position-differs card-not-hidden": {
            "a hidden hand has a card less": said(ANN, BOB, hidden=4),
            "a card of nobody is left out": gone(NOBODY, NOBODY),
        },
        "field-invalid position-differs card-not-hidden": {"a hand without cards": said(ANN, hidden=0)},
        "field-invalid step-out-of-order": {
            "a version that the commitment has not": said(SHOE, told=None, rules_hash=None)
        },
        "shoe-differs": {"a shoe of version 2 does not say that its cards are told": said(SHOE, told=None)},
        "cards-root-differs": {
            "a seal without a root": said(SEAL, cards_root=None),
            "a seal with another root": said(SEAL, END, cards_root="ab" * 32),
        },
        "shoe-not-retired": {"a number is told by a shoe that is too old": edited(too_old, DICE)},
        "step-out-of-order": {
            "cards are drawn after the end": again(DICE, DICE_END + 1),
            "cards are drawn before the seal": again(ANN, SEAL),
            "a card is shown before the seal": again(SHOWN, SEAL),
            "a shoe of version 1 tells cards": edited(untold, ANN),
        },
        "shoe-unknown": {"cards of a shoe that nobody committed to": again(ANN, BOB, shoe="other")},
        "end-differs": {"a shoe without a table was left": said(END, why="left")},
        "limit-early": {"a shoe is said to be too old": said(END, why="age")},
        "void-not-allowed": {"a sealed shoe is void": edited(void, END)},
    }
)


class Chosen(ToldGame):
    """The house mixes in what it chose when all seeds were open, and says that a beacon published it."""

    def fix_order(self, **more: Any) -> None:
        beacon = Beacon("ab" * 32, 1000, "cd" * 32)
        self.seal_as(self.sealed(beacon=beacon, **more), beacon=beacon._asdict())


@fraud("shoe-differs")
def a_beacon_that_nobody_verifies() -> Planted:
    house = House(7)
    game = Chosen(house, "game", ["ann", "bob"], beacon={"chain": "ab" * 32, "round": 1000})
    game.draw(5)
    game.end()
    return caught(house, SHOE)


class Unheard(ToldGame):
    """The house says that it has heard nobody."""

    def contribute(self, cut: dict[str, Any] | None) -> None:
        self.seeds = {}
        self.house.wait(POLICY["hash"], self.committed)


@fraud("step-out-of-order")
def a_shoe_with_players_is_sealed_without_a_seed() -> Planted:
    house = House(7)
    game = Unheard(house, "game", ["ann", "bob"])
    game.draw(5)
    game.end()
    return caught(house, 1)


@fraud("shoe-differs")
def a_shoe_of_a_table_says_that_its_cards_are_told() -> Planted:
    house = House()
    Seating(house, "boxes", "boxes", (1, 2)).play(1)
    log = entries_in(house)
    index = next(i for i, entry in enumerate(log) if entry["kind"] == "shoe")
    log[index] |= {"told": True, "v": 2}
    return caught(log, index)


@fraud("shoe-lost", "field-invalid", "step-out-of-order")
def a_card_is_another_one_and_an_end_with_fields_of_a_draw_hides_it() -> Planted:
    """However many fields an entry has too many, it is what it says."""
    log = entries_in(HOUSE)
    log[OPEN]["cards"][0] = OTHER
    stray = {"cards": [OTHER], "pos": 0, "to": "ann"}
    lost = {"at": timestamp(microseconds(log[END]["at"]) - 1), "kind": "lost", "shoe": "game", "v": 1, **stray}
    return caught([*log[:END], lost, *log[END:]], END)
