"""Every fraud of tests/audit/frauds is found; and what only a memory finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_cli.verify import verify
from fairshoe.log.directory import write_log
from tests.house import SIGNER, Prepared, Seating

from . import frauds
from .planting import (
    FRAUDS,
    KEY,
    Fraud,
    check_found,
    crooked,
    entries_in,
    log,
    places,
)

CASES = [case for case in FRAUDS if case.plant.__module__.startswith(frauds.__name__)]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_it_is_found(case: Fraud, tmp_path: Path) -> None:
    check_found(case, tmp_path)


# What only a memory finds.


class NewKey(Seating):
    """Another key for the second shoe, after everybody's seeds were known."""

    def new_key(self) -> bytes:
        drawn = super().new_key()
        return drawn[::-1] if self.shoes == 2 else drawn


class NewSeed(Seating):
    """Another seed for a sole contributor, whose hash nobody published."""

    def hash(self, shoe: Prepared) -> None:
        super().hash(shoe)
        if self.shoes == 2:
            shoe.seeds = {who: value[::-1] for who, value in shoe.seeds.items()}


@pytest.mark.parametrize(
    ("kind", "game", "steps"), [(NewKey, "casino", ("shoe", "seeds")), (NewSeed, "banker", ("seal",))]
)
def test_a_log_written_anew_is_found_by_whoever_remembers(
    kind: type[Seating], game: str, steps: tuple[str, ...], tmp_path: Path
) -> None:
    seats = (1,) if game == "banker" else (1, 2)
    honest, _ = crooked(Seating, game, 20, seats=seats)
    forged, _ = crooked(kind, game, 20, seats=seats)
    write_log(tmp_path / "now", forged.lines, SIGNER)
    alone = verify(tmp_path / "now", key=KEY)
    assert not alone.failed, "consistent in itself"
    assert alone.checks["remembered"] == "not-checked", "and the report says what was not checked"
    index = places(entries_in(honest), steps[0])[1]
    size = places(entries_in(honest), steps[-1])[1] + 1
    write_log(tmp_path / "then", honest.lines[:size], SIGNER)
    for old, place in (("then/checkpoint", None), ("then", index)):
        report = verify(tmp_path / "now", key=KEY, remembered=[tmp_path / old])
        assert report.failed
        assert report.checks["remembered"] == "fail"
        assert [(f.code, f.fault, f.entry) for f in report.findings] == [("remembered-differs", "house", place)]


def test_the_honest_logs_of_these_frauds_are_clean(tmp_path: Path) -> None:
    for name in ("casino", "pontoon", "boxes", "lounge", "banker", "everything"):
        write_log(tmp_path / name, log(name), SIGNER)
        report = verify(tmp_path / name, key=KEY)
        assert not report.failed
