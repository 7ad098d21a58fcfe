"""Seeds, cuts, draws, keys used twice."""

from __future__ import annotations

from typing import Any

from fairshoe.protocol.shoe import Sealed
from fairshoe.record import entries as forms
from tests.house import Prepared, Seating

from ..planting import (
    Planted,
    crooked,
    encoded,
    entries_in,
    entries_of,
    fraud,
    places,
)


class Sealing(Seating):
    """Does something to the second shoe's contributions just before the seal."""

    def change(self, shoe: Prepared) -> None:
        raise NotImplementedError

    def seal(self, shoe: Prepared, *, burns: bool) -> Sealed:
        if self.shoes == 2:
            self.change(shoe)
        return super().seal(shoe, burns=burns)


@fraud("seed-missing", "bet-without-seed")
def a_hashed_seed_left_out() -> Planted:
    class Crook(Sealing):
        def change(self, shoe: Prepared) -> None:
            del shoe.seeds["boxes-p2"]

    house, _ = crooked(Crook, "boxes", 2)
    index = places(entries_in(house), "seal")[1]
    return Planted(house.lines, index, "boxes", "seeds.boxes-p2", "the seed of boxes-p2")


@fraud("bet-without-seed")
def a_seed_left_out_with_its_hash() -> Planted:
    class Crook(Seating):
        def hash(self, shoe: Prepared) -> None:
            if self.shoes == 2:
                del shoe.seeds["casino-p2"]
            super().hash(shoe)

        def waived(self, shoe: Prepared, bets: list[Any]) -> list[int]:
            return []

    house, _ = crooked(Crook, rounds=20)
    index = places(entries_in(house), "open", shoe="casino/2")[0]
    return Planted(house.lines, index, field="waived", expected=[2], found=[])


@fraud("seed-mismatch")
def a_hashed_seed_exchanged() -> Planted:
    class Crook(Sealing):
        def change(self, shoe: Prepared) -> None:
            shoe.seeds["casino-p2"] = b"another seed"

    house, _ = crooked(Crook, rounds=20)
    index = places(entries_in(house), "seal")[1]
    return Planted(house.lines, index, "casino", "seeds.casino-p2")


@fraud("seed-uninvited", "card-differs")
def a_seed_added_by_nobody_who_was_announced() -> Planted:
    class Crook(Seating):
        def seal(self, shoe: Prepared, *, burns: bool) -> Sealed:
            shoe.roster.append("shill")
            shoe.seeds["shill"] = b"as the house likes it"
            return super().seal(shoe, burns=burns)

    house, _ = crooked(Crook, "banker", 1, seats=(1,))
    index = places(entries_in(house), "seal")[0]
    return Planted(house.lines, index, "banker", "seeds.shill", ["banker-p1"], "shill")


@fraud("seed-reused")
def a_seed_replayed_in_another_shoe() -> Planted:
    class Crook(Seating):
        kept: bytes | None = None

        def hash(self, shoe: Prepared) -> None:
            Crook.kept = Crook.kept or shoe.seeds["casino-p1"]
            shoe.seeds["casino-p1"] = Crook.kept
            super().hash(shoe)

    house, _ = crooked(Crook, rounds=20)
    index = places(entries_in(house), "seal")[1]
    return Planted(house.lines, index, "casino", "seeds.casino-p1")


@fraud("commitment-reused")
def a_key_used_for_two_shoes() -> Planted:
    class Crook(Seating):
        def new_key(self) -> bytes:
            return b"the same key for ever and ever !"

    house, _ = crooked(Crook, rounds=20)
    shoe = entries_in(house)[places(entries_in(house), "shoe")[1]]
    index = places(entries_in(house), "shoe")[1]
    return Planted(house.lines, index, field="commitment", found=shoe["commitment"])


@fraud("cut-differs")
def a_drawn_cut_moved() -> Planted:
    class Crook(Sealing):
        def change(self, shoe: Prepared) -> None:
            shoe.cut = forms.cut_form(7)

    house, _ = crooked(Crook, rounds=40, seats=(1,))
    return Planted(house.lines, field="cut.at", found=7)


@fraud("cut-differs", "card-differs")
def a_players_cut_moved() -> Planted:
    entries = entries_of("casino")
    seeds = next(i for i in places(entries, "seeds") if "cut" in entries[i])
    seal = places(entries, "seal", shoe=entries[seeds]["shoe"])[0]
    entries[seal]["cut"] = {"at": 11, "by": entries[seeds]["cut"]["by"]}
    return Planted(encoded(entries), seal, "casino", "cut", None, entries[seal]["cut"])


@fraud("cut-differs")
def a_cut_by_somebody_who_may_not() -> Planted:
    class Crook(Seating):
        def hash(self, shoe: Prepared) -> None:
            shoe.cut = forms.cut_form(5, shoe.roster[1])  # the first shoe is seat 1's to cut
            super().hash(shoe)

    house, _ = crooked(Crook, rounds=1)
    index = places(entries_in(house), "seeds")[0]
    return Planted(house.lines, index, "casino", "cut.by", "casino-p1", "casino-p2")


@fraud("draw-differs")
def a_named_draw_changed() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "reveal")[0]
    insert = entries[index]["draws"]["insert"]
    entries[index]["draws"]["insert"] = insert ^ 1
    return Planted(encoded(entries), index, "casino", "draws.insert", insert, insert ^ 1)
