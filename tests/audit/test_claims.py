"""A commitment that is also a hash of a seed: in a log of the first version it is a note, in both readings."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_cli.verify.run import verify
from fairshoe.log.directory import write_log
from tests.house import SIGNER
from tests.verifier.readings import differences, second_readings

from .planting import KEY, entries_in
from .play import Play, at

ROUND = "hash, open, seeds, seal, round, reveal worn"
TOLD = {"claimed-before": "note", "seed-reused": "fail", "commitment-reused": "fail"}


def with_seed(table: Play, seed: bytes, steps: str = ROUND) -> Play:
    table.shoe.seeds["boxes-p1"] = seed
    return table.do(steps)


def with_key(table: Play, key: bytes, steps: str) -> Play:
    table.table.new_key = lambda: key  # type: ignore[method-assign]
    return table.do(steps)


def a_hash_is_an_earlier_commitment() -> Play:
    table = at("boxes", "play 1, commit")
    return with_seed(table, bytes.fromhex(entries_in(table.house)[-2]["key"]))


def a_commitment_is_an_earlier_hash() -> Play:
    table = at("boxes", "commit")
    seed = b"thirty-two bytes of a seed here."
    return with_key(with_seed(table, seed), seed, f"commit, {ROUND}")


def a_hash_comes_again_that_is_a_commitment() -> Play:
    table = a_hash_is_an_earlier_commitment()
    key = next(entry["key"] for entry in entries_in(table.house) if entry["kind"] == "reveal")
    return with_seed(table.do("commit"), bytes.fromhex(key))


def a_commitment_comes_again_that_is_a_hash() -> Play:
    table = a_commitment_is_an_earlier_hash()
    return table.do(f"commit, {ROUND}")


@pytest.mark.parametrize(
    ("plant", "codes"),
    [
        (a_hash_is_an_earlier_commitment, ["claimed-before"]),
        (a_commitment_is_an_earlier_hash, ["claimed-before"]),
        (a_hash_comes_again_that_is_a_commitment, ["claimed-before", "seed-reused"]),
        (a_commitment_comes_again_that_is_a_hash, ["claimed-before", "commitment-reused"]),
    ],
)
def test_a_claim_of_another_kind(plant, codes: list[str], tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    lines = plant().house.lines
    write_log(tmp_path / "log", lines, SIGNER)
    found = [finding for finding in verify(tmp_path / "log", key=KEY).findings if finding.code in TOLD]
    assert [(finding.code, finding.severity) for finding in found] == [(code, TOLD[code]) for code in codes]
    assert differences(tmp_path, [("", lines)]) == []
    fails = [finding.entry for finding in found if finding.severity == "fail"]
    (read,) = second_readings([tmp_path / "log" / "log.jsonl"])
    assert (read.verdict, read.first) == (("fail", fails[0]) if fails else ("pass", None))
