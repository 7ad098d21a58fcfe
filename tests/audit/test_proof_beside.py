"""A proof of a hand beside cosignatures and other checkpoints, of a log with the hand twice, and as a checkpoint."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from audit_cli.cases.hand.parts import ProofRefused
from audit_cli.cases.hand.run import Answer
from audit_cli.verify.evidence.witnesses import required_witnesses
from fairshoe.errors import InputError
from fairshoe.log.canonical import encode
from fairshoe.log.directory import MAX_TEXT
from fairshoe.log.hand_proof import build_proof, proof_of, proof_text
from fairshoe.log.note import Signer, base64_of
from fairshoe.log.times import microseconds, timestamp
from tests.cosigner import Cosigner
from tests.everything import everything
from tests.house import SIGNER, honest
from tests.witness.logs import SECOND, TIME, WITNESS

from .proofs import ROUND, checked, entries_for, file_of, note_over, played, proven, rounds_of
from .telling import said, written

KEY = str(SIGNER.verifier)
NAME = f"casino#{ROUND}"
ELSEWHERE = "that no second table, shoe, round, seal or end of this name stands elsewhere in the log"
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
    return proof_text(build_proof(name, note, entries_for(lines, name), leaves.node)).encode()


def with_note(data: bytes, note: str) -> bytes:
    form = json.loads(data) | {"checkpoint": note}
    return json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def asked(data: bytes, *witnesses: Cosigner, quorum: int | None = None) -> Answer:
    return checked(data, witnesses=required_witnesses(keys(*witnesses), quorum))


def test_the_same_cosignatures_give_the_same_bytes_and_other_lines_are_left_out() -> None:
    data = cosigned("casino", WITNESS, SECOND)
    assert data == cosigned("casino", SECOND, WITNESS, WITNESS)
    assert proof_of(data).checkpoint.startswith(proof_of(proven("casino")).checkpoint)
    assert proof_of(data).checkpoint.count("\n— ") == 3
    assert asked(data, WITNESS, SECOND).outcome == checked(proven("casino")).outcome
    text = proof_of(proven("casino")).checkpoint.rpartition("\n\n")[0] + "\n"
    other = Signer("witness.example", bytes(32)).sign(text).rpartition("\n\n")[2]
    longer = f"— {WITNESS.key.name} {base64_of(bytes(4 + 8 + 2420))}\n"
    assert cosigned("casino", more=[other, longer]) == proven("casino")
    odd = WITNESS.cosign(text, TIME).replace("witness.example/w1", "a+name")
    with pytest.raises(InputError, match="malformed signature line"):
        cosigned("casino", more=[odd])


def test_without_a_witness_named_it_says_how_many_stand_there() -> None:
    told = checked(cosigned("casino", WITNESS, SECOND))
    said = "2 cosignatures stand below the checkpoint, by witness.example/w1, witness.example/w2; none was checked"
    assert said in told.text
    assert told.form["proof"]["cosignatures"]["cosigners"] == ["witness.example/w1", "witness.example/w2"]
    assert told.form["proof"]["cosignatures"]["cosigned"] == []
    assert "1 cosignature stands below" in checked(cosigned("casino", WITNESS)).text
    assert "No cosignature" in checked(proven("casino")).text


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
    assert found.outcome.line.startswith("FAIL: ")
    assert "found 1: no cosignature by witness.example/w2" in found.outcome.line
    assert "the house" not in found.outcome.line
    text = proof_of(proven("casino")).checkpoint.rpartition("\n\n")[0] + "\n"
    other = cosigned("casino", more=lines_by(text + "x\n", WITNESS))
    assert "witness.example/w1 is wrong" in asked(other, WITNESS).outcome.line, "of another head"


def test_only_one_order_is_a_proof_file() -> None:
    data = cosigned("casino", WITNESS, SECOND)
    note = proof_of(data).checkpoint
    *head, own, one, other = note.splitlines(keepends=True)
    for lines in ([own, other, one], [one, other, own], [own, one, one, other], [own, own, one, other]):
        with pytest.raises(ProofRefused, match="in another order"):
            checked(with_note(data, "".join([*head, *lines])))
    with pytest.raises(ProofRefused, match="no signature by"):
        checked(with_note(data, "".join([*head, one, other])))
    assert checked(with_note(data, "".join([*head, own, one]))).outcome.good


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
    told = said("hand", log, "--round", NAME, "--key", KEY, "--witness", str(third.key))
    assert (told.code, "witnesses-missing" in told.out) == (1, True), "of a whole log too"


# Another history in the same log: only the whole shows it.


def test_a_second_history_of_a_hand_passes_and_the_output_says_that_only_the_whole_log_shows_it() -> None:
    first, second = list(played("banker")), list(honest("banker", 4, seed=2, seats=(1,), chips=100_000).lines)
    both, name = first + second, f"banker#{ROUND}"
    other = [(index + len(first), line) for index, line in entries_for(second, name)]
    for data in (file_of(both, name), file_of(both, name, other)):
        found = checked(data)
        assert found.outcome.word == "PASS"
        assert not found.outcome.complete
        assert ELSEWHERE in found.text
        assert any(each.startswith(ELSEWHERE) for each in found.form["proof"]["only_whole_log"])


def dealt_and_void() -> tuple[list[bytes], str, bytes]:
    """A hand that was dealt, and a proof by which its shoe is void because the last opener kept the seed."""
    lines = list(honest("boxes", 4, seats=(1, 2), chips=100_000, careless=0).lines)
    name = rounds_of(lines)[0]
    needed = [(index, line, json.loads(line)) for index, line in entries_for(lines, name)]
    last = [entry for _, _, entry in needed if entry["kind"] == "opened"][-1]["player"]
    end = next(entry for _, _, entry in needed if entry["kind"] == "reveal")
    at = timestamp(microseconds(json.loads(lines[-1])["at"]) + 60_000_000)
    number = int(name.partition("#")[2])
    void = {"at": at, "by": last, "key": end["key"], "kind": "void", "round": number, "shoe": end["shoe"], "v": 1}
    chosen = [
        (index, line)
        for index, line, entry in needed
        if entry["kind"] in ("table", "shoe", "seeds", "open")
        or (entry["kind"] == "opened" and entry["player"] != last)
    ]
    lines.append(encode(void | {"why": "seed"}))
    return lines, name, file_of(lines, name, [*chosen, (len(lines) - 1, lines[-1])])


def test_a_hand_that_is_said_not_to_be_dealt_passes_only_so_far(tmp_path: Path) -> None:
    lines, name, data = dealt_and_void()
    assert checked(file_of(lines, name)).outcome.word == "PASS"
    found = checked(data)
    assert found.outcome.line.startswith(f"PASS so far: round {name} ")
    assert "sealed, dealt or revealed" in found.text
    (tmp_path / "proof").write_bytes(data)
    assert said("hand", tmp_path / "proof", "--key", KEY, "--require-complete").code == 1


# Another log.


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    file = tmp_path / "proof"
    file.write_bytes(proven("banker"))
    return file


def kept(directory: Path, lines: Any, signer: Signer = SIGNER) -> Path:
    file = directory / "kept"
    file.write_text(note_over(lines, signer)[0])
    return file


def test_a_proof_is_held_against_a_checkpoint_that_others_saw(proof: Path, tmp_path: Path) -> None:
    log, size = written(tmp_path / "log", played("banker")), len(played("banker"))
    for old in (kept(tmp_path, played("banker")), log, log / "checkpoint", proof):
        told = said("hand", proof, "--key", KEY, "--checkpoint", old)
        assert told.code == 0
        assert f"Held against {old}: the same log, of {size} entries." in told.out
    old = kept(tmp_path, played("banker")[:-1])
    told = said("hand", proof, "--key", KEY, "--checkpoint", old)
    assert (told.code, told.out) == (2, ""), "of another size"
    assert "consistency OLD NEW LOG" in told.err
    told = said("consistency", old, proof, log, "--key", KEY)
    assert told.first.startswith("PASS: ")
    other = Signer(SIGNER.verifier.name, bytes(32))
    old = kept(tmp_path, (*played("banker")[:-1], b"{}"), other)
    told = said("hand", proof, "--key", KEY, "--checkpoint", old)
    assert (told.code, told.out) == (2, ""), "the house did not sign it, which accuses nobody"


def test_two_logs_under_one_key_fail_whatever_the_hand_is_like(proof: Path, tmp_path: Path) -> None:
    lines = list(played("banker"))
    lines[-1] = lines[-1].replace(b'"at":"2026-01-01T', b'"at":"2026-01-02T')
    old = kept(tmp_path, lines)
    told = said("hand", proof, "--key", KEY, "--checkpoint", old)
    assert (told.code, told.first) == (1, f"FAIL: the house signed two logs of {len(lines)} entries that differ")
    assert f"Held against {old}: ANOTHER log of" in told.out
    form = json.loads(said("hand", proof, "--key", KEY, "--checkpoint", old, "--format", "json").out)
    assert [each["same"] for each in form["proof"]["remembered"]] == [False]
    assert not form["complete"]


# In the place of a checkpoint that somebody kept.


LINES = everything(1).lines
OTHER = [*LINES[:-1], LINES[-1].replace(b'"at":"2', b'"at":"3')]


def proof_under(lines: list[bytes], least: int) -> bytes:
    """A proof file of at least so many bytes, more than a checkpoint may have; it does not matter of what."""
    count = 1
    while len(data := file_of(lines, rounds_of(lines)[0], enumerate(lines[:count]))) < least:
        count *= 2
    return data


def test_a_proof_is_a_remembered_checkpoint(tmp_path: Path) -> None:
    log = written(tmp_path / "log", LINES)
    for name, lines, code in (("same", LINES, 0), ("earlier", LINES[:-9], 0), ("other", OTHER, 1)):
        (tmp_path / name).write_bytes(proof_under(lines, MAX_TEXT))
        told = said("verify", log, "--key", KEY, "--checkpoint", tmp_path / name)
        assert (told.code, "remembered-differs" in told.out) == (code, code == 1), told
    hand = ("hand", log, "--round", rounds_of(LINES)[0], "--key", KEY)
    assert said(*hand, "--checkpoint", tmp_path / "same").code == 0
    assert said(*hand, "--checkpoint", tmp_path / "other").code == 1


def test_consistency_and_fork_take_proofs(tmp_path: Path) -> None:
    log = written(tmp_path / "log", LINES)
    (tmp_path / "old").write_bytes(proof_under(LINES[:-9], 0))
    (tmp_path / "new").write_bytes(proof_under(LINES, MAX_TEXT))
    (tmp_path / "other").write_bytes(proof_under(OTHER, 0))
    held = said("consistency", tmp_path / "old", tmp_path / "new", log, "--key", KEY)
    assert (held.code, held.first) == (0, f"PASS: the log of {len(LINES)} entries extends the one of {len(LINES) - 9}")
    assert said("consistency", tmp_path / "old", tmp_path / "other", log).code == 1
    forked = said("fork", tmp_path / "new", tmp_path / "other", "--key", KEY, "--output", tmp_path / "fork")
    assert (forked.code, forked.first[:5]) == (0, "FORK:")
    assert said("fork", "--check", tmp_path / "fork", "--key", KEY).code == 0
    assert said("fork", tmp_path / "old", tmp_path / "new", log, "--key", KEY).code == 1


@pytest.mark.parametrize("words", [["hand"], ["hand", "--round", "casino#1"], ["prove", "--round", "casino#1"]])
def test_a_file_that_is_not_there_is_said_to_be_missing(words: list[str], tmp_path: Path) -> None:
    told = said(words[0], tmp_path / "none", "--key", KEY, *words[1:])
    assert told.code == 2
    assert told.err.splitlines()[:2] == ["fairshoe-audit: no such file", f"  where:    {tmp_path / 'none'}"]
