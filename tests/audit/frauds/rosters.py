"""What a commitment must say: who contributes, who cuts, the table as it stands; when it may be made."""

from __future__ import annotations

from fairshoe.record import entries as forms
from tests.house import POLICY, Seating

from ..planting import (
    Planted,
    at_table,
    caught,
    entries_in,
    entries_of,
    fraud,
    log_open,
    places,
)

# The roster.


def claimed(table: Seating, **reasons: list[int]) -> Planted:
    """A commitment that gives these reasons for chairs that it leaves out, those in `away` rightly or not."""
    table.away = lambda: reasons.get("away", [])  # type: ignore[method-assign]
    table.left_out = lambda roster: reasons  # type: ignore[method-assign]
    table.commit()
    return caught(table.house)


@fraud("away-not-allowed", "shoe-differs", each=["nobody"])
@fraud("away-not-allowed", each=["acts", "one limit"])
def somebody_left_out_as_away(wrong: str) -> Planted:
    table = at_table("boxes", (1, 2, 3))
    table.silent = {"boxes-p3"} if wrong == "one limit" else set()
    table.play(1)
    seat = 7 if wrong == "nobody" else 3
    return claimed(table, away=[seat])._replace(field="away", expected="some of []", found=[seat])


@fraud("away-not-allowed")
def somebody_left_out_as_away_who_acted_since() -> Planted:
    table = at_table("boxes", (1, 2, 3))
    table.silent = {"boxes-p3"}
    table.away = list  # type: ignore[method-assign]
    table.play(2)
    assert table.missed["boxes-p3"] == 2
    table.chips("buy-in", 3, 10)
    table.away = lambda: [3]  # type: ignore[method-assign]
    table.commit()
    return caught(table.house, field="away", found=[3])


@fraud("shoe-differs")
def somebody_left_out_without_a_word() -> Planted:
    table = at_table("boxes", (1, 2, 3))
    table.roster = lambda away=(): ["boxes-p1", "boxes-p3"]  # type: ignore[method-assign]
    return claimed(table)._replace(field="roster", found=["boxes-p1", "boxes-p3"])


@fraud("shoe-differs")
def somebody_in_the_roster_who_does_not_sit() -> Planted:
    table = at_table("boxes")
    table.roster = lambda away=(): ["boxes-p1", "boxes-p2", "shill"]  # type: ignore[method-assign]
    table.commit()
    return caught(table.house, field="roster", expected=["boxes-p1", "boxes-p2"])


@fraud("step-out-of-order")
def a_shoe_committed_to_at_an_empty_table() -> Planted:
    """It would wait, sealed by nobody, for whoever sits down."""
    table = at_table("boxes")
    table.leave_all()
    table.commit()
    return caught(table.house, expected="a table where somebody sits", found="boxes/1")


@fraud("step-out-of-order", "bet-without-seed", each=["open"])
@fraud("step-out-of-order", "seed-uninvited", each=["opened"])
@fraud("step-out-of-order", each=["seal"])
def somebody_treated_as_alone_while_another_sits_there(kind: str) -> Planted:
    """Left out as away, rightly; but then the only contributor sends a hash like everybody."""
    table = at_table("boxes")
    table.silent = {"boxes-p2"}
    table.away = list  # type: ignore[method-assign]
    table.play(2)
    table.away = lambda: [2]  # type: ignore[method-assign]
    shoe = table.commit()
    assert shoe.roster == ["boxes-p1"]
    if kind == "open":
        log_open(table, shoe, table.offers([1]))
    elif kind == "opened":
        table.opened(shoe, "boxes-p1")
    else:
        table.house.log(forms.seal_entry(table.house.at(), shoe.id))
    return caught(table.house)


# The table as it stands.


@fraud(
    "shoe-differs", each=["chips.1", "chips.house", "bank", "memory.held", "draws.cut", "cards", "purpose", "policy"]
)
def a_table_that_stands_otherwise(field: str) -> Planted:
    table = at_table("chinese", (1, 2, 3))
    table.settle_bank()
    table.commit()
    entry = entries_in(table.house)[-1]
    top, _, name = field.partition(".")
    if name:
        entry[top][name] = 77
    else:
        entry[top] = {"bank": "2", "cards": 77, "purpose": "bank", "policy": dict(POLICY)}[top]
    return caught([*entries_in(table.house)[:-1], entry], field=field)


@fraud("shoe-differs", each=["bank", "chips", "memory", "draws.insert"])
def a_table_of_which_nothing_is_said(field: str) -> Planted:
    table = at_table("chinese" if field == "memory" else "casino", (1, 2, 3))
    table.settle_bank()
    table.commit()
    entries = entries_in(table.house)
    top, _, name = field.partition(".")
    del (entries[-1][top] if name else entries[-1])[name or top]
    return caught(entries, field=field)


@fraud("shoe-differs")
def a_raffle_with_a_tables_chips() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "shoe", shoe="raffle")[0]
    entries[index]["chips"] = {"1": 5}
    return caught(entries[: index + 1], field="chips", found={"1": 5})


@fraud("beacon-at-table")
def a_beacon_at_a_table() -> Planted:
    """Nobody has checked its signature: the house may choose what it said."""
    table = at_table()
    table.commit()
    entries = entries_in(table.house)
    entries[-1]["beacon"] = {"chain": "ab" * 32, "round": 1000}
    return caught(entries, field="beacon")


@fraud("table-closed")
def a_shoe_committed_to_after_the_closing() -> Planted:
    table = at_table()
    table.close()
    table.commit()
    return caught(table.house, found="casino/1")


@fraud("table-closed")
def hashes_of_a_shoe_that_is_void_since_the_table_is_closed() -> Planted:
    table = at_table()
    shoe = table.commit()
    table.close()
    table.hash(shoe)
    return caught(table.house, found="casino/1")


@fraud("table-closed")
def bets_on_a_shoe_that_is_void_since_the_table_is_closed() -> Planted:
    table = at_table("boxes")
    shoe = table.prepare()
    table.close()
    table.open(shoe)
    return caught(table.house, expected="the shoe void", found="boxes/1")


@fraud("table-closed")
def a_table_closed_twice() -> Planted:
    table = at_table()
    table.close()
    table.close()
    return caught(table.house, shoe=None, expected="a table is closed once")
