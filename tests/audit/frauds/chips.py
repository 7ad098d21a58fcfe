"""Payouts, balances, the pool, refunds."""

from __future__ import annotations

from ..planting import (
    Planted,
    caught,
    entries_of,
    fraud,
    later_chips,
    places,
)


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
