"""A report is signed, and whoever has the signer's key can tell whether it was changed."""

from __future__ import annotations

import stat
from hashlib import sha256
from pathlib import Path

import pytest

from audit_cli.evidence.private_keys import new_key, signer_of
from audit_cli.findings.signing import note_text, sign_report
from fairshoe.errors import InputError
from fairshoe.log.directory import write_log
from fairshoe.log.note import Verifier, open_note
from tests.house import SIGNER

from .planting import KEY, log
from .test_evidence import OTHER
from .test_verify_cli import check_told, run

GO = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
GO_PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
"""The pair of keys that the documentation of Go's sumdb/note has as its example."""


@pytest.fixture
def key(tmp_path: Path) -> Path:
    new_key("audit.test", tmp_path / "audit.key")
    return tmp_path / "audit.key"


@pytest.fixture
def report(tmp_path: Path, key: Path) -> Path:
    """A signed report, made by the command."""
    write_log(tmp_path / "log", list(log("banker")), SIGNER)
    made = tmp_path / "report.json"
    done = run("verify", tmp_path / "log", "--key", KEY, "--format", "json", "--output", made, "--sign", key)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return made


def verifier(key: Path) -> Verifier:
    return signer_of(key).verifier


def test_a_key_is_made_for_one_alone_and_never_over_another(tmp_path: Path) -> None:
    done = run("key", "audit.test", tmp_path / "audit.key")
    assert (done.returncode, done.stderr) == (0, "")
    assert stat.S_IMODE((tmp_path / "audit.key").stat().st_mode) == 0o600
    text = (tmp_path / "audit.key").read_text()
    assert text.startswith("PRIVATE+KEY+audit.test+")
    assert done.stdout == f"{verifier(tmp_path / 'audit.key')}\n"
    done = run("key", "audit.test", tmp_path / "audit.key")
    assert done.returncode == 2
    check_told(done.stderr)
    assert (tmp_path / "audit.key").read_text() == text


@pytest.mark.parametrize("name", ["", "two words", "a+b", "a\x1b[2J", "\u202ea"])
def test_a_name_that_cannot_stand_in_a_note_is_refused(name: str, tmp_path: Path) -> None:
    done = run("key", name, tmp_path / "audit.key")
    assert (done.returncode, done.stdout) == (2, "")
    check_told(done.stderr)
    assert not (tmp_path / "audit.key").exists()


def test_a_key_that_go_made_is_read(tmp_path: Path) -> None:
    file = tmp_path / "go.key"
    file.write_text(GO + "\n")
    file.chmod(0o600)
    assert str(verifier(file)) == GO_PUBLIC


def test_the_note_is_over_the_hash_of_the_report(report: Path, key: Path) -> None:
    note = report.with_name("report.json.note").read_text(encoding="utf-8")
    digest = sha256(report.read_bytes()).hexdigest()
    assert open_note(note, verifier(key)) == f"fairshoe-audit report\nsha256 {digest}\n" == note_text(digest)
    assert note == sign_report(report.read_text(encoding="utf-8"), key), "the same again"


def test_a_signed_report_holds(report: Path, key: Path) -> None:
    done = run("signed", report, "--key", verifier(key))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"PASS: {report} is as audit.test signed it\n"


def test_a_report_that_was_changed_does_not_hold(report: Path, key: Path) -> None:
    data = report.read_bytes()
    for changed in (data.replace(b'"verdict": "pass"', b'"verdict": "fail"'), data.replace(b"\n", b"\r\n"), data[:-1]):
        assert changed != data
        report.write_bytes(changed)
        done = run("signed", report, "--key", verifier(key))
        assert (done.returncode, done.stderr) == (1, "")
        assert done.stdout.startswith("FAIL: ")
    report.write_bytes(data)
    assert run("signed", report, "--key", verifier(key)).returncode == 0


def test_another_key_or_another_note_does_not_hold(report: Path, key: Path, tmp_path: Path) -> None:
    assert run("signed", report, "--key", OTHER.verifier).returncode == 1
    note = report.with_name("report.json.note")
    text = note.read_text(encoding="utf-8")
    note.write_text(text.replace("sha256 ", "sha256 0"), encoding="utf-8")
    assert run("signed", report, "--key", verifier(key)).returncode == 1
    done = run("signed", report, "--key", KEY, "--note", tmp_path / "log" / "checkpoint")
    assert done.returncode == 1
    assert "something else" in done.stdout


def test_the_note_may_stand_elsewhere(report: Path, key: Path, tmp_path: Path) -> None:
    report.with_name("report.json.note").rename(tmp_path / "elsewhere")
    assert run("signed", report, "--key", verifier(key)).returncode == 2
    assert run("signed", report, "--key", verifier(key), "--note", tmp_path / "elsewhere").returncode == 0


@pytest.mark.parametrize("text", ["", "hello\n", "\x00\x01", "{}", "a\n\n— b c\n"])
def test_what_is_no_note_is_exit_2(text: str, report: Path, key: Path) -> None:
    report.with_name("report.json.note").write_text(text)
    done = run("signed", report, "--key", verifier(key))
    assert (done.returncode, done.stdout) == (2, "")
    check_told(done.stderr)


def test_a_key_that_others_may_read_is_refused(key: Path) -> None:
    for mode in (0o640, 0o604, 0o620, 0o777):
        key.chmod(mode)
        with pytest.raises(InputError, match="others may read") as raised:
            signer_of(key)
        assert "chmod 600" in raised.value.remedy


SEED = "AYFfEfeywctm9wsj85QRE7vX1+47/iTYOKd4BU/tJvyx"


@pytest.mark.parametrize(
    "text",
    [
        "",
        KEY,
        f"PRIVATE+KEY+me+00000000+{SEED}",
        "PRIVATE+KEY+me+e65c4202+AYFf",
        "PRIVATE+KEY+me",
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v\n-----END PRIVATE KEY-----",
        "\x1b[2J",
        "x" * 5000,
    ],
)
def test_a_key_of_another_form_is_refused_and_never_repeated(text: str, tmp_path: Path) -> None:
    file = tmp_path / "some.key"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(InputError) as raised:
        signer_of(file)
    said = str(raised.value)
    assert SEED not in said
    assert "MC4CAQ" not in said
    assert raised.value.where == str(file)


@pytest.mark.parametrize("name", [".", "/dev/zero", "/dev/null", "nowhere", "-"])
def test_a_key_file_that_is_none_is_refused(name: str, tmp_path: Path) -> None:
    done = run("verify", ".", "--output", tmp_path / "report", "--sign", name)
    assert (done.returncode, done.stdout) == (2, "")
    check_told(done.stderr)
