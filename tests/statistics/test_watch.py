"""The watcher: what it counts of a log while that is audited, and what it leaves out."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from audit_cli.findings.report import Report
from audit_cli.kinds.reveal import sealed_of
from audit_cli.statistics.collected import Collected
from audit_cli.statistics.profile import PROFILES
from audit_cli.statistics.watch import ShuffleWatcher
from audit_cli.verify import verify
from audit_cli.walk.state import Shoe
from fairshoe.protocol.shoe import Sealed
from fairshoe.simulate.house.plan import plan_house
from fairshoe.simulate.house.writing import write_house_log

STRICT = PROFILES["99 %"]
GAMES = ("casino", "chinese", "pontoon", "lounge", "banker", "boxes")


def watched(log: Path) -> tuple[ShuffleWatcher, Report]:
    watcher = ShuffleWatcher()
    return watcher, verify(log, watch=watcher)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("log")
    write_house_log(directory, plan_house(GAMES, 180, bytes(32)))
    return directory


def entries(log: Path, kind: str) -> list[dict[str, object]]:
    lines = (log / "log.jsonl").read_text().splitlines()
    return [entry for entry in map(json.loads, lines) if entry["kind"] == kind]


def test_every_shoe_that_is_revealed_is_counted(log: Path) -> None:
    watcher, report = watched(log)
    assert report.as_json()["verdict"] == "pass"
    result = watcher.collected.result(STRICT)
    assert result.shoes == len(entries(log, "reveal"))
    assert (result.left_out, watcher.unordered, result.found) == (0, 0, [])
    ended = len(entries(log, "reveal")) + len(entries(log, "void"))
    assert watcher.collected.commitments.digests.seen == ended
    assert watcher.collected.seeds.digests.seen >= len(entries(log, "opened"))


def test_the_report_of_the_audit_is_the_same(log: Path) -> None:
    assert watched(log)[1].as_json() == verify(log).as_json()


def test_orders_are_those_before_the_cut(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cut deck's order is counted as the shuffle made it: the cut would hide where cards came to lie."""
    cuts: list[int] = []
    expected: list[list[int]] = []
    found: list[list[int]] = []

    def noted(shoe: Shoe, key: bytes) -> Sealed:
        sealed = sealed_of(shoe, key)
        cuts.append(sealed.cut)
        expected.append(Sealed(key, sealed.transcript, sealed.deck).order_indexes())
        return sealed

    monkeypatch.setattr("audit_cli.statistics.watch.sealed_of", noted)
    monkeypatch.setattr(Collected, "add", lambda self, deck, order: found.append(order))
    watched(log)
    assert found
    assert found == expected
    assert len(set(cuts)) > 5


def test_what_was_dealt_is_counted_round_after_round(log: Path) -> None:
    watcher, _ = watched(log)
    watcher.collected.result(STRICT)
    dealt = sum(int(sums.dealt.came.sum()) for sums in watcher.collected.dealt.values())
    logged = sum(len(entry["cards"]) for entry in entries(log, "round"))  # type: ignore[arg-type]
    assert 0.8 * logged < dealt <= logged  # a reshuffle in the middle of a deal ends it, and some rounds are in play


@cache
def lines_of(log: Path) -> tuple[str, ...]:
    return tuple((log / "log.jsonl").read_text().splitlines())


def changed(log: Path, to: Path, change: Callable[[dict[str, object]], None]) -> Path:
    """The log with its first reveal changed."""
    lines = list(lines_of(log))
    at = next(i for i, line in enumerate(lines) if json.loads(line)["kind"] == "reveal")
    entry = json.loads(lines[at])
    change(entry)
    lines[at] = json.dumps(entry, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    (to / "log.jsonl").write_text("\n".join(lines) + "\n")
    return to / "log.jsonl"


def test_a_shoe_whose_key_does_not_fit_has_no_order(log: Path, tmp_path: Path) -> None:
    watcher, _ = watched(changed(log, tmp_path, lambda entry: entry.update(key="00" * 32)))
    assert watcher.unordered == 1
    assert watcher.collected.result(STRICT).shoes == len(entries(log, "reveal")) - 1


def test_an_entry_that_cannot_be_read_stops_nothing(log: Path, tmp_path: Path) -> None:
    for change in (
        lambda entry: entry.update(key="x", draws=3, end="y"),
        lambda entry: entry.update(key=7),
        lambda entry: entry.pop("key"),
        lambda entry: entry.update(shoe="nobody/1"),
    ):
        watcher, report = watched(changed(log, tmp_path, change))
        assert report.as_json()["verdict"] == "fail"
        assert watcher.collected.result(STRICT).shoes >= len(entries(log, "reveal")) - 2
