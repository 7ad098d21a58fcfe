"""`fairshoe simulate --log`: honest logs of every game, which the auditor finds whole; the same bytes from one key."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from audit_cli.findings.report import Report
from audit_cli.verify import verify
from fairshoe.engine.rules import RULES
from fairshoe.log.directory import read_lines
from fairshoe.log.times import SECOND, microseconds
from fairshoe.simulate.house import HousePlan, plan_house, write_house_log
from fairshoe.simulate.seating import Chance, Clock

KEY = bytes(range(32))
UNLUCKY = bytes(32)
"""A key with which somebody loses all chips in every game."""
GAMES = sorted(RULES)
FULL = {"banker": 1, "boxes": 7, "casino": 7, "chinese": 7, "lounge": 9, "pontoon": 7}
FEWEST = {"banker": 1, "boxes": 1, "casino": 1, "chinese": 2, "lounge": 1, "pontoon": 2}
LOG = ("log.jsonl", "checkpoint", "log.vkey")


def written(folder: Path, plan: HousePlan) -> Path:
    log = folder / "log"
    write_house_log(log, plan)
    return log


def audited(log: Path) -> Report:
    return verify(log, key=(log / "log.vkey").read_text())


def whole(log: Path) -> dict[str, bytes]:
    return {name: (log / name).read_bytes() for name in LOG}


def entries(log: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, read_lines(log))


# The auditor finds nothing wrong, and nothing missing.


@pytest.mark.parametrize("seats", [FEWEST, FULL], ids=["fewest", "full"])
@pytest.mark.parametrize("game", GAMES)
def test_a_log_of_every_game_is_honest_and_complete(tmp_path: Path, game: str, seats: dict[str, int]) -> None:
    plan = plan_house([game], 60, KEY, seats=seats[game], careless=0.3)
    report = audited(written(tmp_path, plan))
    assert not report.failed
    assert report.complete
    assert report.rounds == 60


@pytest.mark.parametrize("strategy", ["mimic", "stand", "never-bust"])
def test_reference_strategies_play_a_mix(tmp_path: Path, strategy: str) -> None:
    report = audited(written(tmp_path, plan_house(GAMES, 60, KEY, strategy=strategy)))
    assert report.complete
    assert not report.failed


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("casino", {"minimum": 500, "maximum": 500, "packs": 3}),
        ("chinese", {"minimum": 400, "maximum": 1_000}),
        ("pontoon", {"minimum": 100, "maximum": 100, "participants": 3}),
        ("lounge", {"gift": 9_000}),
    ],
)
def test_whoever_runs_out_of_chips_buys_in(tmp_path: Path, game: str, options: dict[str, int]) -> None:
    log = written(tmp_path, plan_house([game], 150, UNLUCKY, options=options, careless=0.05))
    report = audited(log)
    assert report.complete
    assert not report.failed
    assert sum(entry.get("op") == "buy-in" for entry in entries(log)) > 3


OPTIONAL = ("cut", "unheard", "away", "owes", "waits", "paid", "waived", "passed", "late", "uncovered", "unfunded")


def test_a_mix_shows_what_may_happen_at_a_table(tmp_path: Path) -> None:
    log = written(tmp_path, plan_house(GAMES, 1_200, KEY, tables=12, careless=0.1))
    report = audited(log)
    assert report.complete
    assert not report.failed
    assert (report.rounds, len(report.tables)) == (1_200, 12)
    seen: Counter[str] = Counter()
    for entry in entries(log):
        kind = entry["kind"]
        seen[kind] += 1
        seen.update(f"{kind} {entry[name]}" for name in ("op", "why") if name in entry)
        seen.update(f"{kind} {name}" for name in OPTIONAL if name in entry)
        seen.update(f"decision by {each['by']}" for each in entry.get("decisions", ()) if "by" in each)
    wanted = {"table", "chips", "shoe", "seeds", "opened", "lapse", "late", "seal", "open", "round", "reveal", "void"}
    wanted |= {"bank first", "bank change", "bank rotation", "chips share", "chips cash-out", "void reshuffle"}
    wanted |= {"void seed", "reveal left", "reveal worn", "reveal bank", "shoe away", "shoe owes", "seeds cut"}
    wanted |= {"shoe paid", "seeds unheard"}
    wanted |= {"open waived", "open passed", "open late", "decision by table", "reshuffle"}
    assert wanted <= seen.keys()


def test_tables_are_interleaved_and_end_without_chips_or_shoes(tmp_path: Path) -> None:
    log = written(tmp_path, plan_house(["casino", "banker"], 61, KEY, tables=4))
    tables = [entry.get("table") or entry["shoe"].rpartition("/")[0] for entry in entries(log)]
    assert sum(one != other for one, other in pairwise(tables)) > len(tables) // 2
    rounds = Counter(entry["shoe"].split("/")[0] for entry in entries(log) if entry["kind"] == "round")
    assert rounds == {"casino-1": 16, "banker-2": 15, "casino-3": 15, "banker-4": 15}
    purses: dict[tuple[str, str], int] = {}
    for entry, table in zip(entries(log), tables, strict=True):
        if entry["kind"] in ("chips", "round"):
            purses |= {(table, account): chips for account, chips in entry["chips"].items()}
    assert {chips for (_, account), chips in purses.items() if account != "house"} == {0}


def test_the_origin_says_that_it_is_simulated(tmp_path: Path) -> None:
    log = written(tmp_path, plan_house(["casino"], 5, KEY))
    assert (log / "checkpoint").read_text().startswith("simulated.example/log\n")
    assert (log / "log.vkey").read_text().startswith("simulated.example/log+")


# The same key, the same bytes.


def test_the_same_key_and_plan_have_the_same_bytes(tmp_path: Path) -> None:
    plan = plan_house(GAMES, 150, KEY, tables=7, careless=0.1)
    assert whole(written(tmp_path / "one", plan)) == whole(written(tmp_path / "other", plan))


def test_another_key_and_another_plan_have_other_bytes_and_another_signer(tmp_path: Path) -> None:
    plans = [
        plan_house(["casino"], 20, KEY),
        plan_house(["casino"], 20, bytes(32)),
        plan_house(["casino"], 21, KEY),
        plan_house(["casino"], 20, KEY, options={"packs": 8}),
        plan_house(["casino"], 20, KEY, seats=2),
        plan_house(["casino"], 20, KEY, careless=0.2),
        plan_house(["casino"], 20, KEY, strategy="mimic"),
    ]
    logs = [whole(written(tmp_path / str(number), plan)) for number, plan in enumerate(plans)]
    for name in LOG:
        assert len({log[name] for log in logs}) == len(plans)


# Clocks.


def test_no_two_clocks_ever_show_the_same_moment() -> None:
    clocks = [Clock(slot, 3, Chance(bytes([slot]) * 32)) for slot in range(3)]
    moments = []
    for turn in range(300):
        for clock in clocks:
            before = clock.now
            if turn % 7 == 0:
                clock.wait(30, clock.now - SECOND)
                assert 29 * SECOND <= clock.now - before < 29 * SECOND + 3
            at = clock.tick()
            assert microseconds(at) == clock.now > before
            moments.append(clock.now)
    assert len(set(moments)) == len(moments)


def test_a_wait_that_is_over_takes_no_time() -> None:
    clock = Clock(0, 1, Chance(KEY))
    now = clock.now
    clock.wait(30, now - 31 * SECOND)
    assert clock.now == now
