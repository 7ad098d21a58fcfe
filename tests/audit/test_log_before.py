"""A log that comes in the place of another one says so in its first entries."""

from __future__ import annotations

from typing import Any

import pytest

from fairshoe.log.canonical import encode
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.note import Signer
from fairshoe.record.entries import start_entry
from tests.house import honest

from .walk import full

BEFORE = Checkpoint("house.example/before", 5_000, b"r" * 32).signed(Signer("house.example/before", b"k" * 32))
OTHER = Checkpoint("house.example/before", 4_000, b"r" * 32).signed(Signer("house.example/before", b"k" * 32))
AT = "2025-12-31T00:00:00.00000{}Z"
LOST = [{"shoe": "casino/4", "key": "ab" * 32}, {"shoe": "boxes/2"}]


def began(number: int = 0, continues: str | None = BEFORE, **more: Any) -> dict[str, Any]:
    """A `start`; one that names a log before, unless `continues` is None."""
    named = {} if continues is None else {"continues": continues}
    return start_entry(AT.format(number)) | named | more


def beginning(*first: dict[str, Any]) -> list[str]:
    return sorted({finding.code for finding in full([*map(encode, first), *honest("casino", 3).lines]).findings})


def test_a_log_in_the_place_of_another_one_fails_without_it() -> None:
    report = full([encode(began()), *honest("casino", 3).lines])
    (found,) = report.findings
    assert (found.code, found.severity, found.fault, found.entry) == ("log-before", "fail", "house", 0)
    assert found.found == "house.example/before, 5,000 entries"
    assert report.failed
    assert [each.check for each in report.unchecked] == ["completeness"]


def test_each_lost_shoe_of_the_log_before_fails() -> None:
    """Whether they stand in one entry or in several."""
    for lines in ([began(lost=LOST)], [began(lost=LOST[:1]), began(1, lost=LOST[1:])]):
        found = full(map(encode, lines)).findings
        lost = [(each.severity, each.fault, each.found) for each in found if each.code == "shoe-lost-before"]
        assert lost == [("fail", "house", "casino/4"), ("fail", "house", "boxes/2")]
        assert [each.code for each in found].count("log-before") == 1


def test_it_stands_at_the_beginning_only_and_names_one_checkpoint() -> None:
    again = began(1, lost=LOST, copy=3)
    assert beginning(began(0), again) == ["field-invalid", "log-before", "shoe-lost-before"]
    assert beginning(began(0, None), began(1)) == ["step-out-of-order"]
    assert beginning(began(0), began(1, None), began(2)) == ["log-before", "step-out-of-order"]
    assert beginning(began(0), began(1, OTHER)) == ["log-before", "step-out-of-order"]


@pytest.mark.parametrize("gone", [{"copy": 3}, {"copy": 0}, {"unknown": True}, {"copy": 3, "unknown": True}])
def test_a_house_that_does_not_know_what_it_lost_fails(gone: dict[str, Any]) -> None:
    report = full([encode(began(**gone))])
    found = [finding for finding in report.findings if finding.code == "shoes-unknown-before"]
    assert [(each.severity, each.fault, each.expected) for each in found] == [("fail", "house", 5_000)]


@pytest.mark.parametrize(
    "entry",
    [
        began(continues=None, lost=[{"shoe": "casino/1"}]),
        began(continues=BEFORE.replace("5000", "a lot")),
        began(continues=BEFORE.partition("\n\n")[0] + "\n"),
        began(continues=BEFORE + "x" * 4_096),
        began(lost=[]),
        began(lost=[{"shoe": "casino/1", "key": "ab"}]),
        began(lost=[{"key": "ab" * 32}]),
        began() | {"continues": 7},
        began(continues=None, copy=3),
        began(continues=None, unknown=True),
        began(copy=5_000),
        began(copy=-1),
        began(unknown=False),
        began(tables=["casino"]),
        began(continues=None, tables=[]),
        began(continues=None, origin="house.example/before"),
    ],
)
def test_a_malformed_one_fails(entry: dict[str, Any]) -> None:
    assert "field-invalid" in beginning(entry)
