"""`fairshoe-audit checkpoint FILE --key VKEY --witness VKEY … --quorum N`: no log is needed."""

from __future__ import annotations

import json

import pytest

from audit_cli.main import main
from tests.audit.proofs import proven
from tests.house import SIGNER

from .logs import HOUSE, NAMESAKE, OTHER, SECOND, TIME, WITNESS, entries, head, note, write

KEY = str(HOUSE.verifier)
LINES = entries(9)


@pytest.fixture
def run(tmp_path, capsys):
    """Run it on a checkpoint; the exit code and what was said."""

    def run(text, *more, key=KEY):
        (tmp_path / "kept").write_text(text)
        code = main(["checkpoint", str(tmp_path / "kept"), "--key", key, *more])
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


def cosigned(*witnesses, lines=LINES):
    return note(lines) + "".join(each.cosign(head(lines).text, TIME) for each in witnesses)


def wanting(*witnesses):
    return [word for each in witnesses for word in ("--witness", str(each.key))]


PASS = f"PASS: house.example/log signed a log of 9 entries with the tree head {head(LINES).root.hex()}"


def test_who_signed_and_who_cosigned_is_told(run) -> None:
    code, said = run(note(LINES))
    assert (code, said.splitlines()) == (0, [PASS, "No cosignature of a witness stands below the checkpoint."])
    code, said = run(cosigned(WITNESS, SECOND))
    assert (code, said.splitlines()[0]) == (0, PASS)
    assert "2 cosignatures stand below the checkpoint" in said
    code, said = run(cosigned(WITNESS, SECOND), *wanting(WITNESS, SECOND))
    assert (code, said.splitlines()[0], said.count("Cosigned by")) == (0, PASS, 2)


def test_too_few_fail_and_the_missing_are_named(run) -> None:
    code, said = run(cosigned(WITNESS), *wanting(WITNESS, SECOND))
    assert code == 1
    assert "FAIL: cosignatures of 2 of 2 witnesses wanted, found 1: no cosignature by witness.example/w2" in said
    assert run(cosigned(WITNESS), *wanting(WITNESS, SECOND), "--quorum", "1")[0] == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (note(LINES, NAMESAKE), "no signature by house.example/log"),
        (note(LINES, OTHER), "no signature by house.example/log"),
        (note(LINES).replace("\n9\n", "\n8\n"), "the signature of house.example/log is wrong"),
        (HOUSE.sign(head(LINES, origin="other.example").text), "the checkpoint is of other.example"),
        (head(LINES).text + "\n", "not a signed note"),
    ],
)
def test_what_the_key_did_not_sign_fails(run, text: str, why: str) -> None:
    code, said = run(text)
    assert code in (1, 2)
    assert why in said


def test_a_file_that_is_no_checkpoint(run, tmp_path) -> None:
    assert run("hello\n")[0] == 2
    assert main(["checkpoint", str(tmp_path / "none"), "--key", KEY]) == 2


def test_as_json_of_a_directory_and_a_proof(run, tmp_path, capsys) -> None:
    write(tmp_path / "log", LINES)
    assert main(["checkpoint", str(tmp_path / "log"), "--key", KEY, "--format", "json"]) == 0
    form = json.loads(capsys.readouterr().out)
    assert (form["kind"], form["verdict"], form["size"]) == ("fairshoe-audit checkpoint", "pass", 9)
    assert form["cosignatures"] == {"cosigners": [], "cosigned": [], "missing": []}
    (tmp_path / "proof").write_bytes(proven("casino"))
    assert main(["checkpoint", str(tmp_path / "proof"), "--key", str(SIGNER.verifier)]) == 0
    assert capsys.readouterr().out.startswith("PASS: fairshoe.test/log signed")
    form = json.loads(run(cosigned(WITNESS), *wanting(SECOND), "--format", "json")[1])
    assert (form["verdict"], form["cosignatures"]["cosigners"]) == ("fail", ["witness.example/w1"])
    assert form["cosignatures"]["missing"] == ["no cosignature by witness.example/w2"]
