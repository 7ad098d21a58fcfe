"""`verify --resume`: the report is that of one pass, wherever the earlier audit ended, and whatever came since."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_cli.main import main
from audit_cli.verify.findings.report import Report
from audit_cli.verify.registry import new_audit
from audit_cli.verify.resume import OF_AUDIT, AuditInputs, ResumeResult, resume
from audit_cli.verify.run import verify
from fairshoe.engine.rules import RULES
from fairshoe.errors import InputError
from fairshoe.log.directory import write_log
from tests.house import SIGNER, House, Seating

from .frauds import FRAUDS
from .planting import KEY, Fraud, log
from .tiled import export_copy

GAMES = sorted(RULES)
GIVEN = AuditInputs(KEY)
SOME = FRAUDS[::12]
"""All of them take minutes."""


def one_pass(folder: Path) -> str:
    return json.dumps(verify(folder, key=KEY).as_json())


def resumed(folder: Path, lines: list[bytes] | tuple[bytes, ...]) -> ResumeResult:
    """Audit these lines in the folder, with the state beside it."""
    write_log(folder, lines, SIGNER)
    return resume(folder, folder.with_suffix(".state"), GIVEN)


@pytest.mark.parametrize("name", [*GAMES, "everything"])
def test_the_report_is_that_of_one_pass(name: str, tmp_path: Path) -> None:
    lines = log(name)
    write_log(tmp_path / "whole", lines, SIGNER)
    wanted = one_pass(tmp_path / "whole")
    for cut in range(3, len(lines), 11 if len(lines) < 200 else 167):
        folder = tmp_path / str(cut)
        part = resumed(folder, lines[:cut])
        assert json.dumps(part.report.as_json()) == one_pass(folder)
        assert not part.why_not
        assert json.dumps(resumed(folder, lines).report.as_json()) == wanted, cut


@pytest.mark.parametrize("case", SOME, ids=[case.name for case in SOME])
def test_a_fraud_is_found_on_whichever_side_of_the_cut_it_stands(case: Fraud, tmp_path: Path) -> None:
    lines = case.plant().lines
    write_log(tmp_path / "whole", lines, SIGNER)
    report = verify(tmp_path / "whole", key=KEY)
    wanted = json.dumps(report.as_json())
    places = sorted({f.entry for f in report.findings if f.severity == "fail" and f.entry is not None})
    middle = places[0] if places else len(lines) // 2
    for cut in {min(max(cut, 1), len(lines) - 1) for cut in (middle - 1, middle, middle + 3)} - {0}:
        folder = tmp_path / str(cut)
        first = resumed(folder, lines[:cut])
        assert bool(first.why_not) == first.report.failed == (not folder.with_suffix(".state").exists())
        assert json.dumps(resumed(folder, lines).report.as_json()) == wanted, cut


def test_what_was_audited_is_not_audited_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = log("casino")
    resumed(tmp_path / "log", lines[:30])
    taken: list[bytes] = []
    monkeypatch.setattr("audit_cli.verify.walk.audit.Audit.take", lambda self, line: taken.append(line))
    resumed(tmp_path / "log", lines)
    assert taken == list(lines[30:])


def test_a_log_that_does_not_begin_so_is_held_against_the_checkpoint(tmp_path: Path) -> None:
    house, other = House(1), House(2)
    for each in (house, other):
        Seating(each, "casino", "casino", (1, 2)).play(20)
    resumed(tmp_path / "log", house.lines[:40])
    found = resumed(tmp_path / "log", other.lines)
    assert {f.code for f in found.report.findings} == {"remembered-differs"}
    assert found.report.failed
    short = resumed(tmp_path / "log", house.lines[:20])
    assert {f.code for f in short.report.findings if f.severity == "fail"} == {"remembered-longer"}
    same = resumed(tmp_path / "log", house.lines)
    assert not same.report.failed


@pytest.mark.parametrize(
    "line",
    [
        b'{"at":"x","kind":"s',
        b'{"kind":"shoe"}',
        b'{"hashes":[],"kind":"seeds"}',
        b'{"hashes":{"a":"zz"},"kind":"seeds"}',
        b'{"commitment":"00","kind":"shoe","shoe":[]}',
        b'["kind","s",{"kind":"s"}]',
        b'"kind":"s' + b"[" * 60_000,
    ],
)
def test_whatever_stands_now_where_something_else_was_audited_it_is_another_log(line: bytes, tmp_path: Path) -> None:
    lines = list(log("casino"))
    resumed(tmp_path / "log", lines[:40])
    lines[30] = line
    report = resumed(tmp_path / "log", lines).report
    assert report.failed
    assert "remembered-differs" in {found.code for found in report.findings}


def test_a_log_without_its_checkpoint_is_none_to_go_on_with(tmp_path: Path) -> None:
    lines = log("banker")
    write_log(tmp_path / "log", lines, SIGNER)
    (tmp_path / "log" / "checkpoint").unlink()
    found = resume(tmp_path / "log", tmp_path / "state", AuditInputs())
    assert "no checkpoint" in found.why_not
    assert not (tmp_path / "state").exists()
    resumed(tmp_path / "log", lines)
    (tmp_path / "log" / "checkpoint").unlink()
    found = resume(tmp_path / "log", tmp_path / "log.state", GIVEN)
    assert {f.code for f in found.report.findings} == {"checkpoint-required"}


@pytest.mark.parametrize(
    "change", [lambda text: text[: len(text) // 2], lambda text: "[]", lambda text: '{"form":"x","version":1}']
)
def test_a_damaged_state_is_refused(change: Any, tmp_path: Path) -> None:
    resumed(tmp_path / "log", log("banker"))
    state = tmp_path / "log.state"
    state.write_text(change(state.read_text()))
    with pytest.raises(InputError, match="damaged") as error:
        resume(tmp_path / "log", state, GIVEN)
    assert "delete" in error.value.remedy


def test_what_the_audit_was_given_is_bound(tmp_path: Path) -> None:
    resumed(tmp_path / "log", log("banker"))
    for given in (AuditInputs(), AuditInputs(KEY, everything=True)):
        with pytest.raises(InputError, match="made with"):
            resume(tmp_path / "log", tmp_path / "log.state", given)


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audit_cli.verify.resume.TOOL", "fairshoe-audit 0.0.1")
    resumed(tmp_path / "log", log("banker"))
    monkeypatch.undo()
    with pytest.raises(InputError, match=r"written by fairshoe-audit 0\.0\.1"):
        resume(tmp_path / "log", tmp_path / "log.state", GIVEN)


def test_standard_input_is_refused() -> None:
    with pytest.raises(InputError, match="second time"):
        resume(Path("-"), Path("state"), GIVEN)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines, state = log("lounge"), str(tmp_path / "state")
    write_log(tmp_path / "log", lines[:20], SIGNER)
    asked = ["verify", str(tmp_path / "log"), "--key", KEY, "--resume", state]
    assert main(asked) == 0
    write_log(tmp_path / "log", lines, SIGNER)
    capsys.readouterr()
    assert main(asked) == 0
    went_on = capsys.readouterr().out
    assert main(asked[:4]) == 0
    assert capsys.readouterr().out == went_on
    write_log(tmp_path / "log", SOME[0].plant().lines, SIGNER)
    assert main(asked) == 1
    assert "left as it was" in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "log"), "--resume", str(tmp_path / "log" / "log.jsonl")]) == 2


def test_a_log_in_tiles(tmp_path: Path) -> None:
    lines = log("everything")
    for size in (300, len(lines)):
        write_log(tmp_path / "log", lines[:size], SIGNER)
        export_copy(tmp_path / "log", tmp_path / "tiles")
        found = resume(tmp_path / "tiles", tmp_path / "state", GIVEN)
        assert not found.why_not
        assert json.dumps(found.report.as_json()) == one_pass(tmp_path / "tiles")


# Nothing is forgotten.

NOT_KEPT = {"report", "handlers", "quick", "entry", "followed", "openings", "passed", "unknown", "shares"}
NOT_KEPT |= {"claims", "names", "origin", "tree", "steps", "over", "covered"}
NOT_KEPT |= {"dealt_shoe", "ended_shoe", "standing", "rebuilt"}
"""What an audit has for itself or of one entry, what stands in the log, and where something stands only after a
failure."""
APART = {"tables", "shoes", "unplaced", "unchecked"}


def test_everything_that_an_audit_knows_is_kept() -> None:
    assert set(vars(new_audit(Report()))) == NOT_KEPT | APART | set(OF_AUDIT)


@pytest.mark.parametrize("game", ["banker", "casino"])
def test_the_state_does_not_grow_with_the_log(game: str, tmp_path: Path) -> None:
    house = House(1)
    table = Seating(house, game, game, (1,), chips=100_000, careless=0)
    sizes = []
    for _ in range(2):
        table.play(120)
        resumed(tmp_path / "log", house.lines)
        sizes.append((tmp_path / "log.state").stat().st_size)
    assert sizes[1] < sizes[0] + 100
