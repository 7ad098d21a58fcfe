"""The attacks on a second dealer, by chance and many of each, for whoever reads a log twice: places given twice, wrong
ones and wrong keys, values claimed before, openings of a shoe that is never revealed, receipts for a round that waits,
cards that no deck has so often, short seeds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from fairshoe.log.canonical import Entry, encode
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer
from tests.audit.planting import log
from tests.ceremony import walk
from tests.house import SIGNER
from tests.verifier.readings import first_reading, second_readings

from .house import PlacedHouse, entries_in, placed
from .test_frauds import FRAUDS
from .test_openings import Liar, Unrevealed
from .test_own_frauds import FRAUDS as OWN_FRAUDS
from .test_own_frauds import has_a_client_that_gives_another_place
from .test_waiting import OwnRecorded, Recorded, kept, later


class Attack(NamedTuple):
    """A log, whose signature it has, and files beside it."""

    name: str
    lines: list[bytes]
    signer: Signer = SIGNER
    beside: Mapping[str, bytes] = {}


def disagreements(folder: Path, attacks: list[Attack]) -> list[str]:
    """The attacks of which the two readings say different things."""
    paths = []
    for number, each in enumerate(attacks):
        paths.append(folder / f"attack {number}")
        write_log(paths[-1], each.lines, each.signer)
        for name, file in each.beside.items():
            (paths[-1] / name).write_bytes(file)
    second = second_readings([path / "log.jsonl" for path in paths])
    pairs = zip(attacks, map(first_reading, paths), second, strict=True)
    return [f"{each.name}: {first}, {told}" for each, first, told in pairs if first != told]


def frauds() -> Iterator[Attack]:
    """Yield every planted fraud."""
    for case in [*FRAUDS, *OWN_FRAUDS]:
        yield Attack(case.name, list(case.plant().lines))
    yield Attack("a client that gives another place", list(has_a_client_that_gives_another_place().lines))


def attacks(many: int, seed: int = 0) -> Iterator[Attack]:
    """Yield so many of each other attack."""
    chance = Random(f"attacks {seed}")
    house = entries_in(placed("boxes", 12, careless=0.1))
    for entries in (house, [json.loads(line) for line in log("boxes")], [json.loads(line) for line in log("banker")]):
        for change in (claimed, wrong_place, too_often, short_seed):
            for _ in range(many):
                yield Attack(change.__name__, list(map(encode, change(entries, chance))))
    yield from openings(many, chance)
    yield from waits(many, chance)


def changed(entries: list[Entry], index: int, *path: Any, value: Any) -> list[Entry]:
    """The same with another value in an entry."""
    entry = place = json.loads(json.dumps(entries[index]))
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return [*entries[:index], entry, *entries[index + 1 :]]


def claims(entries: list[Entry]) -> list[tuple[int, tuple[str, ...], str]]:
    """Where a value is claimed, and which."""
    found = []
    for index, entry in enumerate(entries):
        if entry["kind"] == "shoe":
            found.append((index, ("commitment",), entry["commitment"]))
            if "placer" in entry:
                found.append((index, ("placer", "commitment"), entry["placer"]["commitment"]))
        elif entry["kind"] == "seeds":
            found += [(index, ("hashes", name), digest) for name, digest in entry["hashes"].items()]
        elif entry["kind"] == "opened":
            found.append((index, ("seed",), entry["seed"]))
        elif entry["kind"] == "reveal":
            found.append((index, ("key",), entry["key"]))
    return found


def claimed(entries: list[Entry], chance: Random) -> list[Entry]:
    """A value that was claimed before, or one that hashes to it."""
    places = claims(entries)
    index, path, _ = chance.choice(places)
    return changed(entries, index, *path, value=chance.choice(places)[2])


def about(entries: list[Entry], chance: Random, *kinds: str) -> int:
    """Choose an entry of one of these kinds."""
    return chance.choice([index for index, entry in enumerate(entries) if entry["kind"] in kinds])


def wrong_place(entries: list[Entry], chance: Random) -> list[Entry]:
    """A place that was given before, another one, one that no deck has, or another key; a card where none is given."""
    shown = [index for index, entry in enumerate(entries) if entry.get("placed", {}).get("places")]
    if not shown:
        return too_often(entries, chance)
    if chance.random() < 0.2:
        return changed(entries, about(entries, chance, "placed"), "key", value=chance.randbytes(32).hex())
    index = chance.choice(shown)
    places = entries[index]["placed"]["places"]
    before = [place for each in shown if each <= index for place in entries[each]["placed"]["places"]]
    given = chance.choice(
        [chance.choice(before), chance.randrange(52), chance.choice([-1, 52, 65_535, 65_536, 1 << 40])]
    )
    return changed(entries, index, "placed", "places", chance.randrange(len(places)), value=given)


def too_often(entries: list[Entry], chance: Random) -> list[Entry]:
    """One card everywhere in a round, often of a shoe that is not revealed yet."""
    index = about(entries, chance, "round")
    cards = entries[index]["cards"]
    many = chance.randrange(1, len(cards) + 1)
    found = changed(entries, index, "cards", value=[chance.choice(cards)] * many + cards[many:])
    return found[: index + 1] if chance.random() < 0.7 else found


def short_seed(entries: list[Entry], chance: Random) -> list[Entry]:
    """A seed of few bytes, whose hash stands or not."""
    index = about(entries, chance, "opened")
    seed, entry = chance.randbytes(chance.randrange(1, 16)), entries[index]
    found = changed(entries, index, "seed", value=seed.hex())
    for at, each in enumerate(entries):
        if each["kind"] == "seeds" and each["shoe"] == entry["shoe"] and entry["player"] in each["hashes"]:
            found = changed(found, at, "hashes", entry["player"], value=sha256(seed).hexdigest())
    return found[: index + 1] if chance.random() < 0.5 else found


def openings(many: int, chance: Random) -> Iterator[Attack]:
    """A house that never reveals its shoe, honest or not, and openings of which anybody changed some."""
    for rules, kind in (("casino", Unrevealed), ("casino", Liar), ("chinese", Liar), ("pontoon", Unrevealed)):
        table = kind(PlacedHouse(), rules, rules, (1, 2), careless=0)
        shown = table.rounds_of_a_shoe(1)
        for _ in range(many):
            some = json.loads(json.dumps(chance.sample(shown, chance.randrange(len(shown) + 1))))
            for each in chance.sample(some, min(len(some), chance.randrange(3))):
                other = chance.choice(shown)["opening"]
                field = chance.choice([*other])
                each["opening"][field] = chance.choice([other[field]] * 4 + [None, 1.0, "", []])
            file = "".join(f"{json.dumps(each)}\n" for each in some).encode()
            yield Attack(f"openings of {rules}", list(table.house.lines), SIGNER, {"openings.jsonl": file})


def waits(many: int, chance: Random) -> Iterator[Attack]:
    """A round that its house keeps back, or not, with some of its receipts."""
    for kind in (Recorded, OwnRecorded):
        both = kept(kind)
        for _ in range(many):
            entries = later(both.log, chance.randrange(60))
            steps = both.note.split("\n")[3]
            wrong = [("", "")] * 12 + [
                (f"\n{steps}\n", f"\n{chance.randrange(30)}\n"),
                ("t/", "u/"),
                ("\nat 2", "\nat 1"),
            ]
            shown = [both.receipt(chance.randrange(60), walk.SIGNER, *chance.choice(wrong)) for _ in range(4)]
            file = "".join(f"{json.dumps(each)}\n" for each in [both.answer(), *shown][: chance.randrange(1, 6)])
            yield Attack("receipts", list(map(encode, entries)), walk.SIGNER, {"notes.jsonl": file.encode()})


def test_both_readings_say_the_same_of_attacks(tmp_path: Path) -> None:
    """Of each one; of hundreds `python -m tests.long.readings`."""
    assert disagreements(tmp_path, list(attacks(1))) == []
