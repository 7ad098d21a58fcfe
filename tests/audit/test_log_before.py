"""A log that comes in the place of another one says so in its first entries; `--before` holds it against that."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from audit_cli.evidence.before import Before
from audit_cli.findings.report import Report
from audit_cli.main import main
from audit_cli.verify import verify
from fairshoe.log.canonical import encode
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer
from fairshoe.record.entries import start_entry
from tests.house import SIGNER, honest

from .planting import at_table, dealt_at, sealed_at, sealed_table
from .walk import full, root

BEFORE = Checkpoint("house.example/before", 5_000, b"r" * 32).signed(Signer("house.example/before", b"k" * 32))
OTHER = Checkpoint("house.example/before", 4_000, b"r" * 32).signed(Signer("house.example/before", b"k" * 32))
AT = "2025-12-31T00:00:00.00000{}Z"
LOST = [("casino/4", "ab" * 32), ("boxes/2", None)]


def began(number: int = 0, continues: str | None = BEFORE, lost: Any = ()) -> bytes:
    return encode(start_entry(AT.format(number), continues, lost))


def beginning(*first: bytes) -> list[str]:
    return sorted({finding.code for finding in full([*first, *honest("casino", 3).lines]).findings})


def test_a_log_in_the_place_of_another_one_fails_without_it() -> None:
    report = full([began(), *honest("casino", 3).lines])
    (found,) = report.findings
    assert (found.code, found.severity, found.fault, found.entry) == ("log-before", "fail", "house", 0)
    assert found.found == "house.example/before, 5,000 entries"
    assert report.failed
    assert [(each.check, each.what) for each in report.unchecked] == [("completeness", "the log before this one")]


def test_each_lost_shoe_of_the_log_before_fails() -> None:
    """Whether they stand in one entry or in several."""
    for lines in ([began(lost=LOST)], [began(0, lost=LOST[:1]), began(1, lost=LOST[1:])]):
        found = full(lines).findings
        lost = [(each.severity, each.fault, each.found) for each in found if each.code == "shoe-lost-before"]
        assert lost == [("fail", "house", "casino/4"), ("fail", "house", "boxes/2")]
        assert [each.code for each in found].count("log-before") == 1


def test_it_stands_at_the_beginning_only_and_names_one_checkpoint() -> None:
    again = encode(start_entry(AT.format(1), BEFORE, LOST, copy=3))
    assert beginning(began(0), again) == ["field-invalid", "log-before", "shoe-lost-before"]
    assert beginning(began(0, None), began(1)) == ["step-out-of-order"]
    assert beginning(began(0), began(1, None), began(2)) == ["log-before", "step-out-of-order"]
    assert beginning(began(0), began(1, OTHER)) == ["log-before", "step-out-of-order"]


@pytest.mark.parametrize("gone", [{"copy": 3}, {"copy": 0}, {"unknown": True}, {"copy": 3, "unknown": True}])
def test_a_house_that_does_not_know_what_it_lost_fails(gone: dict[str, Any]) -> None:
    report = full([encode(start_entry(AT.format(0), BEFORE, **gone))])
    found = [finding for finding in report.findings if finding.code == "shoes-unknown-before"]
    assert [(each.severity, each.fault, each.expected) for each in found] == [("fail", "house", 5_000)]


@pytest.mark.parametrize(
    "entry",
    [
        start_entry(AT.format(0)) | {"lost": [{"shoe": "casino/1"}]},
        start_entry(AT.format(0), BEFORE.replace("5000", "a lot")),
        start_entry(AT.format(0), BEFORE.partition("\n\n")[0] + "\n"),
        start_entry(AT.format(0), BEFORE + "x" * 4_096),
        start_entry(AT.format(0), BEFORE) | {"lost": []},
        start_entry(AT.format(0), BEFORE) | {"lost": [{"shoe": "casino/1", "key": "ab"}]},
        start_entry(AT.format(0), BEFORE) | {"lost": [{"key": "ab" * 32}]},
        start_entry(AT.format(0)) | {"continues": 7},
        start_entry(AT.format(0)) | {"copy": 3},
        start_entry(AT.format(0)) | {"unknown": True},
        start_entry(AT.format(0), BEFORE) | {"copy": 5_000},
        start_entry(AT.format(0), BEFORE) | {"copy": -1},
        start_entry(AT.format(0), BEFORE) | {"unknown": False},
        start_entry(AT.format(0), BEFORE, tables=["casino"]),
        start_entry(AT.format(0)) | {"tables": []},
        start_entry(AT.format(0)) | {"origin": "house.example/before"},
    ],
)
def test_a_malformed_one_fails(entry: dict[str, Any]) -> None:
    assert "field-invalid" in beginning(encode(entry))


# Held against the log before: `verify NEW --before OLD`.

NEW = Signer("house.example/new", b"n" * 32)
Lost = Sequence[tuple[str, str | None]]


class Two:
    """The log before, with a sealed shoe in play, and the one in its place."""

    def __init__(self, folder: Path) -> None:
        table, shoe, sealed = sealed_table()
        dealt_at(table, shoe, sealed)
        self.lines = list(table.house.lines)
        self.shoe, self.key = shoe.id, shoe.key.hex()
        self.old, self.new = folder / "old", folder / "new"
        write_log(self.old, self.lines, SIGNER)

    def named(self, size: int | None = None, signer: Signer = SIGNER) -> str:
        """The checkpoint of the log before at a size."""
        lines = self.lines[:size]
        return Checkpoint(signer.verifier.name, len(lines), root(lines)).signed(signer)

    def begin(self, continues: str | None, lost: Lost = (), **more: Any) -> None:
        first = encode(start_entry(AT.format(0), continues, lost, **more))
        write_log(self.new, [first, *honest("casino", 3).lines], NEW)

    def report(self, *, key: str | None = str(SIGNER.verifier)) -> Report:
        return verify(self.new, key=str(NEW.verifier), before=[Before(self.old, key)])


@pytest.fixture
def two(tmp_path: Path) -> Two:
    return Two(tmp_path)


def failing(report: Report) -> list[tuple[str, str, str]]:
    return [(each.code, each.fault, str(each.found)) for each in report.findings if each.severity == "fail"]


def test_each_shoe_in_play_is_named_and_nothing_else_is_found(two: Two) -> None:
    two.begin(two.named(), [(two.shoe, two.key)])
    report = two.report()
    assert failing(report) == [("shoe-lost-before", "house", two.shoe)]
    (note,) = [each for each in report.findings if each.severity == "note"]
    assert note.code == "log-before-audited"
    assert note.found == f"{SIGNER.verifier.name}, {len(two.lines)} entries: pass"
    old = verify(two.old).log
    assert report.parameters["before"] == {
        "origin": SIGNER.verifier.name,
        "size": old.size,
        "root": old.root,
        "key": str(SIGNER.verifier),
    }


def test_a_log_that_was_lost_between_two_shoes_passes(two: Two) -> None:
    """With both logs at hand, and nothing in play."""
    two.lines = list(honest("casino", 3).lines)
    write_log(two.old, two.lines, SIGNER)
    two.begin(two.named())
    report = two.report()
    assert failing(report) == []
    assert report.complete
    assert report.checks["completeness"] == "pass"


@pytest.mark.parametrize(
    ("named", "key", "found"),
    [
        (True, "", {"lost-left-out": "house"}),
        (True, "ab" * 32, {"shoe-lost-before": "house", "lost-key-differs": "house"}),
        (True, None, {"shoe-lost-before": "house"}),
        (False, "", {"log-before-unnamed": "unknown"}),
    ],
)
def test_what_the_log_names_of_the_one_before(two: Two, named: bool, key: str | None, found: dict[str, str]) -> None:
    """A shoe left out, its key another one or unknown, and no log named at all."""
    two.begin(two.named() if named else None, () if key == "" else [(two.shoe, key)])
    assert {code: fault for code, fault, _ in failing(two.report())} == found


@pytest.mark.parametrize("lost", [True, False])
def test_an_older_checkpoint_than_the_house_had_signed_fails(two: Two, lost: bool) -> None:
    """From before the shoe was committed to."""
    two.begin(two.named(3), [(two.shoe, two.key)] if lost else ())
    expected = {"log-before-longer", "shoe-lost-before" if lost else "lost-left-out"}
    assert {(code, fault) for code, fault, _ in failing(two.report())} == {(code, "house") for code in expected}


def test_a_log_before_that_does_not_reach_the_named_checkpoint_fails(two: Two) -> None:
    two.begin(two.named(), copy=3)
    write_log(two.old, two.lines[:3], SIGNER)
    found = {code: fault for code, fault, _ in failing(two.report())}
    assert found == {"shoes-unknown-before": "house", "log-before-short": "unknown"}


def test_two_histories_of_the_log_before_fail(two: Two) -> None:
    table = at_table(seed=7)
    sealed_at(table)
    others = list(table.house.lines)[: len(two.lines)]
    two.begin(Checkpoint(SIGNER.verifier.name, 4, root(others[:4])).signed(SIGNER), [(two.shoe, two.key)])
    found = {code: fault for code, fault, _ in failing(two.report())}
    assert found == {"log-before-differs": "house", "shoe-lost-before": "house"}


@pytest.mark.parametrize(
    "named",
    [
        lambda two: two.named(signer=Signer(SIGNER.verifier.name, b"x" * 32)),
        lambda two: two.named(signer=Signer("house.example/other", b"x" * 32)),
        lambda two: two.named().replace(f"\n{len(two.lines)}\n", "\n4\n"),
    ],
)
@pytest.mark.parametrize("key", [None, str(SIGNER.verifier)])
def test_a_checkpoint_that_the_house_of_the_log_before_did_not_sign_fails(
    two: Two, named: Callable[[Two], str], key: str | None
) -> None:
    two.begin(named(two))
    found = {code: fault for code, fault, _ in failing(two.report(key=key))}
    assert found == {"log-before-other": "unknown"}


def test_a_log_before_that_fails_by_itself_fails(two: Two) -> None:
    broken = [line.replace(b'"amount":', b'"amount":1') for line in two.lines]
    write_log(two.old, broken, SIGNER)
    two.lines = broken
    two.begin(two.named(), [(two.shoe, two.key)])
    found = [each for each in failing(two.report()) if each[0] == "log-before-failed"]
    assert [(fault, bool(text)) for _, fault, text in found] == [("unknown", True)]


def test_a_copy_that_was_changed_on_its_way_accuses_nobody(two: Two) -> None:
    """It is not what the house signed: that it shows another shoe says nothing of the house."""
    two.begin(two.named())
    (two.old / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in two.lines[:-1]))
    found = failing(two.report())
    assert found == [("log-before-failed", "unknown", "log-truncated")]


def test_without_its_key_the_log_before_is_believed_and_that_is_said(two: Two) -> None:
    two.begin(two.named(), [(two.shoe, two.key)])
    report = two.report(key=None)
    assert [code for code, _, _ in failing(report)] == ["shoe-lost-before"]
    assert any("--remember" in each.what for each in report.unchecked)
    assert report.parameters["before"]["key"] is None


def test_one_log_after_the_other(two: Two, tmp_path: Path) -> None:
    """A house that lost two."""
    two.begin(two.named(), [(two.shoe, two.key)])
    lines = (two.new / "log.jsonl").read_bytes().splitlines()
    named = Checkpoint(NEW.verifier.name, len(lines), root(lines)).signed(NEW)
    third = Signer("house.example/third", b"t" * 32)
    write_log(tmp_path / "third", [encode(start_entry(AT.format(0), named))], third)
    first = Before(two.new, str(NEW.verifier))
    assert failing(verify(tmp_path / "third", before=[first]))[0][2] == "log-before, shoe-lost-before"
    report = verify(tmp_path / "third", before=[first, Before(two.old, str(SIGNER.verifier))])
    assert [(code, found) for code, _, found in failing(report)] == [("log-before-failed", "shoe-lost-before")]


def test_the_command_takes_both_logs_and_knows_the_keys(
    two: Two, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRSHOE_HOUSES", str(tmp_path / "houses"))
    two.begin(two.named())
    assert main(["verify", str(two.old), "--key", str(SIGNER.verifier), "--remember"]) == 0
    words = ["verify", str(two.new), "--key", str(NEW.verifier), "--before", str(two.old)]
    capsys.readouterr()
    assert main([*words, "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [group["code"] for group in report["groups"]] == ["lost-left-out", "log-before-audited"]
    assert report["parameters"]["before"]["key"] == str(SIGNER.verifier)
    assert main(words) == 1
    assert f"log before   {SIGNER.verifier.name}, {len(two.lines)} entries" in capsys.readouterr().out
