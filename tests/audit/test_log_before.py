"""A log that comes in the place of another one says so in its first entry, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from fairshoe.errors import VerificationError
from fairshoe.log.canonical import encode
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.note import Signer
from fairshoe.record.entries import start_entry
from tests.house import honest

from .walk import full

BEFORE = Checkpoint("house.example/before", 5_000, b"r" * 32).signed(Signer("house.example/before", b"k" * 32))
OTHER = Checkpoint("house.example/before", 4_000, b"r" * 32).signed(Signer("house.example/before", b"k" * 32))
AT = "2025-12-31T00:00:00.00000{}Z"
LOST = [("casino/4", "ab" * 32), ("boxes/2", None)]


def began(number: int = 0, continues: str | None = BEFORE, lost: Any = ()) -> bytes:
    return encode(start_entry(AT.format(number), continues, lost))


def codes(*first: bytes) -> list[str]:
    return sorted({finding.code for finding in full([*first, *honest("casino", 3).lines]).findings})


def test_a_log_in_the_place_of_another_one_fails_without_it() -> None:
    report = full([began(), *honest("casino", 3).lines])
    (found,) = report.findings
    assert (found.code, found.severity, found.fault, found.entry) == ("log-before", "fail", "house", 0)
    assert found.found == "house.example/before, 5,000 entries"
    assert report.failed
    assert [(each.check, each.what) for each in report.unchecked] == [("completeness", "the log before this one")]


def test_each_lost_shoe_of_the_log_before_fails() -> None:
    report = full([began(lost=LOST)])
    lost = [finding for finding in report.findings if finding.code == "shoe-lost-before"]
    assert [(each.severity, each.fault, each.found) for each in lost] == [
        ("fail", "house", "casino/4"),
        ("fail", "house", "boxes/2"),
    ]


def test_many_lost_shoes_are_named_in_several_entries() -> None:
    assert codes(began(0, lost=LOST[:1]), began(1, lost=LOST[1:])) == ["log-before", "shoe-lost-before"]
    report = full([began(0, lost=LOST[:1]), began(1, lost=LOST[1:])])
    assert [finding.code for finding in report.findings].count("log-before") == 1


@pytest.mark.parametrize("gone", [{"copy": 3}, {"copy": 0}, {"unknown": True}, {"copy": 3, "unknown": True}])
def test_a_house_that_does_not_know_what_it_lost_fails(gone: dict[str, Any]) -> None:
    report = full([encode(start_entry(AT.format(0), BEFORE, **gone))])
    found = [finding for finding in report.findings if finding.code == "shoes-unknown-before"]
    assert [(each.severity, each.fault, each.expected) for each in found] == [("fail", "house", 5_000)]


def test_what_was_at_hand_is_said_once() -> None:
    again = encode(start_entry(AT.format(1), BEFORE, LOST, copy=3))
    assert codes(began(0), again) == ["field-invalid", "log-before", "shoe-lost-before"]


def test_it_stands_at_the_beginning_only() -> None:
    assert codes(began(0, None), began(1)) == ["step-out-of-order"]
    assert codes(began(0), began(1, None), began(2)) == ["log-before", "step-out-of-order"]


def test_all_of_them_name_one_checkpoint() -> None:
    assert codes(began(0), began(1, OTHER)) == ["log-before", "step-out-of-order"]


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
    assert "field-invalid" in codes(encode(entry))


def test_the_named_checkpoint_is_one_that_a_reader_can_use() -> None:
    from fairshoe.log.checkpoint import open_checkpoint

    verifier = Signer("house.example/before", b"k" * 32).verifier
    assert open_checkpoint(start_entry(AT.format(0), BEFORE)["continues"], verifier).size == 5_000
    with pytest.raises(VerificationError):
        open_checkpoint(BEFORE.replace("5000", "5001"), verifier)
