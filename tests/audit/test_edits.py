"""Single fields and entries changed by a house that signs the log anew: one case for each code of finding."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairshoe.record import entries as forms
from tests.house import Seating

from .planting import (
    FRAUDS,
    Entry,
    Fraud,
    Planted,
    after,
    at_table,
    caught,
    check_found,
    crooked,
    entries_in,
    entries_of,
    fraud,
    inserted,
    places,
)

Change = Callable[[Entry], Any]


def edit(game: str, kind: str, change: Change, field: str | None, nth: int = 0) -> Planted:
    """One entry of an honest log changed."""
    entries = entries_of(game)
    index = places(entries, kind)[nth]
    change(entries[index])
    return caught(entries, index, field=field)


# Rounds.


@fraud("total-differs")
def a_total_miscounted() -> Planted:
    return edit("casino", "round", lambda e: e["hands"][0].update(total=30), "hands[0].total")


@fraud("dealer-total-differs")
def the_dealers_total_changed() -> Planted:
    return edit("casino", "round", lambda e: e["dealer"].update(total=30), "dealer.total")


@fraud("outcome-differs")
def an_outcome_changed() -> Planted:
    return edit("casino", "round", lambda e: e["hands"][0].update(outcome="surrender"), "hands[0].outcome")


@fraud("bet-differs")
def a_bet_changed_after_it_stood() -> Planted:
    return edit("casino", "round", lambda e: e["hands"][0].update(bet=500), "hands[0].bet")


@fraud("hands-differ")
def a_hand_dropped() -> Planted:
    return edit("casino", "round", lambda e: e["hands"].pop(), "hands")


@fraud("hand-cards-differ")
def two_cards_change_hands() -> Planted:
    return edit("casino", "round", lambda e: e["hands"][0]["cards"].reverse(), "hands[0].cards[0]")


@fraud("card-unknown", "card-differs")
def a_card_that_no_deck_has() -> Planted:
    return edit("casino", "round", lambda e: e["cards"].__setitem__(0, "1x"), "cards")


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


@fraud("decision-missing")
def a_decision_dropped() -> Planted:
    entries = entries_of("casino")
    index = next(i for i in places(entries, "round") if entries[i]["decisions"][-1:] == [{"move": "stand", "seat": 2}])
    entries[index]["decisions"].pop()
    return caught(entries, index, field="decisions", found=len(entries[index]["decisions"]))


@fraud("decision-extra")
def a_decision_invented() -> Planted:
    entries = entries_of("casino")
    index = next(i for i in places(entries, "round") if entries[i]["decisions"][-1:] == [{"move": "stand", "seat": 2}])
    entries[index]["decisions"].append({"move": "stand", "seat": 2})
    return caught(entries, index, field="decision", expected="no decision")


@fraud("decision-illegal")
def a_decision_for_another_seat() -> Planted:
    entries = entries_of("casino")
    index = next(i for i in places(entries, "round") if entries[i]["decisions"])
    entries[index]["decisions"][0]["seat"] = 2
    return caught(entries, index, field="decision")


# Chips.


@fraud("seat-differs")
def chips_for_somebody_who_does_not_sit_there() -> Planted:
    entries = entries_of("casino")
    entry = forms.chips_entry(after(entries), "casino", "cash-out", 2, "nobody", 10, {2: 10})
    return caught([*entries, entry], field="player", expected="casino-p2")


@fraud("chips-not-allowed", "chips-differ")
def chips_moved_while_a_round_is_open() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "round")[0]
    before = entries[2]["chips"]["2"]
    entry = forms.chips_entry("", "casino", "buy-in", 2, "casino-p2", 10, {2: before + 10})
    return caught(inserted(entries, index, entry), index, field="op", expected="no buy-in: a round is open")


@fraud("chips-differ")
def more_cashed_out_than_there_is() -> Planted:
    entries = entries_of("casino")
    entry = forms.chips_entry(after(entries), "casino", "cash-out", 2, "casino-p2", 10**9, {2: 0})
    return caught([*entries, entry], field="amount")


# Tables, shoes, seals.


@fraud("options-differ")
def an_option_left_out() -> Planted:
    """Today's options all stand, also at their default."""
    return edit("casino", "table", lambda e: e["options"].pop("insert"), "options.insert")


@fraud("options-invalid")
def an_option_that_does_not_exist() -> Planted:
    entries = entries_of("casino")
    entries[0]["options"]["luck"] = 1
    return caught(entries[:1], field="options.luck")


@fraud("table-unknown")
def a_table_that_was_never_opened() -> Planted:
    entries = entries_of("casino")
    entry = forms.chips_entry(after(entries), "other", "buy-in", 1, "eve", 10, {1: 10})
    return caught([*entries, entry], field="table", found="other")


@fraud("table-duplicate")
def a_table_opened_twice() -> Planted:
    entries = entries_of("casino")
    return caught(inserted(entries, 3, entries[0]), 3, field="table", found="casino")


@fraud("shoe-unknown")
def a_shoe_without_its_commitment() -> Planted:
    entries = entries_of("casino")
    entry = forms.seeds_entry(after(entries), "casino/77", {"casino-p1": "ab" * 32}, None)
    return caught([*entries, entry], field="shoe", expected="a shoe in play", found="casino/77")


@fraud("shoe-differs")
def a_player_left_out_of_the_roster() -> Planted:
    entries = entries_of("boxes")
    index = places(entries, "shoe")[0]
    entries[index]["roster"].remove("boxes-p2")
    return caught(entries[: index + 1], field="roster", expected=["boxes-p1", "boxes-p2"], found=["boxes-p1"])


@fraud("shoe-differs")
def a_smaller_deck() -> Planted:
    entries = entries_of("boxes")
    index = places(entries, "shoe")[0]
    entries[index] |= {"deck": "french:4", "cards": 208}
    return caught(entries[: index + 1], field="deck", expected="french:8", found="french:4")


@fraud("key-mismatch")
def another_key_revealed() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "reveal")[0]
    key = hashlib.sha256(b"another").digest()
    entries[index]["key"] = key.hex()
    wanted = entries[places(entries, "shoe")[0]]["commitment"]
    found = f"hashes to {hashlib.sha256(key).hexdigest()}"
    return caught(entries, index, field="key", expected=wanted, found=found)


@fraud("burn-differs")
def a_burned_card_changed() -> Planted:
    entries = entries_of("pontoon")
    index = next(i for i in places(entries, "seal") if "burn" in entries[i])
    burn = entries[index]["burn"]
    entries[index]["burn"] = "Ac" if burn != "Ac" else "2c"
    return caught(entries, index, field="burn", expected=burn, found=entries[index]["burn"])


@fraud("cards-root-differs")
def a_seal_that_binds_other_cards() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "seal", shoe="raffle")[0]
    root = entries[index]["cards_root"]
    entries[index]["cards_root"] = root[::-1]
    reveal = places(entries, "reveal", shoe="raffle")[0]
    return caught(entries, reveal, field="cards_root", expected=root, found=root[::-1])


@fraud("beacon-differs", "order-differs", "draw-differs", "cards-root-differs")
def another_round_of_the_beacon() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "seal", shoe="raffle")[0]
    announced = {"chain": entries[index]["beacon"]["chain"], "round": 1000}
    entries[index]["beacon"]["round"] = 1001
    return caught(entries, index, field="beacon", expected=announced, found=announced | {"round": 1001})


@fraud("beacon-differs", "order-differs", "draw-differs", "cards-root-differs")
def randomness_that_is_not_the_hash_of_its_signature() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "seal", shoe="raffle")[0]
    entries[index]["beacon"]["randomness"] = "ab" * 32
    return caught(entries, index, field="beacon.randomness", found="ab" * 32)


@fraud("cut-differs")
def a_cut_made_twice_for_a_shoe_without_a_table() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "opened", shoe="raffle")[0]
    entries[index]["cut"] = {"at": 3, "by": "bob"}
    return caught(entries, index, field="cut", expected="no cut but in `seeds`", found={"at": 3, "by": "bob"})


@fraud("shoe-differs")
def a_roster_that_names_somebody_twice() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "shoe", shoe="raffle")[0]
    entries[index]["roster"].append("ann")
    return caught(entries[: index + 1], field="roster", found=["ann", "bob", "cleo", "ann"])


@fraud("position-differs")
def more_cards_used_than_the_deck_has() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "reveal", shoe="raffle-3")[0]
    entries[index]["end"] = 31
    return caught(entries, index, field="end", expected=30, found=31)


@fraud("shoe-differs")
def a_deck_whose_labels_do_not_hash_to_its_name() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "deck")[1]
    entries[index]["labels"][0] = "ticket 99"
    name = entries[index]["deck"]
    return caught(entries[: index + 1], field="deck", found=name)


@fraud("step-out-of-order")
def a_deck_given_twice() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "deck")[0]
    again = entries[index] | {"at": entries[index + 2]["at"]}
    return caught([*entries[: index + 2], again], field="part", expected="no deck twice", found="1 of 2")


# Order.


@fraud("time-order")
def a_time_before_its_neighbours() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "open")[5]
    moment = "2025-01-01T00:00:00.000000Z"
    entries[index]["at"] = moment
    return caught(entries, index, field="at", found=moment)


@fraud("number-gap")
def a_round_number_left_out() -> Planted:
    entries = entries_of("casino")
    for entry in entries[places(entries, "open")[3] :]:
        if "round" in entry:
            entry["round"] += 1
    return caught(entries, places(entries, "open")[3], field="round", expected=4, found=5)


# Syntax.


@fraud("field-invalid")
def a_field_that_nobody_knows() -> Planted:
    entries = entries_of("casino")
    entries[-1]["note"] = "x"
    return caught(entries, field="note", found="x")


@fraud("field-invalid")
def a_day_that_the_calendar_does_not_have() -> Planted:
    entries = entries_of("casino")
    entries[-1]["at"] = "2026-02-30T00:00:00.000000Z"
    return caught(entries, field="at", found="2026-02-30T00:00:00.000000Z")


@fraud("field-invalid")
def a_time_of_milliseconds() -> Planted:
    entries = entries_of("casino")
    entries[1]["at"] = "2026-01-01T00:00:00.244Z"
    return caught(entries[:2], field="at", found="2026-01-01T00:00:00.244Z")


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


CASES = [case for case in FRAUDS if case.module == __name__]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_it_is_found(case: Fraud, tmp_path: Path) -> None:
    check_found(case, tmp_path)
