"""Shoes dropped, dealt on, never revealed, revealed too early or for another reason."""

from __future__ import annotations

from audit_cli.walk.audit import NO_END
from fairshoe.engine.table import Bet
from fairshoe.log.times import DAY, HOUR, SECOND
from fairshoe.protocol.shoe import Sealed
from fairshoe.record import entries as forms
from tests.house import POLICY, Prepared, Seating

from ..planting import (
    Planted,
    at_table,
    caught,
    crooked,
    dealt_at,
    entries_in,
    entries_of,
    fraud,
    inserted,
    log_open,
    places,
    retimed,
    sealed_at,
    sealed_table,
)

# Dropped.


@fraud("number-gap")
def two_shoes_with_the_same_id() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "shoe")[1]
    again = entries[index] | {"commitment": "ab" * 32}
    return caught(inserted(entries, index + 1, again), index + 1, table=None, field="shoe", found="casino/2")


@fraud("number-gap")
def a_shoe_dropped_before_it_was_dealt() -> Planted:
    """A commitment that nobody is to remember: its number is missing."""

    class Crook(Seating):
        def commit(self, purpose: str | None = None) -> Prepared:
            self.shoes += self.shoes == 1
            return super().commit(purpose)

    house, _ = crooked(Crook, rounds=20)
    index = places(entries_in(house), "shoe")[1]
    return caught(house, index, field="shoe", expected=2, found=3)


@fraud("shoe-lost", each=["sealed", "unsealed"])
def a_shoe_that_is_said_to_be_lost(state: str) -> Planted:
    table = at_table("boxes")
    shoe = table.prepare()
    if state == "sealed":
        betting = table.open(shoe)
        assert betting is not None
        table.open_seeds(shoe, list(betting.bets))
        table.seal(shoe)
    number = 1 if state == "sealed" else None
    table.house.log(forms.lost_entry(table.house.at(), shoe.id, shoe.key.hex(), number))
    return caught(table.house, round=number, found="boxes/1")


# Dealt on.


@fraud("shoe-not-retired")
def the_insert_ignored() -> Planted:
    class Crook(Seating):
        def worn(self, sealed: Sealed) -> bool:
            return self.shoes == 1 and sealed.position > 110

    house, _ = crooked(Crook, rounds=3)
    return Planted(house.lines, table="casino", shoe="casino/1", expected="a new shoe after this round")


@fraud("shoe-not-retired", each=["", "start"])
def a_round_opened_after_the_shoes_age(excuse: str) -> Planted:
    """A start makes no shoe younger."""
    table, shoe, _ = sealed_table()
    table.house.wait(POLICY["shoe"], shoe.sealed)
    if excuse:
        table.house.start()
    table.open(shoe)
    return caught(table.house)


@fraud("shoe-not-retired")
def a_round_opened_after_the_bank_moved() -> Planted:
    class Crook(Seating):
        def settle_bank(self) -> bool:
            super().settle_bank()
            return False

    house, _ = crooked(Crook, "pontoon", 20, seats=(1, 2, 3), careless=0)
    entries = entries_in(house)
    moved = next(i for i in places(entries, "bank") if entries[i - 1]["kind"] == "round")
    index = next(i for i in places(entries, "open") if i > moved)
    return caught(entries[: index + 1], expected="a new shoe after the bank moved")


# Two at once.


def live(phase: str, game: str = "boxes") -> tuple[Seating, Prepared, Sealed | None]:
    """A shoe that has come so far."""
    table = at_table(game, (1, 2, 3))
    if game == "pontoon":
        table.first_bank()
    table.settle_bank()
    shoe = table.commit()
    if phase == "committed":
        return table, shoe, None
    table.hash(shoe)
    betting = table.open(shoe) if table.rules.one_round and phase != "hashed" else None
    if phase in ("hashed", "open"):
        return table, shoe, None
    table.open_seeds(shoe, [] if betting is None else list(betting.bets))
    if phase == "opened":
        return table, shoe, None
    sealed = table.seal(shoe)
    if phase == "dealt":
        table.round(shoe, sealed, list((betting or table.open(shoe)).bets))  # type: ignore[union-attr]
    return table, shoe, sealed


def second(table: Seating, shoe: Prepared) -> Planted:
    """Another shoe is committed to: of the one before the end is missing."""
    ahead = table.commit()
    return caught(table.house, shoe=shoe.id, expected=NO_END, found=f"shoe of {ahead.id}")


@fraud("step-out-of-order", each=["committed", "hashed", "open", "opened", "sealed", "dealt"])
def a_second_shoe_while_one_is_live(phase: str) -> Planted:
    """The house would know two orders, and choose when to end the one before."""
    table, shoe, _ = live(phase)
    return second(table, shoe)


@fraud("step-out-of-order", each=["casino", "chinese", "pontoon"])
def a_shoe_made_ahead_of_the_reveal(game: str) -> Planted:
    """Its reveal follows, and comes too late."""
    table, shoe, sealed = live("dealt", game)
    planted = second(table, shoe)
    assert sealed is not None
    table.reveal(shoe, sealed, "worn")
    return planted._replace(lines=list(table.house.lines))


# Revealed too early, or for another reason.


@fraud("shoe-retired-early", each=["worn", "bank", "age", "left"])
def a_shoe_retired_since_the_house_says_it_is(why: str) -> Planted:
    table, shoe, sealed = sealed_table()
    dealt_at(table, shoe, sealed)
    table.reveal(shoe, sealed, why)
    return caught(table.house, field="why", found=why)


@fraud("shoe-retired-early", each=["worn", "bank", "age", "left"])
def a_shoe_retired_before_its_first_round(why: str) -> Planted:
    table = at_table()
    table.reveal(*sealed_at(table), why)
    return caught(table.house, field="why", found=why)


@fraud("shoe-retired-early", each=["no bet", "a day"])
def a_shoe_retired_some_seconds_early(limit: str) -> Planted:
    table, shoe, sealed = sealed_table()
    if limit == "a day":
        table.house.now = shoe.sealed + DAY - HOUR
        dealt_at(table, shoe, sealed)
    table.house.now = shoe.sealed + DAY - 2 * SECOND if limit == "a day" else table.betting_since + HOUR - 2 * SECOND
    table.reveal(shoe, sealed, "age" if limit == "a day" else "left")
    return caught(table.house, field="why")


@fraud("shoe-retired-early")
def a_shoe_retired_while_somebody_with_a_waiver_sits() -> Planted:
    table, shoe, sealed = sealed_table()
    table.chips("buy-in", 3, 1000)
    log_open(table, shoe, [Bet(1, 2, 1), Bet(3, 2, 3)], waived=(3,), passed=(2,))
    table.round(shoe, sealed, [Bet(1, 2, 1), Bet(3, 2, 3)])
    table.leave(1)
    table.leave(2)
    table.reveal(shoe, sealed, "left")
    return caught(table.house, field="why", found="left")


@fraud("shoe-retired-early")
def a_closed_tables_shoe_retired_while_somebody_still_plays() -> Planted:
    table, shoe, sealed = sealed_table()
    table.close()
    for _ in range(2):
        table.house.now += 2_000 * SECOND
        dealt_at(table, shoe, sealed)
    table.reveal(shoe, sealed, "left")
    return caught(table.house, field="why", found="left")


@fraud("shoe-retired-early")
def a_table_closed_to_end_a_shoe() -> Planted:
    table, shoe, sealed = sealed_table()
    dealt_at(table, shoe, sealed)
    table.close()
    table.reveal(shoe, sealed, "left")
    return caught(table.house, field="why", found="left")


@fraud("end-differs", each=["bank", "age", "left"])
def another_reason_for_a_worn_shoe(why: str) -> Planted:
    entries = entries_of("casino")
    index = places(entries, "reveal")[0]
    entries[index]["why"] = why
    return caught(entries, index, field="why", expected="worn", found=why)


@fraud("end-differs")
def a_shoe_that_nobody_sat_at_called_too_old() -> Planted:
    table, shoe, sealed = sealed_table()
    table.leave_all()
    table.reveal(shoe, sealed, "age")
    return caught(table.house, field="why", expected="left", found="age")


@fraud("end-differs", each=["bank", "left"])
def a_raffle_that_ends_as_a_table_does(why: str) -> Planted:
    entries = entries_of("everything")
    index = places(entries, "reveal", shoe="raffle")[0]
    entries[index]["why"] = why
    return caught(entries, index, field="why", expected="worn or age", found=why)


@fraud("limit-early")
def a_raffle_too_old_before_its_time() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "reveal", shoe="raffle")[0]
    entries[index]["why"] = "age"
    return caught(entries, index, field="at")


@fraud("step-out-of-order", "position-differs", "shoe-retired-early")
def a_key_revealed_while_a_round_is_open() -> Planted:
    entries = entries_of("boxes")
    times = [e["at"] for e in entries]
    index = places(entries, "reveal")[1]
    entries[index - 1], entries[index] = entries[index], entries[index - 1]
    return caught(retimed(entries, times)[:index], round=2, expected="no open round", found="reveal")


@fraud("step-out-of-order", each=["committed", "hashed", "opened"])
def a_key_revealed_before_the_seal(phase: str) -> Planted:
    table = at_table()
    shoe = table.commit()
    if phase != "committed":
        table.hash(shoe)
    if phase == "opened":
        table.open_seeds(shoe, [])
    table.house.log(forms.reveal_entry(table.house.at(), shoe.id, shoe.key.hex(), {}, 0, "worn"))
    return caught(table.house, expected="a sealed shoe", found="reveal")


@fraud("step-out-of-order")
def a_key_revealed_twice() -> Planted:
    table = at_table("boxes")
    table.play(1)
    again = entries_in(table.house)[-1] | {"at": table.house.at()}
    return caught([*entries_in(table.house), again], field="shoe", found="boxes/1")
