"""`fairshoe-audit verify LOG --witness VKEY … --quorum N`."""

from __future__ import annotations

import json

import pytest

from audit_cli.main import main
from audit_cli.verify.evidence.witnesses import required_witnesses
from audit_cli.verify.run import verify
from fairshoe.errors import InputError
from fairshoe.log.directory import CHECKPOINT, write_log
from fairshoe.log.note import open_note
from tests.audit.planting import KEY, log
from tests.cosigner import Cosigner
from tests.house import SIGNER

from .logs import SECOND, TIME, WITNESS

THIRD = Cosigner("witness.example/w3", b"u" * 32)
NAMESAKE = Cosigner(WITNESS.key.name, b"t" * 32)
ALL = (WITNESS, SECOND, THIRD)


@pytest.fixture
def cosigned(tmp_path):
    """A good log whose checkpoint these witnesses cosigned, `wrong` ones over something else."""

    def cosigned(*witnesses, wrong=()):
        write_log(tmp_path / "log", log("banker"), SIGNER)
        place = tmp_path / "log" / CHECKPOINT
        note = place.read_text()
        text = open_note(note, SIGNER.verifier)
        lines = [witness.cosign(text, TIME) for witness in witnesses]
        lines += [witness.cosign(text + "x\n", TIME) for witness in wrong]
        place.write_text(note + "".join(lines))
        return tmp_path / "log"

    return cosigned


def keys(*witnesses):
    return [str(witness.key) for witness in witnesses]


@pytest.mark.parametrize(("by", "quorum"), [(ALL, None), (ALL, 3), (ALL[1:], 2), (ALL[2:], 1)])
def test_enough_cosignatures_pass(cosigned, by, quorum) -> None:
    report = verify(cosigned(*by), key=KEY, wanted=required_witnesses(keys(*ALL), quorum))
    assert (report.failed, report.checks["signature"]) == (False, "pass")
    assert report.parameters["quorum"] == (quorum or 3)


@pytest.mark.parametrize(
    ("by", "wrong", "quorum", "missing"),
    [
        (ALL[1:], (), None, "2: no cosignature by witness.example/w1"),
        (ALL[1:], ALL[:1], None, "2: the cosignature of witness.example/w1 is wrong"),
        (ALL[:1], (), 2, "1: no cosignature by witness.example/w2, no cosignature by witness.example/w3"),
        ((NAMESAKE, SECOND, THIRD), (), None, "2: no cosignature by witness.example/w1"),
    ],
)
def test_too_few_fail_and_the_missing_are_named(cosigned, by, wrong, quorum, missing: str) -> None:
    report = verify(cosigned(*by, wrong=wrong), key=KEY, wanted=required_witnesses(keys(*ALL), quorum))
    assert [(f.code, f.found) for f in report.findings] == [("witnesses-missing", missing)]
    assert report.checks["signature"] == "fail"


def test_a_log_without_a_checkpoint_or_with_a_forged_one_is_one_cause(cosigned) -> None:
    place = cosigned(*ALL)
    note = (place / CHECKPOINT).read_text()
    wanted = required_witnesses(keys(*ALL), None)
    (place / CHECKPOINT).write_text(note.replace(f"\n{note.split()[1]}\n", "\n7\n"))
    groups = verify(place, key=KEY, wanted=wanted).groups
    assert [(g.code.code, "witnesses-missing" in g.follows) for g in groups][:1] == [("signature-invalid", True)]
    for text, code in (("hello", "checkpoint-malformed"), (None, "checkpoint-required")):
        (place / CHECKPOINT).unlink()
        if text is not None:
            (place / CHECKPOINT).write_text(text)
        groups = verify(place, wanted=wanted).groups
        assert [(group.code.code, group.follows) for group in groups] == [(code, {"witnesses-missing": 1})]


def test_the_houses_own_key_is_no_witness_and_nobody_counts_twice() -> None:
    with pytest.raises(InputError, match="witness's verifier key"):
        required_witnesses([KEY], None)
    with pytest.raises(InputError, match="one witness stands twice"):
        required_witnesses(keys(WITNESS, Cosigner("another.name", b"w" * 32)), None)
    with pytest.raises(InputError, match="2 of 1 witnesses"):
        required_witnesses(keys(WITNESS), 2)
    with pytest.raises(InputError, match="1 of 0 witnesses"):
        required_witnesses([], 1)


def test_on_the_command_line(cosigned, tmp_path, capsys) -> None:
    place = cosigned(WITNESS)
    (tmp_path / "w1").write_text(f"{WITNESS.key}\n")
    words = ["verify", str(place), "--key", KEY, "--witness", str(tmp_path / "w1")]
    assert main([*words, "--format", "json"]) == 0
    parameters = json.loads(capsys.readouterr().out)["parameters"]
    assert (parameters["witnesses"], parameters["quorum"]) == (keys(WITNESS), 1)
    assert main(words) == 0
    assert "1 of 1 wanted:" in capsys.readouterr().out
    assert main([*words, "--witness", str(SECOND.key)]) == 1
    assert "no cosignature by witness.example/w2" in capsys.readouterr().out
    assert main([*words, "--witness", str(SECOND.key), "--quorum", "1"]) == 0
    assert main([*words, "--quorum", "0"]) == 2
    assert main(["verify", str(place), "--quorum", "1"]) == 2
