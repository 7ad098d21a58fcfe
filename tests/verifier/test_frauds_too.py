"""The second reading finds planted frauds at the entry at which the auditor finds them, and agrees with it on logs with
anything changed. Every second fraud is read here, one of each code in the corpus, all of them and thousands of changed
logs by `python -m tests.long.readings`."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from fairshoe.errors import FairshoeError
from fairshoe.log.canonical import encode
from fairshoe.log.note import Signer
from fairshoe.log.times import microseconds, timestamp
from fairshoe.record.entries import reshuffle_entry
from tests.audit.frauds import FRAUDS
from tests.audit.planting import KEY, Fraud, entries_of, log
from tests.audit.proofs import checked, file_of, rounds_of
from tests.audit.tamper import tamperings
from tests.house import SIGNER
from tests.simulated import simulated

from .readings import differences, first_reading, reading, second_outcomes, second_readings

LOGS = ("banker", "boxes", "casino", "chinese", "everything", "lounge", "pontoon")
COPIES = 20
Log = tuple[str, list[bytes]]


def tampered(name: str, copies: int, seed: int = 0) -> Iterator[Log]:
    """Copies of a log, each with one entry changed."""
    chance, lines, entries = random.Random(f"second reading of {name} {seed}"), log(name), entries_of(name)
    times = [entry["at"] for entry in entries]
    while copies:
        index = chance.randrange(1, len(entries) - 1)
        ways = list(tamperings(entries[index], None, (times[index - 1], times[index + 1])))
        field, entry = chance.choice(ways)
        copies -= 1
        yield (
            f"{name}: {field} of entry {index}, {entries[index]['kind']}",
            [*lines[:index], encode(entry), *lines[index + 1 :]],
        )


def test_planted_frauds(tmp_path: Path) -> None:
    assert len(FRAUDS) > 300
    assert differences(tmp_path, ((case.name, case.plant().lines) for case in FRAUDS[::2])) == []


def untimed(case: Fraud) -> list[bytes]:
    """A fraud's log whose last `reveal` says no time that can be read."""
    lines = case.plant().lines
    end = max((place for place, line in enumerate(lines) if b'"kind":"reveal"' in line), default=0)
    return [*lines[:end], re.sub(b'"at":"[^"]*"', b'"at":""', lines[end]), *lines[end + 1 :]]


def test_planted_frauds_whose_end_has_no_time(tmp_path: Path) -> None:
    assert differences(tmp_path, ((case.name, untimed(case)) for case in FRAUDS[::5])) == []


@pytest.mark.parametrize("game", ["boxes", "casino", "chinese", "pontoon"])
def test_a_reshuffle_that_was_invented(game: str, tmp_path: Path) -> None:
    """Before the seal, where a shoe serves one round, and before the round."""
    entries = entries_of(game)
    opened = next(place for place, entry in enumerate(entries) if entry["kind"] == "open")
    end = next(place for place in range(opened, len(entries)) if entries[place]["kind"] == "round")
    logs = []
    for place in range(opened + 1, end + 1):
        at = timestamp(microseconds(entries[place]["at"]) - 1)
        number = entries[opened]["round"]
        one = reshuffle_entry(at, entries[opened]["shoe"], number, k=1, after=1, cards=3, deck="a" * 64)
        lines = list(log(game))
        logs.append((f"at entry {place}", [*lines[:place], encode(one), *lines[place:]]))
    assert differences(tmp_path, logs) == []


def proofs(case: Fraud) -> Iterator[tuple[str, bytes]]:
    """A proof of the round that a fraud is about, and one of the last round of its log."""
    planted = case.plant()
    names = [name for name in rounds_of(planted.lines) if name.endswith(f"#{planted.round}")]
    for name in dict.fromkeys([*names, *rounds_of(planted.lines)[-1:]]):
        with suppress(FairshoeError, StopIteration):
            yield f"{case.name}, {name}", file_of(planted.lines, name)


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def outcome(data: bytes, signer: Signer = SIGNER) -> str:
    try:
        return str(checked(data, signer=signer).outcome.word)
    except FairshoeError:
        return "refused"


def test_proofs_of_hands_in_logs_with_frauds(tmp_path: Path) -> None:
    """Of every fourth: the same hands pass, the same files are refused, and the house is accused of the same."""
    named = [proof for case in FRAUDS[::4] for proof in proofs(case)]
    paths = [written(tmp_path / f"{number}.json", data) for number, (_, data) in enumerate(named)]
    pairs = [(outcome(data), word) for (_, data), word in zip(named, second_outcomes(paths, KEY), strict=True)]
    assert len(pairs) > 80
    assert [name for (name, _), (first, second) in zip(named, pairs, strict=True) if first != second] == []


@pytest.mark.parametrize("game", [name for name in LOGS if name != "everything"])
def test_proofs_of_honest_hands(game: str, tmp_path: Path) -> None:
    """Dealt, void, not revealed, with limits that passed and reshuffles in the middle of a deal."""
    lines = (simulated(tmp_path / "log", [game], rounds=8, careless=0.2) / "log.jsonl").read_bytes().splitlines()
    ends = [place for place, line in enumerate(lines, 1) if b'"kind":"round"' in line or b'"kind":"open"' in line]
    some = [lines[: ends[-1]], lines[: ends[len(ends) // 2]]]
    proofs = [file_of(lines, name) for name in rounds_of(lines)] + [file_of(cut, rounds_of(cut)[-1]) for cut in some]
    paths = [written(tmp_path / f"{number}.json", data) for number, data in enumerate(proofs)]
    assert (outcomes := [outcome(data) for data in proofs]) == second_outcomes(paths, KEY)
    assert {"PASS"} < set(outcomes) <= {"PASS", "PASS so far"}


@pytest.mark.parametrize("game", [name for name in LOGS if name != "everything"])
def test_a_card_of_no_deck_before_any_key(game: str, tmp_path: Path) -> None:
    """Of a suit that there is not: in a round, burned with a seal or a reshuffle, in the draw for the first bank."""
    lines, strange = list(log(game)), {}
    for place, entry in enumerate(entries_of(game)):
        for field in {"cards", "burn"} & entry.keys() if entry["kind"] != "shoe" else ():
            match entry[field]:
                case str(label):
                    strange.setdefault((entry["kind"], field), (place, entry | {field: f"{label[0]}="}))
                case [label, *others]:
                    strange.setdefault((entry["kind"], field), (place, entry | {field: [f"{label[0]}=", *others]}))
    logs = [[*lines[:place], encode(entry)] for place, entry in strange.values()]
    paths = [written(tmp_path / f"{i}.jsonl", b"".join(line + b"\n" for line in each)) for i, each in enumerate(logs)]
    wanted = [reading("fail", place) for place, _ in strange.values()]
    assert [first_reading(path) for path in paths] == list(second_readings(paths)) == wanted
    proof = file_of(made := logs[list(strange).index(("round", "cards"))], rounds_of(made)[-1])
    assert [outcome(proof)] == second_outcomes([written(tmp_path / "hand.json", proof)], KEY) == ["FAIL"]
    assert {"pontoon": 4}.get(game, 1) == len(strange)


@pytest.mark.parametrize("name", LOGS)
def test_anything_changed(name: str, tmp_path: Path) -> None:
    copies = tampered(name, COPIES // 4 if name == "everything" else COPIES)
    assert differences(tmp_path, [(name, list(log(name))), *copies]) == []
