"""Reshuffles in the middle of a deal, and who holds the bank."""

from __future__ import annotations

from fairshoe.record import entries as forms

from ..planting import (
    Planted,
    encoded,
    entries_of,
    fraud,
    inserted,
    places,
    retimed,
    without,
)


@fraud("reshuffle-differs")
def a_reshuffle_changed() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "reshuffle")[0]
    cut = entries[index]["cut"]
    entries[index]["cut"] = cut + 1
    return Planted(encoded(entries), index, f"pontoon#{entries[index]['round']}", "cut", cut, cut + 1)


@fraud("reshuffle-differs")
def a_reshuffle_dropped() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "reshuffle")[0]
    place = f"pontoon#{entries[index]['round']}"
    return Planted(encoded(without(entries, index)), index, place, expected=1, found=0)


@fraud("reshuffle-differs")
def a_reshuffle_invented() -> Planted:
    entries = entries_of("pontoon")
    index = places(entries, "round")[1]
    round = entries[index]["round"]
    entry = entries_of("everything")
    again = entry[places(entry, "reshuffle")[0]] | {"round": round, "shoe": entries[index]["shoe"]}
    return Planted(encoded(inserted(entries, index, again)), index + 1, f"pontoon#{round}", expected=0, found=1)


@fraud("bank-not-settled")
def a_bank_change_skipped() -> Planted:
    entries = entries_of("pontoon")
    index = next(i for i in places(entries, "bank") if entries[i]["why"] != "first")
    reveal = entries[index + 1]
    assert reveal["why"] == "bank"
    reveal["why"] = "closing"
    place = entries[places(entries, "open", shoe=reveal["shoe"])[-1]]["shoe"]
    opened = entries[places(entries, "open", shoe=place)[-1]]
    more = opened | {"round": opened["round"] + 1}
    entries = retimed([*entries[:index], more], [e["at"] for e in entries])
    return Planted(encoded(entries), index, "pontoon")


@fraud("bank-differs")
def a_bank_change_invented() -> Planted:
    entries = entries_of("pontoon")
    index = places(entries, "round")[0]
    bank = next(e for e in entries if e["kind"] == "bank" and e["why"] == "first")["to"]
    change = forms.bank_entry(entries[index]["at"], "pontoon", "change", 3 - bank)
    return Planted(encoded(inserted(entries, index + 1, change)[: index + 2]), index + 1, "pontoon", "to")


@fraud("decision-missing")
def a_bank_sold_without_consent() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "bank", why="sale")[0]
    entries[index]["decisions"].pop()
    return Planted(encoded(entries), index, "pontoon", "decisions")


@fraud("bank-differs")
def a_bank_sold_to_somebody_who_refused() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "bank", why="sale")[0]
    del entries[index]["decisions"][1]["amount"]
    entries[index]["decisions"][1]["move"] = "refuse"
    return Planted(encoded(entries), index, "pontoon", "why", "change", "sale")
