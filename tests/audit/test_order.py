"""Entries dropped, doubled, swapped and moved by a house that signs the result anew.

With the times as they were, every change of order is out of time. A house may write the times anew as
well: then what stands in the log must contradict it. What does not is listed, and found by whoever
remembers a checkpoint or a copy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from audit_cli.remembered import RememberedCheckpoint, RememberedLog
from audit_cli.report import Report
from fairshoe.log.canonical import encode
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.tree import Tree
from tests.everything import everything
from tests.house import honest

from .walk import decoded, full, resumed, root, states

Entry = dict[str, Any]

GAMES = {"casino": 26, "banker": 5, "boxes": 5, "lounge": 4, "pontoon": 14, "chinese": 6}
SEATS = {"banker": (1,)}
LATER = (2, 3, 7, 1000)
"""How far an entry is moved back, besides one place; the last means the end of the log."""

BETWEEN = ("seeds", "seal", "reveal", "void")
"""Steps of a shoe at which no round is open and nobody's chair matters."""


class Change(NamedTuple):
    """What was done to the entry at `index`: the entries from `first` on are now `rest`."""

    what: str
    index: int
    to: int
    first: int
    rest: list[Entry]


def changes(entries: list[Entry]) -> Iterator[Change]:
    """Every single deletion, duplication, swap of neighbours, and some moves of every entry."""
    for i, entry in enumerate(entries):
        yield Change("delete", i, i, i, entries[i + 1 :])
        yield Change("double", i, i, i, [entry, *entries[i:]])
        if i + 1 < len(entries):
            yield Change("swap", i, i + 1, i, [entries[i + 1], entry, *entries[i + 2 :]])
        for far in LATER:
            j = min(i + far, len(entries) - 1)
            if j > i + 1:
                yield Change("move", i, j, i, [*entries[i + 1 : j + 1], entry, *entries[j + 1 :]])


def stamped(change: Change, times: list[str]) -> list[Entry]:
    """The changed entries with times that rise again."""
    spare = [*times[change.first :], "2026-12-31T23:59:59.999Z"]
    return [entry | {"at": at} for entry, at in zip(change.rest, spare, strict=False)]


def table_of(entry: Entry) -> str:
    """The table that an entry is about; a shoe without one, or a deck, by itself."""
    return str(entry.get("table") or entry.get("shoe", "").rpartition("/")[0] or entry["kind"])


def accounts(entry: Entry) -> set[str]:
    return {*entry["chips"], str(entry["seat"])} if entry["kind"] == "chips" else set()


def free(entry: Entry, other: Entry) -> bool:
    """Whether the order of two entries means nothing to anybody."""
    one, two = sorted((entry, other), key=lambda e: e["kind"] != "chips")
    if table_of(one) != table_of(two):
        return True
    if {one["kind"], two["kind"]} == {"bank", "reveal"} and "worn" in (one["why"], two["why"]):
        return True
    if one["kind"] != "chips":
        return prepared(one, two) or prepared(two, one)
    if two["kind"] == "chips":
        return not accounts(one) & accounts(two)
    if one.get("leaves") or (one["op"] == "buy-in" and one["amount"] == one["chips"].get(str(one["seat"]))):
        return two["kind"] in (*BETWEEN, "bank")  # somebody comes or goes
    return two["kind"] in (*BETWEEN, "shoe")


def prepared(early: Entry, late: Entry) -> bool:
    """Whether `early` prepares the next shoe, or gives it up, while the shoe of `late` is played."""
    kinds = ("open", "round", "reshuffle", "reveal")
    return early["kind"] in ("shoe", "seeds", "void") and late["kind"] in kinds and early["shoe"] != late["shoe"]


def consistent(change: Change, entries: list[Entry]) -> str:
    """Why nothing in a log need contradict a change, or ""."""
    entry = entries[change.index]
    behind = entries[change.index + 1 :]
    if change.what == "delete":
        rest = [other for other in behind if table_of(other) == table_of(entry)]
        if not rest:
            return "the last entry of a table is dropped"
        if entry["kind"] == "chips" and not any(accounts(other) & accounts(entry) for other in rest):
            return "the last that a purse did is dropped"
        if entry["kind"] == "seeds" and any(e["kind"] == "void" and e["shoe"] == entry["shoe"] for e in rest):
            return "the hashes of a shoe that was void are dropped"
        if entry["kind"] in ("void", "reveal") and not {e["kind"] for e in rest} & {"shoe", "seal", "open"}:
            return "the end of a table's last shoe is dropped, as if it were in play"
    if change.what in ("delete", "double"):
        return ""
    passed = entries[change.index + 1 : change.to + 1]
    free_of_all = all(free(entry, other) for other in passed)
    return "entries that have nothing to do with each other change places" if free_of_all else ""


def log_of(name: str) -> list[bytes]:
    if name == "everything":
        return everything().lines
    return honest(name, GAMES[name], seats=SEATS.get(name, (1, 2))).lines


@pytest.mark.parametrize("name", [*sorted(GAMES), "everything"])
def test_every_change_of_order(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = log_of(name)
    entries, before = decoded(lines), root(lines)
    assert not full(lines).failed
    times = [entry["at"] for entry in entries]
    found: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    wanted = list(changes(entries))
    if name == "everything":
        wanted = [change for change in wanted if change.what in ("delete", "swap")]
    start = dict(states(lines, range(len(lines))))
    for change in wanted:
        report = resumed(start[change.first], map(encode, stamped(change, times)))
        assert "entry-inexplicable" not in {f.code for f in report.findings}
        if report.failed:
            found[change.what] += 1
            assert all(f.entry is not None for f in report.findings), report.findings
            continue
        reason = consistent(change, entries)
        place = f"{change.what} {change.index} to {change.to}"
        assert reason, f"{place}: not found\n{entries[change.index]}\n{entries[change.to]}"
        missed[f"{change.what}: {reason}"] += 1
        remembered(lines, [*lines[: change.first], *map(encode, change.rest)], before, change.first)
    with capsys.disabled():
        print(f"\n{name}: found by verify alone {dict(found)}")
        for text, times_missed in sorted(missed.items()):
            print(f"  {text}, {times_missed} times: needs a remembered checkpoint")


def remembered(old: list[bytes], new: list[bytes], head: bytes, first: int) -> None:
    """A kept checkpoint and a kept copy find the change; the copy names the first entry that differs."""
    report, tree = Report(), Tree()
    olds = [RememberedCheckpoint(Checkpoint("log", len(old), head)), RememberedLog(iter(old))]
    for line in new:
        tree.append(line)
        for memory in olds:
            memory.follow(tree, line)
    for memory in olds:
        memory.conclude(report, tree, None)
    by_checkpoint, by_copy = report.findings
    assert {by_checkpoint.code, by_copy.code} <= {"remembered-differs", "remembered-longer"}
    assert by_copy.entry == first


@pytest.mark.parametrize("name", sorted(GAMES))
def test_with_the_old_times_every_other_order_is_out_of_time(name: str) -> None:
    lines = log_of(name)
    entries = decoded(lines)
    start = dict(states(lines, range(len(lines))))
    for change in changes(entries):
        if change.what != "delete":
            report = resumed(start[change.first], map(encode, change.rest))
            assert report.failed, change[:3]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_tail_that_leaves_a_consistent_log_is_a_matter_for_the_tree(name: str) -> None:
    """Whatever is cut off: what is left has a shoe in play, or none, and nothing wrong."""
    lines = log_of(name)
    for size in range(1, len(lines)):
        report = full(lines[:size])
        assert [f for f in report.findings if f.severity == "fail"] == []
        remembered(lines, lines[:size], root(lines), size)
