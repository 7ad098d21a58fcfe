"""Who leaves a shoe that was made ahead, comes back and waives, is dealt in it."""

from __future__ import annotations

import json

import pytest

from tests.audit.walk import full
from tests.house import House, Seating


@pytest.mark.parametrize("chair", [2, 5])
def test_a_bet_with_a_waiver_is_dealt_after_leaving_the_shoe_before_its_opening(chair: int) -> None:
    house = House()
    table = Seating(house, "casino", "casino", (1, 2, 3), chips=100_000, careless=0, ahead=True, packs=3)
    returned = False
    for _ in table.steps(60):
        if not returned and table.waiting is not None and table.waiting.hashed:
            table.leave(2)
            table.chips("buy-in", chair, 5_000, player="casino-p2")
            returned = True
    entries = list(map(json.loads, house.lines))
    waived = {(e["shoe"], e["round"]) for e in entries if e["kind"] == "open" and chair in e.get("waived", ())}
    dealt = [e for e in entries if e["kind"] == "round" and (e["shoe"], e["round"]) in waived]
    assert dealt
    assert all(chair in {hand["seat"] for hand in e["hands"]} for e in dealt)
    assert [finding for finding in full(house.lines).findings if finding.severity == "fail"] == []
