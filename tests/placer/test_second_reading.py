"""The second reading says of logs with placers what the auditor says: honest ones, planted frauds, anything changed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from fairshoe.engine.rules import RULES
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from tests.audit.tamper import tamperings
from tests.house import SIGNER
from tests.verifier.readings import first_reading, second_readings

from .house import TWO, PlacedHouse, entries_in, placed
from .test_frauds import FRAUDS

COPIES = 40
Log = tuple[str, list[bytes]]


def differing(folder: Path, logs: Iterable[Log]) -> list[str]:
    """The logs of which the two say different things, each signed by its house."""
    names = {}
    for number, (name, lines) in enumerate(logs):
        write_log(folder / str(number), lines, SIGNER)
        names[folder / str(number)] = name
    second = list(second_readings([path / "log.jsonl" for path in names]))
    pairs = zip(names.items(), second, strict=True)
    return [f"{name}: {first}, {told}" for (path, name), told in pairs if (first := first_reading(path)) != told]


def test_planted_frauds(tmp_path: Path) -> None:
    assert differing(tmp_path, ((case.name, list(case.plant().lines)) for case in FRAUDS)) == []


def test_honest_houses(tmp_path: Path) -> None:
    logs = [(game, placed(game, 20, careless=0.1).lines) for game in sorted(RULES)]
    logs.append(("two", placed("pontoon", 30, house=PlacedHouse(signers=TWO)).lines))
    assert differing(tmp_path, logs) == []
    (told,) = set(second_readings([tmp_path / str(number) / "log.jsonl" for number in range(len(logs))]))
    assert told == ("pass", None)


@pytest.mark.parametrize("game", ["boxes", "pontoon"])
def test_anything_changed(game: str, tmp_path: Path) -> None:
    assert differing(tmp_path, changed(game)) == []


def changed(game: str) -> Iterator[Log]:
    """Copies of a log, each with one entry changed and everything signed again."""
    house = placed(game, 12, house=PlacedHouse(signers=TWO), careless=0.1)
    chance, entries = random.Random(f"placers at {game}"), entries_in(house)
    for _ in range(COPIES):
        index = chance.randrange(1, len(entries) - 1)
        around = entries[index - 1]["at"], entries[index + 1]["at"]
        field, entry = chance.choice(list(tamperings(entries[index], None, around)))
        yield (
            f"{field} of entry {index}, {entries[index]['kind']}",
            [*house.lines[:index], encode(entry), *house.lines[index + 1 :]],
        )
