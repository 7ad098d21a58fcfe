"""A house that knows where its log is cut gains nothing by it; and a part that assumes what is not so is found out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit_cli.parts.standing import Standing
from audit_cli.parts.warm import Warming
from fairshoe.log.directory import write_log
from tests.house import SIGNER, House, Seating, honest

from .parted import here, interleaved, same
from .planting import encoded, later_chips, places, retimed, without

GAMES = {"casino": 120, "pontoon": 60, "lounge": 30, "chinese": 16, "boxes": 16, "banker": 16}


@pytest.fixture(autouse=True)
def _soon() -> Iterator[None]:
    """Tables are taken over as soon as may be."""
    with patch("audit_cli.parts.warm.ENOUGH", 1):
        yield


@cache
def log(game: str) -> tuple[bytes, ...]:
    seats = (1,) if game == "banker" else (1, 2)
    return tuple(honest(game, GAMES[game], seed=4, seats=seats, careless=0.05).lines)


def entries_of(game: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log(game)]


def cut_everywhere(folder: Path, lines: list[bytes], *, failed: bool = True) -> None:
    write_log(folder, lines, SIGNER)
    report, _ = same(folder, here(25, 1_000))
    assert report.failed or not failed


# A house that knows where the cut falls, and has the log after it agree with what it says there.


@pytest.mark.parametrize("game", GAMES)
def test_chips_come_from_nowhere_at_a_shoe(game: str, tmp_path: Path) -> None:
    """From some shoe on everybody has a little more, in all entries: only what was before does not agree."""
    number = len(places(entries_of(game), "shoe"))
    for which in range(1, number, max(1, number // 6)):
        entries = entries_of(game)
        later_chips(entries, places(entries, "shoe")[which], {"1": 10, "house": -10})
        cut_everywhere(tmp_path, encoded(entries))


@pytest.mark.parametrize(
    ("game", "field", "value"),
    [
        ("casino", "bank", "1"),
        ("pontoon", "bank", "house"),
        ("chinese", "memory", {"held": 7}),
        ("pontoon", "memory", {"entitled": 2}),
        ("lounge", "memory", {"game": 9}),
        ("casino", "away", [2]),
        ("boxes", "roster", ["boxes-p1"]),
        ("casino", "cutter", "casino-p2"),
        ("casino", "cards", 104),
        ("casino", "draws", {"cut": 312}),
    ],
)
def test_a_shoe_says_what_is_not_so(game: str, field: str, value: object, tmp_path: Path) -> None:
    shoes = places(entries_of(game), "shoe")
    for index in shoes[1 :: max(1, len(shoes) // 3)]:
        entries = entries_of(game)
        if entries[index].get(field) != value:
            entries[index][field] = value
            cut_everywhere(tmp_path, encoded(entries))


@pytest.mark.parametrize("field", ["bank", "chips", "memory", "roster", "shoe"])
def test_a_shoe_cannot_be_read(field: str, tmp_path: Path) -> None:
    entries = entries_of("lounge")
    index = places(entries, "shoe")[2]
    for value in (0, "x", [], None):
        entries[index][field] = value
        cut_everywhere(tmp_path, encoded(entries))


@pytest.mark.parametrize("game", ["casino", "boxes"])
def test_an_entry_is_missing_or_early_at_the_cut(game: str, tmp_path: Path) -> None:
    """Dropped, moved before the one before it, or dated so."""
    times = [entry["at"] for entry in entries_of(game)]
    for index in range(9, len(times), len(times) // 4):
        entries = entries_of(game)
        cut_everywhere(tmp_path, encoded(retimed(without(entries, index), times)))
        swapped = [*entries[: index - 1], entries[index], entries[index - 1], *entries[index + 1 :]]
        cut_everywhere(tmp_path, encoded(retimed(swapped, times)), failed=False)
        entries[index]["at"] = entries[index - 1]["at"]
        cut_everywhere(tmp_path, encoded(entries))


def test_time_goes_back_between_two_tables(tmp_path: Path) -> None:
    entries = [json.loads(line) for line in interleaved(4, 14).lines]
    for index in range(40, len(entries), len(entries) // 10):
        with patch.dict(entries[index], at=entries[index - 1]["at"]):
            lines = encoded(entries)
        cut_everywhere(tmp_path, lines)


def test_a_shoe_is_dropped_whole(tmp_path: Path) -> None:
    entries = entries_of("boxes")
    for number in (2, 7, 12):
        lines = encoded([entry for entry in entries if entry.get("shoe") != f"boxes/{number}"])
        cut_everywhere(tmp_path, lines)


class Again(Seating):
    """Takes the key of the second shoe for a later one, or the same seeds."""

    of = "key"

    def new_key(self) -> bytes:
        drawn = super().new_key()
        self.first = getattr(self, "first", drawn)
        return self.first if self.shoes == 9 else drawn


def test_a_key_comes_again_in_another_part(tmp_path: Path) -> None:
    house = House(2)
    Again(house, "boxes", "boxes", (1, 2)).play(12)
    cut_everywhere(tmp_path, house.lines)


def test_a_table_opens_twice_in_two_parts(tmp_path: Path) -> None:
    house = House(2)
    one = Seating(house, "a", "boxes", (1, 2))
    one.play(6)
    again = json.loads(house.lines[0])
    house.log(again | {"at": house.at()})
    one.play(6)
    cut_everywhere(tmp_path, house.lines)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_change_anywhere(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    game = data.draw(st.sampled_from(["casino", "boxes", "banker", "lounge"]))
    entries = entries_of(game)
    index = data.draw(st.integers(0, len(entries) - 1))
    field = data.draw(st.sampled_from(sorted(entries[index])))
    value = data.draw(st.sampled_from([0, 1, -1, "x", "", [], {}, None, True, 2**60, "casino/3", [1, 2]]))
    with patch.dict(entries[index], {field: value}):
        lines = encoded(entries)
    workers = here(data.draw(st.integers(1, 30)), data.draw(st.integers(400, 9_000)))
    same(tmp_path_factory.mktemp("log"), workers, lines)


# What a part assumes may be as wrong as can be.


def lapsed(standing: Standing) -> None:
    for chair in standing.state.book.chairs.values():
        chair.lapsed += 1


def rich(standing: Standing) -> None:
    table = standing.state.book.table
    standing.state.book.table = table.after({account: chips + 1 for account, chips in table.purse.items()})


def later(standing: Standing) -> None:
    standing.state.book.rounds += 1


def empty(standing: Standing) -> None:
    standing.state.book.chairs.clear()


@pytest.mark.parametrize("wrong", [lapsed, rich, later, empty])
@pytest.mark.parametrize("game", ["casino", "boxes", "pontoon"])
def test_what_was_assumed_wrongly_is_audited_again(wrong: Any, game: str, tmp_path: Path) -> None:
    give = Warming.give

    def given_wrongly(self: Warming, name: bytes) -> Standing:
        standing = give(self, name)
        wrong(standing)
        return standing

    with patch.object(Warming, "give", given_wrongly):
        report, whole = same(tmp_path, here(4, 1_500), log(game))
    assert not report.failed
    assert whole is not None
    assert whole.again >= 1
    assert whole.met == 0
