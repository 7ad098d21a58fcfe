"""Every field of every kind of entry is tampered with, re-hashed and re-signed: `verify` alone finds it, or it could
honestly have been otherwise, and a remembered checkpoint finds it."""

from __future__ import annotations

import copy
from collections import defaultdict
from random import Random

import pytest

from audit_cli.verify.registry import CATALOGUE
from audit_cli.verify.walk.shapes import KINDS
from fairshoe.errors import LogError
from fairshoe.log.canonical import encode
from fairshoe.log.times import is_moment
from fairshoe.record.entries import lost_entry
from fairshoe.record.forms import LATER, newest
from tests.everything import everything
from tests.house import honest
from tests.told import told_shoes

from .tamper import OTHERS, field, leaves, tamperings
from .walk import Entry, audited, decoded, full, resumed, root, states, subject

LOGS = {"everything": 0, "casino": 60, "chinese": 25, "told": 0}
CHANGES = 2
"""So many changes of each field of a log are tried: always the same."""
WORDS = {*OTHERS["op"], *OTHERS["why"], "rotation", "gift"}
"""What `op`, `why` and `purpose` may say in any kind of entry."""


def log_of(name: str) -> list[bytes]:
    if name == "everything":
        return everything().lines
    if name == "told":
        return told_shoes().lines
    return honest(name, LOGS[name], seats=(1, 2, 3), chips=100_000).lines


def without_by(entry: Entry) -> Entry:
    entry = copy.deepcopy(entry)
    for decision in entry.get("decisions", ()):
        for name in ("by", "at"):
            decision.pop(name, None)
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


class Log:
    """What the rest of a log says about an entry."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries
        self.void = {entry["shoe"] for entry in entries if entry["kind"] == "void"}
        self.opened = {(entry["shoe"], entry["player"]) for entry in entries if entry["kind"] in ("opened", "late")}
        rounds = [entry for entry in entries if entry["kind"] == "round"]
        self.dealt = {(entry["shoe"], entry["round"], hand["seat"]) for entry in rounds for hand in entry["hands"]}

    def deals_no_more(self, index: int) -> bool:
        about = subject(self.entries[index])
        return not any(each["kind"] == "shoe" and subject(each) == about for each in self.entries[index:])

    def idle(self, index: int) -> bool:
        """Whether no shoe of the entry's table is between its `seeds` and its end."""
        begun = set()
        for each in self.entries[:index]:
            if subject(each) == subject(self.entries[index]) and each["kind"] in ("seeds", "reveal", "void", "lost"):
                (begun.add if each["kind"] == "seeds" else begun.discard)(each["shoe"])
        return not begun

    def less_undealt(self, entry: Entry) -> Entry:
        """An `open` without the amounts of bets that were returned or found no cover."""
        entry = copy.deepcopy(entry)
        for bet in entry.get("uncovered", []) + entry["bets"]:
            if (entry["shoe"], entry["round"], bet["seat"]) not in self.dealt:
                bet["amount"] = 0
        return entry

    def less_unopened(self, entry: Entry) -> Entry:
        """A `seeds` without the hashes of seeds that nobody opened."""
        hashes = {who: value for who, value in entry["hashes"].items() if (entry["shoe"], who) in self.opened}
        return entry | {"hashes": hashes, "names": list(entry["hashes"])}


def consistent(before: Entry, after: Entry, log: Log, index: int) -> str:
    """Why nothing else in a log need contradict a change, or ""."""
    kind = before["kind"]
    only = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    alone = "shoe" in before and "/" not in before["shoe"]
    if only == {"at"}:
        return "an entry's time, between its neighbours', where no limit forbids it"
    if kind in ("table", "shoe") and only == {"policy"} and before["policy"].keys() == after["policy"].keys():
        return "a time limit, where nothing comes too early or late for it"
    if kind == "table" and only == {"options"} and is_input(before["options"], after["options"]):
        return "an option on which nothing in the log depends"
    if kind == "start" and only == {"tables"}:
        return "at which tables limits begin anew, where none was over sooner"
    if kind == "chips" and only == {"name"}:
        return "a player's written name"
    if kind == "chips" and only == {"leaves"} and log.deals_no_more(index):
        return "whether a player without chips kept the chair, at a table that deals no more"
    if kind == "chips" and only == {"by"} and before.get("leaves") and log.idle(index):
        return "whether a player left or was put out by the house, where no shoe was being opened or played"
    if kind == "chips" and only == {"why"} and before["op"] == "refund":
        return "why a buy-in was refunded, where no gift had been won"
    if kind == "open" and only <= {"passed", "late"} and silent(before) == silent(after):
        return "who passed and who was late, after enough time"
    if kind == "open" and log.less_undealt(before) == log.less_undealt(after):
        return "a bet that was not dealt: returned, or without cover"
    if kind == "seeds" and only == {"hashes"} and log.less_unopened(before) == log.less_unopened(after):
        return "the hash of a seed that was never opened"
    if kind == "seeds" and only == {"cut"} and before["shoe"] in log.void:
        return "the cut of a void shoe"
    if kind == "round" and without_by(before) == without_by(after):
        return "whether a seat or the time limit made the default move, after enough time"
    if kind == "bank" and "decisions" in after and without_refused_price(before) == without_refused_price(after):
        return "a refused price for the bank"
    if kind == "reveal" and only == {"end"} and alone:
        return "how many cards of a shoe without a table of version 1 were used"
    if kind == "shoe" and only == {"roster"} and alone:
        return "who was invited to a shoe without a table and did not contribute"
    if kind == "shoe" and only == {"cutter"} and alone:
        return "the cutter of a shoe without a table"
    if kind == "reveal" and only == {"why"} and alone and {before["why"], after["why"]} == {"age", "worn"}:
        return "why a shoe without a table ended: worn, or too old"
    if kind == "shoe" and only == {"rules_hash"} and alone:
        return "the hash of the rules of a shoe without a table"
    if kind == "shoe" and only == {"draws"} and alone and before["draws"].keys() == after["draws"].keys():
        return "below what a number of a shoe without a table lies, where it comes out the same"
    if kind == "drawn" and only == {"to"}:
        return "to whom hidden cards of a shoe without a table went"
    if kind == "drawn" and only == {"draws"} and after.get("draws", {}).items() <= before["draws"].items():
        return "whether numbers of a shoe without a table were told before its reveal"
    if kind == "shown" and only == {"cards"} and after["cards"].items() <= before["cards"].items():
        return "which hidden cards were shown"
    if kind == "seal" and after in less_evidence(before):
        return "a seal's optional evidence: the beacon's signature, the root of the cards"
    return ""


def is_newer(entry: Entry) -> bool:
    """Whether it says that it is of a version that is not known yet, so that nothing is said of the log."""
    return type(entry.get("v")) is int and entry["v"] > newest()


CASES = {"escape", "free_hand", "five_dragon_21_triple", "twenty_one_double", "first_dealer", "rotation", "direction"}
"""Options of chinese for what not every log has: such a hand, a second dealer."""
BOUNDS = {"maximum", "minimum", "participants", "insert"}


def is_input(before: Entry, after: Entry) -> bool:
    """Whether all options that differ bound what somebody may choose, or say what happens in some cases."""
    return before.keys() == after.keys() and {name for name in before if before[name] != after[name]} <= BOUNDS | CASES


def silent(entry: Entry) -> list[int]:
    return sorted([*entry.get("passed", ()), *entry.get("late", ())])


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


def neighbours(entries: list[Entry], index: int) -> tuple[str, str]:
    """The times between which an entry's lies."""
    before = entries[index - 1]["at"] if index else "2025-01-01T00:00:00.000000Z"
    after = entries[index + 1]["at"] if index + 1 < len(entries) else "2026-12-31T00:00:00.000000Z"
    return before, after


def horizons(entries: list[Entry]) -> dict[str, int]:
    """Where the last entry about each table stands. What stands behind it need not be read again and again."""
    tables = {entry["table"] for entry in entries if entry["kind"] == "table"}
    last = {subject(entry): index for index, entry in enumerate(entries)}
    return {about: index if about in tables else len(entries) - 1 for about, index in last.items()}


def chosen(entries: list[Entry]) -> dict[int, list[tuple[str, Entry]]]:
    """Some tamperings with each field of each kind, by the number of the entry: the field and the entry afterwards."""
    donors: dict[str, Entry] = defaultdict(dict)
    for entry in entries:
        donors[entry["kind"]] |= entry
    made: dict[tuple[str, str], list[tuple[int, str, Entry]]] = defaultdict(list)
    for index in samples(entries):
        entry = entries[index]
        for place, tampered in tamperings(entry, donors[entry["kind"]], neighbours(entries, index)):
            if tampered != entry or encode(tampered) != encode(entry):
                made[entry["kind"], place].append((index, place, tampered))
    some: dict[int, list[tuple[str, Entry]]] = defaultdict(list)
    for each in made.values():
        for index, place, tampered in Random(len(each)).sample(each, min(CHANGES, len(each))):
            some[index].append((place, tampered))
    return some


@pytest.mark.parametrize("name", LOGS)
def test_every_field_of_every_kind_of_entry(name: str) -> None:
    lines = log_of(name)
    entries = decoded(lines)
    log, ends = Log(entries), horizons(entries)
    for end in {*ends.values()}:
        assert not full(lines[: end + 1]).failed
    changes = chosen(entries)
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    missed = 0
    for index, state in states(lines, sorted(changes)):
        entry = entries[index]
        behind = lines[index + 1 : ends[subject(entry)] + 1]
        head = root(lines[: index + 1])
        for place, tampered in changes[index]:
            line = encode(tampered)
            if is_newer(tampered):
                with pytest.raises(LogError, match="newer fairshoe"):
                    resumed(state, [line])
                continue
            report = resumed(state, [line, *behind])
            assert "entry-inexplicable" not in {f.code for f in report.findings}, (place, tampered, report.findings)
            if report.failed:
                found[entry["kind"], place] |= {f.code for f in report.findings if f.severity == "fail"}
                continue
            reason = consistent(entry, tampered, log, index)
            assert reason, f"{entry['kind']} {place}: not found\n{entry}\n{tampered}"
            missed += 1
            assert root([*lines[:index], line]) != head, "a remembered checkpoint finds every change"
    assert len(found) > 100 > missed > 0
    assert {kind for kind, _ in found} >= {"table", "chips", "shoe", "seal", "open", "round", "reveal"}
    assert all(code in CATALOGUE for codes in found.values() for code in codes)


ELSEWHERE: defaultdict[str, set[str]] = defaultdict(set, start={"continues", "lost", "copy", "unknown"}, opened={"cut"})
for kind, _, name in (path.partition(".") for path in LATER):
    ELSEWHERE[kind].add(name)
"""What a log in the place of another one begins with (test_log_before.py); a sole player's cut, which no game of today
has; and placers (tests/placer)."""


def test_one_log_has_every_kind_and_every_field() -> None:
    """But `lost`, which fails, kinds that came later, and `ELSEWHERE`."""
    lines = everything().lines
    report = audited(lines)
    assert not report.failed
    assert {f.code for f in report.findings} == {"shoe-void", "entropy-house-only"}
    assert set(report.checks.values()) == {"pass", "not-checked"}
    seen: dict[str, set[str]] = defaultdict(set)
    words: dict[str, set[str]] = defaultdict(set)
    for entry in decoded(lines):
        seen[entry["kind"]] |= {field(path) for path, _ in leaves(entry)}
        words[entry["kind"]] |= {entry[key] for key in ("op", "why", "purpose") if key in entry}
    for kind, (required, optional) in KINDS.items():
        if kind == "lost" or kind in LATER:
            continue
        assert seen[kind] >= (required.keys() | optional.keys()) - ELSEWHERE[kind], kind
        for key in words[kind] and {"op", "why", "purpose"} & (required | optional).keys():
            allowed = {word for word in WORDS if (required | optional)[key](word)}
            assert words[kind] >= allowed > set(), (kind, key)
    parts = {"bet", "box", "insurance", "insured", "net", "outcome", "seat", "short", "total", "cards"}
    assert seen["round"] >= {f"hands.*.{part}" for part in parts}
    assert seen["round"] >= {f"decisions.*.{part}" for part in ("seat", "move", "amount", "chosen", "by", "at")}
    assert seen["open"] >= {f"{name}.*.{part}" for name in ("bets", "uncovered") for part in ("seat", "amount")}
    assert seen["seal"] >= {f"beacon.{part}" for part in ("chain", "round", "randomness", "signature")}
    assert seen["seeds"] >= {"cut.at", "cut.by"}


def test_every_field_of_a_lost_shoe() -> None:
    """A `lost` fails whatever it says; what it says wrong fails besides."""
    lines = honest("casino", 3, seats=(1, 2)).lines
    entries = decoded(lines)
    shoe, key = next((entry["shoe"], entry["key"]) for entry in entries if entry["kind"] == "reveal")
    opened = [index for index, entry in enumerate(entries) if entry["kind"] == "open"][2]
    at = entries[opened + 1]["at"]
    lost = lost_entry(at, shoe, key, entries[opened]["round"])
    assert fails([*lines[: opened + 1], encode(lost)]) == ["shoe-lost"]
    for place, tampered in tamperings(lost, neighbours=(entries[opened]["at"], "2026-02-01T00:00:00.000000Z")):
        if is_newer(tampered):
            continue
        found = fails([*lines[: opened + 1], encode(tampered)])
        unfelt = place == "-key" or (
            place == "at" and is_moment(tampered["at"]) and tampered["at"] > entries[opened]["at"]
        )
        assert (found == ["shoe-lost"]) == unfelt, (place, found)


def fails(lines: list[bytes]) -> list[str]:
    return [finding.code for finding in full(lines).findings if finding.severity == "fail"]


@pytest.mark.parametrize("seed", range(1, 4))
def test_an_honest_log_audits_clean(seed: int) -> None:
    report = full(everything(seed).lines)
    assert [f for f in report.findings if f.severity == "fail"] == []
    assert report.open == 0
