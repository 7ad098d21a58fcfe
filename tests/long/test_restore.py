"""The run of `python -m tests.long.restore`, small."""

from __future__ import annotations

import pytest

from .restore import main


def test_backups_under_load_are_restored(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--backups", "1", "--seconds", "3", "--play", "2"]) == 0
    assert "no card of a revealed shoe was dealt again" in capsys.readouterr().out
