"""An honest house is not accused, whatever careless players do."""

from __future__ import annotations

import pytest

from fairshoe.engine.rules import RULES

from ..service.place import at
from .careless import run

TURNS = 80


@pytest.mark.parametrize("rules", sorted(RULES))
def test_careless_players_see_no_alarm(tmp_path, rules):
    alarms, report, decided = run(rules, tmp_path, TURNS, 7)
    assert alarms == []
    assert not report.failed, report.findings
    for each in decided.values():
        assert each.outcome.good, each.text


def test_a_file_that_lacks_the_newest_receipts_is_gone_on_with(place, tmp_path):
    table = place.operator.create_table("boxes", table="t1")
    alice = table.sit("alice", 1000, book=tmp_path / "alice")
    bob = table.sit("bob", 1000)
    place.make_shoe([alice, bob])
    at(alice).bet(10)
    older = (tmp_path / "alice.receipts").read_bytes()
    at(alice).bet(20)
    alice.close()
    (tmp_path / "alice.receipts").write_bytes(older)
    again = place.public.table("t1").resume(tmp_path / "alice")
    at(bob).bet(10)
    assert '"amount":20' in again.refresh()["you"]["receipt"]
