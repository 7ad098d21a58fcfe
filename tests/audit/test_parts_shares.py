"""A log of many tables, of which each worker has some from the beginning to the end: the report is that of one pass."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from audit_cli.parts.cut import cut
from audit_cli.parts.survey import survey
from fairshoe.log.directory import write_log
from tests import everything
from tests.house import SIGNER, House, Seating

from .parted import here, interleaved, same
from .planting import encoded, retimed, without
from .test_parts_cuts import Again


@pytest.fixture(autouse=True)
def _few_tables_are_many() -> Iterator[None]:
    with patch("audit_cli.parts.cut.TABLES_A_SHARE", 1):
        yield


@cache
def log() -> tuple[bytes, ...]:
    return tuple(interleaved(6, 8, ahead=True).lines)


def entries() -> list[dict[str, Any]]:
    return [json.loads(line) for line in log()]


@pytest.mark.parametrize("many", [1, 2, 3])
def test_many_tables(many: int, tmp_path: Path) -> None:
    report, whole = same(tmp_path, here(many, 2_000), log())
    assert not report.failed
    assert whole is not None
    assert whole.parts == many
    assert whole.met == whole.again == 0, "nobody assumed anything"


def test_everything_that_may_happen_at_tables(tmp_path: Path) -> None:
    """Closings, voids, lapses, debts, starts, put-out players."""
    house = House(5)
    everything.casinos(house)
    for name in "abcd":
        Seating(house, name, "casino", (1, 2)).play(30)
    report, whole = same(tmp_path, here(2, 2_000), house.lines)
    assert not report.failed
    assert whole is not None


def changed(folder: Path, lines: list[bytes]) -> bool:
    """Whether the log fails, as one pass says and so do three shares."""
    write_log(folder, lines, SIGNER)
    report, whole = same(folder, here(3, 1_000))
    assert whole is None or not report.failed
    return report.failed


def test_an_entry_is_changed_dropped_or_moved(tmp_path: Path) -> None:
    times = [entry["at"] for entry in entries()]
    for index in range(5, len(times), len(times) // 7):
        there = entries()
        assert changed(tmp_path, encoded(retimed(without(there, index), times)))
        there[index], there[index - 1] = there[index - 1], there[index]
        changed(tmp_path, encoded(retimed(there, times)))
        there = entries()
        there[index]["shoe"] = "nobody/1"
        assert changed(tmp_path, encoded(there))


def test_time_goes_back_between_two_tables(tmp_path: Path) -> None:
    there = entries()
    for index in range(1, len(there), len(there) // 9):
        with patch.dict(there[index], at=there[index - 1]["at"]):
            lines = encoded(there)
        assert changed(tmp_path, lines)


def test_a_key_comes_again_at_another_table(tmp_path: Path) -> None:
    class Copied(Again):
        def new_key(self) -> bytes:
            return keys[self.shoes] if self.shoes < len(keys) else super().new_key()

    class First(Seating):
        def new_key(self) -> bytes:
            keys.append(super().new_key())
            return keys[-1]

    keys: list[bytes] = []
    house = House(2)
    First(house, "a", "boxes", (1, 2)).play(4)
    Copied(house, "b", "boxes", (1, 2)).play(6)
    assert changed(tmp_path, house.lines)


def test_a_table_is_called_like_another_one(tmp_path: Path) -> None:
    """A table that opens twice, and one whose `table` entry is missing."""
    there = entries()
    tables = [index for index, entry in enumerate(there) if entry["kind"] == "table"]
    times = [entry["at"] for entry in there]
    assert changed(tmp_path, encoded(retimed(without(there, tables[1]), times)))
    twice = [*there, there[tables[2]] | {"at": "2027-01-01T00:00:00.000000Z"}]
    assert changed(tmp_path, encoded(twice))


def test_cards_beyond_the_bound_are_left_to_one_pass(tmp_path: Path) -> None:
    with patch("audit_cli.parts.desk.FREE_CARDS", 0), patch("audit_cli.parts.desk.CARDS_AN_ENTRY", 1):
        report, whole = same(tmp_path, here(2, 2_000), log())
    assert not report.failed
    assert whole is None


def is_shared(folder: Path, house: House, workers: int) -> bool:
    house.write(folder)
    path = folder / "log.jsonl"
    return cut(path, survey(path, range(-(-path.stat().st_size // 2_000)), 2_000), workers, ()).shares


def test_tables_are_shared_where_they_are_many_and_none_has_most_of_the_rounds(tmp_path: Path) -> None:
    assert is_shared(tmp_path, interleaved(12, 12), 3)
    with patch("audit_cli.parts.cut.TABLES_A_SHARE", 5):
        assert not is_shared(tmp_path, interleaved(12, 12), 3)
    with patch("audit_cli.parts.cut.SHOES_A_TABLE", 0):
        assert not is_shared(tmp_path, interleaved(12, 12), 3)
    assert not is_shared(tmp_path, interleaved(12, 12), 9)
    house = House(4)
    Seating(house, "busy", "boxes", (1, 2)).play(30)
    for name in "abc":
        Seating(house, name, "boxes", (1, 2)).play(2)
    assert not is_shared(tmp_path, house, 2)
