"""Cuts that were moved, left out, or made by somebody who may not; shoes without a table."""

from __future__ import annotations

from typing import Any

from fairshoe.engine.table import Bet
from fairshoe.protocol.deck import deck_of
from fairshoe.protocol.shoe import Sealed
from fairshoe.record import entries as forms
from tests.everything import TICKETS, Raffle
from tests.house import POLICY, House, Prepared, Seating

from ..planting import Planted, at_table, caught, dealt_at, entries_in, fraud, log_open, sealed_table

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
    table.play(1)
    table.leave(2)
    return cutting("casino-p1", table=table, expected=["casino-p3"])


@fraud("shoe-differs")
def another_cutter_named_than_the_one_whose_turn_it_is() -> Planted:
    table = at_table(seats=(1, 2, 3))
    table.play(1)
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


class Elsewhere(Seating):
    """Cuts the deck at another card than the log says, at the top one where `at` is 0."""

    at = 7

    def cut_of(self, shoe: Prepared, common: dict[str, Any]) -> int:
        return self.at


class Uncut(Elsewhere):
    """Nobody cuts the deck in time."""

    def chosen_cut(self, shoe: Prepared) -> None:
        return None


def drawn(kind: type[Elsewhere], at: int) -> tuple[Seating, Prepared, Sealed]:
    """A sealed shoe, cut at another card than the log says."""
    table, shoe, sealed = sealed_table(kind=type("Crook", (kind,), {"at": at}))
    return table, shoe, sealed


@fraud("draw-differs", each=["moved", "left out"])
def a_drawn_cut(wrong: str) -> Planted:
    """The reveal says that the deck was cut elsewhere, or says nothing of it."""
    table, shoe, sealed = drawn(Uncut, 7 if wrong == "moved" else 0)
    table.leave_all()
    table.reveal(shoe, sealed, "left")
    entries = entries_in(table.house)
    cut = entries[-1]["draws"].pop("cut")
    if wrong == "moved":
        entries[-1]["draws"]["cut"] = 7
    return caught(entries, field="draws.cut", expected=cut, found=7 if wrong == "moved" else None)


@fraud("order-differs", "card-differs", each=["drawn", "chosen"])
def a_deck_cut_at_another_card(cut: str) -> Planted:
    """Whatever the log says of the cut, the cards are dealt from elsewhere."""
    table, shoe, sealed = drawn(Uncut if cut == "drawn" else Elsewhere, 11)
    while sealed.position < 20:
        dealt_at(table, shoe, sealed)
    table.leave_all()
    table.reveal(shoe, sealed, "left")
    return caught(table.house, expected="the order that key, seeds and cut give")


@fraud("cut-differs")
def a_cut_chosen_after_the_seeds_were_opened() -> Planted:
    """The house knows the others by then: only a sole player's cut comes with the seed."""
    table = at_table(kind=Uncut)
    shoe = table.prepare()
    table.opened(shoe, "casino-p2")
    cut = forms.cut_form(7, "casino-p1")
    seed = shoe.seeds["casino-p1"].hex()
    table.house.log(forms.opened_entry(table.house.at(), shoe.id, "casino-p1", seed, cut))
    return caught(table.house, field="cut", expected="no cut but in `seeds`", found=cut)


def sole_cut(at: int, by: str, rules: str = "banker") -> House:
    """A sole player's seed opened with a cut; in chinese there is nobody to bet or cut beside the dealer."""
    table = at_table(rules, (1,))
    table.settle_bank()
    shoe = table.prepare()
    log_open(table, shoe, [Bet(1, 2, 1)])
    seed = shoe.seeds[f"{rules}-p1"].hex()
    table.house.log(forms.opened_entry(table.house.at(), shoe.id, f"{rules}-p1", seed, forms.cut_form(at, by)))
    return table.house


@fraud("cut-differs", each=["banker-p1", "eve"])
def a_sole_players_cut_of_a_deck_that_is_not_cut(by: str) -> Planted:
    return caught(sole_cut(7, by), field="cut", expected="no cut of this deck", found=forms.cut_form(7, by))


@fraud("cut-differs", "bet-illegal", each=["chinese-p1", "eve"])
def a_sole_players_cut_by_somebody_who_may_not(by: str) -> Planted:
    return caught(sole_cut(7, by, "chinese"), field="cut.by", expected=[], found=by)


@fraud("cut-differs", "bet-illegal", each=[0, 52])
def a_sole_players_cut_that_is_none(at: int) -> Planted:
    return caught(sole_cut(at, "chinese-p1", "chinese"), field="cut.at", expected="1 to 51", found=at)


def raffle(**more: Any) -> tuple[House, Raffle]:
    house = House()
    deck = deck_of(TICKETS)
    house.log(forms.entry("deck", house.at(), deck=deck.hash, part=1, parts=1, labels=list(TICKETS)))
    return house, Raffle(house, "raffle", deck, ["ann", "bob"], **{"draws": {"cut": len(deck)}, **more})


@fraud("draw-differs", each=["moved", "left out"])
def a_raffles_drawn_cut(wrong: str) -> Planted:
    """A listed draw `cut` says that the deck is cut, without a table too."""
    house, shoe = raffle()
    shoe.hash(set(), None)
    shoe.open(set())
    shoe.reveal(shoe.seal_with_drawn_cut(), "worn")
    entries = entries_in(house)
    cut = entries[-1]["draws"].pop("cut")
    if wrong == "moved":
        entries[-1]["draws"]["cut"] = 7
    return caught(entries, field="draws.cut", expected=cut, found=7 if wrong == "moved" else None)


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
        house.log(forms.seeds_entry(house.at(), "raffle", {"ann": "ab" * 32}, forms.cut_form(7, "ann"), ["bob"]))
    else:
        house.log(forms.seal_entry(house.at(), "raffle"))
    return caught(house, field="at")


@fraud("seed-missing")
def a_raffles_seed_left_out() -> Planted:
    house, shoe = raffle()
    shoe.hash(set(), forms.cut_form(7, "bob"))
    house.log(forms.opened_entry(house.at(), "raffle", "bob", shoe.seeds["bob"].hex()))
    house.log(forms.seal_entry(house.at(), "raffle"))
    return caught(house, field=None, expected="the seed of ann")


@fraud("void-not-allowed", each=["idle", "age", "reshuffle", "close", "bank", "seed"])
def a_raffle_void_after_its_opening_began(why: str) -> Planted:
    house, shoe = raffle()
    shoe.hash(set(), forms.cut_form(7, "bob"))
    house.wait(POLICY["shoe"], house.now)
    by = "ann" if why in ("reshuffle", "seed") else None
    house.log(forms.void_entry(house.at(), "raffle", shoe.key.hex(), why, by))
    return caught(house, field="why", found=why)


@fraud("step-out-of-order")
def a_raffle_reshuffled() -> Planted:
    """Nothing is dealt from it, and so nothing is gathered up again."""
    house, shoe = raffle()
    shoe.hash(set(), forms.cut_form(7, "bob"))
    house.log(forms.reshuffle_entry(house.at(), "raffle", 1, number=1, after=0, cards=3, deck_hash="ab" * 32))
    return caught(house, expected="an open round", found="reshuffle")
