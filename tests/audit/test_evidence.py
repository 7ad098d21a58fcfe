"""Signature, tree and memory: what is wrong with the evidence around a log, one case a code."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from audit_cli.report import Report
from audit_cli.verify import verify
from fairshoe.errors import FairshoeError, InputError, LogError
from fairshoe.log.checkpoint import checkpoint_of
from fairshoe.log.directory import CHECKPOINT, ENTRIES, VERIFIER, write_log
from fairshoe.log.note import Signer
from tests.house import SIGNER

from .planting import KEY, log

LINES = list(log("banker"))
OTHER = Signer("fairshoe.test/other", hashlib.sha256(b"another key").digest())
NAMESAKE = Signer(SIGNER.verifier.name, hashlib.sha256(b"another key").digest())

Spoil = Callable[[Path], Report]


def found(report: Report) -> list[str]:
    return [f.code for f in report.findings if f.severity == "fail"]


def checkpoint_missing(log: Path) -> Report:
    (log / CHECKPOINT).unlink()
    return verify(log, key=KEY)


def signed_by_another(log: Path) -> Report:
    write_log(log, LINES, NAMESAKE)
    return verify(log, key=KEY)


def not_a_checkpoint(log: Path) -> Report:
    (log / CHECKPOINT).write_text("hello")
    (log / VERIFIER).unlink()
    return verify(log)


def an_entry_changed(log: Path) -> Report:
    data = (log / ENTRIES).read_bytes()
    (log / ENTRIES).write_bytes(data.replace(b'"pos":0', b'"pos":1', 1))
    return verify(log, key=KEY)


def truncated(log: Path) -> Report:
    (log / ENTRIES).write_bytes(b"".join(line + b"\n" for line in LINES[:-2]))
    return verify(log, key=KEY)


def appended(log: Path) -> Report:
    with open(log / ENTRIES, "ab") as file:
        file.write(LINES[-1] + b"\n")
    return verify(log, key=KEY)


def rewritten(log: Path) -> Report:
    write_log(log.parent / "old", [*LINES[:5], LINES[6]], SIGNER)
    return verify(log, key=KEY, remembered=[log.parent / "old" / CHECKPOINT])


def shortened(log: Path) -> Report:
    write_log(log.parent / "old", LINES, SIGNER)
    write_log(log, LINES[:10], SIGNER)
    return verify(log, key=KEY, remembered=[log.parent / "old" / CHECKPOINT])


def of_another_log(log: Path) -> Report:
    write_log(log.parent / "old", LINES[:5], OTHER)
    return verify(log, key=KEY, remembered=[log.parent / "old" / CHECKPOINT])


EVIDENCE: dict[str, Spoil] = {
    "checkpoint-missing": checkpoint_missing,
    "signature-invalid": signed_by_another,
    "checkpoint-malformed": not_a_checkpoint,
    "root-differs": an_entry_changed,
    "log-truncated": truncated,
    "entries-unsigned": appended,
    "remembered-differs": rewritten,
    "remembered-longer": shortened,
    "remembered-other-log": of_another_log,
}


@pytest.fixture
def house_log(tmp_path: Path) -> Path:
    write_log(tmp_path / "log", LINES, SIGNER)
    return tmp_path / "log"


@pytest.mark.parametrize("code", EVIDENCE)
def test_the_evidence_is_spoiled(code: str, house_log: Path) -> None:
    report = EVIDENCE[code](house_log)
    assert code in [f.code for f in report.findings]
    assert report.failed == (code != "checkpoint-missing")


def test_a_good_log_with_everything_at_hand(house_log: Path) -> None:
    write_log(house_log.parent / "old", LINES[:12], SIGNER)
    report = verify(house_log, key=KEY, remembered=[house_log.parent / "old", house_log.parent / "old" / CHECKPOINT])
    assert found(report) == []
    assert "fail" not in report.checks.values()
    assert [report.checks[name] for name in ("signature", "tree", "remembered")] == ["pass"] * 3


def test_without_a_key_the_signature_is_not_checked_but_still_held_against_the_key_beside_it(house_log: Path) -> None:
    assert verify(house_log).checks["signature"] == "not-checked"
    (house_log / VERIFIER).write_text(f"{NAMESAKE.verifier}\n")
    assert found(verify(house_log)) == ["signature-invalid"]


def test_the_checkpoint_of_another_log(house_log: Path) -> None:
    write_log(house_log, LINES, OTHER)
    report = verify(house_log, key=KEY)
    assert found(report) == ["signature-invalid"]
    assert report.checks["tree"] == "pass", "the tree is still what that checkpoint says"


def test_a_checkpoint_changed_after_it_was_signed(house_log: Path) -> None:
    text = (house_log / CHECKPOINT).read_text()
    (house_log / CHECKPOINT).write_text(text.replace(f"\n{len(LINES)}\n", f"\n{len(LINES) - 1}\n"))
    assert found(verify(house_log, key=KEY)) == ["signature-invalid", "entries-unsigned"]


def test_a_remembered_copy_names_the_first_entry_that_differs(house_log: Path) -> None:
    old = house_log.parent / "old"
    write_log(old, [*LINES[:7], LINES[3], *LINES[8:]], SIGNER)
    report = verify(house_log, key=KEY, remembered=[old / ENTRIES])
    (finding,) = [f for f in report.findings if f.code == "remembered-differs"]
    assert (finding.entry, finding.expected, finding.found) == (7, LINES[3].decode()[:400], LINES[7].decode()[:400])


def test_an_empty_checkpoint_is_extended_by_every_log(house_log: Path) -> None:
    write_log(house_log.parent / "old", [], SIGNER)
    assert found(verify(house_log, key=KEY, remembered=[house_log.parent / "old" / CHECKPOINT])) == []


def test_a_log_by_itself_has_its_checkpoint_beside_it(house_log: Path) -> None:
    assert verify(house_log / ENTRIES, key=KEY).checks["signature"] == "pass"


@pytest.mark.parametrize("key", ["", "nonsense", "a+b+c", KEY[:-4], KEY.replace("+", "+0", 1)])
def test_a_key_that_is_none(key: str, house_log: Path) -> None:
    with pytest.raises(FairshoeError):
        verify(house_log, key=key)


def test_nothing_to_remember(house_log: Path) -> None:
    with pytest.raises(LogError, match="no such file"):
        verify(house_log, remembered=[house_log / "nowhere"])
    (house_log / "note").write_text("hello")
    with pytest.raises(InputError, match="not a checkpoint"):
        verify(house_log, remembered=[house_log / "note"])


def test_the_checkpoint_says_what_the_tree_says(house_log: Path) -> None:
    head = checkpoint_of((house_log / CHECKPOINT).read_text())
    assert head.size == len(LINES)
    assert base64.b64encode(head.root).decode() in (house_log / CHECKPOINT).read_text()
