"""Cuts that were moved, left out, or made by somebody who may not; shoes without a table."""

from __future__ import annotations

from typing import Any

from fairshoe.protocol.deck import deck_of
from fairshoe.record import entries as forms
from tests.everything import TICKETS, Raffle
from tests.house import POLICY, House, Prepared, Seating

from ..planting import Planted, at_table, caught, entries_in, fraud, sealed_at

# The cut.


def cutting(by: str, at: int = 7, table: Seating | None = None, **more: Any) -> Planted:
    """Hashes with this cut."""
    table = table or at_table()
    shoe = table.commit()
    table.chosen_cut = lambda shoe: forms.cut_form(at, by)  # type: ignore[method-assign]
    table.hash(shoe)
    return caught(table.house, found=by, **{"field": "cut.by", **more})


@fraud("cut-differs")
def a_cut_by_somebody_whose_turn_it_is_not() -> Planted:
    return cutting("casino-p2", expected=["casino-p1"])


@fraud("cut-differs")
def a_cut_by_the_next_though_somebody_left_in_between() -> Planted:
    """CA-05: the next occupied chair after that which had the last turn; 1 cut, 2 left, so it is 3's turn."""
    table = at_table(seats=(1, 2, 3))
    sealed_at(table)
    table.leave(2)
    return cutting("casino-p1", table=table, expected=["casino-p3"])


@fraud("shoe-differs")
def another_cutter_named_than_the_one_whose_turn_it_is() -> Planted:
    table = at_table(seats=(1, 2, 3))
    sealed_at(table)
    table.leave(2)
    table.commit()
    entries = entries_in(table.house)
    entries[-1]["cutter"] = "casino-p1"
    return caught(entries, field="cutter", expected="casino-p3", found="casino-p1")


@fraud("cut-differs")
def a_cut_by_the_dealer() -> Planted:
    table = at_table("pontoon", (1, 2, 3))
    table.first_bank()
    table.settle_bank()
    return cutting(f"pontoon-p{table.table.bank}", table=table)


@fraud("cut-differs")
def a_cut_by_somebody_who_sent_no_hash() -> Planted:
    table = at_table()
    table.silent = {"casino-p1"}
    return cutting("casino-p1", table=table, expected=[])


@fraud("cut-differs", each=[0, 156])
def a_cut_that_is_none(at: int) -> Planted:
    """At no card, or behind the last."""
    planted = cutting("casino-p1", at, field="cut.at", expected="1 to 155")
    return planted._replace(found=at)


@fraud("cut-differs")
def a_cut_of_a_deck_that_is_not_cut() -> Planted:
    table = at_table("boxes")
    cut = forms.cut_form(7, "boxes-p1")
    return cutting("boxes-p1", table=table, field="cut", expected="no cut of this deck")._replace(found=cut)


def uncut() -> tuple[Seating, Prepared]:
    """A shoe whose deck nobody cut in time."""
    table = at_table()
    table.chosen_cut = lambda shoe: None  # type: ignore[method-assign]
    shoe = table.prepare()
    table.open_seeds(shoe, [])
    return table, shoe


@fraud("cut-differs")
def a_drawn_cut_moved() -> Planted:
    table, shoe = uncut()
    table.late_cut = lambda shoe, common: forms.cut_form(7)  # type: ignore[method-assign]
    sealed = table.seal(shoe)
    table.leave_all()
    table.reveal(shoe, sealed, "left")
    return caught(table.house, field="cut.at", found=7)


@fraud("cut-differs")
def a_listed_cut_left_out() -> Planted:
    table, shoe = uncut()
    table.late_cut = lambda shoe, common: None  # type: ignore[method-assign]
    table.seal(shoe)
    return caught(table.house, field="cut", expected="a cut")


@fraud("cut-differs")
def a_cut_chosen_after_the_seeds_were_opened() -> Planted:
    """The house knows all of them by then."""
    table, shoe = uncut()
    table.late_cut = lambda shoe, common: forms.cut_form(7, "casino-p1")  # type: ignore[method-assign]
    table.seal(shoe)
    return caught(table.house, field="cut.by", expected="the named draw", found="casino-p1")


@fraud("cut-differs")
def a_players_cut_moved() -> Planted:
    table = at_table()
    shoe = table.prepare()
    assert shoe.cut is not None
    table.open_seeds(shoe, [])
    table.house.log(forms.seal_entry(table.house.at(), shoe.id, cut=forms.cut_form(11, "casino-p1")))
    return caught(table.house, field="cut", found=forms.cut_form(11, "casino-p1"))


def raffle(**more: Any) -> tuple[House, Raffle]:
    house = House()
    deck = deck_of(TICKETS)
    house.log(forms.deck_entry(house.at(), deck.hash, 1, 1, TICKETS))
    return house, Raffle(house, "raffle", deck, ["ann", "bob"], **{"draws": {"cut": len(deck)}, **more})


@fraud("cut-differs")
def a_raffles_cut_left_out() -> Planted:
    """A listed draw `cut` says that the deck is cut, without a table too."""
    house, shoe = raffle()
    shoe.hash(set(), None)
    shoe.open(set())
    house.log(forms.seal_entry(house.at(), "raffle"))
    return caught(house, field="cut", expected="a cut")


@fraud("cut-differs")
def a_raffles_drawn_cut_moved() -> Planted:
    house, shoe = raffle()
    shoe.hash(set(), None)
    shoe.open(set())
    house.log(forms.seal_entry(house.at(), "raffle", cut=forms.cut_form(7)))
    shoe.reveal(shoe.sealed(cut=7), "worn")
    return caught(house, field="cut.at", found=7)


@fraud("cut-differs", each=["eve", "bob"])
def a_raffle_cut_by_somebody_else(who: str) -> Planted:
    house, shoe = raffle(cutter="ann")
    shoe.hash(set(), forms.cut_form(7, who))
    return caught(house, field="cut.by", expected=["ann"], found=who)


@fraud("cut-differs")
def a_cut_of_a_raffle_without_one() -> Planted:
    house, shoe = raffle(draws={})
    shoe.hash(set(), forms.cut_form(7, "bob"))
    return caught(house, field="cut", expected="no cut of this deck")


# Shoes without a table.


@fraud("limit-early", each=["seeds", "seal"])
def a_raffle_that_waited_for_nobodys_hash(kind: str) -> Planted:
    house, _ = raffle()
    if kind == "seeds":
        house.log(forms.seeds_entry(house.at(), "raffle", {"ann": "ab" * 32}, forms.cut_form(7, "ann")))
    else:
        house.log(forms.seal_entry(house.at(), "raffle", cut=forms.cut_form(7)))
    return caught(house, field="at")


@fraud("seed-missing")
def a_raffles_seed_left_out() -> Planted:
    house, shoe = raffle()
    shoe.hash(set(), forms.cut_form(7, "bob"))
    house.log(forms.opened_entry(house.at(), "raffle", "bob", shoe.seeds["bob"].hex()))
    house.log(forms.seal_entry(house.at(), "raffle"))
    return caught(house, field="seeds", expected="the seed of ann")


@fraud("void-not-allowed", each=["idle", "age", "reshuffle", "close", "bank", "seed"])
def a_raffle_void_after_its_opening_began(why: str) -> Planted:
    house, shoe = raffle()
    shoe.hash(set(), forms.cut_form(7, "bob"))
    house.wait(POLICY["shoe"], house.now)
    by = "ann" if why in ("reshuffle", "seed") else None
    house.log(forms.void_entry(house.at(), "raffle", shoe.key.hex(), why, by))
    return caught(house, field="why", found=why)
