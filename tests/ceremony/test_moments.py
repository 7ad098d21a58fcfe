"""When the table decided, and for whom nobody waited then: what an honest house writes, its auditor finds clean."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fairshoe.ceremony.acting import commands as say
from fairshoe.engine.moves import TABLE
from tests.long.ceremony import walked

from .walk import Walk


class Absent(Walk):
    """The dealer sends one hash, never opens that seed, and is silent from then on."""

    def dealer_is_due(self) -> bool:
        """Whether the table has decided for the dealer in a round in which it is another's turn."""
        round, dealer = self.round(), self.state.table.bank
        decided = any(each.actor == dealer and each.by == TABLE for each in self.state.decisions)
        return decided and round is not None and round.ask is not None and round.ask.actor != dealer

    def turn(self) -> None:
        debts, table = self.state.book.debts, self.state.table
        first = [] if debts else ["shoe", "hash"]
        for seat in sorted(table.players):
            says = [form for form in self.expected(seat) if not form.get("may") and not form.get("owed")]
            says = [form for form in says if seat != table.bank or form["do"] in first]
            if says:
                self.act(seat, says[0])
                return
        self.wait()

    def hand_in(self) -> None:
        """The dealer is back."""
        seat = self.state.table.bank
        player = self.state.table.players[seat]
        owed = next(iter(self.state.book.debts[player].seeds))
        self.do(say.GiveSeed(seat, self.seeds[owed, player].hex()), 5)


def test_who_hands_a_seed_in_during_a_round_was_not_waited_for_before(tmp_path: Path) -> None:
    """CH-24: the dealer is asked before the players, and the table says for an absent one at once what it does."""
    walk = Absent("chinese", random.Random(1), 0, free_hand=True, rotation="fixed")
    for _ in range(1_000):
        if walk.dealer_is_due():
            break
        walk.turn()
    dealer = walk.state.table.bank
    walk.hand_in()
    assert not walk.state.is_absent(dealer)
    while walk.state.book.open_round is not None:
        walk.turn()
    made = walk.log[-2]["decisions"][0]
    assert (made["seat"], made["by"]) == (dealer, "table")
    assert walk.log[-2]["at"] > next(entry["at"] for entry in walk.log if entry["kind"] == "late") > made["at"]
    assert [finding for finding in walk.audit(tmp_path / "log").findings if finding.severity == "fail"] == []


@pytest.mark.parametrize("number", [88, 178])
def test_a_decision_in_the_very_moment_of_a_start_had_its_limit(number: int, tmp_path: Path) -> None:
    """The limit passed, and in the same microsecond the service was started anew, before the round was over."""
    walk = walked("banker", number)
    starts = {entry["at"] for entry in walk.log if entry["kind"] == "start"}
    made = {each.get("at") for entry in walk.log if entry["kind"] == "round" for each in entry["decisions"]}
    assert starts & made
    assert not walk.audit(tmp_path).failed
