"""The second reading says of logs with a placer what the auditor says: honest ones, planted frauds, anything changed;
thousands of changed logs by `python -m tests.long.readings`."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fairshoe.engine.rules import RULES
from fairshoe.log.canonical import Entry, encode
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer
from fairshoe.log.times import SECOND, microseconds, timestamp
from fairshoe.record.entries import start_entry
from tests.audit.tamper import tamperings
from tests.ceremony import walk
from tests.house import SIGNER
from tests.verifier.readings import first_reading, reading, second_readings

from .house import entries_in, placed
from .test_frauds import FRAUDS
from .walk import OwnWalk, PlacedWalk

COPIES = 10
CHANGED = ["boxes", "pontoon"]
KINDS = ("open", "round", "reveal")
OWN = ["banker", "boxes", "casino", "lounge"]
Log = tuple[str, list[bytes]]


def differing(folder: Path, logs: Iterable[Log], signer: Signer = SIGNER) -> list[str]:
    """The logs of which the two say different things, each signed by its house."""
    names = {}
    for number, (name, lines) in enumerate(logs):
        write_log(folder / str(number), lines, signer)
        names[folder / str(number)] = name
    second = list(second_readings([path / "log.jsonl" for path in names]))
    pairs = zip(names.items(), second, strict=True)
    return [f"{name}: {first}, {told}" for (path, name), told in pairs if (first := first_reading(path)) != told]


def test_planted_frauds(tmp_path: Path) -> None:
    assert differing(tmp_path, ((case.name, list(case.plant().lines)) for case in FRAUDS)) == []


def test_honest_houses(tmp_path: Path) -> None:
    logs = [(game, placed(game, 20, careless=0.1).lines) for game in sorted(RULES)]
    assert differing(tmp_path, logs) == []
    (told,) = set(second_readings([tmp_path / str(number) / "log.jsonl" for number in range(len(logs))]))
    assert told == reading("pass")


@pytest.mark.parametrize("game", CHANGED)
def test_anything_changed(game: str, tmp_path: Path) -> None:
    assert differing(tmp_path, changed(game, COPIES)) == []


def changed(game: str, count: int, seed: int = 0) -> Iterator[Log]:
    """Copies of a log, each with one entry changed and everything signed again."""
    house = placed(game, 12, careless=0.1)
    yield from copies(entries_in(house), count, random.Random(f"placers at {game} {seed}"))


def copies(entries: list[Entry], count: int, chance: random.Random) -> Iterator[Log]:
    lines = list(map(encode, entries))
    for _ in range(count):
        index = chance.randrange(1, len(entries) - 1)
        around = entries[index - 1]["at"], entries[index + 1]["at"]
        field, entry = chance.choice(list(tamperings(entries[index], None, around)))
        yield (
            f"{field} of entry {index}, {entries[index]['kind']}",
            [*lines[:index], encode(entry), *lines[index + 1 :]],
        )


# Where the player places.


def own(game: str, slow: float = 0.0, rounds: int = 12) -> list[Entry]:
    """The log of a table whose player places."""
    table = OwnWalk(game, random.Random(f"own {game} {slow}"), slow, slow=slow)
    table.play(rounds)
    table.serve()
    return table.log


def test_honest_players_who_place(tmp_path: Path) -> None:
    logs = [(f"{game} {slow}", list(map(encode, own(game, slow)))) for game in OWN for slow in (0.0, 0.3)]
    assert differing(tmp_path, logs, walk.SIGNER) == []
    assert {first_reading(tmp_path / str(number) / "log.jsonl") for number in range(len(logs))} == {reading("pass")}


@pytest.mark.parametrize("game", OWN)
def test_anything_changed_where_the_player_places(game: str, tmp_path: Path) -> None:
    assert differing(tmp_path, own_changed(game, COPIES), walk.SIGNER) == []


def own_changed(game: str, count: int, seed: int = 0) -> Iterator[Log]:
    return copies(own(game), count, random.Random(f"own places at {game} {seed}"))


def waited(entries: list[Entry], next_one: Entry | None) -> list[bytes]:
    """The same, and forty days in which the service started once an hour; then the next entry, at its time."""
    since = microseconds(entries[-1]["at"])
    starts = [start_entry(timestamp(since + hour * 3600 * SECOND)) for hour in range(1, 961)]
    last = [] if next_one is None else [next_one | {"at": timestamp(since + 961 * 3600 * SECOND)}]
    return list(map(encode, [*entries, *starts, *last]))


def test_a_player_who_places_is_never_too_late(tmp_path: Path) -> None:
    """Neither with the places of a round nor with a key; a house is, with the end of a shoe."""
    entries = own("banker")
    opened, dealt, ended = (next(i for i, each in enumerate(entries) if each["kind"] == kind) for kind in KINDS)
    logs = [
        ("places", waited(entries[: opened + 1], entries[opened + 1])),
        ("more places", waited(entries[:dealt], entries[dealt])),
        ("none", waited(entries[:dealt], None)),
        ("key", waited(entries[: ended + 1], entries[ended + 1])),
        ("no key", waited(entries[: ended + 1], None)),
        ("reveal", waited(entries[:ended], entries[ended])),
    ]
    assert differing(tmp_path, logs, walk.SIGNER) == []
    told = [first_reading(tmp_path / str(number) / "log.jsonl").verdict for number in range(len(logs))]
    assert told == ["pass"] * 5 + ["fail"]


def planted(entries: list[Entry], kind: str, **change: Any) -> list[bytes]:
    """The log with another entry in the place of the first of a kind; without the fields that are None."""
    index = next(i for i, each in enumerate(entries) if each["kind"] == kind)
    entry = {name: value for name, value in (entries[index] | change).items() if value is not None}
    return list(map(encode, [*entries[:index], entry, *entries[index + 1 :]]))


def test_what_stands_only_where_the_player_places(tmp_path: Path) -> None:
    stranger, entries = str(Signer("stranger", bytes(32)).verifier), own("casino")
    seed = {"kind": "opened", "shoe": "t/1", "player": "p1", "seed": "ab" * 16}
    index = next(i for i, each in enumerate(entries) if each["kind"] == "seal")
    after = microseconds(entries[index - 1]["at"])
    logs = [
        ("two", planted(entries, "table", placer=["player", stranger])),
        ("pontoon", planted(PlacedWalk("pontoon", random.Random(1)).log, "table", placer="player")),
        ("nobody's key", planted(entries, "chips", placer=None)),
        ("another's key", planted(entries, "chips", placer=stranger)),
        ("a key elsewhere", planted(entries_in(placed("boxes", 1)), "chips", placer=stranger)),
        ("the second chair", planted(entries, "chips", seat=2, chips={"2": 10_000})),
        ("a cutter", planted(entries, "shoe", cutter="p1")),
        ("the house's placer", planted(entries, "shoe", placer=entries[index - 1]["placer"] | {"key": stranger})),
        (
            "a seed",
            list(map(encode, [*entries[:index], seed | {"v": 1, "at": timestamp(after + 1)}, *entries[index:]])),
        ),
    ]
    assert differing(tmp_path, logs, walk.SIGNER) == []
    assert {first_reading(tmp_path / str(number) / "log.jsonl").verdict for number in range(len(logs))} == {"fail"}
