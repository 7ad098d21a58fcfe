"""Proof files whose checkpoint witnesses cosigned."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from audit_cli.evidence.cosigned import wanted_of
from audit_cli.hand.run import Answer
from audit_cli.proof.refused import ProofRefused
from fairshoe.errors import FairshoeError, InputError
from fairshoe.log.hand_proof import check_proof, proof_of, proof_over, proof_text
from fairshoe.log.note import Signer, base64_of
from fairshoe.record.hand_entries import entries_for
from tests.cosigner import Cosigner
from tests.house import SIGNER
from tests.witness.logs import SECOND, TIME, WITNESS

from .proofs import GAMES, ROUND, checked, note_over, played, proven
from .telling import said, written

KEY = str(SIGNER.verifier)
NAME = f"casino#{ROUND}"
OK = f"PASS: every card, decision and payout of round {NAME} is what the key and the rules give"


def keys(*witnesses: Cosigner) -> list[str]:
    return [str(witness.key) for witness in witnesses]


def lines_by(text: str, *witnesses: Cosigner, seconds: int = TIME) -> list[str]:
    return [witness.cosign(text, seconds) for witness in witnesses]


def cosigned(rules: str, *witnesses: Cosigner, more: Sequence[str] = ()) -> bytes:
    """The proof file of a hand, under a checkpoint with these cosignatures, and more lines."""
    lines, name = played(rules), f"{rules}#{ROUND}"
    note, leaves = note_over(lines)
    text = note.rpartition("\n\n")[0] + "\n"
    note += "".join([*lines_by(text, *witnesses), *more])
    return proof_text(proof_over(name, note, entries_for(lines, name), leaves.node)).encode()


def with_note(data: bytes, note: str) -> bytes:
    form = json.loads(data) | {"checkpoint": note}
    return json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def asked(data: bytes, *witnesses: Cosigner, quorum: int | None = None) -> Answer:
    return checked(data, wanted=wanted_of(keys(*witnesses), quorum))


@pytest.mark.parametrize("rules", GAMES)
def test_cosignatures_stand_below_the_checkpoint_of_a_proof(rules: str) -> None:
    data = cosigned(rules, WITNESS, SECOND)
    note = proof_of(data).checkpoint
    assert note.startswith(proof_of(proven(rules)).checkpoint)
    assert note.count("\n— ") == 3
    assert asked(data, WITNESS, SECOND).outcome == checked(proven(rules)).outcome


def test_the_same_cosignatures_give_the_same_bytes_in_whatever_order_they_came() -> None:
    assert cosigned("casino", WITNESS, SECOND) == cosigned("casino", SECOND, WITNESS, WITNESS)


def test_other_lines_below_the_checkpoint_are_left_out() -> None:
    text = proof_of(proven("casino")).checkpoint.rpartition("\n\n")[0] + "\n"
    other = Signer("witness.example", bytes(32)).sign(text).rpartition("\n\n")[2]
    longer = f"— {WITNESS.key.name} {base64_of(bytes(4 + 8 + 2420))}\n"
    assert cosigned("casino", more=[other, longer]) == proven("casino")


def test_a_signer_whose_name_is_none_makes_no_note() -> None:
    text = proof_of(proven("casino")).checkpoint.rpartition("\n\n")[0] + "\n"
    for name in ("a+name", "a\u00a0name"):
        odd = WITNESS.cosign(text, TIME).replace("witness.example/w1", name)
        with pytest.raises(InputError, match="malformed signature line"):
            cosigned("casino", more=[odd])


def test_without_a_witness_named_it_says_how_many_stand_there() -> None:
    told = checked(cosigned("casino", WITNESS, SECOND))
    said = "2 cosignatures stand below the checkpoint, by witness.example/w1, witness.example/w2; none was checked"
    assert said in told.text
    assert told.form["proof"]["cosignatures"]["cosigners"] == ["witness.example/w1", "witness.example/w2"]
    assert told.form["proof"]["cosignatures"]["cosigned"] == []
    assert "1 cosignature stands below" in checked(cosigned("casino", WITNESS)).text
    assert "No cosignature of a witness stands below" in checked(proven("casino")).text


@pytest.mark.parametrize(("wanted", "quorum"), [((WITNESS,), None), ((SECOND,), None), ((WITNESS, SECOND), 1)])
def test_enough_cosignatures_are_told_with_their_times(wanted: tuple[Cosigner, ...], quorum: int | None) -> None:
    told = asked(cosigned("casino", *wanted[:1]), *wanted, quorum=quorum)
    assert told.outcome.line == OK
    assert f"Cosigned by {wanted[0].key.name} at 2027-01-15T08:00:00.000000Z." in told.text
    about = told.form["proof"]["cosignatures"]
    assert about["cosigned"] == [{"witness": str(wanted[0].key), "time": TIME}]
    assert (about["witnesses"], about["quorum"]) == (keys(*wanted), 1)
    assert len(about["missing"]) == len(wanted) - 1


def test_too_few_fail_and_the_missing_are_named() -> None:
    found = asked(cosigned("casino", WITNESS), WITNESS, SECOND)
    assert found.outcome.line == (
        "FAIL: cosignatures of 2 of 2 witnesses wanted, found 1: no cosignature by witness.example/w2"
    )
    assert "Missing: no cosignature by witness.example/w2." in found.text
    assert "the house" not in found.outcome.line


def test_a_cosignature_of_another_head_or_time_is_none() -> None:
    text = proof_of(proven("casino")).checkpoint.rpartition("\n\n")[0] + "\n"
    data = cosigned("casino", more=lines_by(text + "x\n", WITNESS))
    assert "the cosignature of witness.example/w1 is wrong" in asked(data, WITNESS).outcome.line


def test_only_one_order_is_a_proof_file() -> None:
    data = cosigned("casino", WITNESS, SECOND)
    note = proof_of(data).checkpoint
    *head, own, one, other = note.splitlines(keepends=True)
    for lines in ([own, other, one], [one, other, own], [own, one, one, other], [own, own, one, other]):
        with pytest.raises(ProofRefused, match="other signatures, or in another order"):
            checked(with_note(data, "".join([*head, *lines])))
    with pytest.raises(ProofRefused, match="no signature by"):
        checked(with_note(data, "".join([*head, one, other])))
    assert checked(with_note(data, "".join([*head, own, one]))).outcome.good


def test_one_changed_byte_is_refused_or_costs_the_cosignature() -> None:
    """Of 2,000 places in the file: whoever names both witnesses is told of every change but that of the round's name,
    which names another hand."""
    chance, data = Random(19), cosigned("casino", WITNESS, SECOND)
    note = data.index(b"\\n\\n")
    for number in range(2_000):
        last = data.index(b'","entries"') if number % 2 else len(data)
        place = chance.randrange(note if number % 2 else 0, last)
        other = data[:place] + bytes([data[place] ^ chance.randrange(1, 256)]) + data[place + 1 :]
        try:
            outcome = asked(other, WITNESS, SECOND).outcome
        except FairshoeError:
            continue
        assert not outcome.good, (place, outcome)


def test_prove_keeps_what_the_checkpoint_has_and_hand_asks_for_it(tmp_path: Path) -> None:
    log = written(tmp_path / "log", played("casino"))
    note = (log / "checkpoint").read_text()
    text = note.rpartition("\n\n")[0] + "\n"
    (log / "checkpoint").write_text(note + "".join(lines_by(text, SECOND, WITNESS)))
    assert said("prove", log, "--round", NAME, "--output", tmp_path / "proof").code == 0
    assert (tmp_path / "proof").read_bytes() == cosigned("casino", WITNESS, SECOND)
    (tmp_path / "w1").write_text(f"{WITNESS.key}\n")
    asked = ("hand", tmp_path / "proof", "--key", KEY, "--witness", tmp_path / "w1", "--witness")
    told = said(*asked, str(SECOND.key))
    assert (told.code, told.first) == (0, OK)
    third = Cosigner("witness.example/w3", b"u" * 32)
    assert said(*asked, str(third.key)).code == 1
    assert said(*asked, str(third.key), "--quorum", "1").code == 0
    assert said("hand", tmp_path / "proof", "--key", KEY, "--quorum", "1").code == 2


def test_hand_asks_a_whole_log_for_cosignatures_too(tmp_path: Path) -> None:
    log = written(tmp_path / "log", played("casino"))
    assert said("hand", log, "--round", NAME, "--key", KEY).code == 0
    told = said("hand", log, "--round", NAME, "--key", KEY, "--witness", str(WITNESS.key))
    assert (told.code, "witnesses-missing" in told.out) == (1, True)


def test_the_proof_itself_needs_no_witness() -> None:
    assert check_proof(proof_of(cosigned("casino", WITNESS)), SIGNER.verifier).size == len(played("casino"))
