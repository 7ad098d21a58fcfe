"""Signature, tree and memory: what is wrong with the evidence around a log, one case a code."""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from audit_cli.verify.evidence.witnesses import required_witnesses
from audit_cli.verify.findings.report import Report
from audit_cli.verify.run import verify
from fairshoe.errors import LogError
from fairshoe.log.checkpoint import checkpoint_of
from fairshoe.log.directory import CHECKPOINT, ENTRIES, VERIFIER, write_log
from fairshoe.log.note import Signer
from tests.corpus.case import FOLDER
from tests.cosigner import Cosigner
from tests.house import SIGNER

from .planting import KEY, log
from .tiled import export_copy

LINES = list(log("banker"))
OTHER = Signer("fairshoe.test/other", hashlib.sha256(b"another key").digest())
NAMESAKE = Signer(SIGNER.verifier.name, hashlib.sha256(b"another key").digest())


def found(report: Report) -> list[str]:
    return [f.code for f in report.findings if f.severity == "fail"]


def respell(path: Path, change: Callable[[bytes], bytes]) -> None:
    """Change the bytes of the signature in a checkpoint."""
    head, _, encoded = path.read_text().rstrip("\n").rpartition(" ")
    path.write_text(f"{head} {base64.b64encode(change(base64.b64decode(encoded))).decode()}\n")


def joined(lines: Sequence[bytes], end: bytes = b"\n") -> bytes:
    return b"".join(line + end for line in lines)


EVIDENCE = {
    "checkpoint-missing": ("unknown", "checkpoint"),
    "checkpoint-required": ("unknown", "checkpoint"),
    "key-differs": ("unknown", "key"),
    "signature-invalid": ("unknown", "again"),
    "witnesses-missing": ("unknown", "witness"),
    "checkpoint-malformed": ("unknown", "again"),
    "root-differs": ("unknown", "again"),
    "log-truncated": ("unknown", "whole log again"),
    "entries-unsigned": ("unknown", "again"),
    "logs-joined": ("reader", "Take them apart"),
    "remembered-differs": ("house", "Keep"),
    "memory-differs": ("unknown", "--key"),
    "remembered-longer": ("unknown", "newest log"),
    "remembered-other-log": ("reader", "this log"),
    "remembered-unsigned": ("unknown", "as it was kept"),
    "log-resaved": ("reader", "Fetch the log again"),
    "entry-cut-off": ("reader", "Fetch the log again"),
    "tile-differs": ("unknown", "again"),
}
"""The code of what is found where a piece of evidence is spoiled: whose fault it is, and words of what to do."""
NOTES = {"checkpoint-missing"}


def spoiled(code: str, log: Path) -> Report:
    """The report on a log of which this was spoiled: one of the corpus, where it has one."""
    if (FOLDER / f"around-{code}").is_dir():
        return verify(FOLDER / f"around-{code}")
    old, options = log.parent / "old", dict[str, Any](key=KEY)
    match code:
        case "checkpoint-required":
            (log / CHECKPOINT).unlink()
        case "witnesses-missing":
            options["wanted"] = required_witnesses([str(Cosigner("witness.example", bytes(32)).key)], None)
        case "tile-differs":
            export_copy(log, log.with_name("tiles"))
            log = log.with_name("tiles")
            tile = next((log / "tile" / "0").rglob("*.p/*"))
            tile.write_bytes(b"x" + tile.read_bytes()[1:])
        case "remembered-differs" | "memory-differs":
            signer = SIGNER if code == "remembered-differs" else NAMESAKE
            write_log(old, [*LINES[:5], LINES[6]], signer)
            options = {"key": KEY if signer is SIGNER else None, "remembered": [old]}
        case "remembered-longer":
            write_log(old, LINES, SIGNER)
            write_log(log, LINES[:10], SIGNER)
            options["remembered"] = [old]
        case "remembered-other-log":
            write_log(old, LINES[5:10], OTHER)
            options["remembered"] = [old]
        case "remembered-unsigned":
            write_log(old, LINES[:5], SIGNER)
            (old / CHECKPOINT).write_text((old / CHECKPOINT).read_text().partition("\n\n")[0] + "\n")
            options["remembered"] = [old]
    return verify(log, **options)


@pytest.fixture
def house_log(tmp_path: Path) -> Path:
    write_log(tmp_path / "log", LINES, SIGNER)
    return tmp_path / "log"


@pytest.mark.parametrize("code", EVIDENCE)
def test_the_evidence_is_spoiled(code: str, house_log: Path) -> None:
    report = spoiled(code, house_log)
    assert code in [f.code for f in report.findings]
    assert report.failed == (code not in NOTES)
    (group,) = [group for group in report.groups if group.code.code == code]
    fault, words = EVIDENCE[code]
    assert (group.count, group.code.fault) == (1, fault)
    assert words in group.first[0].next
    assert (
        fault != "unknown" or code in NOTES or (group.code.cause.startswith("either ") and " or " in group.code.cause)
    )
    if report.failed:
        assert report.checks[group.code.check] == "fail"


def test_a_good_log_with_everything_at_hand(house_log: Path) -> None:
    write_log(house_log.parent / "old", LINES[:12], SIGNER)
    old = house_log.parent / "old"
    report = verify(house_log, key=KEY, remembered=[old, old / CHECKPOINT, old / ENTRIES])
    assert found(report) == []
    assert "fail" not in report.checks.values()
    assert [report.checks[name] for name in ("signature", "tree", "remembered")] == ["pass"] * 3


def test_without_a_key_the_signature_is_not_checked_but_still_held_against_the_key_beside_it(house_log: Path) -> None:
    assert verify(house_log).checks["signature"] == "not-checked"
    (house_log / VERIFIER).write_text(f"{NAMESAKE.verifier}\n")
    assert found(verify(house_log)) == ["key-differs"]
    respell(house_log / CHECKPOINT, lambda signature: NAMESAKE.verifier.id + signature[4:])
    assert found(verify(house_log)) == ["signature-invalid"]


def test_a_checkpoint_of_the_same_entries_under_another_name_is_not_the_reader_s_mistake(house_log: Path) -> None:
    write_log(house_log.parent / "old", LINES[:5], OTHER)
    report = verify(house_log, key=KEY, remembered=[house_log.parent / "old" / CHECKPOINT])
    assert [(f.code, f.fault, f.field) for f in report.findings] == [("memory-differs", "unknown", "origin")]


def test_a_checkpoint_changed_after_it_was_signed(house_log: Path) -> None:
    text = (house_log / CHECKPOINT).read_text()
    (house_log / CHECKPOINT).write_text(text.replace(f"\n{len(LINES)}\n", f"\n{len(LINES) - 1}\n"))
    report = verify(house_log, key=KEY)
    assert found(report) == ["signature-invalid", "root-differs", "entries-unsigned"]
    (group,) = report.groups
    assert (group.code.code, group.follows) == ("signature-invalid", {"entries-unsigned": 1, "root-differs": 1})


# What is not pass and not fail.


def left(report: Report) -> list[str]:
    return [each.check for each in report.unchecked]


def test_what_cannot_be_checked_is_said(house_log: Path) -> None:
    report = verify(house_log, key=KEY)
    assert (report.complete, left(report)) == (True, [])
    report = verify(house_log)
    assert (report.complete, left(report), report.failed) == (False, ["signature"], False)
    assert "--key" in report.unchecked[0].what
    (house_log / CHECKPOINT).unlink()
    report = verify(house_log)
    assert (report.complete, left(report), report.failed) == (False, ["signature", "tree"], False)
    report = verify(house_log, key=KEY)
    assert (left(report), report.checks["signature"], report.checks["tree"]) == (["tree"], "fail", "not-checked")


SPOILED = [
    lambda data: b"hello\n",
    lambda data: data[:-20] + b"\xff" + data[-20:],
    lambda data: data.partition(b"\n\n")[0] + b"\n",
]


@pytest.mark.parametrize("spoil", SPOILED, ids=["none", "no text", "without a signature"])
def test_a_checkpoint_that_cannot_be_read_passes_nothing(spoil: Callable[[bytes], bytes], house_log: Path) -> None:
    path = house_log / CHECKPOINT
    path.write_bytes(spoil(path.read_bytes()))
    report = verify(house_log, key=KEY)
    assert found(report) == ["checkpoint-malformed"]
    assert [report.checks[name] for name in ("signature", "tree", "remembered")] == ["fail", *["not-checked"] * 2]
    assert left(report) == ["tree"]


def test_a_key_of_another_origin_than_the_checkpoint_is_not_the_houses(house_log: Path) -> None:
    """Even where that key signed it too, as a witness does."""
    text, _, signature = (house_log / CHECKPOINT).read_text().rpartition("\n\n")
    witness = OTHER.sign(f"{text}\n").rpartition("\n\n")[2]
    (house_log / CHECKPOINT).write_text(f"{text}\n\n{signature}{witness}")
    assert found(verify(house_log, key=KEY)) == []
    assert found(verify(house_log, key=str(OTHER.verifier))) == ["key-differs"]


def test_a_checkpoint_older_than_the_remembered_one_fails(house_log: Path) -> None:
    write_log(house_log.parent / "new", LINES, SIGNER)
    write_log(house_log, LINES[:20], SIGNER)
    new = house_log.parent / "new" / CHECKPOINT
    assert found(verify(house_log, remembered=[new])) == ["remembered-longer"]
    (house_log / ENTRIES).write_bytes((house_log.parent / "new" / ENTRIES).read_bytes())
    assert found(verify(house_log, remembered=[new])) == ["entries-unsigned"]


# Whose word the memory is.


def test_what_the_house_did_not_sign_twice_is_not_the_houses_fault(house_log: Path) -> None:
    """A file that was changed, against a copy that is as it was signed: the change is one item."""
    old = house_log.parent / "old"
    write_log(old, LINES, SIGNER)
    data = (house_log / ENTRIES).read_bytes()
    (house_log / ENTRIES).write_bytes(data.replace(b'"chips":{"', b'"chips":{"9":1,"', 1))
    report = verify(house_log, key=KEY, remembered=[old])
    (group,) = [group for group in report.groups if group.code.code == "root-differs"]
    assert group.follows == {"memory-differs": 1}
    assert "remembered-differs" not in found(report)


def test_a_remembered_checkpoint_that_was_changed_is_not_compared(house_log: Path) -> None:
    old = house_log.parent / "old" / CHECKPOINT
    for key in (None, KEY):
        write_log(old.parent, LINES[:12], SIGNER)
        old.write_text(old.read_text().replace("\n12\n", "\n13\n"))
        assert found(verify(house_log, key=key, remembered=[old])) == ["remembered-unsigned"]
        write_log(old.parent, LINES[:12], NAMESAKE)
        assert found(verify(house_log, key=KEY, remembered=[old])) == ["remembered-unsigned"]


def test_a_memory_by_a_key_that_nobody_knows_is_compared_and_proves_nothing(house_log: Path) -> None:
    old = house_log.parent / "old" / CHECKPOINT
    write_log(old.parent, LINES[:12], NAMESAKE)
    assert found(verify(house_log, remembered=[old])) == []
    write_log(old.parent, [*LINES[:11], LINES[3]], NAMESAKE)
    assert found(verify(house_log, remembered=[old])) == ["memory-differs"]


def test_the_parameters_name_no_paths(house_log: Path) -> None:
    write_log(house_log.parent / "old", LINES[:12], SIGNER)
    old = house_log.parent / "old"
    head = checkpoint_of((old / CHECKPOINT).read_text())
    (house_log.parent / "house.vkey").write_text(KEY)
    report = verify(house_log, key=str(house_log.parent / "house.vkey"), remembered=[old / CHECKPOINT])
    remembered = [{"origin": SIGNER.verifier.name, "size": 12, "root": head.root.hex()}]
    assert report.parameters == {"key": KEY, "remembered": remembered}
    assert verify(house_log).parameters == {"key": None, "remembered": []}


# How the file is read.


def test_a_log_through_standard_input_has_no_checkpoint(house_log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(house_log, monkeypatch)
    report = verify(Path("-"))
    assert (report.log.size, left(report), report.failed) == (len(LINES), ["signature", "tree"], False)
    piped(house_log, monkeypatch)
    assert found(verify(Path("-"), key=KEY)) == ["checkpoint-required"]


def piped(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log as standard input."""
    monkeypatch.setattr("fairshoe.log.directory.open_to_read", lambda path: (log / ENTRIES).open("rb"))


@pytest.mark.parametrize("write", [bytes, gzip.compress])
def test_endless_lines_are_given_up(
    write: Callable[[bytes], bytes], house_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairshoe.log.directory.MAX_LINE_BYTES", 1 << 21)
    (house_log / ENTRIES).write_bytes(write(b"x" * (1 << 23)))
    with pytest.raises(LogError, match="a line without end"):
        verify(house_log)
