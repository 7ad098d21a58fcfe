"""Entries dropped, doubled, swapped and moved by a house that signs the result anew, with the times as they were or as
it likes best: it is found, or listed and found by whoever remembers a checkpoint."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

import pytest

from audit_cli.verify.evidence.head import HouseEvidence, LogHeads
from audit_cli.verify.evidence.memory import RememberedHead
from audit_cli.verify.findings.report import Report
from fairshoe.log.canonical import encode
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.times import SECOND, microseconds, timestamp
from fairshoe.log.tree import Tree
from tests.everything import everything
from tests.house import POLICY, SIGNER, honest

from .walk import decoded, full, resumed, root, states, subject

Entry = dict[str, Any]

GAMES = {"casino": 50, "lounge": 4, "pontoon": 30}
CHANGES = 150
"""So many of all changes of a log are tried: always the same."""
LATER = (2, 3, 7, 1000)
"""How far an entry is moved back, besides one place; the last means the end of the log."""
PAUSE = 150 * SECOND
"""A wait before each entry that no limit of a seat is longer than, nor several of the table's decisions."""
LIMIT = POLICY["decision"] * SECOND


class Change(NamedTuple):
    """What was done to the entry at `index`: the entries from `first` on are now `rest`."""

    what: str
    index: int
    to: int
    first: int
    rest: list[Entry]


def changes(entries: list[Entry]) -> list[Change]:
    """Some of all single deletions, duplications, swaps of neighbours, and moves of an entry."""
    every = list(all_changes(entries))
    return Random(len(entries)).sample(every, min(CHANGES, len(every)))


def all_changes(entries: list[Entry]) -> Iterator[Change]:
    for i, entry in enumerate(entries):
        yield Change("delete", i, i, i, entries[i + 1 :])
        yield Change("double", i, i, i, [entry, *entries[i:]])
        if i + 1 < len(entries):
            yield Change("swap", i, i + 1, i, [entries[i + 1], entry, *entries[i + 2 :]])
        for far in LATER:
            j = min(i + far, len(entries) - 1)
            if j > i + 1:
                yield Change("move", i, j, i, [*entries[i + 1 : j + 1], entry, *entries[j + 1 :]])


def stamped(rest: list[Entry], last: int, pause: int = 0) -> list[Entry]:
    """Entries with times that rise from the moment `last` on: their own where they can be, later by a pause each. The
    table's decisions keep their distance; after a pause each has its whole limit."""
    again = []
    for number, entry in enumerate(rest, 1):
        own = microseconds(entry["at"])
        last = max(last + 1, own)
        moment = last + number * pause
        entry = entry | {"at": timestamp(moment)}
        mine = [each for each in entry.get("decisions", ()) if "at" in each]
        if mine:
            spread = {each["at"]: moment - behind * LIMIT for behind, each in enumerate(reversed(mine))}
            anew = {at: spread[at] if pause else microseconds(at) + moment - own for at in spread}
            entry["decisions"] = [
                each | {"at": timestamp(anew[each["at"]])} if "at" in each else each for each in entry["decisions"]
            ]
        again.append(entry)
    return again


class Order:
    """What the order of a log's entries means."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries
        opened: dict[str, list[str]] = defaultdict(list)
        for entry in entries:
            if entry["kind"] == "opened":
                opened[entry["shoe"]].append(entry["player"])
        self.opened_together = {pair for names in opened.values() for pair in permutations(names, 2)}

    def free(self, entry: Entry, other: Entry) -> bool:
        """Whether the order of two entries means nothing to anybody."""
        if subject(entry) != subject(other):
            return True
        return self._free(entry, other) or self._free(other, entry)

    def _free(self, one: Entry, two: Entry) -> bool:
        kind = two["kind"]
        match one["kind"]:
            case "chips" if kind == "chips":
                newest = is_new(one) and is_new(two) and (one["player"], two["player"]) in self.opened_together
                return not accounts(one) & accounts(two) and not newest
            case "chips" if one.get("leaves") or is_new(one):
                return kind in ("seeds", "seal", "reveal", "void", "bank", "close")
            case "chips":
                return kind in ("seeds", "seal", "reveal", "void", "close")
            case "late":
                return kind in ("reveal", "close") or (kind == "shoe" and one["player"] not in two["roster"])
            case "close":
                return kind in ("round", "reveal")
            case "bank" if kind in ("reveal", "void"):
                return two["why"] in ("worn", "bank")
        return False


def accounts(entry: Entry) -> set[str]:
    return {*entry["chips"], str(entry["seat"])} if entry["kind"] == "chips" else set()


def is_new(entry: Entry) -> bool:
    """Whether somebody takes a chair, as far as the entry shows."""
    return bool(entry["op"] == "buy-in" and entry["amount"] == entry["chips"].get(str(entry["seat"])))


def consistent(change: Change, order: Order) -> str:
    """Why nothing in a log need contradict a change, or ""."""
    entry = order.entries[change.index]
    if change.what in ("delete", "double") and entry["kind"] == "start":
        return "how often the service started, where no limit depended on it"
    if change.what == "double":
        return ""
    if change.what == "delete":
        return dropped(entry, [each for each in order.entries[change.index + 1 :] if subject(each) == subject(entry)])
    passed = order.entries[change.index + 1 : change.to + 1]
    free_of_all = all(order.free(entry, other) for other in passed)
    return "independent entries change places" if free_of_all else ""


def dropped(entry: Entry, rest: list[Entry]) -> str:
    """Why an entry may be missing before the `rest` about the same table, or ""."""
    kinds = {other["kind"] for other in rest}
    if not rest:
        return "the last entry of a table, or of a shoe without one, is dropped"
    if entry["kind"] == "chips" and not any(accounts(other) & accounts(entry) for other in rest):
        return "a purse's last move is dropped"
    if entry["kind"] == "close" and not kinds & {"shoe", "seeds"}:
        return "a `close` on which nothing depended is dropped"
    if entry["kind"] == "late" and not any(entry["player"] in other.get("hashes", ()) for other in rest):
        return "a late seed is dropped, whose owner contributed no more"
    if entry["kind"] == "seeds" and any(other["kind"] == "void" and other["shoe"] == entry["shoe"] for other in rest):
        return "the hashes of a void shoe are dropped"
    if entry["kind"] in ("void", "reveal") and not kinds & {"shoe", "seal", "open"}:
        return "the end of a table's last shoe is dropped"
    return ""


def log_of(name: str) -> list[bytes]:
    if name == "everything":
        return everything().lines
    return honest(name, GAMES[name], seats=(1, 2)).lines


@pytest.mark.parametrize("name", [*sorted(GAMES), "everything"])
def test_a_change_of_order_is_found_or_needs_a_memory(name: str) -> None:
    lines = log_of(name)
    entries, before = decoded(lines), root(lines)
    order = Order(entries)
    moments = [0, *(microseconds(entry["at"]) for entry in entries)]
    pauses = (0, PAUSE) if name != "everything" else (0,)
    for pause in pauses:
        assert not full(map(encode, stamped(entries, 0, pause))).failed
    found = 0
    missed: Counter[str] = Counter()
    start = dict(states(lines, range(len(lines))))
    for change in changes(entries):
        for pause in pauses:
            again = stamped(change.rest, moments[change.first], pause)
            report = resumed(start[change.first], map(encode, again))
            assert "entry-inexplicable" not in {f.code for f in report.findings}
            assert all(f.entry is not None for f in report.findings), report.findings
            if not report.failed:
                break
        else:
            found += 1
            continue
        reason = consistent(change, order)
        place = f"{change.what} {change.index} to {change.to}"
        assert reason, f"{place}: not found\n{entries[change.index]}\n{entries[change.to]}"
        missed[reason] += 1
        if missed[reason] > 3:
            continue
        remembered(lines, [*lines[: change.first], *map(encode, again)], before)
    assert found > 50
    assert missed or name != "everything"


def remembered(old: list[bytes], new: list[bytes], head: bytes) -> None:
    """A kept checkpoint finds the change."""
    report, tree, roots = Report(), Tree(), {}
    for line in new:
        tree.append(line)
        roots[tree.size] = tree.root if tree.size == len(old) else b""
    house = HouseEvidence(Checkpoint(SIGNER.verifier.name, tree.size, tree.root), SIGNER.verifier, True, True)
    kept = RememberedHead(Checkpoint(SIGNER.verifier.name, len(old), head).signed(SIGNER))
    kept.conclude(report, house, LogHeads(tree.size, roots, proven=tree.size))
    assert [finding.code for finding in report.findings] in (["remembered-differs"], ["remembered-longer"])


@pytest.mark.parametrize("name", sorted(GAMES))
def test_with_the_old_times_every_other_order_is_out_of_time(name: str) -> None:
    lines = log_of(name)
    entries = decoded(lines)
    start = dict(states(lines, range(len(lines))))
    for change in changes(entries)[::2]:
        if change.what != "delete":
            report = resumed(start[change.first], map(encode, change.rest))
            assert report.failed, change[:3]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_tail_that_leaves_a_consistent_log_is_a_matter_for_the_tree(name: str) -> None:
    """Whatever is cut off: what is left has a shoe in play, or none, and nothing wrong."""
    lines = log_of(name)
    for size in range(1, len(lines), 9):
        report = full(lines[:size])
        assert [f for f in report.findings if f.severity == "fail"] == []
        remembered(lines, lines[:size], root(lines))
