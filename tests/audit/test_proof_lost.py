"""A proof of a hand whose shoe was lost: that is all that fails, whichever round was open then."""

from __future__ import annotations

import json

import pytest

from fairshoe.record.entries import lost_entry

from .planting import at_table, dealt_at, sealed_at
from .proofs import checked, file_of


def lost(rounds: int, named: int | None, *, key: bool = True) -> list[bytes]:
    """So many rounds are dealt, another is open where `named` is not None, and the shoe is lost."""
    table = at_table()
    shoe, sealed = sealed_at(table)
    dealt_at(table, shoe, sealed, rounds)
    if named is not None:
        table.open(shoe)
    table.house.log(lost_entry(table.house.at(), shoe.id, shoe.key.hex() if key else None, named))
    return list(table.house.lines)


def codes(lines: list[bytes], name: str) -> set[str]:
    answer = checked(file_of(lines, name))
    assert answer.outcome.word == "FAIL"
    return {each["code"] for each in answer.form["findings"] if each["severity"] == "fail"}


@pytest.mark.parametrize("key", [True, False])
@pytest.mark.parametrize("named", [None, 4])
def test_an_earlier_round_of_a_lost_shoe_fails_by_that_alone(named: int | None, key: bool) -> None:
    lines = lost(3, named, key=key)
    assert [json.loads(line)["kind"] for line in lines].count("round") == 3
    for number in (1, 2, 3):
        assert codes(lines, f"casino#{number}") == {"shoe-lost"}


def test_the_round_that_was_open_fails_by_that_alone() -> None:
    assert codes(lost(3, 4), "casino#4") == {"shoe-lost"}


def test_a_lost_that_names_a_round_that_was_over_is_out_of_order() -> None:
    """Rounds that the proof shows to be over were not open."""
    lines = lost(3, None)
    lines[-1] = lines[-1].replace(b'"shoe"', b'"round":1,"shoe"')
    assert codes(lines, "casino#2") == {"shoe-lost", "step-out-of-order"}
