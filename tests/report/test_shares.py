"""A report whose log's tables are shared out is that of one pass, to the byte."""

import json
from pathlib import Path
from unittest.mock import patch

import pytest

from audit_cli.desk.report import ReportOptions, desk_report
from audit_cli.report.counting.watcher import CountWatcher
from audit_cli.report.cover import Cover
from audit_cli.report.run import ReportCounts, make
from audit_cli.report.statistics import collection
from audit_cli.verify.findings.report import Report
from audit_cli.verify.pool import WorkerPool
from audit_cli.verify.sharing import NotShareable, audit_shared
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from tests import everything
from tests.audit.test_shares import Here, interleaved
from tests.corpus.case import FOLDER
from tests.long.house import SIGNER, TRICKS
from tests.simulated import simulated

KEY = str(SIGNER.verifier)


def text_of(log: Path, key: str, workers: int) -> str:
    result = make(log, key=key, workers=WorkerPool(Here(), workers) if workers else None)
    report = desk_report([result], [log], Cover(), ReportOptions(False, ()), {})
    return json.dumps([section.as_json() for section in report.sections]) + json.dumps(result.as_json())


def same(log: Path, key: str, *, shared: bool) -> None:
    joined: list[object] = []

    def add_shares(self: CountWatcher, shares: list[CountWatcher]) -> None:
        before(self, shares)
        joined.append(shares)

    one, before = text_of(log, key, 0), ReportCounts.add_shares
    with patch.object(ReportCounts, "add_shares", add_shares):
        for many in (1, 7):
            assert text_of(log, key, many) == one
    assert len(joined) == 2 * shared


def test_of_an_honest_house(tmp_path: Path) -> None:
    log = simulated(tmp_path / "log", rounds=120, careless=0.05)
    same(log, (log / "log.vkey").read_text(), shared=True)


@pytest.mark.parametrize("of", [everything.casinos, everything.pontoon, everything.lounge])
def test_of_everything_that_may_happen_at_tables(of, tmp_path: Path) -> None:
    house = interleaved(2, 4)
    of(house)
    write_log(tmp_path, house.lines, SIGNER)
    same(tmp_path, KEY, shared=True)


def test_of_a_house_that_does_not_hear_bets(tmp_path: Path) -> None:
    write_log(tmp_path, map(encode, TRICKS["late-bets"](60).play().log), SIGNER)
    same(tmp_path, KEY, shared=True)


def test_a_log_with_a_failure_is_counted_in_one_pass(tmp_path: Path) -> None:
    lines = [line.replace(b'"net":-', b'"net":-1', 1) for line in interleaved(3, 4).lines]
    write_log(tmp_path, lines, SIGNER)
    same(tmp_path, KEY, shared=False)


def test_rounds_are_counted_if_no_line_is_canonical() -> None:
    log = FOLDER / "entry-none-canonical"
    result = make(log)
    games = next(section for section in result.sections if section.name == "games")
    assert sum(each["rounds"] for each in games.data.values()) == result.audit.rounds > 0


@pytest.mark.parametrize("bound", ["decks", "cards"])
def test_nothing_is_added_where_shares_cannot_be_counted_alike(bound: str, tmp_path: Path) -> None:
    """More decks than are counted, more cards than an audit puts in order."""
    write_log(tmp_path, interleaved(3, 3).lines, SIGNER)
    counts = ReportCounts()
    name, value = (
        ("audit_cli.report.run.MAX_DECKS", 1)
        if bound == "decks"
        else ("audit_cli.report.counting.watcher.FREE_CARDS", -(1 << 40))
    )
    with patch(name, value), pytest.raises(NotShareable):
        audit_shared(tmp_path / "log.jsonl", Report(), WorkerPool(Here(), 2), watch=counts)
    assert counts.shuffles.whole == counts.luck.shoes == 0
    assert not counts.results.hours
    assert collection.MAX_DECKS > 1
