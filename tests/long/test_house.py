"""The crooked house in short: a few dozen rounds of each trick; verdict and counts, not what it gains."""

from __future__ import annotations

import pytest

from tests.long import house
from tests.long.house import OPEN, STATISTICS, TRICKS, Row, audited, called, fair, row

ROUNDS = 24
MORE = {"lying-opening": 60}
"""Shoes of many rounds, of which few are bad enough to be left lying."""
CALLED = called()
HARMLESS = {"last-opener", "put-out"}
"""They pass, and gain nothing."""


def test_the_page_has_every_trick() -> None:
    assert CALLED.keys() == TRICKS.keys()
    assert not any(CALLED[name] for name in HARMLESS)


@pytest.mark.parametrize("name", TRICKS)
def test_a_few_rounds(name: str) -> None:
    found = row(TRICKS[name], MORE.get(name, ROUNDS))
    if CALLED[name] or name in HARMLESS:
        assert found.verdict == "pass", found
        assert bool(found.counts) == (CALLED[name] == OPEN) or name in HARMLESS, found
    else:
        assert found.verdict == "fail", found
        assert found.codes


@pytest.mark.parametrize("name", sorted({fair(trick) for trick in TRICKS.values()}))
def test_the_honest_house_passes(name: str) -> None:
    report = audited(TRICKS[name].honest_house(ROUNDS))
    assert not report.failed, report.findings


def made(gain: float, verdict: str, **counts: int) -> Row:
    return Row("x", gain, 0.1, verdict, [], counts)


@pytest.mark.parametrize(
    ("found", "now", "fault"),
    [
        (made(0.5, "fail"), "", ""),
        (made(0.5, "pass"), "", "gains, passes, and is not open"),
        (made(0.2, "pass"), "", ""),
        (made(0.5, "pass"), OPEN, "open, and not counted"),
        (made(0.5, "pass", late=3), OPEN, ""),
        (made(0.5, "pass"), STATISTICS, ""),
    ],
)
def test_what_is_a_fault(found: Row, now: str, fault: str) -> None:
    assert found.fault(now) == fault


def test_the_gain_is_paired() -> None:
    """The same shoes with one more won in each: no error is left but what differs."""
    honest = {shoe: [won, 2] for shoe, won in enumerate([2, -2, 2, -2])}
    crooked = {shoe: [won + 1, 2] for shoe, (won, _) in honest.items()}
    assert house.gain(crooked, honest) == (0.5, 0.0)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert house.main(["reveal-left", "--rounds", "20"]) == 0
    captured = capsys.readouterr()
    assert "shoe-retired-early" in captured.out
    assert captured.err == ""


@pytest.mark.parametrize("words", [["luck"], ["--rounds", "1"]])
def test_wrong_usage(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        house.main(words)
