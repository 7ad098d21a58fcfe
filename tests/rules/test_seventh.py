"""A seventh rule set is one file: this one, in which the higher of two cards wins and a tie is pushed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import pytest

from fairshoe.engine.cards import Dealt
from fairshoe.engine.hand import DOWN
from fairshoe.engine.moves import SPLIT, STAND, SURRENDER
from fairshoe.engine.round import Round, Steps, replay
from fairshoe.engine.rules import RULES, Rules
from fairshoe.engine.story import Told
from fairshoe.engine.table import Bet, Table, fresh_table
from fairshoe.engine.view import PUBLIC, view
from tests.hands import begin, go_on, legal, nets, play, refused, refused_bets, seated, state


@pytest.fixture(autouse=True)
def seventh() -> Iterator[type[Rules]]:
    """Defining the class registers it; the other tests shall not see it."""

    @dataclass(frozen=True)
    class Higher(Rules):
        """One card each, the bank's face down; a player may give up a half before it is shown."""

        name: ClassVar[str] = "higher"
        bet_unit: ClassVar[int] = 2

        packs: int = 1
        minimum: int = 2
        maximum: int = 100

        def play(self, round: Round) -> Steps:
            for hand in round.hands:
                round.deal(hand)
            round.deal(round.dealer, DOWN)
            for hand in round.hands:
                decision = yield round.choice(hand, (STAND, SURRENDER), STAND)
                if decision.move == "surrender":
                    round.settle(hand, -hand.bet // 2, "surrender")
            round.show(round.dealer)
            for hand in round.hands:
                if hand.live:
                    more = hand.total - round.dealer.total
                    net = hand.bet if more > 0 else -hand.bet if more < 0 else 0
                    round.settle(hand, net, "win" if net > 0 else "lose" if net < 0 else "push")

    yield Higher
    del RULES["higher"]


def test_it_is_played_refused_viewed_told_and_replayed_like_the_others() -> None:
    round = begin(seated("higher", (1, 2, 3)), "9 5 2 | 5", [10, 10, 10])
    assert legal(round) == {"stand", "surrender"}
    refused(round, SPLIT.name)
    assert view(round, PUBLIC)["dealer"]["cards"] == [None]
    go_on(round, "stand stand surrender")
    assert nets(round) == [10, 0, -5]
    story = Told(round.table, Dealt(round.cards, position=0, present=52, size=52), round.bets)
    for decision in round.decisions:
        story.decide(decision)
    assert [event.what for event in story.events].count("settle") == 3
    dealt = Dealt(round.cards, position=0, present=52, size=52)
    again = replay(round.table, dealt, round.bets, round.decisions)
    assert state(again) == state(round)
    assert round.close().purse == {0: -5, 1: 1010, 2: 1000, 3: 995}


def test_its_bets_and_options_are_checked_by_what_it_says() -> None:
    refused_bets("higher", [3])
    refused_bets("higher", [102])
    assert play("higher", "9 | 5", "stand", bets=[102], maximum=200).rules.options["maximum"] == 200


def test_its_table_starts_like_any_other() -> None:
    table: Table = fresh_table(RULES["higher"]())
    assert table.purse == {0: 0}
    assert table.rules.deck == "french:1"
    assert table.rules.draws() == {}


def test_what_it_does_not_say_is_said_for_it() -> None:
    table = seated("higher", (2, 5))
    rules = table.rules
    offered = [Bet(5, 4, 5), Bet(2, 200, 2)]
    assert rules.covered(table, offered) == (offered[::-1], []), "its bets are checked when the round begins"
    assert rules.forced_bets(table, [2, 5]) is None
    assert rules.can_bank(table, 2)
    assert (rules.needs_first_bank(table), rules.first_chairs(table)) == (False, [])
    left = rules.left(table, 5)
    assert (dict(left.players), dict(left.purse), left.bank) == ({2: "player-2"}, {0: 0, 2: 1000}, 0)
