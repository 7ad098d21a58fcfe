"""The long simulations in short: python -m tests.long.expectations, tests.long.luck."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit_cli.luck.expectations import MOMENTS, read
from tests.long import expectations, luck


def test_the_data_file_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its form; the figures take minutes."""
    kept = {(entry["rules"], entry["strategy"]): entry for entry in json.loads(expectations.PATH.read_text())}
    assert list(kept) == expectations.cases()
    few = [case for case in expectations.cases() if case[1] == "bicycle"]
    monkeypatch.setattr(expectations, "cases", lambda: few)
    path = tmp_path / "made.json"
    expectations.write(20, 1, path)
    made = json.loads(path.read_text())
    assert [(entry["rules"], entry["strategy"]) for entry in made] == few
    assert capsys.readouterr().out.count("\n") == len(made)
    for entry in made:
        assert read(entry).sums[1]
        assert {*MOMENTS, "rounds", "slopes"} <= set(entry)
        assert entry["digest"] == kept[entry["rules"], "bicycle"]["digest"]


def test_a_few_honest_logs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in (("DAYS", 3), ("ROUNDS", 10), ("SHOES", 1)):
        monkeypatch.setattr(luck, name, few)
    assert luck.main(["honest", "--logs", "3"]) == 0


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
