"""Chairs that an entry must name, or may not: without the chips for a bet, waited for and not heard."""

from __future__ import annotations

from fairshoe.engine.table import Bet
from tests.house import POLICY, Prepared, Seating

from ..planting import Planted, at_table, caught, entries_in, fraud, log_open, sealed_at, sealed_table
from .betting import banked

# Whose chips do not reach the lowest bet.


def poor(game: str = "casino", chips: int = 1) -> tuple[Seating, Prepared]:
    """A shoe in which chair 2, of three, has a part and too few chips to bet."""
    table = at_table(game, (1, 2, 3))
    shoe = table.prepare() if game == "boxes" else sealed_at(table)[0]
    table.chips("cash-out", 2, 5000 - chips)
    return table, shoe


@fraud("seats-unaccounted", each=["casino", "boxes"])
def a_chair_without_chips_left_out(game: str) -> Planted:
    """Whoever is left out in silence might have been able to bet."""
    table, shoe = poor(game)
    log_open(table, shoe, table.offers([1, 3]))
    return caught(table.house, field="unfunded", expected=[2], found=[])


@fraud("seats-unaccounted", each=["passed", "late"])
def a_chair_without_chips_said_to_be_silent(word: str) -> Planted:
    table, shoe = poor()
    table.house.wait(POLICY["bet"], table.house.now)
    log_open(table, shoe, table.offers([1, 3]), **{word: (2,)})
    return caught(table.house, field="unfunded", expected=[2], found=[])


@fraud("seats-unaccounted", each=[2, 4999])
def a_chair_with_chips_said_to_have_none(chips: int) -> Planted:
    """The house would keep out whom it likes; what it takes is the lowest bet."""
    table, shoe = poor(chips=chips)
    log_open(table, shoe, table.offers([1, 3]), unfunded=(2,))
    return caught(table.house, field="unfunded", expected=[], found=[2])


@fraud("seats-unaccounted", each=["bets", "uncovered", "passed"])
def a_chair_without_chips_that_stands_twice(where: str) -> Planted:
    """Each chair stands in just one of the lists."""
    table = at_table("chinese" if where == "uncovered" else "casino", (1, 2, 3))
    if where == "uncovered":
        table, shoe = banked("chinese", (15, 1000, 1000))
        log_open(table, shoe, [Bet(2, 5, 2)], uncovered=(Bet(3, 5, 3),), unfunded=(3,))
        return caught(table.house, field="unfunded", expected=[], found=[3])
    shoe, _ = sealed_at(table)
    log_open(
        table,
        shoe,
        table.offers([1, 3] if where == "bets" else [1]),
        passed=(2,) if where == "bets" else (2, 3),
        unfunded=(3,),
    )
    return caught(table.house, field="unfunded", expected=[], found=[3])


@fraud("seats-unaccounted")
def chairs_without_chips_in_another_order() -> Planted:
    table, shoe = poor()
    table.chips("cash-out", 3, 4999)
    log_open(table, shoe, table.offers([1]), unfunded=(3, 2))
    return caught(table.house, field="unfunded", expected=[2, 3], found=[3, 2])


@fraud("seats-unaccounted", each=["newcomer", "left out", "empty", "struck"])
def a_chair_without_a_part_said_to_have_no_chips(why: str) -> Planted:
    """Only whoever could bet with chips is named."""
    table = at_table(seats=(1, 2, 3))
    if why == "left out":
        table.silent = {"casino-p3"}
    if why == "struck":
        table.lapsing = {"casino-p3"}
    shoe, _ = sealed_at(table)
    seat = {"newcomer": 4, "empty": 5}.get(why, 3)
    if why == "newcomer":
        table.chips("buy-in", 4, 1)
    elif seat == 3:
        table.chips("cash-out", 3, 5000)
    bettors = [1, 2] if seat == 3 else [1, 2, 3]
    log_open(table, shoe, table.offers(bettors), unfunded=(seat,))
    return caught(table.house, field="unfunded", expected=[], found=[seat])


@fraud("seats-unaccounted")
def a_banker_said_to_have_no_chips() -> Planted:
    table, shoe = banked("chinese", (1000, 1000, 1000))
    log_open(table, shoe, [Bet(2, 5, 2), Bet(3, 5, 3)], unfunded=(1,))
    return caught(table.house, field="unfunded", expected=[], found=[1])


@fraud("seats-unaccounted")
def a_chair_with_a_waiver_left_out_when_its_chips_are_gone() -> Planted:
    """It had a part in the shoe by its waiver, and has it still."""
    table, shoe, sealed = sealed_table()
    table.chips("buy-in", 3, 1000)
    log_open(table, shoe, bets := table.offers([1, 2, 3]), waived=(3,))
    table.round(shoe, sealed, bets)
    table.chips("cash-out", 3, table.table.purse[3] - 1)
    log_open(table, shoe, table.offers([1, 2]))
    return caught(table.house, field="unfunded", expected=[3], found=[])


@fraud("bets-not-forced")
def a_lounge_seat_said_to_have_no_chips() -> Planted:
    table = at_table("lounge", (1, 2, 3), gift=3000)
    log_open(table, table.prepare(), [Bet(1, 3000, 1), Bet(2, 3000, 2)], unfunded=(3,))
    return caught(table.house, field="bets", found=[1, 2])


# Who was waited for and not heard.


def hashed(claim: list[str] | None, *silent: int, seats: tuple[int, ...] = (1, 2, 3)) -> Planted:
    """Hashes without those of some chairs, which were waited for, and what the entry says of them."""
    table = at_table("boxes", seats)
    return unheard(table, claim, *silent)


def unheard(table: Seating, claim: list[str] | None, *silent: int) -> Planted:
    table.silent = {f"boxes-p{seat}" for seat in silent}
    shoe = table.commit()
    table.hash(shoe)
    entries = entries_in(table.house)
    entries[-1].pop("unheard", None)
    if claim is not None:
        entries[-1]["unheard"] = claim
    return caught(entries, field="unheard", found=claim)


@fraud("seeds-differ", each=["nobody", "one of two", "another's", "in another order", "twice", "a stranger too"])
def somebody_not_heard(claim: str) -> Planted:
    """The house hides whom it left out, or blames somebody whom it heard."""
    names: dict[str, list[str] | None] = {
        "nobody": None,
        "one of two": ["boxes-p2"],
        "another's": ["boxes-p1", "boxes-p2"],
        "in another order": ["boxes-p3", "boxes-p2"],
        "twice": ["boxes-p2", "boxes-p2", "boxes-p3"],
        "a stranger too": ["boxes-p2", "boxes-p3", "eve"],
    }
    return hashed(names[claim], 2, 3)._replace(expected=["boxes-p2", "boxes-p3"])


@fraud("seeds-differ")
def somebody_heard_said_to_be_silent() -> Planted:
    return hashed(["boxes-p2"])._replace(expected=[])


@fraud("seeds-differ")
def somebody_absent_said_to_be_waited_for() -> Planted:
    """Two limits have lapsed: nobody waits any more."""
    table = at_table("boxes", (1, 2, 3))
    table.silent = {"boxes-p3"}
    table.away = list  # type: ignore[method-assign]
    table.play(2)
    return unheard(table, ["boxes-p3"], 3)._replace(expected=[])


@fraud("seeds-differ", each=["left", "came back"])
def somebody_who_left_said_to_be_waited_for(what: str) -> Planted:
    """Who leaves before the opening is struck, and stays so."""
    table = at_table("boxes", (1, 2, 3))
    shoe = table.commit()
    table.leave(3)
    if what == "came back":
        table.chips("buy-in", 3, 100)
    del shoe.seeds["boxes-p3"]
    table.hash(shoe)
    entries = entries_in(table.house)
    entries[-1]["unheard"] = ["boxes-p3"]
    return caught(entries, field="unheard", expected=[], found=["boxes-p3"])


@fraud("seeds-differ")
def a_newcomer_said_to_be_waited_for() -> Planted:
    """Without a part in the shoe, whatever it sends."""
    table = at_table("boxes")
    shoe = table.commit()
    table.chips("buy-in", 3, 100)
    table.hash(shoe)
    entries = entries_in(table.house)
    entries[-1]["unheard"] = ["boxes-p3"]
    return caught(entries, field="unheard", expected=[], found=["boxes-p3"])
