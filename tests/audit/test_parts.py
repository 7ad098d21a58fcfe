"""An honest log in parts: the report is that of one pass, and the parts knew how their tables stood."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import everything
from tests.house import House, Seating, honest

from .parted import GAMES, here, interleaved, same

CUTS = [(2, 20_000), (4, 3_000), (9, 1_500)]


@pytest.mark.parametrize("ahead", [False, True], ids=["", "ahead"])
@pytest.mark.parametrize("game", GAMES)
def test_each_game_with_careless_players(game: str, ahead: bool, tmp_path: Path) -> None:
    seats = (1,) if game == "banker" else (1, 2, 3)
    lines = honest(game, GAMES[game], seed=7, seats=seats, ahead=ahead, careless=0.1).lines
    for many, piece in CUTS:
        report, whole = same(tmp_path, here(many, piece), lines)
        assert not report.failed
        assert whole is not None, "an honest log is audited in parts"
        assert whole.parts >= 2
        assert whole.met >= 1
        assert whole.again <= 1 + whole.met // 4, "and they seldom assume what was not so"


def test_many_tables_in_turn(tmp_path: Path) -> None:
    lines = interleaved(20, 60, ahead=True).lines
    for many, piece in ((2, 20_000), (5, 4_000)):
        report, whole = same(tmp_path, here(many, piece), lines)
        assert not report.failed
        assert whole is not None
        assert whole.met >= 10
        assert whole.again <= 2 + whole.met // 10


@pytest.mark.parametrize(
    "of",
    [
        everything.casinos,
        everything.quiet_casino,
        everything.banker,
        everything.pontoon,
        everything.chinese,
        everything.boxes,
        everything.lounge,
        everything.unfinished_lounge,
    ],
)
def test_everything_that_may_happen_at_a_table(of: Callable[[House], None], tmp_path: Path) -> None:
    """Closings, voids, lapses, debts, starts, put-out players, refunds, a first banker's draws, resting tables."""
    house = House(5)
    for _ in range(1 if of in (everything.lounge, everything.unfinished_lounge) else 2):
        of(house) if not house.lines else Seating(house, "more", "casino", (1, 2)).play(60)
    for many, piece in ((2, 9_000), (5, 2_000), (12, 700)):
        report, whole = same(tmp_path, here(many, piece), house.lines)
        assert not report.failed
        assert whole is not None


def test_everything_at_once_is_left_to_one_pass_for_its_raffles(tmp_path: Path) -> None:
    report, whole = same(tmp_path, here(), everything.everything().lines)
    assert not report.failed
    assert whole is None, "shoes without a table"


LOGS = {
    "casino": lambda: honest("casino", 300, seed=11, seats=(1, 2), careless=0.2, ahead=True),
    "boxes": lambda: honest("boxes", 60, seed=12, seats=(1, 2, 5), careless=0.2),
    "many": lambda: interleaved(6, 40, seed=13),
}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folders = {}
    for name, made in LOGS.items():
        folders[name] = tmp_path_factory.mktemp(name)
        made().write(folders[name])
    return folders


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(name=st.sampled_from(sorted(LOGS)), many=st.integers(1, 20), piece=st.integers(300, 60_000))
def test_wherever_it_is_cut(logs: dict[str, Path], name: str, many: int, piece: int) -> None:
    report, whole = same(logs[name], here(many, piece))
    assert not report.failed
    assert whole is not None
