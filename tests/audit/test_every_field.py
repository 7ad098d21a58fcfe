"""Every field of every kind of entry is tampered with, re-hashed and re-signed; who finds it is listed.

What follows from the inputs, and every impossible input, `verify` alone must find. What is an input
and could honestly have been otherwise is found against a remembered checkpoint, like every change.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from typing import Any

import pytest

from audit_cli.codes import CATALOGUE
from audit_cli.shapes import KINDS
from fairshoe.engine.rules import RULES
from fairshoe.log.canonical import encode
from tests.everything import everything
from tests.house import honest

from .tamper import field, leaves, tamperings
from .walk import audited, decoded, full, resumed, root, states

Entry = dict[str, Any]

GAMES = {"casino": 200, "banker": 25, "boxes": 15, "lounge": 5, "pontoon": 40, "chinese": 25}
SEATS = {"banker": (1,)}


def log_of(name: str) -> list[bytes]:
    if name == "everything":
        return everything().lines
    return honest(name, GAMES[name], seats=SEATS.get(name, (1, 2, 3)), chips=100_000).lines


def without_by(entry: Entry) -> Entry:
    entry = copy.deepcopy(entry)
    for decision in entry.get("decisions", ()):
        decision.pop("by", None)
    return entry


def without_refused_price(entry: Entry) -> Entry:
    entry = without_by(entry)
    if [decision["move"] for decision in entry["decisions"]][1:] == ["refuse"]:
        entry["decisions"][0].pop("amount", None)
    return entry


def less_evidence(entry: Entry) -> list[Entry]:
    """A seal without its `cards_root`, or without its beacon's signature."""
    unsigned = copy.deepcopy(entry)
    unsigned.get("beacon", {}).pop("signature", None)
    return [unsigned, {key: value for key, value in entry.items() if key != "cards_root"}]


def consistent(before: Entry, after: Entry, last: bool, void: bool) -> str:
    """Why nothing else in a log need contradict a change, or "".

    `last`: its table has no later shoe. `void`: the shoe was closed before its seal.
    """
    kind = before["kind"]
    only = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    alone = "shoe" in before and "/" not in before["shoe"]
    if only == {"at"}:
        return "the time of an entry, between those of its neighbours"
    if kind == "table" and only == {"policy"}:
        return "a table's time limits"
    if kind == "round" and without_by(before) == without_by(after):
        return "whether a seat or the time limit decided, where the move is the default"
    if kind == "bank" and "decisions" in after and without_refused_price(before) == without_refused_price(after):
        return "the price that was asked for the bank, and refused"
    if kind == "reveal" and only == {"why"} and (last or alone):
        return "why a table's last shoe was closed"
    if kind == "chips" and only == {"leaves"} and last:
        return "whether somebody without chips kept the chair, at a table that deals no more"
    if kind == "void" and only <= {"why", "by"} and after["why"] == "closing" and last:
        return "why a table's last shoe was closed"
    if kind == "reveal" and only == {"end"} and alone:
        return "how many cards of a shoe without a table were used"
    if kind == "shoe" and only == {"roster"} and alone:
        return "who was invited to a shoe without a table, and contributed nothing"
    if kind == "shoe" and only == {"cutter"} and alone:
        return "who was named as cutter of a shoe without a table"
    if kind == "seal" and after in less_evidence(before):
        return "evidence that a seal may go without: the beacon's signature, the root of the cards"
    if void and ((kind == "shoe" and only == {"beacon"}) or (kind == "seeds" and only <= {"hashes", "cut"})):
        return "the beacon, hashes and cut of a shoe that was void before any seed was opened"
    return ""


def samples(entries: list[Entry]) -> list[int]:
    """The first, a middle and the last entry of each kind, and the first with each field."""
    places: dict[str, list[int]] = defaultdict(list)
    firsts: dict[tuple[str, str], int] = {}
    for index, entry in enumerate(entries):
        places[entry["kind"]].append(index)
        for path, _ in leaves(entry):
            if entry["kind"] != "table" or len(path) == 1:
                firsts.setdefault((entry["kind"], field(path)), index)
    some = {index for found in places.values() for index in (found[0], found[len(found) // 2], found[-1])}
    return sorted(some | set(firsts.values()))


def void_shoes(entries: list[Entry]) -> set[str]:
    return {e["shoe"] for e in entries if e["kind"] == "void"}


def is_last(entries: list[Entry], index: int) -> bool:
    """Whether an entry is about a table's last shoe, or stands behind the commitment of that."""
    entry = entries[index]
    table = entry.get("table") or entry["shoe"].rpartition("/")[0]
    shoes = [(i, e["shoe"]) for i, e in enumerate(entries) if e["kind"] == "shoe" and e["shoe"].startswith(table + "/")]
    return bool(shoes) and (index > shoes[-1][0] if "table" in entry else entry["shoe"] == shoes[-1][1])


@pytest.mark.parametrize("name", ["everything", *sorted(GAMES)])
def test_every_field_of_every_kind_of_entry(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = log_of(name)
    assert not full(lines).failed
    entries, before = decoded(lines), root(lines)
    donors: dict[str, Entry] = defaultdict(dict)
    for entry in entries:
        donors[entry["kind"]] |= entry
    void = void_shoes(entries)
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    missed: dict[str, set[str]] = defaultdict(set)
    for index, state in states(lines, samples(entries)):
        entry, last = entries[index], entries[index]["kind"] != "deck" and is_last(entries, index)
        for place, tampered in tamperings(entry, donors[entry["kind"]]):
            changed = [encode(tampered), *lines[index + 1 :]]
            if changed[0] == lines[index]:
                continue
            report = resumed(state, changed)
            assert "entry-inexplicable" not in {f.code for f in report.findings}, (place, tampered, report.findings)
            if report.failed:
                found[entry["kind"], place] |= {f.code for f in report.findings if f.severity == "fail"}
                continue
            reason = consistent(entry, tampered, last, entry.get("shoe") in void)
            assert reason, f"{entry['kind']} {place}: not found\n{entry}\n{tampered}"
            missed[reason].add(f"{entry['kind']}.{place}")
            assert root([*lines[:index], *changed]) != before, "a remembered checkpoint finds every change"
    with capsys.disabled():
        print(f"\n{name}: {len(found)} fields found by verify alone; needing a remembered checkpoint:")
        for reason, places in sorted(missed.items()):
            print(f"  {reason}: {', '.join(sorted(places))}")
    assert {kind for kind, _ in found} >= {"table", "chips", "shoe", "seal", "open", "round", "reveal"}
    assert all(code in CATALOGUE for codes in found.values() for code in codes)


def test_the_games_are_all_here() -> None:
    assert set(GAMES) == set(RULES)


def test_one_log_has_every_kind_and_every_field() -> None:
    lines = everything().lines
    report = audited(lines)
    assert not report.failed
    assert {f.code for f in report.findings} == {"shoe-void", "entropy-house-only"}
    assert set(report.checks.values()) == {"pass", "not-checked"}
    seen: dict[str, set[str]] = defaultdict(set)
    for entry in decoded(lines):
        seen[entry["kind"]] |= {field(path) for path, _ in leaves(entry)}
    for kind, (required, optional) in KINDS.items():
        assert seen[kind] >= required.keys() | optional.keys(), kind
    parts = {"bet", "box", "insurance", "insured", "net", "outcome", "seat", "short", "total", "cards"}
    assert seen["round"] >= {f"hands.*.{part}" for part in parts}
    assert seen["round"] >= {f"decisions.*.{part}" for part in ("seat", "move", "amount", "chosen", "by")}
    assert seen["seal"] >= {f"beacon.{part}" for part in ("chain", "round", "randomness", "signature")}


@pytest.mark.parametrize("seed", range(1, 9))
def test_an_honest_log_audits_clean(seed: int) -> None:
    report = full(everything(seed).lines)
    assert [f for f in report.findings if f.severity == "fail"] == []
    assert report.open == 0
