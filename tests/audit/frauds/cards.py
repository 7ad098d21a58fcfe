"""Cards swapped, dropped, burned, drawn again; payouts and balances that do not follow from them."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from fairshoe.engine.cards import ShoeCards
from fairshoe.protocol.shoe import Sealed
from tests.house import Prepared, Seating

from ..planting import (
    Planted,
    Swapped,
    caught,
    crooked,
    entries_in,
    entries_of,
    fraud,
    later_chips,
    places,
    without,
)


@fraud("card-differs")
def a_swapped_card_with_all_consequences() -> Planted:
    class Crook(Seating):
        def cards(self, sealed: Sealed) -> ShoeCards:
            return Swapped(sealed, 2, "9c") if self.rounds == 3 else super().cards(sealed)

    house, _ = crooked(Crook)
    entries = entries_in(house)
    index = places(entries, "round", round=3)[0]
    honest = next(e for e in entries_of("casino") if e["kind"] == "round" and e["round"] == 3)
    return caught(entries, index, field="cards[2]", expected=honest["cards"][2], found="9c")


@fraud("card-differs", "shoe-retired-early")
def a_dealt_round_dropped_and_everything_renumbered() -> Planted:
    entries = dropped_round(3)
    return caught(entries, places(entries, "round", round=3)[0], field="cards[0]")


@fraud("position-differs")
def a_dealt_round_dropped_but_its_cards_counted() -> Planted:
    entries = dropped_round(3, pointer=False)
    index = places(entries, "round", round=3)[0]
    end = entries[places(entries, "round", round=2)[0]]
    pos = end["pos"] + len(end["cards"])
    return caught(entries, index, field="pos", expected=pos, found=entries[index]["pos"])


def dropped_round(number: int, *, pointer: bool = True) -> list[dict[str, Any]]:
    """A casino log without one round: balances, numbers, and with `pointer` positions, as if it never was."""
    entries = entries_of("casino")
    index = places(entries, "round", round=number)[0]
    gone = entries[index]
    won = {str(seat): 0 for seat in (1, 2)}
    for hand in gone["hands"]:
        won[str(hand["seat"])] += hand["net"] + hand.get("insurance", 0)
    deltas = {seat: -net for seat, net in won.items()} | {"house": sum(won.values())}
    later_chips(entries, index + 1, deltas)
    for entry in entries[index + 1 :]:
        if "round" in entry:
            entry["round"] -= 1
        if pointer and entry["kind"] in ("round", "reveal") and entry["shoe"] == gone["shoe"]:
            entry["pos" if entry["kind"] == "round" else "end"] -= len(gone["cards"])
    return without(entries, index - 1, index)


@fraud("shoe-retired-early")
def the_last_round_of_a_shoe_dropped() -> Planted:
    entries = entries_of("casino")
    reveal = places(entries, "reveal")[0]
    entries = dropped_round(entries[reveal - 1]["round"])
    return caught(entries, reveal - 2, field="why", found="worn")


@fraud("card-differs")
def a_first_bankers_card_changed() -> Planted:
    class Crook(Seating):
        def cards(self, sealed: Sealed) -> ShoeCards:
            return Swapped(sealed, 0, "Js") if self.rounds == 0 else super().cards(sealed)

    house, _ = crooked(Crook, "pontoon")
    index = places(entries_in(house), "bank", why="first")[0]
    return caught(house, index, shoe="pontoon/1", field="cards[0]", found="Js")


@fraud("shoe-retired-early")
def a_first_bankers_draw_repeated_until_it_suits() -> Planted:
    class Crook(Seating):
        def first_bank(self) -> None:
            if self.shoes == 0:
                shoe = self.commit("bank")
                self.hash(shoe)
                self.open_seeds(shoe, [])
                self.reveal(shoe, self.seal(shoe), "worn")
            super().first_bank()

    house, _ = crooked(Crook, "pontoon")
    return caught(house, places(entries_in(house), "reveal")[0], field="why", found="worn")


@fraud("burn-differs", "position-differs")
def another_card_burned_than_the_top_one() -> Planted:
    class Crook(Seating):
        def seal(self, shoe: Prepared) -> Sealed:
            with patch.object(Sealed, "draw", lambda sealed: (self_draw(sealed), self_draw(sealed))[1]):
                return super().seal(shoe)

    self_draw = Sealed.draw
    house, _ = crooked(Crook, "pontoon", 2)
    return caught(house, places(entries_in(house), "seal")[1], field="burn")


@fraud("payout-differs", "chips-differ")
def a_payout_changed_and_every_later_balance_with_it() -> Planted:
    entries = entries_of("casino")
    index = next(i for i in places(entries, "round") if entries[i]["hands"][0]["outcome"] == "win")
    hand = entries[index]["hands"][0]
    paid = hand["net"]
    hand["net"] += 10
    later_chips(entries, index, {str(hand["seat"]): 10, "house": -10})
    return caught(entries, index, field="hands[0].net", expected=paid, found=paid + 10)


@fraud("chips-differ")
def chips_created_for_a_seat_at_its_buy_in() -> Planted:
    entries = entries_of("casino")
    later_chips(entries, 1, {"1": 500})
    return caught(entries, 1, field="chips.1", expected=5000, found=5500)


@fraud("chips-differ")
def chips_created_for_a_seat_in_a_round() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "round")[4]
    honest = entries[index]["chips"]["2"]
    later_chips(entries, index, {"2": 500})
    return caught(entries, index, field="chips.2", expected=honest, found=honest + 500)


@fraud("payout-differs", "chips-differ")
def the_lounges_pool_paid_twice() -> Planted:
    entries = entries_of("lounge")
    index = next(i for i in places(entries, "round") if entries[i]["hands"][0]["net"] == 3000)
    hand = entries[index]["hands"][0]
    hand["net"] = 6000
    later_chips(entries, index, {str(hand["seat"]): 3000, "pool": -3000})
    return caught(entries, index, field="hands[0].net", expected=3000, found=6000)


@fraud("payout-differs")
def a_short_pool_hidden() -> Planted:
    entries = entries_of("everything")
    index = next(i for i in places(entries, "round") if any("short" in hand for hand in entries[i]["hands"]))
    number = next(i for i, hand in enumerate(entries[index]["hands"]) if "short" in hand)
    short = entries[index]["hands"][number].pop("short")
    return caught(entries, index, field=f"hands[{number}].short", expected=short, found=None)
