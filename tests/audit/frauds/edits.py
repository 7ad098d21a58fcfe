"""Single fields and entries changed in an honest log; entries of another form than the format has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from audit_cli.registry import KINDS
from fairshoe.record import entries as forms
from tests.house import Seating

from ..planting import (
    Entry,
    Planted,
    after,
    at_table,
    caught,
    crooked,
    entries_in,
    entries_of,
    fraud,
    inserted,
    places,
)

ROUNDS: dict[str, tuple[str, Callable[[Entry], Any], str]] = {
    "a total": ("total-differs", lambda e: e["hands"][0].update(total=30), "hands[0].total"),
    "the dealer's total": ("dealer-total-differs", lambda e: e["dealer"].update(total=30), "dealer.total"),
    "an outcome": ("outcome-differs", lambda e: e["hands"][0].update(outcome="surrender"), "hands[0].outcome"),
    "a bet": ("bet-differs", lambda e: e["hands"][0].update(bet=500), "hands[0].bet"),
    "a hand dropped": ("hands-differ", lambda e: e["hands"].pop(), "hands"),
    "cards of two hands": ("hand-cards-differ", lambda e: e["hands"][0]["cards"].reverse(), "hands[0].cards[0]"),
    "a decision more": ("decision-extra", lambda e: e["decisions"].append({"move": "stand", "seat": 2}), "decision"),
}


def a_round_changed(what: str) -> Planted:
    _, change, field = ROUNDS[what]
    entries = entries_of("casino")
    index = next(i for i in places(entries, "round") if len(entries[i]["hands"]) == 2)
    change(entries[index])
    return caught(entries, index, field=field)


for name, (code, *_) in ROUNDS.items():
    fraud(code, each=[name])(a_round_changed)


@fraud("card-unknown", "card-differs")
def a_card_that_no_deck_has() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "round")[0]
    entries[index]["cards"][0] = "1x"
    return caught(entries, index, field="cards")


@fraud("cards-extra")
def one_card_too_many() -> Planted:
    entries = entries_of("banker")
    index = places(entries, "round")[0]
    entries[index]["cards"].append("5d")
    return caught(entries[: index + 1], field="cards")


@fraud("cards-missing")
def cards_dropped_from_the_middle_of_a_round() -> Planted:
    entries = entries_of("casino")
    index = next(i for i in places(entries, "round") if len(entries[i]["decisions"]) > 3)
    del entries[index]["cards"][3:]
    return caught(entries[: index + 1], field="cards", found=3)


# Tables, shoes, seals.


@fraud("options-differ")
def an_option_left_out() -> Planted:
    """Today's options all stand, also at their default."""
    entries = entries_of("casino")
    del entries[0]["options"]["insert"]
    return caught(entries, 0, field="options.insert")


@fraud("options-invalid")
def an_option_that_does_not_exist() -> Planted:
    entries = entries_of("casino")
    entries[0]["options"]["luck"] = 1
    return caught(entries[:1], field="options.luck")


@fraud("table-duplicate")
def a_table_opened_twice() -> Planted:
    entries = entries_of("casino")
    return caught(inserted(entries, 3, entries[0]), 3, field="table", found="casino")


@fraud("shoe-unknown")
def a_shoe_without_its_commitment() -> Planted:
    entries = entries_of("casino")
    entry = forms.seeds_entry(after(entries), "casino/77", {"casino-p1": "ab" * 32}, None)
    return caught([*entries, entry], field="shoe", expected="a shoe in play", found="casino/77")


@fraud("cards-root-differs")
def a_seal_that_binds_other_cards() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "seal", shoe="raffle")[0]
    root = entries[index]["cards_root"]
    entries[index]["cards_root"] = root[::-1]
    reveal = places(entries, "reveal", shoe="raffle")[0]
    return caught(entries, reveal, field="cards_root", expected=root, found=root[::-1])


@fraud("beacon-differs", "order-differs", "draw-differs", "cards-root-differs", each=["round", "randomness"])
def another_beacon(field: str) -> Planted:
    """Of another round than announced, or whose randomness is not the hash of its signature."""
    entries = entries_of("everything")
    index = places(entries, "seal", shoe="raffle")[0]
    entries[index]["beacon"][field] = 1001 if field == "round" else "ab" * 32
    return caught(entries, index, field="beacon" if field == "round" else "beacon.randomness")


@fraud("shoe-differs")
def a_deck_whose_labels_do_not_hash_to_its_name() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "deck")[1]
    entries[index]["labels"][0] = "ticket 99"
    name = entries[index]["deck"]
    return caught(entries[: index + 1], field="deck", found=name)


@fraud("number-gap")
def a_round_number_left_out() -> Planted:
    entries = entries_of("casino")
    for entry in entries[places(entries, "open")[3] :]:
        if "round" in entry:
            entry["round"] += 1
    return caught(entries, places(entries, "open")[3], field="round", expected=4, found=5)


# Syntax.


@fraud("field-invalid", each=["", "x" * 65, "Eve\n", "Eve\x1b[2J", "\x85", 7])
def a_name_that_cannot_be_written(name: Any) -> Planted:
    """Control characters would let a name forge lines of a report."""
    table = at_table()
    table.chips("buy-in", 3, 100, name="Eve")
    entries = entries_in(table.house)
    entries[-1]["name"] = name
    return caught(entries, field="name", found=name)


@fraud("field-invalid")
def a_name_without_a_buy_in() -> Planted:
    table = at_table()
    table.chips("cash-out", 2, 100, name="Eve")
    return caught(table.house, field="name", found="Eve")


@fraud("kind-unknown")
def a_kind_that_nobody_knows() -> Planted:
    entries = entries_of("casino")
    entry = {"v": 1, "kind": "wish", "at": after(entries)}
    return caught([*entries, entry], field="kind", found="wish")


@fraud("entry-not-canonical")
def a_line_written_with_a_space() -> Planted:
    lines = crooked(Seating, rounds=2)[0].lines
    lines[4] = lines[4].replace(b'"kind":', b'"kind": ')
    return Planted(lines[:5], 4)


LISTS = {
    "shoe": ["owes", "waits", "away", "paid"],
    "seeds": ["unheard"],
    "open": ["waived", "passed", "late", "uncovered", "unfunded"],
    "round": ["reshuffled"],
    "bank": ["decisions", "cards"],
    "start": ["lost", "tables"],
}
OBJECTS = {
    "shoe": ["memory", "policy", "beacon"],
    "seeds": ["cut"],
    "opened": ["cut"],
    "bank": ["chips"],
    "seal": ["beacon"],
}
"""Optional fields that are objects."""
EMPTY = [f"{kind}.{field}" for kind, fields in LISTS.items() for field in fields]
EMPTY_OBJECTS = [f"{kind}.{field}" for kind, fields in OBJECTS.items() for field in fields]


def changed(kind: str, field: str, value: Any) -> Planted:
    """The first entry of the kind that has not this field, with it."""
    entries = entries_of("everything")
    index = next(i for i in places(entries, kind) if field not in entries[i])
    entries[index][field] = value
    return caught(entries, index, field=field, found=value)


@fraud("field-invalid", each=EMPTY)
def a_list_that_is_empty(name: str) -> Planted:
    """What says nothing is left out: of one thing there is one way to write it."""
    kind, field = name.split(".")
    return changed(kind, field, [])


@fraud("field-invalid", each=EMPTY_OBJECTS)
def an_object_that_is_empty(name: str) -> Planted:
    kind, field = name.split(".")
    return changed(kind, field, {})


@fraud("field-invalid", each=["table.digest", "seal.seeds", "seal.cut", "shoe.later", "start.note"])
def a_field_that_no_kind_lists(name: str) -> Planted:
    """As an earlier form of the log had some."""
    values = {"digest": "ab" * 32, "seeds": {"ann": "ab"}, "cut": {"at": 7}}
    kind, field = name.split(".")
    assert field not in KINDS[kind].required | KINDS[kind].optional
    return changed(kind, field, values.get(field, 1))


MOMENTS: dict[str, dict[str, Any]] = {
    "the table's without": {"by": "table"},
    "a seat's with one": {"at": "2026-01-01T00:00:00.000000Z"},
    "no moment": {"at": "2026-01-01T00:00:00Z", "by": "table"},
    "nobody's": {"at": "2026-01-01T00:00:00.000000Z", "by": "house"},
}


@fraud("field-invalid", each=[f"round: {wrong}" for wrong in MOMENTS])
@fraud("field-invalid", "decision-missing", each=[f"bank: {wrong}" for wrong in MOMENTS])
def the_moment_of_a_decision(name: str) -> Planted:
    """Those of the table have one, those of seats have none."""
    kind, wrong = name.split(": ")
    entries = entries_of("everything")
    index = next(i for i in places(entries, kind) if entries[i].get("decisions"))
    for field in ("at", "by"):
        entries[index]["decisions"][0].pop(field, None)
    entries[index]["decisions"][0] |= MOMENTS[wrong]
    return caught(entries[: index + 1], field="decisions", found=entries[index]["decisions"])


@fraud("field-invalid", each=[0, -1, "1", "", None, True, [1], {}])
def a_version_that_is_none(version: Any) -> Planted:
    """It is an integer from 1."""
    entries = entries_of("casino")
    entries[1]["v"] = version
    return caught(entries, 1, field="v", found=version)


@fraud("field-invalid")
def no_version() -> Planted:
    entries = entries_of("casino")
    del entries[1]["v"]
    return caught(entries, 1, field="v", found=None)
