"""Single fields and entries changed by a house that signs the log anew: one case for each code of finding."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairshoe.record import entries as forms
from tests.house import House, Seating

from .planting import (
    FRAUDS,
    Entry,
    Fraud,
    Planted,
    check_found,
    crooked,
    encoded,
    entries_in,
    entries_of,
    fraud,
    inserted,
    places,
    retimed,
    without,
)

Change = Callable[[Entry], Any]


def edit(game: str, kind: str, change: Change, field: str | None, place: str | None = None, nth: int = 0) -> Planted:
    """One entry of an honest log changed."""
    entries = entries_of(game)
    index = places(entries, kind)[nth]
    change(entries[index])
    if place is None and kind == "round":
        place = f"{game}#{nth + 1}"
    return Planted(encoded(entries), index, place, field)


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
    return Planted(encoded(entries[: index + 1]), index, "banker#1", "cards")


@fraud("cards-missing")
def cards_dropped_from_the_middle_of_a_round() -> Planted:
    entries = entries_of("casino")
    index = next(i for i in places(entries, "round") if len(entries[i]["decisions"]) > 3)
    del entries[index]["cards"][3:]
    return Planted(encoded(entries[: index + 1]), index, f"casino#{entries[index]['round']}", "cards", found=3)


@fraud("decision-missing")
def a_decision_dropped() -> Planted:
    entries = entries_of("casino")
    index = next(i for i in places(entries, "round") if entries[i]["decisions"][-1:] == [{"move": "stand", "seat": 2}])
    entries[index]["decisions"].pop()
    place = f"casino#{entries[index]['round']}"
    return Planted(encoded(entries), index, place, "decisions", found=len(entries[index]["decisions"]))


@fraud("decision-extra")
def a_decision_invented() -> Planted:
    entries = entries_of("casino")
    index = next(i for i in places(entries, "round") if entries[i]["decisions"][-1:] == [{"move": "stand", "seat": 2}])
    entries[index]["decisions"].append({"move": "stand", "seat": 2})
    return Planted(encoded(entries), index, f"casino#{entries[index]['round']}", "decision", "no decision")


@fraud("decision-illegal")
def a_decision_for_another_seat() -> Planted:
    entries = entries_of("casino")
    index = next(i for i in places(entries, "round") if entries[i]["decisions"])
    entries[index]["decisions"][0]["seat"] = 2
    return Planted(encoded(entries), index, f"casino#{entries[index]['round']}", "decision")


# Chips.


@fraud("seat-differs")
def chips_for_somebody_who_does_not_sit_there() -> Planted:
    entries = entries_of("casino")
    entry = forms.chips_entry("2026-12-31T00:00:00.000Z", "casino", "cash-out", 2, "nobody", 10, {2: 10})
    return Planted(encoded([*entries, entry]), len(entries), "casino", "player", "casino-p2")


@fraud("chips-not-allowed", "chips-differ")
def chips_moved_while_a_round_is_open() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "round")[0]
    before = entries[2]["chips"]["2"]
    entry = forms.chips_entry("", "casino", "buy-in", 2, "casino-p2", 10, {2: before + 10})
    return Planted(encoded(inserted(entries, index, entry)), index, "casino#1", found="buy-in")


@fraud("chips-differ")
def more_cashed_out_than_there_is() -> Planted:
    entries = entries_of("casino")
    entry = forms.chips_entry("2026-12-31T00:00:00.000Z", "casino", "cash-out", 2, "casino-p2", 10**9, {2: 0})
    return Planted(encoded([*entries, entry]), len(entries), "casino", "amount")


# Tables, shoes, seals.


@fraud("options-differ")
def an_option_changed() -> Planted:
    return edit("casino", "table", lambda e: e.update(digest="ab" * 32), "digest", "casino")


@fraud("options-invalid")
def an_option_that_does_not_exist() -> Planted:
    entries = entries_of("casino")
    entries[0]["options"]["luck"] = 1
    return Planted(encoded(entries[:1]), 0, "casino", "options.luck")


@fraud("table-unknown")
def a_table_that_was_never_opened() -> Planted:
    entries = entries_of("casino")
    entry = forms.chips_entry("2026-12-31T00:00:00.000Z", "other", "buy-in", 1, "eve", 10, {1: 10})
    return Planted(encoded([*entries, entry]), len(entries), None, "table", ["casino"], "other")


@fraud("table-duplicate")
def a_table_opened_twice() -> Planted:
    entries = entries_of("casino")
    return Planted(encoded(inserted(entries, 3, entries[0])), 3, "casino", "table", None, "casino")


@fraud("shoe-unknown")
def a_shoe_without_its_commitment() -> Planted:
    entries = entries_of("casino")
    entry = forms.seeds_entry("2026-12-31T00:00:00.000Z", "casino/77", {"casino-p1": "ab" * 32}, None)
    return Planted(encoded([*entries, entry]), len(entries), None, "shoe", "a shoe in play", "casino/77")


@fraud("shoe-differs")
def a_player_left_out_of_the_roster() -> Planted:
    entries = entries_of("boxes")
    index = places(entries, "shoe")[0]
    entries[index]["roster"].remove("boxes-p2")
    return Planted(encoded(entries[: index + 1]), index, "boxes", "roster", ["boxes-p1", "boxes-p2"], ["boxes-p1"])


@fraud("shoe-differs")
def a_smaller_deck() -> Planted:
    entries = entries_of("boxes")
    index = places(entries, "shoe")[0]
    entries[index] |= {"deck": "french:4", "cards": 208}
    return Planted(encoded(entries[: index + 1]), index, "boxes", "deck", "french:8", "french:4")


@fraud("key-mismatch")
def another_key_revealed() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "reveal")[0]
    key = hashlib.sha256(b"another").digest()
    entries[index]["key"] = key.hex()
    wanted = entries[places(entries, "shoe")[0]]["commitment"]
    found = f"hashes to {hashlib.sha256(key).hexdigest()}"
    return Planted(encoded(entries), index, "casino", "key", wanted, found)


@fraud("burn-differs")
def a_burned_card_changed() -> Planted:
    entries = entries_of("pontoon")
    index = next(i for i in places(entries, "seal") if "burn" in entries[i])
    burn = entries[index]["burn"]
    entries[index]["burn"] = "Ac" if burn != "Ac" else "2c"
    return Planted(encoded(entries), field="burn", expected=burn, found=entries[index]["burn"])


@fraud("cards-root-differs")
def a_seal_that_binds_other_cards() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "seal", shoe="raffle")[0]
    root = entries[index]["cards_root"]
    entries[index]["cards_root"] = root[::-1]
    return Planted(encoded(entries), len(entries) - 1, None, "cards_root", root, root[::-1])


@fraud("beacon-differs", "draw-differs", "cards-root-differs")
def another_round_of_the_beacon() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "seal", shoe="raffle")[0]
    announced = {"chain": entries[index]["beacon"]["chain"], "round": 1000}
    entries[index]["beacon"]["round"] = 1001
    return Planted(encoded(entries), index, None, "beacon", announced, announced | {"round": 1001})


@fraud("beacon-differs", "draw-differs", "cards-root-differs")
def randomness_that_is_not_the_hash_of_its_signature() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "seal", shoe="raffle")[0]
    entries[index]["beacon"]["randomness"] = "ab" * 32
    return Planted(encoded(entries), index, None, "beacon.randomness", found="ab" * 32)


@fraud("cut-differs", "cards-root-differs")
def a_cut_made_twice_for_a_shoe_without_a_table() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "seal", shoe="raffle")[0]
    entries[index]["cut"] = {"at": 3, "by": "bob"}
    return Planted(encoded(entries), index, None, "cut", None, {"at": 3, "by": "bob"})


@fraud("shoe-differs")
def a_roster_that_names_somebody_twice() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "shoe", shoe="raffle")[0]
    entries[index]["roster"].append("ann")
    return Planted(encoded(entries[: index + 1]), index, None, "roster", found=["ann", "bob", "cleo", "ann"])


@fraud("position-differs")
def more_cards_used_than_the_deck_has() -> Planted:
    entries = entries_of("everything")
    entries[-1]["end"] = 31
    return Planted(encoded(entries), len(entries) - 1, None, "end", 30, 31)


@fraud("shoe-differs")
def a_deck_whose_labels_do_not_hash_to_its_name() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "deck")[1]
    entries[index]["labels"][0] = "ticket 99"
    name = entries[index]["deck"]
    return Planted(encoded(entries[: index + 1]), index, None, "deck", found=name)


@fraud("step-out-of-order")
def a_deck_given_twice() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "deck")[0]
    again = entries[index] | {"at": entries[index + 2]["at"]}
    return Planted(encoded([*entries[: index + 2], again]), index + 2, None, "part", "no deck twice", "1 of 2")


# Order.


@fraud("time-order")
def a_time_before_its_neighbours() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "open")[5]
    entries[index]["at"] = "2025-01-01T00:00:00.000Z"
    return Planted(encoded(entries), index, None, "at", found="2025-01-01T00:00:00.000Z")


@fraud("step-out-of-order", "cut-differs")
def a_seal_before_the_hashes() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "seeds")[0]
    entries = without(entries, index)
    return Planted(encoded(entries[: index + 1]), index, "casino", None, "one seal, after the hashes", "seal")


@fraud("step-out-of-order")
def bets_after_the_seal_of_a_one_round_shoe() -> Planted:
    entries = entries_of("boxes")
    times = [e["at"] for e in entries]
    index = places(entries, "open")[0]
    entries[index], entries[index + 1] = entries[index + 1], entries[index]
    entries = retimed(entries[: index + 2], times)
    return Planted(encoded(entries), index, "boxes", None, "bets before the seal of a one-round shoe", "seal")


@fraud("number-gap")
def a_round_number_left_out() -> Planted:
    entries = entries_of("casino")
    for entry in entries[places(entries, "open")[3] :]:
        if "round" in entry:
            entry["round"] += 1
    return Planted(encoded(entries), places(entries, "open")[3], "casino#5", "round", 4, 5)


@fraud("table-closed")
def a_table_that_goes_on_after_it_closed() -> Planted:
    house = House()
    table = Seating(house, "casino", "casino", (1, 2), packs=3)
    table.play(2, close=True)
    table.prepare()
    return Planted(house.lines, places(entries_in(house), "shoe")[-1], "casino", found="casino/2")


# Syntax.


@fraud("field-invalid")
def a_field_that_nobody_knows() -> Planted:
    entries = entries_of("casino")
    entries[-1]["note"] = "x"
    return Planted(encoded(entries), len(entries) - 1, None, "note", found="x")


@fraud("field-invalid")
def a_day_that_the_calendar_does_not_have() -> Planted:
    entries = entries_of("casino")
    entries[-1]["at"] = "2026-02-30T00:00:00.000Z"
    return Planted(encoded(entries), len(entries) - 1, None, "at", found="2026-02-30T00:00:00.000Z")


@fraud("kind-unknown")
def a_kind_that_nobody_knows() -> Planted:
    entries = entries_of("casino")
    entry = {"v": 1, "kind": "wish", "at": "2026-12-31T00:00:00.000Z"}
    return Planted(encoded([*entries, entry]), len(entries), None, "kind", found="wish")


@fraud("version-unknown")
def an_entry_of_another_version() -> Planted:
    entries = entries_of("casino")
    entry = {**entries[1], "v": 2, "at": "2026-12-31T00:00:00.000Z"}
    return Planted(encoded([*entries, entry]), len(entries), None, "v", 1, 2)


@fraud("entry-not-canonical")
def a_line_written_with_a_space() -> Planted:
    lines = crooked(Seating, rounds=2)[0].lines
    lines[4] = lines[4].replace(b'"kind":', b'"kind": ')
    return Planted(lines[:5], 4)


CASES = [case for case in FRAUDS if case.plant.__module__ == __name__]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_it_is_found(case: Fraud, tmp_path: Path) -> None:
    check_found(case, tmp_path)
