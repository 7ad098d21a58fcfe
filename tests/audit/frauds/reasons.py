"""Why a chair is not in a roster, who has paid for a game; who is made to bank or pay without a part in it."""

from __future__ import annotations

from fairshoe.engine.table import Bet
from fairshoe.log.times import HOUR, SECOND
from tests.house import Seating

from ..planting import Entry, Planted, at_table, caught, entries_in, fraud, log_open, meanwhile

# Why a chair is not in the roster.


def reasons(table: Seating, **given: list[int]) -> Entry:
    """The last entry, a commitment, with these reasons."""
    table.commit()
    entry = entries_in(table.house)[-1]
    for reason in ("owes", "waits", "away"):
        entry.pop(reason, None)
    return entry | given


def owing(*, handed_in: bool = False) -> Seating:
    """Player 1 made a shoe void, and owes a seed, or waits for another shoe's seal; 4 sat down since."""
    table = at_table("boxes", (1, 2, 3))
    if table.unopened_seed() != "boxes-p1":
        raise LookupError("another player opens last")
    if handed_in:
        table.hand_in("boxes-p1")
    else:
        table.keeping = {"boxes-p1"}
    table.chips("buy-in", 4, 100)
    return table


GIVEN: dict[str, dict[str, list[int]]] = {
    "none": {},
    "owes alone": {"owes": [1]},
    "waits alone": {"waits": [4]},
    "both owe": {"owes": [1, 4]},
    "both wait": {"waits": [1, 4]},
    "twice": {"owes": [1], "waits": [1, 4]},
    "somebody of the roster": {"owes": [1], "waits": [2, 4]},
    "an empty chair": {"owes": [1], "waits": [4, 6]},
}


@fraud("shoe-differs", each=GIVEN)
def the_reasons_for_a_chair_left_out(given: str) -> Planted:
    """Who owes, and who sat down since, stand where they belong, and only there."""
    table = owing()
    entry = reasons(table, **GIVEN[given])
    field = "owes" if GIVEN[given].get("owes") != [1] else "waits"
    return caught([*entries_in(table.house)[:-1], entry], field=field, found=entry.get(field))


@fraud("shoe-differs")
def a_debtor_and_a_newcomer_exchanged() -> Planted:
    table = owing()
    entry = reasons(table, owes=[4], waits=[1])
    return caught([*entries_in(table.house)[:-1], entry], field="owes[0]", expected=1, found=4)


@fraud("shoe-differs")
def somebody_who_handed_in_said_to_wait_as_a_newcomer() -> Planted:
    table = owing(handed_in=True)
    entry = reasons(table, waits=[1, 4])
    return caught([*entries_in(table.house)[:-1], entry], field="owes", expected=[1], found=None)


@fraud("shoe-differs", each=["owes", "waits", "none"])
def somebody_away_left_out_for_another_reason(reason: str) -> Planted:
    """Two limits have lapsed, so that the chair may be left out; but it owes nothing and is no newcomer."""
    table = at_table("boxes", (1, 2, 3))
    table.silent = {"boxes-p3"}
    table.away = list  # type: ignore[method-assign]
    table.play(2)
    table.away = lambda: [3]  # type: ignore[method-assign]
    entry = reasons(table, **({} if reason == "none" else {reason: [3]}))
    field = "roster" if reason == "none" else "away"
    return caught([*entries_in(table.house)[:-1], entry], field=field)


@fraud("away-not-allowed", "shoe-differs", each=["owes", "waits"])
def somebody_said_to_be_away_who_has_another_reason(reason: str) -> Planted:
    table = owing()
    entry = reasons(table, **({"waits": [4], "away": [1]} if reason == "owes" else {"owes": [1], "away": [4]}))
    return caught([*entries_in(table.house)[:-1], entry], field="away", expected="some of []")


# Who has paid for a lounge's game.


PAID: dict[str, list[int] | None] = {
    "nobody": None,
    "two of three": [1, 2],
    "one more": [1, 2, 3, 4],
    "twice": [1, 1, 2, 3],
}


@fraud("shoe-differs", each=PAID)
def those_who_paid_for_the_game(claim: str) -> Planted:
    """They are dealt in, and the pool is theirs."""
    table = at_table("lounge", (1, 2, 3), gift=1000)
    table.commit()
    entries = entries_in(table.house)
    entries[-1].pop("paid")
    if (paid := PAID[claim]) is not None:
        entries[-1]["paid"] = paid
    return caught(entries, field="paid", expected=[1, 2, 3], found=paid)


@fraud("shoe-differs", each=[[1, 2, 4], [1, 3, 2]])
def others_said_to_have_paid(claim: list[int]) -> Planted:
    table = at_table("lounge", (1, 2, 3), gift=1000)
    table.commit()
    entries = entries_in(table.house)
    entries[-1]["paid"] = claim
    return caught(entries, field="paid[2]", expected=3, found=claim[2])


@fraud("shoe-differs")
def a_chair_that_was_refunded_said_to_have_paid() -> Planted:
    table = at_table("lounge", (1, 2, 3), gift=1000)
    table.chips("refund", 3, 10_000, game=1, why="round")
    table.commit()
    entries = entries_in(table.house)
    entries[-1]["paid"] = [1, 2, 3]
    return caught(entries, field="paid", expected=[1, 2], found=[1, 2, 3])


@fraud("shoe-differs")
def who_paid_where_nobody_pays() -> Planted:
    table = at_table("boxes")
    table.commit()
    entries = entries_in(table.house)
    entries[-1]["paid"] = [1, 2]
    return caught(entries, field="paid", expected=None, found=[1, 2])


@fraud("shoe-differs")
def who_paid_told_by_the_rules_memory() -> Planted:
    """As it once stood."""
    table = at_table("lounge", (1, 2), gift=1000)
    table.commit()
    entries = entries_in(table.house)
    entries[-1]["memory"] |= {"1": 1}
    return caught(entries, field="memory.1", expected=None, found=1)


@fraud("shoe-not-retired")
def a_newcomer_in_the_bankers_chair_banks_a_shoe_of_the_others() -> Planted:
    """The house's banker leaves, its other seats cannot bank for a moment, and the newcomer has the same chair."""
    table = at_table("chinese", (1, 2, 3), chips=1000)
    table.settle_bank()
    shoe = table.prepare()
    table.chips("cash-out", 1, 1000, leaves=True)
    for seat in (2, 3):
        table.chips("cash-out", seat, 999)
    table.chips("buy-in", 1, 600, player="newcomer")
    table.settle_bank()
    assert table.table.bank == 1
    for seat in (2, 3):
        table.chips("buy-in", seat, 5000)
    log_open(table, shoe, [Bet(2, 100, 2), Bet(3, 100, 3)])
    return caught(table.house, expected="a new shoe after the bank left", found=shoe.id)


@fraud("away-not-allowed", each=["away"])
@fraud("shoe-differs", each=["waits", "owes"])
def a_newcomer_who_banks_left_out_of_the_roster(reason: str) -> Planted:
    """Whoever sits down after a void for a seed waits; but not who banks."""
    table = at_table("chinese", (1, 2, 3, 4), chips=1000)
    table.settle_bank()
    late = table.unopened_seed()
    table.keeping = {late}
    table.chips("buy-in", 5, 600, player="newcomer")
    for seat in (2, 3, 4):
        table.chips("cash-out", seat, table.table.purse[seat] - 1)
    table.chips("cash-out", 1, table.table.purse[1] - 1)
    table.settle_bank()
    assert table.table.bank == 5
    for seat in (2, 3, 4):
        table.chips("buy-in", seat, 5000)
    honest = table.roster()
    assert "newcomer" in honest
    table.roster = lambda away=(): [who for who in honest if who != "newcomer"]  # type: ignore[method-assign]
    table.left_out = lambda roster: {"owes": [1], reason: [5] if reason == "away" else [1, 5]}  # type: ignore[method-assign]
    table.commit()
    if reason == "away":
        return caught(table.house, field="away", expected="some of []", found=[5])
    return caught(table.house, field="roster", expected=honest)


@fraud("chips-not-allowed")
def players_who_pay_for_a_game_whose_first_shoe_is_made_already() -> Planted:
    """They would have no part in it, and it may use up the pool."""
    table = at_table("lounge", (1, 2, 3), gift=9000)
    table.prepare()
    table.chips("buy-in", 4, 10_000, player="newcomer")
    return caught(table.house, field="op", found="buy-in")


@fraud("step-overdue")
def a_pool_that_nobody_gets() -> Planted:
    table = at_table("lounge", (1, 2), gift=1000)
    table.play(1)
    for seat in (1, 2):
        table.leave(seat)
    meanwhile(table.house, 25 * HOUR // SECOND)
    return caught(table.house, table="lounge")
