"""What explains a seat's chips: a bank that is sold back to who had it moves chips and leaves the banker the same."""

from __future__ import annotations

from fairshoe.client.chip_faults import chips_fault

PLACE = {"table": "t", "seat": 2, "player": "p"}
SEEN = {"rules": "pontoon", "options": {}, "log": 200, "bank": "2", "phase": "bank", "last": None}
SEEN |= {"chips": {"1": 100, "2": 300}}


def test_a_bank_that_is_bought_back_is_no_fault_of_the_house():
    assert chips_fault(PLACE, SEEN, SEEN | {"log": 202, "phase": "idle", "chips": {"1": 390, "2": 10}}) is None


def test_chips_that_are_gone_with_nothing_to_explain_it_are():
    seen = SEEN | {"phase": "idle"}
    answer = seen | {"log": 202, "chips": {"1": 390, "2": 10}}
    assert chips_fault(PLACE, seen, answer) == "the house says 10 chips, and the seat knows of 300"
