"""Cuts that were moved, left out, or made by somebody who may not; shoes without a table."""

from __future__ import annotations

from typing import Any

from fairshoe.engine.table import Bet
from fairshoe.protocol.deck import deck_of
from fairshoe.record import entries as forms
from fairshoe.record.forms import cut_form
from tests.everything import TICKETS, Raffle
from tests.house import POLICY, House, Prepared, Seating

from ..planting import Entry, Plant, Planted, caught, entries_in, fraud, log_open, planted
from ..play import Play, at, play

# The cut.


def cut(by: str, position: int = 7, about: str = "casino", steps: str = "", **wanted: Any) -> Plant:
    """Hashes with this cut."""

    def plant() -> Planted:
        table = at(about, steps).do("commit")
        table.table.chosen_cut = lambda shoe: cut_form(position, by)  # type: ignore[method-assign]
        return table.do("hash").caught(**{"field": "cut.by", "found": by, **wanted})

    return plant


def sole_cut(by: str, position: int = 7, rules: str = "chinese", **wanted: Any) -> Plant:
    """A sole player's seed opened with a cut; in chinese there is nobody to bet or cut beside the dealer."""

    def plant() -> Planted:
        table = at(f"{rules} 1", "settle-bank, prepare")
        log_open(table.table, table.shoe, [Bet(1, 2, 1)])
        who = f"{rules}-p1"
        seed = table.shoe.seeds[who].hex()
        return table.log("opened", who, seed, cut_form(position, by)).caught(**wanted)

    return plant


LEFT = "play 1, leave 2"
UNCUT: dict[str, Any] = {"field": "cut", "expected": "no cut of this deck"}

planted(
    {
        "cut-differs": {
            "a cut by somebody whose turn it is not": cut("casino-p2", expected=["casino-p1"]),
            # CA-05: the next occupied chair after that which had the last turn; 1 cut, 2 left, so it is 3's turn.
            "a cut by the next though somebody left in between": cut(
                "casino-p1", about="casino 123", steps=LEFT, expected=["casino-p3"]
            ),
            "a cut by the dealer": cut("pontoon-p2", about="pontoon 123", steps="first-bank, settle-bank"),
            "a cut by somebody who sent no hash": cut("casino-p1", steps="silent 1", expected=[]),
            # At no card, or behind the last.
            **{
                f"a cut that is none: {position}": cut(
                    "casino-p1", position, field="cut.at", expected="1 to 155", found=position
                )
                for position in (0, 156)
            },
            "a cut of a deck that is not cut": cut("boxes-p1", about="boxes", **UNCUT, found=cut_form(7, "boxes-p1")),
            **{
                f"a sole players cut of a deck that is not cut: {by}": sole_cut(
                    by, rules="banker", **UNCUT, found=cut_form(7, by)
                )
                for by in ("banker-p1", "eve")
            },
        },
        "cut-differs bet-illegal": {
            **{
                f"a sole players cut by somebody who may not: {by}": sole_cut(by, field="cut.by", expected=[], found=by)
                for by in ("chinese-p1", "eve")
            },
            **{
                f"a sole players cut that is none: {position}": sole_cut(
                    "chinese-p1", position, field="cut.at", expected="1 to 51", found=position
                )
                for position in (0, 52)
            },
        },
        "shoe-differs": {
            "another cutter named than the one whose turn it is": play(
                "casino 123",
                f"{LEFT}, commit",
                put={"cutter": "casino-p1"},
                field="cutter",
                expected="casino-p3",
                found="casino-p1",
            )
        },
    }
)


class Elsewhere(Seating):
    """Cuts the deck at another card than the log says, at the top one where `at` is 0."""

    at = 7

    def cut_of(self, shoe: Prepared, common: dict[str, Any]) -> int:
        return self.at


class Uncut(Elsewhere):
    """Nobody cuts the deck in time."""

    def chosen_cut(self, shoe: Prepared) -> None:
        return None


def sealed(kind: type[Elsewhere], position: int) -> Play:
    """A shoe cut at another card than the log says."""
    return at("casino", "sealed", type("Crook", (kind,), {"at": position}))


def drawn(wrong: str, entries: list[Entry]) -> Planted:
    """The reveal says that the deck was cut elsewhere, or says nothing of it."""
    honest = entries[-1]["draws"].pop("cut")
    if wrong == "moved":
        entries[-1]["draws"]["cut"] = 7
    return caught(entries, field="draws.cut", expected=honest, found=7 if wrong == "moved" else None)


@fraud("draw-differs", each=["moved", "left out"])
def a_drawn_cut(wrong: str) -> Planted:
    return drawn(wrong, entries_in(sealed(Uncut, 7 if wrong == "moved" else 0).do("leave-all, reveal left").house))


@fraud("order-differs", "card-differs", each=["drawn", "chosen"])
def a_deck_cut_at_another_card(cut: str) -> Planted:
    """Whatever the log says of the cut, the cards are dealt from elsewhere."""
    table = sealed(Uncut if cut == "drawn" else Elsewhere, 11)
    while table.sealed_shoe.position < 20:
        table.do("deal")
    return table.do("leave-all, reveal left").caught(expected="the order that key, seeds and cut give")


@fraud("cut-differs")
def a_cut_chosen_after_the_seeds_were_opened() -> Planted:
    """The house knows the others by then: only a sole player's cut comes with the seed."""
    table = at("casino", "prepare, opened 2", Uncut)
    cut, seed = cut_form(7, "casino-p1"), table.shoe.seeds["casino-p1"].hex()
    return table.log("opened", "casino-p1", seed, cut).caught(field="cut", expected="no cut but in `seeds`", found=cut)


# Shoes without a table.


def raffle(by: str = "", **more: Any) -> tuple[House, Raffle]:
    """Of ann and bob; with hashes where somebody cuts."""
    house = House()
    deck = deck_of(TICKETS)
    house.log(forms.entry("deck", house.at(), deck=deck.hash, part=1, parts=1, labels=list(TICKETS)))
    shoe = Raffle(house, "raffle", deck, ["ann", "bob"], **{"draws": {"cut": len(deck)}, **more})
    if by:
        shoe.hash(set(), cut_form(7, by))
    return house, shoe


@fraud("draw-differs", each=["moved", "left out"])
def a_raffles_drawn_cut(wrong: str) -> Planted:
    """A listed draw `cut` says that the deck is cut, without a table too."""
    house, shoe = raffle()
    shoe.hash(set(), None)
    shoe.open(set())
    shoe.reveal(shoe.seal_with_drawn_cut(), "worn")
    return drawn(wrong, entries_in(house))


@fraud("cut-differs", each=["eve", "bob"])
def a_raffle_cut_by_somebody_else(who: str) -> Planted:
    return caught(raffle(who, cutter="ann")[0], field="cut.by", expected=["ann"], found=who)


@fraud("cut-differs")
def a_cut_of_a_raffle_without_one() -> Planted:
    return caught(raffle("bob", draws={})[0], **UNCUT)


@fraud("limit-early", each=["seeds", "seal"])
def a_raffle_that_waited_for_nobodys_hash(kind: str) -> Planted:
    house, _ = raffle()
    if kind == "seeds":
        house.log(forms.seeds_entry(house.at(), "raffle", {"ann": "ab" * 32}, cut_form(7, "ann"), ["bob"]))
    else:
        house.log(forms.seal_entry(house.at(), "raffle"))
    return caught(house, field="at")


@fraud("seed-missing")
def a_raffles_seed_left_out() -> Planted:
    house, shoe = raffle("bob")
    house.log(forms.opened_entry(house.at(), "raffle", "bob", shoe.seeds["bob"].hex()))
    house.log(forms.seal_entry(house.at(), "raffle"))
    return caught(house, field=None, expected="the seed of ann")


@fraud("void-not-allowed", each=["idle", "age", "reshuffle", "close", "bank", "seed"])
def a_raffle_void_after_its_opening_began(why: str) -> Planted:
    house, shoe = raffle("bob")
    house.wait(POLICY["shoe"], house.now)
    by = "ann" if why in ("reshuffle", "seed") else None
    house.log(forms.void_entry(house.at(), "raffle", shoe.key.hex(), why, by))
    return caught(house, field="why", found=why)


@fraud("step-out-of-order")
def a_raffle_reshuffled() -> Planted:
    """Nothing is dealt from it, and so nothing is gathered up again."""
    house, _ = raffle("bob")
    house.log(forms.reshuffle_entry(house.at(), "raffle", 1, k=1, after=0, cards=3, deck="ab" * 32))
    return caught(house, found="reshuffle")
