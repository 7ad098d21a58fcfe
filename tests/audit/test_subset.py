"""`verify --subset n/t`: every shoe is in one share, the books follow them all, and no share is complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_cli.findings.report import Report
from audit_cli.findings.verdict import verdict
from audit_cli.main import main
from audit_cli.state.going_on import FromStart
from audit_cli.subset import Share, Subset, subset_of
from audit_cli.verify import verify
from fairshoe.errors import InputError
from fairshoe.log.directory import write_log
from tests.house import SIGNER

from . import frauds
from .planting import FRAUDS, KEY, log

GAMES = ("casino", "banker", "boxes", "chinese", "lounge", "pontoon")
COMMITMENT = "ab" * 32


def share(folder: Path, number: int, shares: int, seed: str | None = "dice 3 5 1") -> Report:
    return verify(folder, key=KEY, going_on=FromStart(Subset(number, shares, seed)))


@pytest.mark.parametrize("name", [*GAMES, "everything"])
def test_the_shares_of_an_honest_log_together_are_all_of_it(name: str, tmp_path: Path) -> None:
    write_log(tmp_path, log(name), SIGNER)
    whole = verify(tmp_path, key=KEY).as_json()
    outside = 0
    for number in (1, 2, 3):
        report = share(tmp_path, number, 3)
        assert not report.failed, report.findings
        assert not report.complete
        assert "PASS so far" in verdict(report)
        found = report.as_json()
        for same in ("log", "tables", "entries", "shoes", "rounds", "cards", "open", "groups", "choices"):
            assert found[same] == whole[same], same
        outside += sum(each.count or 0 for each in report.unchecked if "outside" in each.what and each.check == "cards")
    verify_revealed = sum(b'"kind":"reveal"' in line for line in log(name))
    assert outside == 2 * verify_revealed


@pytest.mark.parametrize("code", ["card-differs", "payout-differs", "order-differs"])
def test_a_fraud_is_found_in_its_share(code: str, tmp_path: Path) -> None:
    cases = [case for case in FRAUDS if case.code == code and case.module.startswith(frauds.__name__)]
    for number, case in enumerate(cases):
        folder = tmp_path / str(number)
        write_log(folder, case.plant().lines, SIGNER)
        found = [share(folder, number, 4) for number in (1, 2, 3, 4)]
        assert any(finding.code == code for report in found for finding in report.findings)
        assert not any(report.complete for report in found)


def test_what_is_outside_is_not_looked_at(tmp_path: Path) -> None:
    case = next(case for case in FRAUDS if case.code == "payout-differs" and case.module.startswith(frauds.__name__))
    write_log(tmp_path, case.plant().lines, SIGNER)
    whole = {finding.code for finding in verify(tmp_path, key=KEY).findings}
    assert "payout-differs" in whole
    assert sum(share(tmp_path, number, 64).failed for number in range(1, 65)) < 64


def test_the_root_chooses_where_no_seed_is_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_log(tmp_path, log("banker"), SIGNER)
    report = share(tmp_path, 1, 2, seed=None)
    root = report.log.root
    assert report.parameters["subset"] == {"share": "1/2", "seed": root}
    assert report.as_json() == share(tmp_path, 1, 2, seed=root).as_json()
    assert main(["verify", str(tmp_path), "--subset", "1/2"]) == 0
    assert "outside share 1 of 2" in capsys.readouterr().out
    assert main(["verify", str(tmp_path), "--subset", "1/2", "--require-complete"]) == 1
    assert main(["verify", str(tmp_path), "--subset-seed", "x"]) == 2
    assert main(["verify", str(tmp_path), "--subset", "1/2", "--resume", str(tmp_path / "state")]) == 2
    (tmp_path / "checkpoint").unlink()
    assert main(["verify", str(tmp_path), "--subset", "1/2"]) == 2
    assert "--subset-seed" in capsys.readouterr().err
    assert main(["verify", str(tmp_path), "--subset", "1/2", "--subset-seed", "x"]) == 0


def test_shares_are_as_documented() -> None:
    """printf 'dice 3 5 1\\nabab…' | sha256sum: its first 8 bytes, modulo the number of shares."""
    found = [number for number in range(1, 8) if Share(number, 7, "dice 3 5 1").has(COMMITMENT)]
    assert found == [2]


def test_shares_are_even() -> None:
    counts = [sum(Share(number, 5, "seed").has(f"{i:064x}") for i in range(1000)) for number in range(1, 6)]
    assert sum(counts) == 1000
    assert min(counts) > 150


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "1/0", "1/2/3", "-1/2", "1/1000001", "01/2", "1 /2", ""])
def test_what_is_no_share(text: str) -> None:
    with pytest.raises(InputError, match="share"):
        subset_of(text, None)
