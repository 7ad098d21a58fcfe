"""The watcher: what it counts of a log while that is audited, and what it leaves out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from audit_cli.counting.seen import Count, Ended
from audit_cli.counting.watcher import Counting
from audit_cli.findings.report import Report
from audit_cli.kinds.reveal import sealed_of
from audit_cli.statistics.collected import Collected
from audit_cli.verify import verify
from audit_cli.walk.state import Shoe
from fairshoe.protocol.shoe import Sealed
from fairshoe.simulate.house import plan_house, write_house_log

LEVEL = 0.01
GAMES = ("casino", "chinese", "pontoon", "lounge", "banker", "boxes")


def watched(log: Path) -> tuple[Collected, Report]:
    collected = Collected()
    return collected, verify(log, watch=Counting(collected))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("log")
    write_house_log(directory, plan_house(GAMES, 180, bytes(32)))
    return directory


def entries(log: Path, kind: str) -> list[dict[str, object]]:
    lines = (log / "log.jsonl").read_text().splitlines()
    return [entry for entry in map(json.loads, lines) if entry["kind"] == kind]


def test_every_shoe_that_is_revealed_is_counted(log: Path) -> None:
    collected, report = watched(log)
    assert report.as_json()["verdict"] == "pass"
    result = collected.result(LEVEL)
    assert result.shoes == len(entries(log, "reveal"))
    assert (result.left_out, collected.unordered, result.found) == (0, 0, [])


def test_the_report_of_the_audit_is_the_same(log: Path) -> None:
    assert watched(log)[1].as_json() == verify(log).as_json()


def test_orders_are_those_before_the_cut(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cut deck's order is counted as the shuffle made it: the cut would hide where cards came to lie."""
    sealed: dict[str, Sealed] = {}
    found: dict[str, Sequence[int]] = {}

    class Orders(Count):
        def ended(self, seen: Ended) -> None:
            if seen.entry is not None and seen.order is not None:
                found[seen.entry["shoe"]] = seen.order

    def noted(shoe: Shoe, key: bytes) -> Sealed:
        sealed[shoe.id] = sealed_of(shoe, key)
        return sealed[shoe.id]

    monkeypatch.setattr("audit_cli.counting.watcher.sealed_of", noted)
    verify(log, watch=Counting(Orders()))
    assert found
    for name, order in found.items():
        cut = sealed[name].cut
        assert [*order[cut:], *order[:cut]] == sealed[name].order_indexes()
    assert len({each.cut for each in sealed.values()}) > 5


def test_what_was_dealt_is_counted_round_after_round(log: Path) -> None:
    collected, _ = watched(log)
    collected.result(LEVEL)
    dealt = sum(int(sums.dealt.came.sum()) for sums in collected.dealt.values())
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
    collected, _ = watched(changed(log, tmp_path, lambda entry: entry.update(key="00" * 32)))
    assert collected.unordered == 1
    assert collected.result(LEVEL).shoes == len(entries(log, "reveal")) - 1


def test_an_entry_that_cannot_be_read_stops_nothing(log: Path, tmp_path: Path) -> None:
    for change in (
        lambda entry: entry.update(key="x", draws=3, end="y"),
        lambda entry: entry.update(key=7),
        lambda entry: entry.pop("key"),
        lambda entry: entry.update(shoe="nobody/1"),
    ):
        collected, report = watched(changed(log, tmp_path, change))
        assert report.as_json()["verdict"] == "fail"
        assert collected.result(LEVEL).shoes >= len(entries(log, "reveal")) - 2
