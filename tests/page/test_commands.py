"""`fairshoe-audit prove --page`, and the command that refreshes the documented hash."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_cli.main import main
from fairshoe.log.directory import write_log
from fairshoe.page import fill_page, page
from tests.audit.planting import log
from tests.audit.proofs import proven
from tests.house import SIGNER

from .reading import KEY, written


def test_the_page_with_a_hand_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof, key = written(tmp_path / "hand.json", proven("casino")), written(tmp_path / "vkey", f"{KEY}\n".encode())
    for given in (KEY, str(key)):
        assert main(["prove", str(proof), "--key", given, "--page", str(tmp_path / "verify.html")]) == 0
        assert (tmp_path / "verify.html").read_text(encoding="utf-8") == fill_page(proven("casino"), KEY)
    assert main(["prove", str(proof), "--page", "-"]) == 0
    assert capsys.readouterr().out == fill_page(proven("casino"), "")
    write_log(tmp_path / "log", log("casino"), SIGNER)
    assert main(["prove", str(tmp_path / "log"), "--round", "casino#1", "--page", "-"]) == 0
    text = capsys.readouterr().out
    assert text[: text.index('id="filled">')] == page()[: page().index('id="filled">')]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--key", KEY, "--page", "-"], "give a LOG and its --round"),
        (["--page", "a", "--output", "b"], "--page or --output"),
        (["FILE", "--page", "-"], "say which hand"),
        (["hand.json", "--key", "nonsense", "--page", "-"], "not a verifier key"),
        (["hand.json", "--page", "hand.json"], "cannot write over what is read"),
        (["nowhere.json", "--page", "-"], "nowhere.json"),
    ],
)
def test_what_fits_nowhere_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(Path("hand.json"), proven("casino"))
    written(Path("FILE"), b"{}\n")
    assert main(["prove", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert any(each in said.err for each in told.split("|")), said.err
