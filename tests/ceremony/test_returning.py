"""Who leaves a shoe before its opening, comes back and waives, is dealt in it."""

from __future__ import annotations

import json

import pytest

from tests.audit.walk import full
from tests.house import House, Prepared, Seating


class Back(Seating):
    """Player 2 leaves after the commitment, and sits down again, on `chair`, before the hashes."""

    chair = 2

    def hash(self, shoe: Prepared) -> None:
        if self.shoes == 1:
            self.leave(2)
            self.chips("buy-in", self.chair, 5_000, player="casino-p2")
            del shoe.seeds["casino-p2"]
        super().hash(shoe)

    def missed_limit(self, who: str) -> None:
        """Who is struck let no limit pass."""
        if who != "casino-p2" or self.shoes > 1 or self.rounds:
            super().missed_limit(who)


@pytest.mark.parametrize("chair", [2, 5])
def test_a_bet_with_a_waiver_is_dealt_after_leaving_the_shoe_before_its_opening(chair: int) -> None:
    house = House()
    table = Back(house, "casino", "casino", (1, 2, 3), chips=100_000, careless=0, packs=3)
    table.chair = chair
    table.play(20)
    entries = list(map(json.loads, house.lines))
    waived = {(e["shoe"], e["round"]) for e in entries if e["kind"] == "open" and chair in e.get("waived", ())}
    dealt = [e for e in entries if e["kind"] == "round" and (e["shoe"], e["round"]) in waived]
    assert dealt
    assert all(chair in {hand["seat"] for hand in e["hands"]} for e in dealt)
    assert [finding for finding in full(house.lines).findings if finding.severity == "fail"] == []
