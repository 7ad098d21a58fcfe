"""Shoes without a table that have a placer: places, cards and hands that were changed, signed by house and placer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairshoe.log.times import DAY
from tests.house import House
from tests.told import Places, ToldGame

from ..planting import Entry, Planted, caught, entries_in, fraud, planted

SHOE, SEAL, ANN, OPEN, SHOWN, NUMBER, MORE, END, KEY = 0, *range(3, 11)
"""Where the entries stand: the commitment; the seal; three cards hidden to ann; two in public; one of ann's shown;
a die; one more in public; the reveal; the placer's key."""
Crime = Callable[["Crooked"], None]


class Crooked(ToldGame):
    """A game in which house and placer agree to cheat; `crime` changes it once it is sealed."""

    placer: Places

    def __init__(self, crime: Crime) -> None:
        house = House(7)
        super().__init__(house, "game", ["ann"], {"die": 6}, placed=True)
        crime(self)
        self.hide(3, "ann")
        self.draw(2)
        self.show(1)
        self.draw(0, "die")
        self.draw(1)
        self.end()


def signed(crime: Crime, index: int, **found: Any) -> Callable[[], Planted]:
    """The log of a crooked game, and where it is found."""
    return lambda: caught(Crooked(crime).house, index, **found)


def edited(edit: Callable[[list[Entry]], None], index: int, **found: Any) -> Callable[[], Planted]:
    """An honest log that the house alone has changed, and signed again."""

    def plant() -> Planted:
        log = entries_in(Crooked(lambda _: None).house)
        edit(log)
        return caught(log, index, **found)

    return plant


def said(index: int, **changed: Any) -> Callable[[list[Entry]], None]:
    def edit(log: list[Entry]) -> None:
        log[index] = {name: value for name, value in (log[index] | changed).items() if value is not None}

    return edit


def swap(game: Crooked, one: int, other: int) -> None:
    """The placer gives two places the other way round, and the house deals so."""
    for order in (game.placer.order, game.order):
        order[one], order[other] = order[other], order[one]


def stacked(game: Crooked) -> None:
    """The placer gives the place of a card that the house asked for, and never that of its own key."""
    swap(game, 3, 40)


def again(game: Crooked) -> None:
    """A card that lies in ann's hand is dealt again in public."""
    game.placer.order[5], game.order[5] = game.placer.order[1], game.order[1]


def beyond(game: Crooked) -> None:
    game.placer.order[5] = 60


def another(game: Crooked) -> None:
    """The card at the place that the placer gave is another one."""
    game.order[4] = game.order[30]


def another_key(game: Crooked) -> None:
    game.placer.key = bytes(32)


def asked_for_more(game: Crooked) -> None:
    """The house asks for two cards, likes the second one better, and says that it drew one from there on."""
    honest = game.placer.place

    def place(entry: Entry, size: int) -> Entry:
        if entry["pos"] == 3:
            honest(entry, size)  # of which no entry tells
        return honest(entry, size)

    game.placer.place = place  # type: ignore[method-assign]


def for_another(game: Crooked) -> None:
    """The house learns two cards, and says whose they are afterwards."""
    honest = game.placer.place
    game.placer.place = (  # type: ignore[method-assign]
        lambda entry, size: honest({**entry, "to": "bob"} if entry["pos"] == 0 else entry, size)
    )


def unbound(log: list[Entry]) -> None:
    del log[OPEN]["placed"]


def moved(log: list[Entry]) -> None:
    places = log[OPEN]["placed"]["places"]
    places[0], places[1] = places[1], places[0]


def late(game: Crooked) -> None:
    """The placer's key is missing for over thirty days."""
    honest = game.placer.end

    def end(stand: tuple[str, str]) -> None:
        for _ in range(24 * 40):  # the log's own time passes by its entries
            game.house.now += DAY // 24
            game.house.start()
        honest(stand)

    game.placer.end = end  # type: ignore[method-assign]


planted(
    {
        "place-differs": {"a placer gives another place than its key": signed(stacked, OPEN)},
        "place-repeated place-differs": {"a card is dealt twice": signed(again, MORE)},
        "place-repeated place-differs card-differs": {"a place that no deck has": signed(beyond, MORE)},
        "card-differs": {"the card at a place is another one": signed(another, OPEN)},
        "key-mismatch": {"the placer's key is another one": signed(another_key, KEY)},
        "placing-differs": {
            "the placer was asked for cards of which no entry tells": signed(asked_for_more, OPEN),
            "whose cards they are was said once the house knew them": signed(for_another, ANN),
            "cards in public without places": edited(unbound, OPEN),
            "hidden cards of another player than was asked for": edited(said(ANN, to=None), ANN),
            "a number with places": edited(said(NUMBER, placed={"places": [1], "signature": "x"}), NUMBER),
            "more steps than the log tells": edited(said(KEY, steps=20), KEY),
        },
        "placing-differs card-differs": {"two places changed": edited(moved, OPEN)},
        "placer-key-overdue": {"the placer's key is thirty days late": signed(late, -1)},
        "cards-root-differs placing-differs": {
            "the seal does not bind the numbers": edited(said(SEAL, cards_root="ab" * 32), END)
        },
    }
)


@fraud("placer-differs", "shoe-differs", "placing-differs")
def a_shoe_of_version_1_has_a_placer() -> Planted:
    log = entries_in(Crooked(lambda _: None).house)
    del log[SHOE]["told"]
    return caught(log, SHOE)
