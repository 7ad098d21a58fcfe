"""Kills and power cuts in short; and what a power cut leaves."""

from __future__ import annotations

import random

import pytest

from tests.long import kill, power
from tests.long.disk import Disk, Op, cuts


def test_a_few_power_cuts(capsys: pytest.CaptureFixture[str]) -> None:
    assert power.main(["casino", "boxes", "--times", "8", "--seconds", "2"]) == 0, capsys.readouterr().out


def test_a_few_harms_of_a_house_on_postgresql(capsys: pytest.CaptureFixture[str]) -> None:
    only = [word for harm in ("process", "database", "cut") for word in ("--only", harm)]
    words = ["casino", "lounge", "--times", "4", "--seed", "3", "--processes", "2", *only]
    assert kill.main(words) == 0, capsys.readouterr().out


def op(kind: str, number: int, **more: object) -> Op:
    return Op(kind, float(number), number + 0.5, **more)  # type: ignore[arg-type]


WRITTEN = [
    op("open", 0, handle=3, name=""),
    op("open", 1, handle=4, name="a", flags="O_CREAT"),
    op("write", 2, handle=4, at=0, data=b"one"),
    op("sync", 3, handle=4),
    op("sync", 4, handle=3),
    op("write", 5, handle=4, at=3, data=b"two"),
    op("rename", 6, name="a", other="b"),
]


def left(ops: list[Op], times: int = 200) -> set[tuple[tuple[str, bytes], ...]]:
    chance = random.Random(1)
    return {tuple(files.items()) for _, files in cuts(ops, [100.0] * times, chance)}


def test_what_was_synced_is_there_and_the_rest_may_be() -> None:
    assert left(WRITTEN) >= {(("a", b"one"),), (("a", b"onetwo"),), (("b", b"one"),), (("b", b"onetwo"),)}
    assert all(content.startswith(b"one") for files in left(WRITTEN) for _, content in files)
    assert all(len(files) == 1 for files in left(WRITTEN))


def test_a_name_is_lost_with_the_directory_and_content_with_the_file() -> None:
    assert () in left(WRITTEN[:4])
    assert left([*WRITTEN[:3], WRITTEN[4]]) >= {(("a", b""),), (("a", b"one"),)}


def test_a_write_may_be_torn_at_a_sector() -> None:
    ops = [*WRITTEN[:2], op("sync", 2, handle=3), op("write", 3, handle=4, at=0, data=b"x" * 1024)]
    assert (("a", bytes(512) + b"x" * 512),) in left(ops)


def test_a_sync_covers_what_was_done_before_it_began() -> None:
    disk = Disk()
    for each in [*WRITTEN[:2], WRITTEN[4], WRITTEN[2], op("sync", 2, handle=4)]:
        disk.do(each)
    assert {disk.left(random.Random(seed))["a"] for seed in range(50)} == {b"", b"one"}
