"""Payouts, balances, the pool, refunds."""

from __future__ import annotations

from ..planting import (
    Planted,
    encoded,
    entries_of,
    fraud,
    inserted,
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
    return Planted(encoded(entries), index, f"casino#{entries[index]['round']}", "hands[0].net", paid, paid + 10)


@fraud("chips-differ")
def chips_created_for_a_seat_at_its_buy_in() -> Planted:
    entries = entries_of("casino")
    later_chips(entries, 1, {"1": 500})
    return Planted(encoded(entries), 1, "casino", "chips.1", 5000, 5500)


@fraud("chips-differ")
def chips_created_for_a_seat_in_a_round() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "round")[4]
    honest = entries[index]["chips"]["2"]
    later_chips(entries, index, {"2": 500})
    return Planted(encoded(entries), index, "casino#5", "chips.2", honest, honest + 500)


@fraud("payout-differs", "chips-differ")
def the_lounges_pool_paid_twice() -> Planted:
    entries = entries_of("lounge")
    index = next(i for i in places(entries, "round") if entries[i]["hands"][0]["net"] == 3000)
    hand = entries[index]["hands"][0]
    hand["net"] = 6000
    later_chips(entries, index, {str(hand["seat"]): 3000, "pool": -3000})
    return Planted(encoded(entries), index, f"lounge#{entries[index]['round']}", "hands[0].net", 3000, 6000)


@fraud("payout-differs")
def a_short_pool_hidden() -> Planted:
    entries = entries_of("everything")
    index = next(i for i in places(entries, "round") if any("short" in hand for hand in entries[i]["hands"]))
    number = next(i for i, hand in enumerate(entries[index]["hands"]) if "short" in hand)
    short = entries[index]["hands"][number].pop("short")
    return Planted(encoded(entries), index, field=f"hands[{number}].short", expected=short, found=None)


@fraud("chips-differ")
def a_refund_given_twice() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "chips", op="refund", seat=1)[0]
    again = entries[index] | {"chips": dict(entries[index]["chips"])}
    seat, house = again["chips"]["1"], again["chips"]["house"]
    again["chips"] |= {"1": seat + 10_000, "house": house - 10_000}
    entries = inserted(entries, index + 1, again)
    later_chips(entries, index + 2, {})
    for entry in entries[index + 2 :]:
        if str(entry.get("shoe", "")).startswith("lounge/") or entry.get("table") == "lounge":
            later_chips([entry], 0, {"1": 10_000, "house": -10_000})
    last = places(entries, "chips", op="cash-out", table="lounge")[0]
    entries[last]["amount"] += 10_000
    entries[last]["chips"]["1"] = 0
    return Planted(encoded(entries), index + 1, "lounge", "refund")
