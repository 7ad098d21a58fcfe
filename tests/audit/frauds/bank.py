"""Reshuffles in the middle of a deal, and who holds the bank."""

from __future__ import annotations

from fairshoe.record import entries as forms
from tests.house import POLICY

from ..planting import (
    Planted,
    at_table,
    caught,
    entries_of,
    fraud,
    inserted,
    places,
    without,
)


@fraud("reshuffle-differs")
def a_reshuffle_changed() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "reshuffle")[0]
    cut = entries[index]["cut"]
    entries[index]["cut"] = cut + 1
    return caught(entries, index, field="cut", expected=cut, found=cut + 1)


@fraud("reshuffle-differs")
def a_reshuffle_dropped() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "reshuffle")[0]
    return caught(without(entries, index), index, expected=1, found=0)


@fraud("reshuffle-differs")
def a_reshuffle_invented() -> Planted:
    entries = entries_of("pontoon")
    index = places(entries, "round")[1]
    round = entries[index]["round"]
    entry = entries_of("everything")
    again = entry[places(entry, "reshuffle")[0]] | {"round": round, "shoe": entries[index]["shoe"]}
    return caught(inserted(entries, index, again), index + 1, expected=0, found=1)


@fraud("bank-not-settled")
def a_bank_change_skipped() -> Planted:
    entries = entries_of("pontoon")
    index = next(i for i in places(entries, "bank") if entries[i + 1].get("why") == "bank")
    opened = entries[places(entries, "open", shoe=entries[index + 1]["shoe"])[-1]]
    more = opened | {"at": entries[index]["at"], "round": opened["round"] + 1}
    return caught([*entries[:index], more], expected="a decision about the bank")


@fraud("bank-differs")
def a_bank_change_invented() -> Planted:
    entries = entries_of("pontoon")
    index = places(entries, "round")[0]
    bank = next(e for e in entries if e["kind"] == "bank" and e["why"] == "first")["to"]
    change = forms.bank_entry(entries[index]["at"], "pontoon", "change", 3 - bank)
    return caught(inserted(entries, index + 1, change)[: index + 2], field="to")


@fraud("decision-missing")
def a_bank_sold_without_consent() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "bank", why="sale")[0]
    entries[index]["decisions"].pop()
    return caught(entries[: index + 1], field="decisions")


@fraud("bank-differs")
def a_bank_sold_to_somebody_who_refused() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "bank", why="sale")[0]
    del entries[index]["decisions"][1]["amount"]
    entries[index]["decisions"][1]["move"] = "refuse"
    return caught(entries[: index + 1], field="why", expected="change", found="sale")


# The first banker.


@fraud("shoe-retired-early", each=["age", "left", "bank"])
def a_first_bankers_pack_thrown_away(why: str) -> Planted:
    """PO-04: the `bank` entry follows its seal, whoever the black jack falls to; nothing is drawn anew by waiting."""
    table = at_table("pontoon", (1, 2, 3))
    shoe = table.commit("bank")
    table.hash(shoe)
    table.open_seeds(shoe, [])
    sealed = table.seal(shoe)
    table.house.wait(POLICY["shoe"], shoe.sealed)
    table.reveal(shoe, sealed, why)
    return caught(table.house, field="why", found=why)


@fraud("bank-differs", each=["roster", "cover"])
def a_first_bankers_cards_for_somebody_who_takes_no_part(why: str) -> Planted:
    """Who sent no hash sits in the roster and is dealt; who left before `seeds`, or covers nothing, is not."""
    table = at_table("pontoon", (1, 2, 3), seed=7)
    if why == "cover":
        table.chips("cash-out", 3, 4999)
    shoe = table.commit("bank")
    if why == "roster":
        table.chips("buy-in", 4, 100)
    table.hash(shoe)
    table.open_seeds(shoe, [])
    sealed = table.seal(shoe)
    able = table.rules.first_chairs(table.table)
    assert able == ([1, 2, 3, 4] if why == "roster" else [1, 2])
    seat, cards = table.rules.first_bank(table.table, table.cards(sealed), able if why == "roster" else [1, 2, 3])
    table.house.log(forms.bank_entry(table.house.at(), table.name, "first", seat, shoe=shoe.id, cards=cards))
    return caught(table.house, field="to", found=seat)


@fraud("step-out-of-order")
def a_first_banker_before_the_seal() -> Planted:
    table = at_table("pontoon", (1, 2, 3))
    shoe = table.commit("bank")
    table.hash(shoe)
    table.house.log(forms.bank_entry(table.house.at(), table.name, "first", 2, shoe=shoe.id, cards=["Js"]))
    return caught(table.house, shoe=None, expected="a sealed shoe for the first banker", found="bank")


@fraud("bank-not-settled")
def a_chinese_dealer_who_deals_for_ever() -> Planted:
    """CH-03: three rounds, then the next chair deals."""
    table = at_table("chinese", (1, 2, 3))
    table.play(3)
    assert table.table.memory == {"held": 3}
    table.commit()
    return caught(table.house, expected="rotation")
