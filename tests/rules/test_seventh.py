"""A seventh rule set is one file: `spanish`, blackjack with packs of 48 without tens, a line in the table of packs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from audit_cli.main import main
from audit_cli.report.outcomes import chance_of_natural
from audit_cli.verify.run import verify
from fairshoe.cards import PACK, PACKS, name_of, named_deck
from fairshoe.engine.cards import LoggedCards
from fairshoe.engine.hand import UP, Hand
from fairshoe.engine.moves import DOUBLE, HIT_OR_STAND, SPLIT, STAND
from fairshoe.engine.round import Round, Steps, replay
from fairshoe.engine.rules import RULES, Rules
from fairshoe.engine.steps import compare, deal_initial_cards, double, draw_to_17, hit_or_stand, settle_bust
from fairshoe.engine.table import Table, fresh_table
from fairshoe.engine.view import PUBLIC, RecordedRound, view
from fairshoe.errors import InputError
from fairshoe.simulate.house import plan_house, write_house_log
from tests.hands import begin, go_on, legal, nets, play, refused, refused_bets, seated, state


@pytest.fixture
def spanish() -> Iterator[type[Rules]]:
    """The pack is a line in the table of packs, the game one class."""
    PACKS["spanish"] = tuple(label for label in PACK if label[0] != "T")

    class Spanish(Rules):
        """A player's 21 is paid at once, a natural 3:2; a shoe serves rounds until a quarter is left, and is cut."""

        name = "spanish"
        pack = "spanish"
        one_round = False
        bet_unit = 2

        packs: int = 2
        minimum: int = 2
        maximum: int = 100

        def cut_range(self) -> tuple[int, int]:
            return 1, self.cards - 1

        def cutters(self, table: Table, last: int) -> list[int]:
            return table.chairs_after(last)[:1]

        def is_worn_out(self, position: int, present: int, draws: Mapping[str, int]) -> bool:
            return present < self.cards or position >= self.cards * 3 // 4

        def handle_empty_shoe(self, round: Round) -> None:
            round.reshuffle(cut=False, burn=False)

        def play(self, round: Round) -> Steps:
            deal_initial_cards(round)
            for hand in round.hands:
                if hand.natural:
                    round.settle(hand, hand.bet * 3 // 2, "natural")
                else:
                    yield from self._turn(round, hand)
            round.show(round.dealer)
            live = round.live
            if live:
                draw_to_17(round, round.dealer, hit_soft_17=False)
            for hand in live:
                compare(round, hand, round.dealer, tie_pays=True)

        def _turn(self, round: Round, hand: Hand) -> Steps:
            moves = (*HIT_OR_STAND, DOUBLE) if round.can_afford(hand.seat, hand.bet) else HIT_OR_STAND
            decision = yield round.decision_point(hand, moves, STAND)
            if decision.move == "double":
                double(round, hand, UP)
            elif decision.move == "hit":
                round.deal(hand)
                yield from hit_or_stand(round, hand, below=21)
            settle_bust(round, hand)
            if hand.live and hand.total == 21:
                round.settle(hand, hand.bet, "win")

    yield Spanish
    del RULES["spanish"], PACKS["spanish"]


def test_it_is_played_refused_viewed_told_and_replayed_like_the_others(spanish: type[Rules]) -> None:
    round = begin(seated("spanish", (1, 2)), "9 5 6 | 9 6 K | Q | 8", [10, 10])
    assert legal(round) == {"hit", "stand", "double"}
    refused(round, SPLIT.name)
    assert view(round, PUBLIC)["dealer"]["cards"] == ["6s", None]
    go_on(round, "stand double")
    assert nets(round) == [10, 20], "a 21 is paid at once, the dealer busts"
    dealt = {"position": 0, "present": 96, "size": 96}
    story = RecordedRound(round.table, LoggedCards(round.cards, **dealt), round.bets)
    for decision in round.decisions:
        story.decide(decision)
    assert [event.what for event in story.events].count("settle") == 2
    assert state(replay(round.table, LoggedCards(round.cards, **dealt), round.bets, round.decisions)) == state(round)
    assert round.close().purse == {0: -30, 1: 1010, 2: 1020}


def test_its_bets_and_options_are_checked_by_what_it_says(spanish: type[Rules]) -> None:
    refused_bets("spanish", [3])
    refused_bets("spanish", [102])
    assert play("spanish", "K 9 9 8", "stand", bets=[102], maximum=200).rules.options["maximum"] == 200
    assert fresh_table(spanish()).purse == {0: 0}


def test_a_deck_of_other_packs_is_named_and_counted(spanish: type[Rules]) -> None:
    rules = spanish()
    assert (rules.deck, rules.cards, rules.draws()) == ("spanish:2", 96, {"cut": 96})
    deck = named_deck("spanish:2")
    assert (len(deck), name_of(deck), {label[0] for label in deck} & {"T"}) == (96, "spanish:2", set())
    assert chance_of_natural(deck) == Fraction(2 * 8 * 24, 96 * 95)
    for wrong in ("spanish", "spanish:0", "spanish:1366", "tarot:1", "french"):
        with pytest.raises(InputError):
            named_deck(wrong)
    with pytest.raises(InputError):
        named_deck("spanish:9", most=8)


def test_it_is_played_with_packs_of_48(spanish: type[Rules]) -> None:
    assert nets(play("spanish", "A 5 K 6")) == [15], "a natural is paid at once"
    assert nets(play("spanish", "6 6 5 9 | Q", "double", bets=[10])) == [20], "and so is a 21"


def written(folder: Path, rounds: int, **more: Any) -> Path:
    write_house_log(folder, plan_house(["spanish"], rounds, bytes(32), **more))
    return folder


@pytest.mark.parametrize("seats", [1, 5])
def test_its_log_is_written_and_audited_like_the_others(spanish: type[Rules], seats: int, tmp_path: Path) -> None:
    log = written(tmp_path / "log", 120, seats=seats, careless=0.05)
    report = verify(log, key=(log / "log.vkey").read_text())
    assert not report.failed
    assert report.complete
    assert report.rounds == 120
    text = (log / "log.jsonl").read_text()
    assert '"deck":"spanish:2"' in text
    assert '"Ts"' not in text


def test_its_log_is_reported_like_the_others(
    spanish: type[Rules], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("audit_cli.report.luck.expectations.UNKNOWN_HANDS", 1_000)
    log = written(tmp_path / "log", 120, seats=2)
    assert main(["report", str(log), "--key", str(log / "log.vkey"), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["logs"][0]["sections"]["outcomes"]["data"]["naturals"]
    assert [(row[0], row[6]) for row in rows] == [("spanish", float(chance_of_natural(named_deck("spanish:2"))))] * 2


def test_more_packs_than_the_auditor_puts_in_order_are_told_by_every_name(spanish: type[Rules], tmp_path: Path) -> None:
    log = written(tmp_path / "log", 5, options={"packs": 9})
    first = verify(log, key=(log / "log.vkey").read_text()).findings[0]
    assert (first.code, first.field, first.found) == ("shoe-differs", "deck", "spanish:9")
    assert first.expected.startswith("french:1 to french:8, spanish:1 to spanish:8, or a deck")
