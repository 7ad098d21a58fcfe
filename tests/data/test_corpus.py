"""The frozen corpus: the auditor says of each log what is written there, and nothing that a log may hold is missing.

A case that fails here is to be mended in the auditor, never in the corpus.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from audit_cli.verify.findings.codes import EVIDENCE
from audit_cli.verify.kinds import placement
from audit_cli.verify.registry import CATALOGUE, ENTRIES
from fairshoe.engine.rules import RULES
from tests.corpus import hands, receipts
from tests.corpus.case import FOLDER, verdict, verdicts

CASES = verdicts()
HANDS = hands.outcomes()
RECEIPTS = receipts.verdicts()
FILES = {"log.jsonl", "checkpoint", "log.vkey"}
LARGEST = 3_000_000

BESIDE = "needs something beside the log: "
NOT_HERE = {
    **dict.fromkeys(("checkpoint-required", "witnesses-missing"), f"{BESIDE}a key, or witnesses, that somebody names"),
    **{code.code: f"{BESIDE}what somebody remembers of it" for code in EVIDENCE if code.check == "remembered"},
    "tile-differs": f"{BESIDE}its tiles",
    "opening-differs": f"{BESIDE}openings",
    "bound-exceeded": "takes a log of some thousand cards for each of its entries, or of many megabytes",
    **{code.code: "of shoes with placers: their logs are frozen once a house asks placers" for code in placement.CODES},
    "entry-inexplicable": "would be a mistake of the auditor's: no log is known that has it",
}
"""Codes that no log has by itself, and why."""


def entries(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (FOLDER / name / "log.jsonl").read_bytes().splitlines()]


@pytest.mark.parametrize("name", CASES)
def test_the_verdict_stands(name: str) -> None:
    stated = {field: value for field, value in CASES[name].items() if field != "shows"}
    assert verdict(FOLDER / name) == stated


def test_each_case_has_its_folder_and_the_whole_is_small() -> None:
    assert {path.name for path in FOLDER.iterdir() if path.is_dir()} == CASES.keys()
    for name in CASES:
        files = {path.name for path in (FOLDER / name).iterdir()}
        assert files == FILES - ({"checkpoint"} if name == "around-checkpoint-missing" else set())
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < LARGEST


def test_every_code_is_there_or_cannot_be() -> None:
    told = {
        code for case in CASES.values() for code in (case.get("code"), *case.get("also", ()), *case.get("notes", ()))
    }
    assert told - {None} == CATALOGUE.keys() - NOT_HERE.keys()


def test_honest_logs_have_everything() -> None:
    """Each game, each kind, each way that chips or the bank move, each reason for which a shoe ends."""
    seen: defaultdict[str, set[object]] = defaultdict(set)
    for name in CASES:
        if CASES[name]["verdict"] == "pass":
            for entry in entries(name):
                seen["kind"].add(entry["kind"])
                seen["rules"].add(entry.get("rules"))
                seen["op"].add(entry.get("op"))
                seen[f"why of {entry.get('op', entry['kind'])}"].add(entry.get("why"))
    assert seen["kind"] == {each.name for each in ENTRIES} - {"lost", "placed"}
    assert seen["rules"] - {None} == RULES.keys()
    assert seen["op"] - {None} == {"buy-in", "cash-out", "transfer", "refund", "share"}
    assert seen["why of void"] == {"reshuffle", "seed", "close", "bank", "idle", "age", "beacon"}
    assert seen["why of reveal"] == {"worn", "bank", "age", "left"}
    assert seen["why of refund"] == {"round", "unfinished"}
    assert seen["why of bank"] == {"first", "rotation", "change", "gift", "sale"}
    assert any(entry["kind"] == "lost" for entry in entries("fails-shoe-lost"))


def test_a_failing_case_says_what_fails() -> None:
    for name, case in CASES.items():
        assert case["shows"]
        assert ("code" in case) == (case["verdict"] == "fail"), name
        assert Path(name).name == name


@pytest.mark.parametrize("name", HANDS)
def test_the_outcome_of_a_hand_stands(name: str) -> None:
    stated = {field: value for field, value in HANDS[name].items() if field != "shows"}
    assert hands.outcome(hands.FOLDER / f"{name}.json") == stated


def test_each_hand_has_its_file() -> None:
    files = {path.name for path in hands.FOLDER.iterdir()} - {hands.KEY.name, hands.OUTCOMES.name, ".gitattributes"}
    assert files == {f"{name}.json" for name in HANDS}
    assert {case["outcome"] for case in HANDS.values()} == {"PASS", "PASS so far", "FAIL", "CANNOT SAY", "refused"}


@pytest.mark.parametrize("name", RECEIPTS)
def test_what_each_receipt_comes_to_stands(name: str) -> None:
    assert receipts.words(receipts.RECEIPTS / name, RECEIPTS[name]["key"]) == RECEIPTS[name]["receipts"]


def test_the_files_of_receipts_have_everything() -> None:
    """Every word, and no conviction where the house was honest."""
    seen = {name: {word for word, *_ in case["receipts"].values()} for name, case in RECEIPTS.items()}
    assert set().union(*seen.values()) >= {"agrees", "differs", "not decided"}
    assert all(("differs" in seen[name]) == (not name.startswith(("honest", "gaps"))) for name in seen)
    assert {path.name for path in receipts.RECEIPTS.iterdir() if path.is_dir()} == RECEIPTS.keys()
