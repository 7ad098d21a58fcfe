"""The second reading says of every log and every hand of the corpus what is written down there; and of honest logs of
every game that they hold, on the command line too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit_cli.verify.findings.wording import verdict
from audit_cli.verify.run import verify
from fairshoe.ceremony.policy import MAX_GAME_TIME
from fairshoe.engine.rules.lounge import BUY_IN
from fairshoe.engine.table import POOL
from fairshoe.log.directory import write_log
from fairshoe.log.times import HOUR, timestamp
from fairshoe.simulate.house import plan_house, write_house_log
from tests.audit.planting import at_table
from tests.audit.walk import full
from tests.corpus import hands
from tests.corpus.case import FOLDER, verdicts
from tests.house import SIGNER, Seating

from .readings import CODES, first_reading, reading, second_outcomes, second_readings
from .strange import strange, strange_differences
from .test_verify_options import said

CASES = verdicts()
ONE_OF_EACH = {CASES[name]["verdict"]: name for name in CASES}
ROUNDS = 14
OPTIONS: dict[str, dict[str, Any]] = {
    "banker": {"maximum": 8000, "minimum": 500},
    "boxes": {"maximum": 8000},
    "casino": {"packs": 3},
    "chinese": {"free_hand": True, "direction": "anticlockwise", "twenty_one_double": True},
    "lounge": {"gift": 4000},
    "pontoon": {"maximum": 500},
}


def test_every_log_has_its_verdict() -> None:
    said = dict(zip(CASES, second_readings([FOLDER / name / "log.jsonl" for name in CASES]), strict=True))
    assert said == {name: reading(case["verdict"], case.get("entry")) for name, case in CASES.items()}


@pytest.mark.parametrize("word", ONE_OF_EACH)
def test_the_exit_code_of_each_verdict(word: str) -> None:
    told = said(FOLDER / ONE_OF_EACH[word])
    assert (told.code, told.last.get("verdict", word)) == (CODES[word], word)


def test_what_is_a_log_and_what_is_an_entry(tmp_path: Path) -> None:
    assert strange_differences(tmp_path, list(strange("banker", 25))) == []


def test_the_verdict_names_the_cards_that_no_entry_shows() -> None:
    """Those of shoes without a table."""
    report = verify(FOLDER / "raffles")
    assert (report.checks["cards"], report.unchecked[-1].check, report.unchecked[-1].count) == (
        "not-checked",
        "cards",
        3,
    )
    (words,) = said(FOLDER / "raffles").last["unchecked"]
    assert words == f"3 {report.unchecked[-1].what}"
    assert words in verdict(report)
    assert said(FOLDER / "game-casino").last["unchecked"] == []


def test_every_hand_has_its_outcome() -> None:
    stated = {name: case["outcome"] for name, case in hands.outcomes().items()}
    files = [hands.FOLDER / f"{name}.json" for name in stated]
    assert dict(zip(stated, second_outcomes(files, hands.KEY.read_text().strip()), strict=True)) == stated


def test_honest_houses(tmp_path: Path) -> None:
    for game, options in OPTIONS.items():
        write_house_log(tmp_path / game, plan_house([game], ROUNDS, bytes(range(32)), careless=0.1, options=options))
    logs = [tmp_path / game / "log.jsonl" for game in OPTIONS]
    assert list(second_readings(logs)) == [reading("pass")] * len(OPTIONS)
    log = tmp_path / "casino"
    code, verdict, _ = said(log, "--key", log / "log.vkey")
    assert (code, verdict["verdict"], verdict["signature"], verdict["rounds"]) == (0, "pass", "pass", ROUNDS)


def test_a_pool_that_nobody_plays_for_is_shared(tmp_path: Path) -> None:
    """LO-04, LO-07: who was refunded before the first deal has no part in it, who was refunded afterwards has; each
    share is due with the one before it."""
    table = at_table("lounge", (1, 2, 3), gift=1000)
    other = Seating(table.house, "other", "boxes", (1,))
    table.chips("refund", 3, BUY_IN, game=1, why="round")
    table.play(1)
    table.chips("refund", 1, BUY_IN, game=1, why="round")
    for seat in (1, 2):
        table.leave(seat)
    for seat, payers in ((1, 2), (2, 1)):
        for _ in range(20):
            table.house.now += HOUR
            other.chips("buy-in", 1, 100)
        pool = table.table.purse[-1]
        table.chips("share", seat, pool // payers + pool % payers)
    assert table.table.purse[-1] == 0
    assert not full(table.house.lines).failed
    write_log(tmp_path, table.house.lines, SIGNER)
    assert list(second_readings([tmp_path / "log.jsonl"])) == [reading("pass")]


@pytest.mark.parametrize("late", [0, 1])
def test_a_buy_in_is_refunded_30_days_after_the_closing(late: int, tmp_path: Path) -> None:
    """LO-04: into a game that was played out too, once the 30 days are over, to the microsecond."""
    table = at_table("lounge", (1, 2), gift=9000)
    while table.table.purse[POOL]:
        table.play(1)
    table.close()
    closed = table.house.now
    seat = min((1, 2), key=lambda seat: table.table.purse[seat])
    gifts = table.table.purse[seat]
    table.house.at = lambda: timestamp(closed + MAX_GAME_TIME + late)  # type: ignore[method-assign]
    table.chips("refund", seat, BUY_IN - gifts, game=1, gifts=gifts, why="unfinished")
    write_log(tmp_path, table.house.lines, SIGNER)
    expected = reading("pass") if late else reading("fail", len(table.house.lines) - 1)
    assert [first_reading(tmp_path), *second_readings([tmp_path / "log.jsonl"])] == [expected] * 2


@pytest.mark.parametrize("how", ["share", "refund"])
def test_a_game_that_is_over_before_its_first_deal(how: str, tmp_path: Path) -> None:
    """LO-04: the next buy-in begins another one."""
    table = at_table("lounge", (1, 2), gift=1000)
    if how == "share":
        table.leave_all()
        table.chips("buy-in", 1, BUY_IN)
    else:
        for seat in (1, 2):
            table.chips("refund", seat, BUY_IN, game=1, why="round")
    table.play(1)
    assert table.table.memory["game"] == 2
    assert not full(table.house.lines).failed
    write_log(tmp_path, table.house.lines, SIGNER)
    assert list(second_readings([tmp_path / "log.jsonl"])) == [reading("pass")]
