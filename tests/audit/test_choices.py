"""What is counted of choices, counted again from the entries alone: by log, table and player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from fairshoe.ceremony.book import Shoe
from fairshoe.ceremony.choices import Choices, count_choices
from fairshoe.ceremony.policy import Policy
from fairshoe.ceremony.stages import Stage

from .planting import Entry, entries_of
from .walk import encoded, full

OPEN = {"waived": "waiver", "passed": "pass", "late": "late bet", "unfunded": "unfunded"}
COUNTED = {
    *OPEN.values(),
    *("put out by the house", "refund", "sole contributor", "hash not heard", "bet without cover", "lapse"),
    *("decision by the table", "decision of the bank", "seed handed in late", "banked without a seed", "bust"),
    *(f"void: {why}" for why in ("seed", "reshuffle", "age", "bank", "close", "idle")),
    *(f"ended before it was worn: {why}" for why in ("age", "bank", "left")),
    "cards left in shoes ended before they were worn",
    "short seed",
    "sealed without a root",
}


def again(entries: Sequence[Entry]) -> Iterator[tuple[str, str, str]]:
    """Table, player and name of each choice; "" where there is none."""
    sits: dict[tuple[str, int], str] = {}
    bank: dict[str, str] = {}
    rosters: dict[str, list[str]] = {}
    heard: dict[str, set[str]] = {}
    cards: dict[str, int] = {}
    many = {entry["table"] for entry in entries if entry["kind"] == "table" and entry["rules"] in ("casino", "pontoon")}
    lasting: set[str] = set()
    for entry in entries:
        kind, shoe = entry["kind"], entry.get("shoe", "")
        short = len(entry.get("seed", "-" * 32)) < 32
        table = entry.get("table") or (shoe.rpartition("/")[0] if kind != "shoe" or "chips" in entry else "")
        if kind == "chips":
            sits[table, entry["seat"]] = entry["player"]
            named = ["put out by the house"] * ("by" in entry) + ["refund"] * (entry["op"] == "refund")
            yield from ((table, entry["player"], name) for name in named)
        elif kind == "shoe":
            rosters[shoe], heard[shoe], cards[shoe] = entry["roster"], set(), entry["cards"]
            bank[table] = entry.get("bank", "")
            lasting |= {shoe} if table in many and "purpose" not in entry else set()
            yield from ((table, who, "sole contributor") for who in entry["roster"] if len(entry["roster"]) == 1)
        elif kind == "seal" and shoe in lasting and "cards_root" not in entry:
            yield table, "", "sealed without a root"
        elif kind == "seeds":
            yield from ((table, who, "hash not heard") for who in rosters[shoe] if who not in entry["hashes"])
        elif kind == "open":
            yield from ((table, sits[table, seat], OPEN[field]) for field in OPEN for seat in entry.get(field, ()))
            yield from ((table, sits[table, bet["seat"]], "bet without cover") for bet in entry.get("uncovered", ()))
        elif kind in ("lapse", "late", "void"):
            name = {"lapse": "lapse", "late": "seed handed in late"}.get(kind) or f"void: {entry['why']}"
            yield table, entry.get("by" if kind == "void" else "player", ""), name
            yield from [(table, entry.get("player", ""), "short seed")] * short
        elif kind == "opened":
            heard[shoe].add(entry["player"])
            yield from [(table, entry["player"], "short seed")] * short
        elif kind == "round" and table in bank:
            banker = sits.get((table, int(bank[table])) if bank[table].isdecimal() else ("", 0), "")
            if banker and banker not in heard[shoe]:
                yield table, banker, "banked without a seed"
        elif kind == "reveal" and entry["why"] != "worn":
            yield table, "", f"ended before it was worn: {entry['why']}"
            for _ in range(cards[shoe] - entry["end"] if table else 0):
                yield table, "", "cards left in shoes ended before they were worn"
        for hand in entry.get("hands", ()):
            if hand["outcome"] == "bust":
                yield table, sits[table, hand["seat"]], "bust"
        for made in entry.get("decisions", ()):
            player = sits[table, made["seat"]]
            if made.get("by") == "table":
                yield table, player, "decision by the table"
            elif str(made["seat"]) == bank[table]:
                yield table, player, "decision of the bank"
        if kind == "bank":
            bank[table] = str(entry["to"])


@pytest.mark.parametrize("log", ["everything", "casino", "boxes", "chinese", "lounge", "pontoon"])
def test_choices_are_those_that_the_entries_show(log: str) -> None:
    entries = entries_of(log)
    choices: dict[str, Any] = full(encoded(entries)).as_json()["choices"]
    found = Counter(again(entries))
    tables: Counter[tuple[str, str]] = Counter()
    named: Counter[str] = Counter()
    for (table, _, name), times in found.items():
        named[name] += times
        tables[table, name] += times
    only = {(table, who, name): times for (table, who, name), times in found.items() if who and name in COUNTED}
    told = {
        (table, who, name): times
        for table, players in choices["players"].items()
        for who, counts in players.items()
        for name, times in counts.items()
        if name in COUNTED
    }
    assert told == {key: times for key, times in only.items() if key[0] in choices["tables"]}
    assert {name: times for name, times in choices["log"].items() if name in COUNTED} == {
        name: times for name, times in named.items() if name in COUNTED
    }
    for table, counts in choices["tables"].items():
        assert {name: times for name, times in counts.items() if name in COUNTED} == {
            name: times for (one, name), times in tables.items() if one == table and name in COUNTED
        }
    assert named


def test_counts_of_two_parts_of_a_log_are_added_by_log_table_and_player() -> None:
    one, other = Choices(), Choices()
    one.add("t1", iter([("pass", "ann", 1), ("pass", "bob", 1), ("void: idle", None, 1)]))
    other.add("t1", iter([("pass", "ann", 2), ("lapse", "ann", 1)]))
    other.add("t2", iter([("pass", "ann", 1)]))
    other.add(None, iter([("start", None, 1)]))
    one.count(other)
    assert one.as_json() == {
        "log": {"lapse": 1, "pass": 5, "start": 1, "void: idle": 1},
        "tables": {"t1": {"lapse": 1, "pass": 4, "void: idle": 1}, "t2": {"pass": 1}},
        "players": {"t1": {"ann": {"lapse": 1, "pass": 3}, "bob": {"pass": 1}}, "t2": {"ann": {"pass": 1}}},
    }


def test_who_was_invited_to_a_shoe_without_a_table_and_is_not_heard_by_its_seal() -> None:
    at = "2026-01-01T00:00:00.000000Z"
    shoe, seal = Shoe("game/1", at, ["ann", "bob"], Policy(), 52), {"kind": "seal"}
    assert list(count_choices(None, shoe, seal)) == [("hash not heard", "ann", 1), ("hash not heard", "bob", 1)]
    assert list(count_choices(None, None, seal)) == []
    assert list(count_choices(None, replace(shoe, stage=Stage.SEED), seal)) == [], "they were counted at `seeds`"
