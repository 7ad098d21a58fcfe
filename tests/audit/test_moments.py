"""When the table decides for a seat: honest houses, also restarted ones; where readings of the log once parted.

The frauds beside them are in `frauds/moments.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fairshoe.log.times import microseconds, timestamp
from fairshoe.record import entries as forms

from .frauds.moments import LIMITS, Quiet, decided, moment, restarted
from .planting import Entry, at_table, encoded, entries_in, entries_of, places
from .walk import full


def fails(entries: list[Entry]) -> list[tuple[str, int | None, str | None]]:
    return [(f.code, f.entry, f.field) for f in full(encoded(entries)).findings if f.severity == "fail"]


# Honest.


@pytest.mark.parametrize(
    "entries",
    [
        decided(30, 60),
        decided(30, 60, game="boxes"),
        decided(30, 60, at=60),
        decided(500, 530),
        decided(30, game="pontoon"),
        decided(30, game="pontoon", at=30),
        decided(35, 65, starts=[5]),
        decided(30, 60, at=61, starts=[60.5]),
        decided(30, 61, starts=[31]),
        decided(60, 95, starts=[10, 20, 30, 65]),
        decided(45, game="pontoon", starts=[15]),
        decided(30, game="pontoon", at=31, starts=[30.5]),
    ],
)
def test_who_waits_for_every_limit_passes(entries: list[Entry]) -> None:
    assert fails(entries) == []


@pytest.mark.parametrize("third", [60, 60.5, 80])
def test_nobody_waits_for_a_chair_that_let_two_limits_pass(third: float) -> None:
    """Nor in the same entry: the third comes at once, and the next one's limit runs from there."""
    assert fails(decided(30, 60, third, third + 30, third + 60, third + 90, game="chinese")) == []


@pytest.mark.parametrize("limit", LIMITS)
def test_a_start_at_other_tables_begins_no_limit_anew(limit: str) -> None:
    found = full(restarted(limit, "other").lines).findings
    assert [f.code for f in found] == (["shoe-void"] if limit == "idle" else [])


def test_a_start_at_other_tables_leaves_the_tables_decisions_alone() -> None:
    entries = decided(30, 60, starts=[15], tables=["another"])
    entries.insert(1, entries[0] | {"table": "another", "at": timestamp(microseconds(entries[0]["at"]) + 1)})
    assert fails(entries) == []


# Where readings of the log parted, before decisions had moments of their own.


def beside(*mine: int) -> list[Entry]:
    """A round of pontoon in which the table decides for two seats, and others decide for themselves in between."""

    class Some(Quiet):
        quiet = frozenset(mine)

    table = at_table("pontoon", (1, 2, 3, 4), Some, seed=5)
    while True:
        table.play(1)
        for end, entry in enumerate(entries_in(table.house), 1):
            by = [("by" in each, each["seat"]) for each in entry.get("decisions", ())]
            if entry["kind"] == "round" and [seat for quiet, seat in by if quiet] == list(mine) and len(by) > len(mine):
                return entries_in(table.house)[:end]


def timed(entries: list[Entry], moments: Sequence[float], at: float, start: float) -> list[Entry]:
    """The last round with the table's decisions so many seconds after its `open`, and a `start` before it."""
    *before, last = entries
    begun = microseconds(before[-1]["at"])
    mine = iter(moments)
    for each in last["decisions"]:
        if "by" in each:
            each["at"] = moment(begun, next(mine))
    return [*before, forms.start_entry(moment(begun, start)), last | {"at": moment(begun, at)}]


def limit_of_20(entries: list[Entry]) -> list[Entry]:
    entries[0]["policy"]["decision"] = 20
    return entries


EARLY = "limit-early"
ROWS = {
    "honest-house-restarted": (limit_of_20(decided(20, 42, at=42.2, starts=[22])), None),
    "start-after-decision-honest-1-decision": (decided(30, game="banker", at=30.886, starts=[30.5]), None),
    "start-between-2-decisions-m6-22": (timed(beside(2, 1), [30, 60.8], 60.9, 30.000001), None),
    "start-between-2-decisions-m6-62": (timed(beside(3, 1), [30, 60.4], 60.5, 30.000001), None),
    "start-2s-into-30s-limit": (decided(30.886, game="banker", at=30.9, starts=[2]), 0),
    "start-in-round-1-decision": (decided(30.886, game="banker", at=30.9, starts=[15]), 0),
    "mut4-0011-start-in-round": (decided(30.2, 60.2, starts=[15]), 0),
    "start-in-2-decisions-impossible-m6-22, the first before it": (timed(beside(2, 1), [30, 60.8], 60.9, 50), 1),
    "start-in-2-decisions-impossible-m6-22, both after it": (timed(beside(2, 1), [55, 60.8], 60.9, 50), 0),
    "start-in-2-decisions-impossible-m6-62, the first before it": (timed(beside(3, 1), [30, 60.4], 60.5, 50), 1),
    "start-in-2-decisions-impossible-m6-62, both after it": (timed(beside(3, 1), [55, 60.4], 60.5, 50), 0),
}
"""Entries by the name of the log in which the readings parted, and which of the table's decisions fails."""


@pytest.mark.parametrize("name", ROWS)
def test_a_start_between_or_during_decisions(name: str) -> None:
    entries, number = ROWS[name]
    mine = [i for i, each in enumerate(entries[-1]["decisions"]) if "by" in each]
    if number is None:
        assert fails(entries) == []
        return
    found = fails(entries)
    assert found[0] == (EARLY, len(entries) - 1, f"decisions[{mine[number]}].at")
    assert {code for code, _, _ in found} == {EARLY}


def test_another_burned_card_is_told_of_the_seal() -> None:
    entries = entries_of("pontoon")
    index = next(i for i in places(entries, "seal") if "burn" in entries[i])
    entries[index]["burn"] = "Ah" if entries[index]["burn"] != "Ah" else "2h"
    assert fails(entries) == [("burn-differs", index, "burn")]


@pytest.mark.parametrize(("game", "shoe"), [("casino", "casino/1"), ("everything", "raffle")])
def test_a_cut_that_does_not_fit_is_told_of_the_seeds(game: str, shoe: str) -> None:
    """Where it stands, and not where the shoe cannot be put in order by it."""
    entries = entries_of(game)
    index = places(entries, "seeds", shoe=shoe)[0]
    entries[index]["cut"]["at"] = 500
    assert set(fails(entries)) == {("cut-differs", index, "cut.at"), ("cut-differs", index, "cut")}
