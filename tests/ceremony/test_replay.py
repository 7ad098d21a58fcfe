"""Machine and log format against each other: from the inputs that explain a log's entries the machine writes the log.

Each test says how many entries it left out of that, and why; of all others every byte is compared.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from fairshoe.engine.rules import RULES
from fairshoe.log.canonical import encode, parse
from fairshoe.log.times import microseconds, timestamp
from fairshoe.record.entries import lost_entry
from tests.corpus.case import FOLDER, verdicts
from tests.everything import everything
from tests.house import honest
from tests.simulated import simulated

from .replay import ALONE, BACK, KEYLESS, SERVICE, Replay
from .walk import Walk

GAMES = sorted(RULES)
SEATS = {"banker": (1,), "lounge": (1, 2, 3)}
KINDS = {
    *("table", "close", "chips", "bank", "late"),
    *("shoe", "seeds", "opened", "lapse", "seal", "open", "round", "reshuffle", "reveal", "void"),
}
"""What everybody's log has, but for what the service or a restore writes."""


def replayed(lines: Iterable[bytes], left_out: Mapping[str, int] | None = None) -> Replay:
    """A log that the machine writes too, but for so many entries by the reason, and the moments of some rounds."""
    replay = Replay(lines).run()
    assert replay.left_out == (left_out or {})
    assert sum(replay.same.values()) + replay.but_moment + sum(replay.left_out.values()) == len(replay.log)
    assert sum(replay.same.values()) > 4 * replay.but_moment
    return replay


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("rules", GAMES)
def test_the_honest_house(rules: str, seed: int) -> None:
    replay = replayed(honest(rules, 12, seed, SEATS.get(rules, (1, 2, 3, 4)), careless=0.25).lines)
    assert sum(replay.same.values()) > 50


def test_everything() -> None:
    """Every kind of entry. Who left a shoe that goes on comes back to another chair, once; three raffles."""
    replay = replayed(everything().lines, {SERVICE: 2, BACK: 1, ALONE: 17})
    assert set(replay.same) == KINDS


def test_simulated_tables(tmp_path: Path) -> None:
    log = simulated(tmp_path / "log", rounds=90, careless=0.15) / "log.jsonl"
    replay = replayed(log.read_bytes().splitlines())
    assert sum(replay.same.values()) > 600


@pytest.mark.parametrize("rules", GAMES)
def test_the_machine_itself(rules: str) -> None:
    """Where it logged several entries in one step, and where the service started between."""
    walk = Walk(rules, random.Random(f"{rules} 2"), 0.3)
    walk.play(8)
    starts = sum(entry["kind"] == "start" for entry in walk.log)
    replay = replayed(map(encode, walk.log), {SERVICE: starts} if starts else {})
    assert replay.but_moment == 0


CORPUS = [name for name, case in verdicts().items() if case["verdict"] == "pass"]


@pytest.mark.parametrize("name", CORPUS)
def test_the_frozen_corpus(name: str) -> None:
    replay = Replay((FOLDER / name / "log.jsonl").read_bytes().splitlines()).run()
    assert replay.left_out.keys() <= {SERVICE, ALONE, KEYLESS}
    assert sum((replay.same + replay.left_out).values()) + replay.but_moment == len(replay.log)


@pytest.mark.parametrize("rules", ["boxes", "casino"])
@pytest.mark.parametrize("last", ["shoe", "opened", "seal", "open"])
def test_a_shoe_that_is_lost(rules: str, last: str) -> None:
    """By a restore, after an entry of this kind."""
    lines = honest(rules, 4).lines
    entries = list(map(parse, lines))
    end = max(number for number, entry in enumerate(entries) if entry["kind"] == last)
    shoe = entries[end]["shoe"]
    key = next(entry["key"] for entry in entries if entry["kind"] == "reveal" and entry["shoe"] == shoe)
    number = entries[end].get("round")
    if rules == "boxes" and last in ("opened", "seal"):
        number = next(entry["round"] for entry in entries if entry["kind"] == "open" and entry["shoe"] == shoe)
    lost = lost_entry(timestamp(microseconds(entries[end]["at"]) + 1), shoe, key, number)
    assert replayed([*lines[: end + 1], encode(lost)]).same["lost"] == 1


def test_a_shoe_that_is_lost_with_its_key() -> None:
    """What the machine would have to know the key for is not asked for."""
    lines = honest("boxes", 4).lines
    end = max(number for number, line in enumerate(lines) if parse(line)["kind"] == "seeds")
    seeds = parse(lines[end])
    lost = lost_entry(timestamp(microseconds(seeds["at"]) + 1), seeds["shoe"])
    assert replayed([*lines[: end + 1], encode(lost)], {KEYLESS: 1}).same["lost"] == 1


WRONG = [
    ("table", "options", {}),
    ("chips", "chips", {"house": 0}),
    ("shoe", "commitment", "00" * 32),
    ("shoe", "roster", ["casino-p1", "casino-p2"]),
    ("shoe", "away", [2]),
    ("seeds", "unheard", ["casino-p1"]),
    ("seal", "burn", "As"),
    ("open", "passed", [1]),
    ("open", "unfunded", [1]),
    ("round", "pos", 7),
    ("reveal", "end", 1),
    ("reveal", "why", "left"),
]


@pytest.mark.parametrize(("kind", "field", "value"), WRONG)
def test_what_the_machine_would_not_write_is_noticed(kind: str, field: str, value: object) -> None:
    lines = honest("casino", 3, careless=0).lines
    changed = next(number for number, line in enumerate(lines) if parse(line)["kind"] == kind)
    lines[changed] = encode(parse(lines[changed]) | {field: value})
    with pytest.raises(AssertionError, match=f"^entry {changed}, "):
        Replay(lines).run()
