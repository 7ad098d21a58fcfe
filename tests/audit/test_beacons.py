"""Shoes with a beacon: what both readings say of honest ones and of planted frauds, with the pairings and without."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from audit_cli.cases.hand.parts import ProofRefused
from audit_cli.main import main
from audit_cli.report.counting.watcher import CountWatcher
from audit_cli.verify.findings.wording import verdict
from audit_cli.verify.resume import AuditInputs, resume
from audit_cli.verify.run import verify
from fairshoe.ceremony.contributing import delayed_round
from fairshoe.log.directory import write_log
from fairshoe.log.times import HOUR, SECOND, timestamp
from fairshoe.record import entries
from tests.beacons import EARLY, BeaconGame, UnhashedGame, beacon_shoes, beacon_table, house_before, out, played
from tests.house import SIGNER
from tests.placer.own import own
from tests.verifier.node import node
from tests.verifier.readings import differences, first_reading, reading, second_outcomes, second_readings

from .frauds import FRAUDS
from .frauds import beacons as planted
from .planting import KEY
from .proofs import checked, entries_for, file_of
from .telling import said as telling
from .walk import encoded

OURS = [case for case in FRAUDS if case.plant.__module__ == planted.__name__]
WITHOUT_PAIRINGS = """
import { readFileSync } from "node:fs";
import { LogReader } from "./fairshoe/web/verifier/log.ts";
const log = new LogReader({ checkpoint: "", vkey: "" }, "", "", null);
log.push(new Uint8Array(readFileSync(process.argv[1])));
const { verdict } = log.end();
console.log(JSON.stringify([verdict.verdict, verdict.unchecked]));
"""

PAGE = """
import { readFileSync } from "node:fs";
import { judge, judgeWhole } from "./fairshoe/web/player/hands.ts";
import { tell } from "./fairshoe/web/verifier/telling/tell.ts";
const [path, key] = process.argv.slice(1);
const proof = readFileSync(path, "utf8");
const { verdict, says } = tell({ file: new TextEncoder().encode(proof), key });
const mine = { said: [], sure: false, commitment: "", seed: "", seat: 1, player: "casino-p1", shown: null, seen: [] };
const asked = { proof, key, ...mine };
console.log(JSON.stringify([verdict, says, judge(asked).mark, (await judgeWhole(asked)).mark]));
"""


class InTime(planted.LateSeedVoid):
    ahead = 96  # hash, two seeds, the margin, and up to a second until it is logged


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An honest log."""
    write_log(tmp_path / "log", beacon_shoes().lines, SIGNER)
    return tmp_path / "log"


def test_both_readings_check_the_signatures(folder: Path) -> None:
    report = verify(folder, key=KEY)
    assert (report.failed, report.complete, report.checks["contributions"]) == (False, True, "pass")
    assert [each.code for each in report.findings] == ["beacon-missing"] * 2
    assert report.choices.as_json()["log"]["void: beacon"] == 2
    assert list(second_readings([folder / "log.jsonl"])) == [reading("pass")]


def test_planted_frauds_are_found_by_both_readings_at_the_same_entry(tmp_path: Path) -> None:
    assert len(OURS) > 20
    assert differences(tmp_path, ((case.name, case.plant().lines) for case in OURS)) == []


def test_a_seed_is_owed_once_a_round_is_out_that_comes_after_all_limits(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"\n".join([*planted.thrown_away("seed", 0, kind=InTime)().lines, b""]))
    assert first_reading(tmp_path / "log") == reading("pass")
    assert list(second_readings([tmp_path / "log"])) == [reading("pass")]


def test_nothing_passes_silently_without_the_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proof = folder / "card.json"
    assert main(["prove", str(folder), "--round", "game@2", "--output", str(proof)]) == 0
    assert telling("hand", proof, "--key", KEY).first.startswith("PASS: ")
    monkeypatch.setitem(sys.modules, "py_arkworks_bls12381", None)
    report = verify(folder, key=KEY)
    assert [(each.check, each.count, each.what) for each in report.unchecked] == [("contributions", 2, "beacons")]
    assert (report.failed, report.checks["contributions"]) == (False, "not-checked")
    assert verdict(report) == "PASS so far: 2 beacons not checked"
    told = telling("hand", proof, "--key", KEY)
    assert (told.code, told.first.partition(":")[0]) == (0, "PASS so far")
    assert told.first.endswith("; not checked: beacon")


def test_nothing_passes_silently_in_the_second_reading_without_its_pairings(folder: Path) -> None:
    command = [node(), "--input-type=module", "--eval", WITHOUT_PAIRINGS, str(folder / "log.jsonl")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout) == ["pass", ["2 beacons"]]


def test_an_audit_goes_on_within_such_a_shoe(folder: Path, tmp_path: Path) -> None:
    lines = beacon_shoes().lines
    for cut in range(1, 18):
        state = tmp_path / f"{cut}.state"
        for part in (lines[:cut], lines):
            write_log(folder, part, SIGNER)
            report = resume(folder, state, AuditInputs(KEY)).report
            assert report.as_json() == verify(folder, key=KEY).as_json()


def test_shoes_that_name_one_round_are_counted_also_by_an_audit_that_goes_on(tmp_path: Path) -> None:
    house = house_before()
    other = UnhashedGame(house, "other", EARLY, ["ann"])
    played(BeaconGame(house, "game", EARLY, ["ann", "bob"]))
    other.void("beacon")
    folder, state = tmp_path / "log", tmp_path / "state"
    for part in (house.lines[:1], house.lines):
        write_log(folder, part, SIGNER)
        report = resume(folder, state, AuditInputs(KEY)).report
        assert not report.failed
        assert report.choices.as_json() == verify(folder, key=KEY).choices.as_json()
    assert report.choices.as_json()["tables"]["game"]["beacon round of another shoe"] == 1


def test_a_hand_of_a_table_with_beacons(tmp_path: Path) -> None:
    """The auditor, the second reading, the page that checks, which has no pairings, and the player's table, which loads
    them for such a hand."""
    write_log(tmp_path, beacon_table(rules="casino").lines, SIGNER)
    assert not verify(tmp_path, key=KEY).failed
    proof = tmp_path / "hand.json"
    assert main(["prove", str(tmp_path), "--round", "casino#1", "--output", str(proof)]) == 0
    assert telling("hand", proof, "--key", KEY).first.startswith("PASS: ")
    assert second_outcomes([proof], KEY) == ["PASS"]
    command = [node(), "--input-type=module", "--eval", PAGE, str(proof), KEY]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout) == ["bound", "verdict.hand.bound.beacon", "open", "pass"]


@pytest.mark.parametrize("rules", ["boxes", "lounge", "chinese"])
def test_both_readings_take_the_hand_of_a_shoe_that_got_no_signature(rules: str, tmp_path: Path) -> None:
    """Its bets stood until the void, so nobody was struck. Nobody knows its order without the signature."""
    lines = beacon_table(rules=rules).lines
    log = [json.loads(line) for line in lines]
    seal = next(i for i, entry in enumerate(log) if entry["kind"] == "seal")
    key, at = next(entry["key"] for entry in log if entry["kind"] == "reveal"), timestamp(out(EARLY) + HOUR)
    lines = [*lines[:seal], *encoded([entries.void_entry(at, f"{rules}/1", key, "beacon", round=1)])]
    (tmp_path / "hand").write_bytes(file_of(lines, f"{rules}#1"))
    assert checked((tmp_path / "hand").read_bytes()).outcome.word == "PASS so far"
    assert second_outcomes([tmp_path / "hand"], KEY) == ["PASS so far"]
    needed = entries_for(lines, f"{rules}#1")
    one = next(place for place, line in needed if b'"kind":"opened"' in line)
    (tmp_path / "hand").write_bytes(file_of(lines, f"{rules}#1", [part for part in needed if part[0] != one]))
    assert second_outcomes([tmp_path / "hand"], KEY) == ["refused"], "else a part of an honest log accused the house"
    with pytest.raises(ProofRefused):
        checked((tmp_path / "hand").read_bytes())
    write_log(tmp_path / "log", lines, SIGNER)
    verify(tmp_path / "log", key=KEY, watch=(watcher := CountWatcher()))
    assert watcher.unknown == 1


def test_both_readings_wait_for_the_beacon_of_a_player_who_places(tmp_path: Path) -> None:
    """The service makes no such table."""
    log = [json.loads(line) for line in own("casino", 2).lines]
    begin = next(i for i, entry in enumerate(log) if entry["kind"] == "shoe")
    shoe, key = log[begin], next(entry["key"] for entry in log if entry["kind"] == "reveal")
    named = delayed_round(shoe["at"], 90)
    log[0] |= {"beacon_delay": 90, "v": 2}
    shoe |= {"beacon_round": named, "v": 2}
    for late, wanted in ((3600, reading("pass")), (3599, reading("fail", begin + 1))):
        void = entries.void_entry(timestamp(out(named) + late * SECOND), shoe["shoe"], key, "beacon")
        write_log(tmp_path, encoded([*log[: begin + 1], void]), SIGNER)
        assert first_reading(tmp_path) == wanted
        assert list(second_readings([tmp_path / "log.jsonl"])) == [wanted]
