"""Signature, tree and memory: what is wrong with the evidence around a log, one case a code."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from audit_cli.evidence.cosigned import wanted_of
from audit_cli.findings.report import Report
from audit_cli.verify import verify
from audit_cli.walk.audit import Audit
from fairshoe.errors import FairshoeError, InputError, LogError, NotALog
from fairshoe.log.checkpoint import checkpoint_of
from fairshoe.log.directory import CHECKPOINT, ENTRIES, VERIFIER, write_log
from fairshoe.log.note import Signer
from tests.cosigner import Cosigner
from tests.house import SIGNER

from .planting import KEY, log
from .tiled import export_copy

LINES = list(log("banker"))
OTHER = Signer("fairshoe.test/other", hashlib.sha256(b"another key").digest())
NAMESAKE = Signer(SIGNER.verifier.name, hashlib.sha256(b"another key").digest())

Spoil = Callable[[Path], Report]


def found(report: Report) -> list[str]:
    return [f.code for f in report.findings if f.severity == "fail"]


def checkpoint_missing(log: Path) -> Report:
    (log / CHECKPOINT).unlink()
    return verify(log)


def checkpoint_required(log: Path) -> Report:
    (log / CHECKPOINT).unlink()
    return verify(log, key=KEY)


def signed_by_another(log: Path) -> Report:
    write_log(log, LINES, NAMESAKE)
    return verify(log, key=KEY)


def signature_changed(log: Path) -> Report:
    respell(log / CHECKPOINT, lambda signature: signature[:40] + bytes([signature[40] ^ 1]) + signature[41:])
    return verify(log, key=KEY)


def respell(path: Path, change: Callable[[bytes], bytes]) -> None:
    """Change the bytes of the signature in a checkpoint."""
    head, _, encoded = path.read_text().rstrip("\n").rpartition(" ")
    path.write_text(f"{head} {base64.b64encode(change(base64.b64decode(encoded))).decode()}\n")


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
    write_log(log.parent / "old", LINES[5:10], OTHER)
    return verify(log, key=KEY, remembered=[log.parent / "old" / CHECKPOINT])


def noted_down(log: Path) -> Report:
    write_log(log.parent / "old", LINES[:5], SIGNER)
    note = (log.parent / "old" / CHECKPOINT).read_text()
    (log.parent / "old" / CHECKPOINT).write_text(note.partition("\n\n")[0] + "\n")
    return verify(log, key=KEY, remembered=[log.parent / "old" / CHECKPOINT])


def copy_by_nobody(log: Path) -> Report:
    write_log(log.parent / "old", [*LINES[:5], LINES[6]], SIGNER)
    (log.parent / "old" / CHECKPOINT).unlink()
    return verify(log, key=KEY, remembered=[log.parent / "old"])


def not_cosigned(log: Path) -> Report:
    return verify(log, key=KEY, wanted=wanted_of([str(Cosigner("witness.example", bytes(32)).key)], None))


def copy_resaved(log: Path) -> Report:
    write_log(log.parent / "old", LINES[:5], SIGNER)
    (log.parent / "old" / ENTRIES).write_bytes(b"".join(line + b"\r\n" for line in LINES[:5]))
    return verify(log, key=KEY, remembered=[log.parent / "old"])


def resaved(log: Path) -> Report:
    (log / ENTRIES).write_bytes(b"".join(line + b"\r\n" for line in LINES))
    return verify(log, key=KEY)


def cut_off(log: Path) -> Report:
    (log / ENTRIES).write_bytes((log / ENTRIES).read_bytes()[:-9])
    return verify(log, key=KEY)


def twice(log: Path) -> Report:
    (log / ENTRIES).write_bytes((log / ENTRIES).read_bytes() * 2)
    return verify(log, key=KEY)


def tile_changed(log: Path) -> Report:
    tiles = log.with_name("tiles")
    export_copy(log, tiles)
    tile = next((tiles / "tile" / "0").rglob("*.p/*"))
    tile.write_bytes(b"x" + tile.read_bytes()[1:])
    return verify(tiles, key=KEY)


EVIDENCE: dict[str, Spoil] = {
    "checkpoint-missing": checkpoint_missing,
    "checkpoint-required": checkpoint_required,
    "key-differs": signed_by_another,
    "signature-invalid": signature_changed,
    "witnesses-missing": not_cosigned,
    "checkpoint-malformed": not_a_checkpoint,
    "root-differs": an_entry_changed,
    "log-truncated": truncated,
    "entries-unsigned": appended,
    "logs-joined": twice,
    "remembered-differs": rewritten,
    "memory-differs": copy_by_nobody,
    "remembered-longer": shortened,
    "remembered-other-log": of_another_log,
    "remembered-unsigned": noted_down,
    "remembered-resaved": copy_resaved,
    "log-resaved": resaved,
    "entry-cut-off": cut_off,
    "tile-differs": tile_changed,
}
READERS = {"logs-joined", "remembered-other-log", "remembered-resaved", "log-resaved", "entry-cut-off"}
NOTES = {"checkpoint-missing", "remembered-resaved"}


@pytest.fixture
def house_log(tmp_path: Path) -> Path:
    write_log(tmp_path / "log", LINES, SIGNER)
    return tmp_path / "log"


@pytest.mark.parametrize("code", EVIDENCE)
def test_the_evidence_is_spoiled(code: str, house_log: Path) -> None:
    report = EVIDENCE[code](house_log)
    assert code in [f.code for f in report.findings]
    assert report.failed == (code not in NOTES)
    (group,) = [group for group in report.groups if group.code.code == code]
    fault = "house" if code == "remembered-differs" else "reader" if code in READERS else "unknown"
    assert (group.count, group.code.fault) == (1, fault)
    assert group.first[0].next
    if report.failed:
        assert report.checks[group.code.check] == "fail"


def test_a_good_log_with_everything_at_hand(house_log: Path) -> None:
    write_log(house_log.parent / "old", LINES[:12], SIGNER)
    report = verify(house_log, key=KEY, remembered=[house_log.parent / "old", house_log.parent / "old" / CHECKPOINT])
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


def test_the_checkpoint_of_another_log(house_log: Path) -> None:
    write_log(house_log, LINES, OTHER)
    report = verify(house_log, key=KEY)
    assert found(report) == ["key-differs"]
    assert report.checks["tree"] == "pass", "the tree is still what that checkpoint says"


def test_a_checkpoint_changed_after_it_was_signed(house_log: Path) -> None:
    text = (house_log / CHECKPOINT).read_text()
    (house_log / CHECKPOINT).write_text(text.replace(f"\n{len(LINES)}\n", f"\n{len(LINES) - 1}\n"))
    report = verify(house_log, key=KEY)
    assert found(report) == ["signature-invalid", "root-differs", "entries-unsigned"]
    (group,) = report.groups
    assert (group.code.code, group.follows) == ("signature-invalid", {"entries-unsigned": 1, "root-differs": 1})


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


def test_a_checkpoint_that_cannot_be_read_passes_nothing(house_log: Path) -> None:
    (house_log / CHECKPOINT).write_text("hello\n")
    report = verify(house_log, key=KEY)
    states = [report.checks[name] for name in ("signature", "tree", "remembered")]
    assert states == ["fail", "not-checked", "not-checked"]
    assert left(report) == ["tree"]


def test_a_checkpoint_that_is_no_text_is_a_finding(house_log: Path) -> None:
    data = (house_log / CHECKPOINT).read_bytes()
    (house_log / CHECKPOINT).write_bytes(data[:-20] + b"\xff" + data[-20:])
    assert found(verify(house_log, key=KEY)) == ["checkpoint-malformed"]


def test_a_checkpoint_without_a_signature_is_none(house_log: Path) -> None:
    text = (house_log / CHECKPOINT).read_text()
    (house_log / CHECKPOINT).write_text(text.partition("\n\n")[0] + "\n")
    for key in (None, KEY):
        assert found(verify(house_log, key=key)) == ["checkpoint-malformed"]


def test_a_key_of_another_origin_than_the_checkpoint_is_not_the_houses(house_log: Path) -> None:
    """Even where that key signed it too, as a witness does."""
    text, _, signature = (house_log / CHECKPOINT).read_text().rpartition("\n\n")
    witness = OTHER.sign(f"{text}\n").rpartition("\n\n")[2]
    (house_log / CHECKPOINT).write_text(f"{text}\n\n{signature}{witness}")
    assert found(verify(house_log, key=KEY)) == []
    assert found(verify(house_log, key=str(OTHER.verifier))) == ["key-differs"]


def test_without_a_checkpoint_beside_the_log_a_remembered_one_does_not_pass(house_log: Path) -> None:
    write_log(house_log.parent / "old", LINES, SIGNER)
    (house_log / CHECKPOINT).unlink()
    for old in (house_log.parent / "old", house_log.parent / "old" / CHECKPOINT):
        report = verify(house_log, remembered=[old])
        assert (found(report), report.checks["remembered"]) == (["checkpoint-required"], "pass")


def test_a_checkpoint_older_than_the_remembered_one_fails(house_log: Path) -> None:
    """Whether the entries since are there or not."""
    write_log(house_log.parent / "new", LINES, SIGNER)
    write_log(house_log, LINES[:20], SIGNER)
    new = house_log.parent / "new" / CHECKPOINT
    assert found(verify(house_log, remembered=[new])) == ["remembered-longer"]
    (house_log / ENTRIES).write_bytes((house_log.parent / "new" / ENTRIES).read_bytes())
    assert found(verify(house_log, remembered=[new])) == ["entries-unsigned"]


def test_a_changed_entry_in_a_longer_log_is_two_findings(house_log: Path) -> None:
    write_log(house_log.parent / "new", [LINES[0], LINES[2], *LINES[2:], *LINES[:3]], SIGNER)
    (house_log / ENTRIES).write_bytes((house_log.parent / "new" / ENTRIES).read_bytes())
    codes = [group.code.code for group in verify(house_log, key=KEY).groups]
    assert {"root-differs", "entries-unsigned"} <= set(codes)


# Whose word the memory is.


def test_what_the_house_did_not_sign_twice_is_not_the_houses_fault(house_log: Path) -> None:
    """A file that was changed, against a copy that is as it was signed: the change is one item."""
    old = house_log.parent / "old"
    write_log(old, LINES, SIGNER)
    data = (house_log / ENTRIES).read_bytes()
    (house_log / ENTRIES).write_bytes(data.replace(b'"chips":{"', b'"chips":{"9":1,"', 1))
    for path in (old, old / CHECKPOINT):
        report = verify(house_log, key=KEY, remembered=[path])
        (group,) = [group for group in report.groups if group.code.code == "root-differs"]
        assert group.follows == {"memory-differs": 1}
        assert "remembered-differs" not in found(report)


def test_a_copy_that_was_changed_says_nothing_about_the_house(house_log: Path) -> None:
    old = house_log.parent / "old"
    write_log(old, LINES[:12], SIGNER)
    (old / ENTRIES).write_bytes(b"".join(line + b"\n" for line in [*LINES[:7], LINES[3], *LINES[8:12]]))
    report = verify(house_log, key=KEY, remembered=[old])
    assert [(f.code, f.entry) for f in report.findings] == [("memory-differs", 7)]


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


def test_several_memories_at_once(house_log: Path) -> None:
    olds = []
    for size in (0, 7, 7, 30, len(LINES)):
        write_log(house_log.parent / f"old{size}", LINES[:size], SIGNER)
        olds += [house_log.parent / f"old{size}" / CHECKPOINT] + [house_log.parent / f"old{size}"] * (size > 0)
    report = verify(house_log, key=KEY, remembered=olds)
    assert (found(report), report.checks["remembered"]) == ([], "pass")


def test_the_parameters_name_no_paths(house_log: Path) -> None:
    write_log(house_log.parent / "old", LINES[:12], SIGNER)
    old = house_log.parent / "old"
    head = checkpoint_of((old / CHECKPOINT).read_text())
    (house_log.parent / "house.vkey").write_text(KEY)
    report = verify(house_log, key=str(house_log.parent / "house.vkey"), remembered=[old / CHECKPOINT, old])
    about = {"size": 12, "root": head.root.hex()}
    remembered = [{"origin": SIGNER.verifier.name, **about}, {"copy": about}]
    assert report.parameters == {"key": KEY, "remembered": remembered}
    assert verify(house_log).parameters == {"key": None, "remembered": []}


# How the file is read.


def test_what_is_beside_the_line_ends_is_found_as_ever(house_log: Path) -> None:
    """CR LF hides nothing: what is wrong besides is an item of its own."""
    lines = [*LINES]
    index = next(i for i, line in enumerate(lines) if b'"pos":0' in line)
    lines[index] = lines[index].replace(b'"pos":0', b'"pos":1')
    (house_log / ENTRIES).write_bytes(b"".join(line + b"\r\n" for line in lines))
    assert {"log-resaved", "root-differs", "position-differs"} <= set(found(verify(house_log, key=KEY)))


def test_a_file_longer_than_what_is_signed_is_not_taken_for_two_logs(house_log: Path) -> None:
    write_log(house_log, LINES[:20], SIGNER)
    (house_log / ENTRIES).write_bytes(b"".join(line + b"\n" for line in LINES))
    assert found(verify(house_log, key=KEY)) == ["entries-unsigned"]


def test_a_log_through_standard_input_has_no_checkpoint(house_log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(house_log, monkeypatch)
    report = verify(Path("-"))
    assert (report.log.size, left(report), report.failed) == (len(LINES), ["signature", "tree"], False)
    piped(house_log, monkeypatch)
    assert found(verify(Path("-"), key=KEY)) == ["checkpoint-required"]


def piped(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log as standard input."""
    monkeypatch.setattr("fairshoe.log.directory.open_to_read", lambda path: (log / ENTRIES).open("rb"))


def test_endless_lines_are_given_up(house_log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairshoe.log.directory.LONGEST_LINE", 1 << 21)
    (house_log / ENTRIES).write_bytes(b"x" * (1 << 23))
    with pytest.raises(LogError, match="a line without end"):
        verify(house_log)


def test_a_file_without_entries_is_given_up_early(house_log: Path) -> None:
    (house_log / ENTRIES).write_bytes(b"hello\n" * 100_000)
    taken = []

    def watch(audit: Audit, line: bytes) -> None:
        taken.append(line)
        audit.take(line)

    with pytest.raises(NotALog, match="no line of it is an entry"):
        verify(house_log, watch=watch)
    assert len(taken) < 5_000
