"""Which entries of a log one hand needs, and what a `shoe` says of who sits where."""

from __future__ import annotations

from typing import Any

from fairshoe.log.canonical import encode
from fairshoe.record.hand_entries import named_in, newcomers_in, seated, unnamed
from tests.audit.proofs import entries_for

SHOE = {"chips": {"1": 90, "2": 80, "4": 0, "5": 70, "house": -9}, "roster": ["ann", "eve"], "owes": [4], "away": [2]}


def log(*entries: dict[str, Any]) -> list[bytes]:
    return [encode(entry) for entry in entries]


def chips(op: str, seat: int, player: str, **more: Any) -> dict[str, Any]:
    return {"kind": "chips", "op": op, "player": player, "seat": seat, "table": "t", **more}


def shoe(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "shoe": "t/1", **more}


def begun(*before: dict[str, Any]) -> list[dict[str, Any]]:
    """A shoe of many rounds, sealed, with ann in chair 1 and bob in chair 2."""
    return [
        {"kind": "table", "table": "t"},
        chips("buy-in", 1, "ann"),
        chips("buy-in", 2, "bob"),
        *before,
        shoe("shoe", chips={"1": 9, "2": 9, "house": 0}, roster=["ann", "bob"]),
        shoe("seeds", hashes={"ann": "", "bob": ""}),
        shoe("opened", player="bob"),
        shoe("opened", player="ann"),
        shoe("seal"),
    ]


def opened(number: int, seats: list[int], **more: Any) -> dict[str, Any]:
    return shoe("open", round=number, bets=[{"amount": 1, "seat": seat} for seat in seats], **more)


def needed(entries: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """The `chips` that a round needs; of these entries alone it needs the same."""
    chosen = entries_for(log(*entries), f"t#{number}")
    again = entries_for([line for _, line in chosen], f"t#{number}")
    assert [line for _, line in again] == [line for _, line in chosen]
    return [entries[index] for index, _ in chosen if entries[index]["kind"] == "chips"]


def test_the_roster_has_the_chairs_that_are_not_left_out_in_order() -> None:
    assert seated(SHOE) == {1: "ann", 5: "eve"}
    assert seated({"roster": ["ann"]}) == {}
    assert unnamed(4) == "seat 4"


def test_whom_an_open_names_and_who_of_them_may_have_no_seed() -> None:
    entry = {**opened(1, [3, 1]), "uncovered": [{"amount": 1, "seat": 2}], "waived": [3], "late": [5], "unfunded": [4]}
    assert named_in(entry) == [1, 2, 3, 4, 5]
    assert newcomers_in(entry) == [3, 4, 5]


def test_where_nobody_sat_down_since_the_commitment_no_chips_are_needed() -> None:
    top_up = chips("buy-in", 1, "ann")
    assert needed([*begun(), top_up, opened(1, [1, 2])], 1) == []
    assert needed([*begun(), top_up, opened(1, [2], late=[1])], 1) == []


def test_the_entry_by_which_somebody_sat_down_since_is_needed() -> None:
    sits = chips("buy-in", 3, "eve")
    assert needed([*begun(), sits, opened(1, [1, 3], waived=[3])], 1) == [sits]
    assert needed([*begun(), sits, opened(1, [1], late=[3])], 1) == [sits]
    assert needed([*begun(), sits, opened(1, [1, 2])], 1) == [], "the round does not name the chair"


def test_who_takes_another_chair_needs_one_entry_and_who_comes_back_to_the_same_two() -> None:
    leaves = chips("cash-out", 2, "bob", leaves=True)
    other, same = chips("buy-in", 2, "eve"), chips("buy-in", 2, "bob")
    assert needed([*begun(), leaves, other, opened(1, [1, 2], waived=[2])], 1) == [other]
    assert needed([*begun(), leaves, same, opened(1, [1, 2], waived=[2])], 1) == [leaves, same]


def test_a_contributor_who_leaves_before_the_opening_is_told() -> None:
    leaves = chips("cash-out", 2, "bob", leaves=True)
    entries = [*begun()[:-3], leaves, opened(1, [1])]
    assert needed(entries, 1) == [leaves]


def test_only_the_shoe_of_the_round_is_taken() -> None:
    first = [*begun(), opened(1, [1]), shoe("round", round=1), shoe("reveal")]
    second = [
        {**entry, "shoe": "t/2"} if "shoe" in entry else entry
        for entry in [*begun()[3:], opened(2, [1]), shoe("round", round=2), shoe("reveal")]
    ]
    kinds = [b'"t/2"' in line for _, line in entries_for(log(*first, *second), "t#2")]
    assert kinds == [False, *([True] * 8)]
