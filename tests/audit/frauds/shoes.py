"""Shoes retired early or late, never revealed, dropped, void."""

from __future__ import annotations

from unittest.mock import patch

from fairshoe.protocol.shoe import Sealed
from tests.house import House, Prepared, Seating

from ..planting import (
    Planted,
    crooked,
    encoded,
    entries_in,
    entries_of,
    fraud,
    inserted,
    places,
    retimed,
)


@fraud("shoe-not-retired")
def the_insert_ignored() -> Planted:
    class Crook(Seating):
        def worn(self, sealed: Sealed) -> bool:
            return self.shoes == 1 and sealed.position > 110

    house, _ = crooked(Crook, rounds=3)
    return Planted(house.lines, expected="a new shoe after this round")


@fraud("shoe-retired-early")
def a_shoe_retired_early() -> Planted:
    class Crook(Seating):
        def worn(self, sealed: Sealed) -> bool:
            return sealed.position > 0

    house, _ = crooked(Crook, rounds=1)
    index = places(entries_in(house), "reveal")[0]
    return Planted(house.lines, index, "casino", "why", "a worn shoe", "worn")


@fraud("table-closed")
def a_shoe_retired_early_as_if_the_table_closed() -> Planted:
    """The next shoe was committed already, so no `shoe` entry comes after the closing."""

    class Crook(Seating):
        def reveal(self, shoe: Prepared, sealed: Sealed, why: str) -> None:
            super().reveal(shoe, sealed, "closing" if self.waiting is not None else why)

        def worn(self, sealed: Sealed) -> bool:
            return super().worn(sealed) or self.waiting is not None

    house, _ = crooked(Crook, rounds=2, ahead=True)
    index = places(entries_in(house), "seal")[1]
    return Planted(house.lines, index, "casino", found="casino/2")


@fraud("shoe-retired-early")
def a_shoe_too_old_at_a_table_without_a_time_limit() -> Planted:
    class Crook(Seating):
        def worn(self, sealed: Sealed) -> bool:
            return sealed.position > 0

        def reveal(self, shoe: Prepared, sealed: Sealed, why: str) -> None:
            super().reveal(shoe, sealed, "age")

    with patch.dict("tests.house.POLICY", shoe=0):
        house, _ = crooked(Crook, rounds=1)
    return Planted(house.lines, places(entries_in(house), "reveal")[0], "casino", "why", found="age")


@fraud("reveal-overdue")
def a_shoe_never_revealed_while_the_next_is_dealt() -> Planted:
    class Crook(Seating):
        def reveal(self, shoe: Prepared, sealed: Sealed, why: str) -> None:
            if self.shoes > 1:
                super().reveal(shoe, sealed, why)

    house, _ = crooked(Crook, rounds=20)
    return Planted(house.lines, places(entries_in(house), "shoe")[0], found="casino/1")


@fraud("reveal-overdue")
def a_last_shoe_never_revealed() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "shoe")[-1]
    shoe = entries[index]["shoe"]
    last = places(entries, "round")[-1]
    later = entries_of("everything")[0] | {"at": "2026-01-09T00:00:00.000Z", "table": "other"}
    later["policy"] = {}
    return Planted([*encoded(entries[: last + 1]), *encoded([later])], index, "casino", found=shoe)


@fraud("step-out-of-order", "position-differs", "shoe-retired-early", "chips-differ")
def a_key_revealed_while_a_round_is_open() -> Planted:
    entries = entries_of("boxes")
    times = [e["at"] for e in entries]
    index = places(entries, "reveal")[1]
    entries[index - 1], entries[index] = entries[index], entries[index - 1]
    return Planted(encoded(retimed(entries, times)), index - 1, "boxes#2", expected="no open round", found="reveal")


@fraud("number-gap")
def two_shoes_with_the_same_id() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "shoe")[1]
    again = entries[index] | {"commitment": "ab" * 32}
    return Planted(encoded(inserted(entries, index + 1, again)), index + 1, field="shoe", found="casino/2")


@fraud("number-gap")
def a_shoe_dropped_before_it_was_dealt() -> Planted:
    """A commitment that nobody is to remember: its number is missing."""

    class Crook(Seating):
        def commit(self, purpose: str | None = None) -> Prepared:
            self.shoes += self.shoes == 1
            return super().commit(purpose)

    house, _ = crooked(Crook, rounds=20)
    index = places(entries_in(house), "shoe")[1]
    return Planted(house.lines, index, "casino", "shoe", 2, 3)


@fraud("void-not-allowed")
def a_void_after_the_seal() -> Planted:
    class Crook(Seating):
        def bad(self) -> None:
            shoe = self.prepare()
            self.seal(shoe, burns=False)
            self.void(shoe, "reshuffle", "casino-p1")

    house = House()
    table = Crook(house, "casino", "casino", (1, 2))
    table.bad()
    return Planted(house.lines, len(house.lines) - 1, "casino", "why", "a reason before the seal", "reshuffle")


@fraud("void-not-allowed")
def a_sole_contributors_bet_void_at_request() -> Planted:
    """The sole contributor's seed comes with the bet: the house knows the cards by then."""
    house = House()
    table = Seating(house, "banker", "banker", (1,))
    shoe = table.prepare()
    table.open(shoe)
    table.void(shoe, "reshuffle", "banker-p1", 1)
    return Planted(house.lines, len(house.lines) - 1, "banker", "why", found="reshuffle")


@fraud("void-not-allowed")
def an_opened_round_void_since_the_table_closes() -> Planted:
    house = House()
    table = Seating(house, "boxes", "boxes", (1, 2))
    shoe = table.prepare()
    table.open(shoe)
    table.void(shoe, "closing", round=1)
    return Planted(house.lines, len(house.lines) - 1, "boxes", "why", found="closing")


@fraud("void-not-allowed")
def a_void_for_the_seed_of_somebody_who_sent_no_hash() -> Planted:
    house = House()
    table = Seating(house, "boxes", "boxes", (1, 2))
    table.void(table.prepare(), "seed", "boxes-p7")
    return Planted(house.lines, len(house.lines) - 1, "boxes", "why", found="seed")
