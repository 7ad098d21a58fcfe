"""Cards swapped, dropped, burned, drawn again; payouts and balances that do not follow from them; decisions and the
dealer's procedure; reshuffles in the middle of a deal, and who holds the bank."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from audit_cli.verify.findings.finding import FALSE_RESULT
from fairshoe.engine import steps
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.moves import Ask, Decision
from fairshoe.protocol.shoe import Sealed
from fairshoe.record import entries as forms
from tests.house import House, Prepared, Seating

from ..planting import (
    Planted,
    Swapped,
    anything_goes,
    caught,
    crooked,
    entries_in,
    entries_of,
    fraud,
    inserted,
    later_chips,
    places,
    planted,
    without,
)
from ..play import at, play


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


@fraud("card-too-often")
def more_of_a_card_than_the_deck_has() -> Planted:
    """Of a shoe that is not revealed: out of three packs."""

    class Tens(ShoeCards):
        def draw(self) -> str:
            super().draw()
            return "Tc"

    class Crook(Seating):
        def cards(self, sealed: Sealed) -> ShoeCards:
            return Tens(sealed)

    house = House()
    next(Crook(house, "casino", "casino", (1,), packs=3).steps(9))
    index = places(entries_in(house), "round")[0]
    return Planted(house.lines, index, shoe="casino/1", round=1, field="cards[3]", found="Tc")


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
    return caught(entries, index, field=f"hands[{number}].short", expected=short, cause=FALSE_RESULT)


# Decisions, and the dealer.


@fraud("decision-illegal")
def an_illegal_double_accepted() -> Planted:
    return first_move("double")


@fraud("decision-illegal")
def an_illegal_split_accepted() -> Planted:
    return first_move("split")


def first_move(move: str) -> Planted:
    """The first decision of a hand, which may not double or split, does so all the same."""
    kind = type("Crook", (Seating,), {"choose": lambda self, ask: eager(self, ask, move)})
    with anything_goes():
        house, table = crooked(kind, rounds=6, seats=(1,))
    assert table.cheated  # type: ignore[attr-defined]
    index = places(entries_in(house), "round", round=table.cheated)[0]  # type: ignore[attr-defined]
    return caught(house, index, field="decision")


def eager(table: Any, ask: Ask, move: str) -> Decision:
    names = [legal.name for legal in ask.moves]
    if "hit" in names and move not in names and not getattr(table, "cheated", 0):
        table.cheated = table.rounds
        return Decision(ask.actor, move)
    return Decision(ask.actor, "stand" if "stand" in names else "decline")


@fraud("decision-illegal")
def insurance_above_half_the_bet_accepted() -> Planted:
    class Crook(Seating):
        cheated = 0

        def choose(self, ask: Ask) -> Decision:
            if ask.moves[0].name == "insure" and not self.cheated:
                self.cheated = self.rounds
                return Decision(ask.actor, "insure", ask.moves[0].high + 1)
            return super().choose(ask)

    with anything_goes():
        house, table = crooked(Crook, rounds=30)
    assert isinstance(table, Crook)
    index = places(entries_in(house), "round", round=table.cheated)[0]
    return caught(house, index, field="decision")


@fraud("dealer-stopped-early")
def a_dealer_who_stands_on_16() -> Planted:
    return dealer_that_draws_below(16)


@fraud(
    "dealer-cards-differ", "cards-extra", "dealer-total-differs", "outcome-differs", "payout-differs", "chips-differ"
)
def a_dealer_who_draws_on_17() -> Planted:
    return dealer_that_draws_below(18)


def dealer_that_draws_below(limit: int) -> Planted:
    def draw(round: Any, hand: Any, *, hit_soft_17: bool) -> None:
        while hand.total < limit:
            round.deal(hand)

    with patch.object(steps, "draw_to_17", draw):
        house = House()
        table = Seating(house, "casino", "casino", (1,), packs=3)
        wrong = {16} if limit == 16 else {17}
        for _ in table.steps(60):
            entry = entries_in(house)[-1]
            dealer = [entry["cards"][i] for i in entry["dealer"]["cards"]]
            seen = entry["dealer"]["total"] in wrong if limit == 16 else drew_on_17(dealer)
            if seen and any(hand["outcome"] in ("win", "lose", "push") for hand in entry["hands"]):
                break
    return caught(house)


def drew_on_17(cards: list[str]) -> bool:
    """Whether a hand without aces took a card on 17 exactly."""
    values = ["A23456789TJQK".index(card[0]) + 1 for card in cards]
    return 1 not in values and sum(min(value, 10) for value in values[:-1]) == 17


# Reshuffles, and the bank.


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


@fraud("bank-differs", each=["roster", "cover"])
def a_first_bankers_cards_for_somebody_who_takes_no_part(why: str) -> Planted:
    """Who sent no hash sits in the roster and is dealt; who left before `seeds`, or covers nothing, is not."""
    steps = {"roster": "commit bank, buy-in 4 100", "cover": "cash-out 3 4999, commit bank"}[why]
    play = at("pontoon 123 seed=7", f"{steps}, hash, seeds, seal")
    table = play.table
    able = table.rules.bank_candidates(table.table)
    assert able == ([1, 2, 3, 4] if why == "roster" else [1, 2])
    dealt = table.cards(play.sealed_shoe)
    seat, cards = table.rules.draw_first_bank(table.table, dealt, able if why == "roster" else [1, 2, 3])
    play.house.log(forms.bank_entry(play.house.at(), table.name, "first", seat, shoe=play.shoe.id, cards=cards))
    return play.caught(field="to", found=seat)


planted(
    {
        "bank-not-settled": {
            # CH-03: three rounds, then the next chair deals.
            "a chinese dealer who deals for ever": play("chinese 123", "play 3, commit", expected="rotation")
        }
    }
)


@fraud("step-out-of-order")
def a_first_banker_before_the_seal() -> Planted:
    table = at("pontoon 123", "commit bank, hash")
    house, shoe = table.house, table.shoe.id
    house.log(forms.bank_entry(house.at(), "pontoon", "first", 2, shoe=shoe, cards=["Js"]))
    return caught(house, shoe=None, found="bank (first)")


@fraud("cards-root-differs")
def another_root_than_the_key_gives() -> Planted:
    class Binds(Seating):
        binds = True

    entries = entries_in(crooked(Binds)[0])
    index, reveal = places(entries, "seal")[0], places(entries, "reveal")[0]
    root = entries[index]["cards_root"]
    entries[index]["cards_root"] = root[::-1]
    return caught(entries, reveal, field="cards_root", expected=root, found=root[::-1])


@fraud("reshuffle-differs")
def a_reshuffle_with_a_root_and_without_a_placer() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "reshuffle")[0]
    entries[index] |= {"cards_root": "ab" * 32, "v": 2}
    return caught(entries, index, field="cards_root", found="ab" * 32)
