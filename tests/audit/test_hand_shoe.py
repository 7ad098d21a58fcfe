"""`fairshoe-audit hand LOG --round` without `--whole`: by the entries of the hand's shoe."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit_cli.cases.hand import shoe
from audit_cli.cases.hand.watcher import HandWatcher
from audit_cli.verify.run import verify
from fairshoe.log.canonical import encode
from tests.simulated import simulated

from .frauds import FRAUDS
from .planting import KEY, Fraud, log
from .proofs import played
from .telling import Said, said, written
from .walk import decoded

FROM_SHOE = "this one before the shoe: its balances, its bank and what it remembers are taken as the `shoe` says them"
FROM_TABLE = "other tables, and that no key or seed was used at one of them before"


def hand(directory: Path, name: str, *more: object, key: str = KEY) -> Said:
    return said("hand", directory, "--round", name, "--key", key, *more)


def form(directory: Path, name: str, *more: object, key: str = KEY) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(hand(directory, name, "--format", "json", *more, key=key).out)
    return told


def rounds_of(directory: Path, step: int, key: str = KEY) -> Iterator[str]:
    """Every `step`-th round of a log that was dealt or is open."""
    watcher = HandWatcher(None)
    verify(directory, key=key, watch=watcher)
    yield from [row.name for row in watcher.rows if row.how in ("round", "")][::step]


@pytest.fixture(params=[0, shoe.MAX_LINES_BEFORE], ids=["from the shoe", "from the table's beginning"])
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(shoe, "MAX_LINES_BEFORE", request.param)
    return int(request.param)


def test_an_honest_hand_is_told_as_from_the_whole_log(few: int, tmp_path: Path) -> None:
    """In a log of several tables, some of whose players let limits pass; of a round not dealt the whole log is read."""
    directory = simulated(tmp_path / "log", rounds=84, tables=7, careless=0.06)
    key = (directory / "log.vkey").read_text().strip()
    tables = set()
    for name in rounds_of(directory, 5, key):
        told, whole = form(directory, name, key=key), form(directory, name, "--whole", key=key)
        tables.add(name.partition("#")[0])
        unread = " ".join(told.pop("not_looked_at"))
        assert (FROM_TABLE if few else FROM_SHOE) in unread, name
        assert not told.pop("complete")
        assert whole.pop("complete")
        assert told == whole
    assert len(tables) == 7


def test_everything_that_an_honest_log_may_hold_is_told_the_same(few: int, tmp_path: Path) -> None:
    directory = written(tmp_path / "log", log("everything"))
    for name in rounds_of(directory, 6):
        told, whole = form(directory, name), form(directory, name, "--whole")
        assert (told["outcome"], told["says"], told["record"]) == (whole["outcome"], whole["says"], whole["record"])
        assert (whole["complete"], "not_looked_at" in whole) == (True, False)


ONE_OF_EACH = list({case.code: case for case in FRAUDS}.values())
SAID = {
    "commitment-reused": "no key or seed was used before",
    "number-gap": "numbers of shoes and rounds have no gaps",
    "seed-out-of-turn": "the order of opening",
    "seed-reused": "no key or seed was used before",
    "shoe-differs": FROM_SHOE,
}
"""What of a hand cannot be seen from its shoe on, and how that is said."""


def test_what_is_wrong_with_a_hand_is_found_or_said_not_to_be_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shoe, "MAX_LINES_BEFORE", 0)
    assert sum(_asked(case, tmp_path / case.code) for case in ONE_OF_EACH) >= 24


def _asked(case: Fraud, directory: Path) -> bool:
    """Ask for a hand that the fraud is about; whether there is one."""
    written(directory, case.plant().lines)
    watcher = HandWatcher(None)
    found = [each for each in verify(directory, key=KEY, watch=watcher).findings if each.code == case.code]
    about = {(each.table, each.round) for each in found} | {each.shoe for each in found if each.round is None}
    name = next((row.name for row in watcher.rows if {(row.table, row.number), row.shoe_id} & about), None)
    if name is None:
        return False
    told, whole = hand(directory, name), hand(directory, name, "--whole")
    if told != whole:
        assert told.first.startswith("PASS"), case.name
        assert whole.code == 0 or SAID[case.code] in told.out, (case.name, whole.first)
    return True


def test_other_tables_are_not_looked_at_but_by_hash(tmp_path: Path) -> None:
    directory = simulated(tmp_path / "simulated", ["casino", "boxes"], rounds=24)
    lines = (directory / "log.jsonl").read_bytes().splitlines()
    entries = decoded(lines)
    at = next(i for i, each in enumerate(entries) if each["kind"] == "round" and each["shoe"].startswith("boxes"))
    bad = [encode(entries[i] | {"pos": 7}) if i == at else line for i, line in enumerate(lines)]
    name = "casino-1#3"
    assert form(directory, name, key=(directory / "log.vkey").read_text().strip())["outcome"] == "PASS"
    signed = written(tmp_path / "signed", bad)
    told, whole = hand(signed, name), hand(signed, name, "--whole")
    assert told.first == whole.first
    assert told.code == whole.code == hand(signed, name, "--require-complete").code == 0
    assert f"`--whole` does:\n  {FROM_TABLE}" in told.out
    assert "Not looked at" not in whole.out
    assert "elsewhere in this log" in whole.out
    (signed / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    assert "root-differs" in hand(signed, name).first, "what the house signed is held against every line"


def test_an_entry_that_may_be_of_any_table_is_looked_at(tmp_path: Path) -> None:
    lines = list(played("casino"))
    at = next(i for i, each in enumerate(decoded(lines)) if each["kind"] == "round")
    unreadable = written(tmp_path / "log", [*lines[:at], b"{", *lines[at:]])
    assert hand(unreadable, "casino#1") == hand(unreadable, "casino#1", "--whole")
    assert hand(unreadable, "casino#1").first.startswith("CANNOT SAY")


def test_a_round_that_is_not_there_is_asked_of_the_whole_log(tmp_path: Path) -> None:
    directory = written(tmp_path / "log", played("casino"))
    assert hand(directory, "casino#999") == hand(directory, "casino#999", "--whole")
    assert "no round casino#999" in hand(directory, "casino#999").err


def test_standard_input_is_read_once(tmp_path: Path) -> None:
    """Also where the whole log has the last word; and a log that comes through it is read whole."""
    lines = list(played("casino"))
    at = next(i for i, each in enumerate(decoded(lines)) if each["kind"] == "round")
    wrong = written(tmp_path / "log", [*lines[:at], encode(decoded(lines)[at] | {"pos": 9}), *lines[at + 1 :]])
    checked = piped((wrong / "checkpoint").read_bytes(), wrong, "--key", KEY, "--checkpoint", "-")
    assert (checked.returncode, "remembered holds" in checked.stdout.decode()) == (1, True), checked.stderr
    told = piped(b"".join(line + b"\n" for line in lines), "-")
    assert (told.returncode, b"Not looked at" in told.stdout) == (0, False), told.stderr


def piped(data: bytes, *arguments: object) -> subprocess.CompletedProcess[bytes]:
    """What `hand` says of round casino#1, with some bytes as its standard input."""
    command = [sys.executable, "-m", "audit_cli.main", "hand", *map(str, arguments), "--round", "casino#1"]
    return subprocess.run(command, input=data, capture_output=True, timeout=60, check=False)
