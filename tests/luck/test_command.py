"""The long simulations in short."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit_cli.luck.expectations import MOMENTS, read
from tests.long import luck
from tests.long.lucky import expect


def test_the_data_file_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its form; the figures take minutes."""
    kept = {(entry["rules"], entry["strategy"]): entry for entry in json.loads(expect.PATH.read_text())}
    assert list(kept) == expect.cases()
    few = [case for case in expect.cases() if case[1] == "bicycle"]
    monkeypatch.setattr(expect, "cases", lambda: few)
    path = tmp_path / "made.json"
    expect.write(20, 1, path)
    made = json.loads(path.read_text())
    assert [(entry["rules"], entry["strategy"]) for entry in made] == few
    assert capsys.readouterr().out.count("\n") == len(made)
    for entry in made:
        assert read(entry).sums[1]
        assert {*MOMENTS, "rounds", "slopes"} <= set(entry)
        assert entry["digest"] == kept[entry["rules"], "bicycle"]["digest"]


@pytest.mark.parametrize("what", ["ends", "steering"])
def test_what_is_shown(what: str) -> None:
    """The lines themselves: what stands on standard output besides is not theirs."""
    lines = [*luck.SHOWN[what](1)]
    assert lines
    assert [str(line) for line in lines if not line.holds] == []


def test_a_few_honest_logs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in (("DAYS", 3), ("ROUNDS", 10), ("SHOES", 1)):
        monkeypatch.setattr(luck, name, few)
    assert luck.main(["honest", "uniform", "--logs", "3"]) == 0


def test_a_line_that_does_not_hold(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(luck.SHOWN, "keys", lambda logs: iter([luck.Line(f"{logs} logs", False)]))
    assert luck.main(["keys", "--logs", "70"]) == 1
    assert "7 logs  FAULT\n" in capsys.readouterr().out


@pytest.mark.parametrize(("flagged", "holds"), [(1, True), (5, True), (6, False)])
def test_how_many_may_be_flagged(flagged: int, holds: bool) -> None:
    assert luck.excused(flagged, 1_000, 0.001) is holds


@pytest.mark.parametrize("words", [["chance"], ["--logs", "many"]])
def test_wrong_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        luck.main(words)
    assert capsys.readouterr().err
