"""What `verify` is given: keys of houses that were said once, a log.tar, an address; and a verdict in one line."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from audit_cli.main import main
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer
from tests.house import SIGNER

from .planting import KEY, log


@pytest.fixture
def houses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "settings" / "houses"
    monkeypatch.setenv("FAIRSHOE_HOUSES", str(path))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_log(tmp_path / "log", log("banker"), SIGNER)
    return tmp_path / "log"


def quiet(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["verify", *map(str, words), "-q"])
    return code, *capsys.readouterr()


def test_a_key_that_was_said_is_known(houses: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert quiet(capsys, folder)[:2] == (
        0,
        "PASS so far: not checked: the signature, for want of the house's key (--key)\n",
    )
    code, out, told = quiet(capsys, folder, "--key", KEY, "--remember")
    assert (code, out[:6]) == (0, "PASS: ")
    assert KEY in told
    assert houses.read_text() == f"{KEY}\n"
    for _ in range(2):
        code, out, told = quiet(capsys, folder, "--remember")
        assert (code, out[:6], told) == (0, "PASS: ", "")
    assert houses.read_text() == f"{KEY}\n"


def test_at_a_first_use_nothing_is_proved(houses: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, told = quiet(capsys, folder, "--remember")
    assert (code, out[:12]) == (0, "PASS so far:")
    assert "proves no signature" in told
    assert quiet(capsys, folder)[1].startswith("PASS: ")


def test_another_key_is_no_reason_to_forget_the_one_that_is_kept(
    houses: Path, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet(capsys, folder, "--remember")
    other = Signer(SIGNER.verifier.name, b"o" * 32)
    write_log(tmp_path / "other", log("banker"), other)
    assert quiet(capsys, tmp_path / "other")[0] == 1
    assert quiet(capsys, tmp_path / "other", "--remember")[0] == 1
    code, _, told = quiet(capsys, tmp_path / "other", "--remember", "--key", other.verifier)
    assert code == 2
    assert str(houses) in told
    assert houses.read_text() == f"{KEY}\n"


def test_a_key_beside_a_log_that_fails_is_not_kept(
    houses: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "log.jsonl").write_bytes(b"\n".join(log("banker")[:-1]) + b"\n")
    assert quiet(capsys, folder, "--remember")[0] == 1
    assert not houses.exists()


def test_a_damaged_file_of_keys_is_named(houses: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    houses.parent.mkdir()
    houses.write_text(f"{KEY}\nno key\n")
    code, _, told = quiet(capsys, folder)
    assert code == 2
    assert f"{houses}, line 2" in told


def test_a_log_tar_is_audited(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with tarfile.open(tmp_path / "log.tar", "w") as archive:
        for name in ("checkpoint", "log.vkey", "log.jsonl"):
            archive.add(folder / name, name)
    assert quiet(capsys, tmp_path / "log.tar", "--key", KEY) == quiet(capsys, folder, "--key", KEY)
    with tarfile.open(tmp_path / "other.tar", "w") as archive:
        archive.add(folder / "checkpoint", "../checkpoint")
    code, _, told = quiet(capsys, tmp_path / "other.tar")
    assert code == 2
    assert "an archive without log.jsonl" in told


def test_for_an_address_the_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, told = quiet(capsys, "https://house.example")
    assert code == 2
    assert "fairshoe pull https://house.example DIR" in told
