"""The long check in short: some thousand rounds, and a chance that is wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.exact.games import GAMES
from tests.long import rows
from tests.long.__main__ import main


@pytest.mark.parametrize("name", GAMES)
def test_a_few_rounds(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--rounds", "3000"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "mean per unit" in captured.out


def test_a_row_that_is_far_off(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "natural_chance", lambda packs: Fraction(1, 10))
    assert main(["casino", "--rounds", "1000"]) == 1
    assert "FAR" in capsys.readouterr().out


def test_the_number_of_processes_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    printed = set()
    for jobs in "12":
        assert main(["pontoon", "--rounds", "6000", "--jobs", jobs]) == 0
        printed.add(capsys.readouterr().out)
    assert len(printed) == 1


@pytest.mark.parametrize("words", [["poker"], ["--rounds", "many"]])
def test_wrong_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(words)
    assert capsys.readouterr().err
