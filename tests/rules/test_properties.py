"""What holds in every round of every rule set, whatever is dealt and decided."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairshoe.cards import named_deck
from fairshoe.engine.cards import LoggedCards
from fairshoe.engine.hand import Hand
from fairshoe.engine.moves import Decision, Move
from fairshoe.engine.round import Round, replay
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.engine.rules.lounge import BUY_IN
from fairshoe.engine.strategies import Chooser, choose_legal
from fairshoe.engine.table import HOUSE, POOL, Bet, Table, fresh_table
from fairshoe.engine.view import PUBLIC, round_after, view
from fairshoe.errors import IllegalDecision
from fairshoe.protocol.deck import Deck
from tests.hands import state

NAMES = sorted(RULES)
BANKED_BY_A_PLAYER = ("chinese", "pontoon")
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "chinese": [
        {},
        {"free_hand": True},
        {"five_dragon_21_triple": True, "twenty_one_double": True},
        {"direction": "anticlockwise", "free_hand": True, "escape": False},
    ],
    "casino": [{}, {"packs": 3}],
    "lounge": [{}, {"gift": 9000}],
}
LABEL = re.compile(r"^[A23456789TJQK][cdhs]$")


class Pile:
    """A shoe whose cards have numbers, so that no card can be dealt twice unseen."""

    def __init__(self, labels: Deck, rng: Random, position: int, favoured: str) -> None:
        self.labels = labels
        size = len(labels)
        self.rng = rng
        self.order = list(range(size))
        rng.shuffle(self.order)
        if favoured:
            tail = self.order[position:]
            tail.sort(key=lambda card: self.labels[card][0] not in favoured and rng.random() < 0.7)
            self.order[position:] = tail
        self.position = position
        self.size = size
        self.dealt: list[int] = []

    @property
    def present(self) -> int:
        return len(self.order)

    @property
    def left(self) -> int:
        return len(self.order) - self.position

    def draw(self) -> str:
        if not self.left:
            raise IndexError
        card = self.order[self.position]
        self.position += 1
        self.dealt.append(card)
        return self.labels[card]

    def reshuffle(self, *, cut: bool, burn: bool) -> None:
        on_table = set(self.dealt)
        self.order = [card for card in range(self.size) if card not in on_table]
        self.rng.shuffle(self.order)
        self.position = 1 if burn and len(self.order) > 1 else 0


def some_table(name: str, choose: Chooser) -> Table:
    options = OPTIONS.get(name, [{}])
    rules = rules_of(name, options[choose(len(options))])
    fewest, most = rules.chairs
    most = min(most, 7)
    count = fewest + choose(most - fewest + 1)
    chairs = sorted(range(1, most + 1), key=lambda chair: (choose(3), chair))[:count]
    players = {chair: f"player-{chair}" for chair in sorted(chairs)}
    bank = chairs[choose(count)] if name in BANKED_BY_A_PLAYER else rules.first_account
    table = Table(rules, players, fresh_table(rules).purse, bank)
    for chair in players:
        table = rules.buy_in(table, chair, BUY_IN if bank == POOL else rules.maximum * (4 + choose(20)))
    if bank == POOL and choose(2):
        table = table.after({POOL: 1 + choose(5) * rules.minimum // 2})
    if name in BANKED_BY_A_PLAYER:
        table = table.after({bank: 100_000 if choose(4) else rules.maximum * (4 + choose(20))})
    return table


def some_bets(table: Table, choose: Chooser) -> list[Bet]:
    rules = table.rules
    low = -(-rules.minimum // rules.bet_unit)
    span = rules.maximum // rules.bet_unit - low + 1

    def amount() -> int:
        return (low + choose(span)) * rules.bet_unit

    if rules.name == "boxes":
        seats = sorted(table.players)
        boxes = [box for box in range(1, 8) if choose(2)] or [1 + choose(7)]
        wanted = [Bet(seats[choose(len(seats))], amount(), box) for box in boxes]
        left = dict(table.purse)
        bets = []
        for bet in wanted:
            if left[bet.seat] >= bet.amount:
                left[bet.seat] -= bet.amount
                bets.append(bet)
        return bets
    order = [seat for seat in rules.acting_order(table) if seat != table.bank]
    order = [seat for seat in order if choose(4)] or order[:1]
    offered = [Bet(seat, amount(), seat) for seat in order]
    fit, _ = rules.partition_covered(table, offered)
    return fit or [offered[0]._replace(amount=rules.minimum)]


def begin(name: str, seed: int) -> tuple[Round, Pile, Chooser]:
    rng = Random(seed)
    choose = rng.randrange
    table = some_table(name, choose)
    rules = table.rules
    first = 1 if rules.burns else 0
    position = first if rules.one_round else first + choose(rules.cards - first)
    pile = Pile(named_deck(rules.deck), rng, position, rng.choice(["", "", "A", "8", "AT", "23", "789", "56"]))
    return Round(table, pile, some_bets(table, choose)), pile, choose


def at_every_step(name: str, seed: int, check: Callable[[Round, Pile, Chooser], None]) -> Round:
    """Play a random round; `check` it before every decision and after the last."""
    round, pile, choose = begin(name, seed)
    for _ in range(1000):
        check(round, pile, choose)
        if round.ask is None:
            return round
        round.decide(choose_legal(round.ask, choose))
    raise AssertionError("the round does not end")


seeds = st.integers(0, 2**32)
every_rule_set = pytest.mark.parametrize("name", NAMES)
often = settings(max_examples=60, deadline=None)


@every_rule_set
@often
@given(seed=seeds)
def test_GE_06_GE_08_what_holds_at_every_step_of_a_round_and_at_its_end(name: str, seed: int) -> None:
    seen: list[dict[int, Any]] = []

    def check(round: Round, pile: Pile, choose: Chooser) -> None:
        check_ask(round)
        check_chips(round)
        check_cards(round, pile)
        check_refusals(round, pile, choose)
        check_views(round)
        seen.append({audience: view(round, audience) for audience in (PUBLIC, min(round.table.players))})

    round = at_every_step(name, seed, check)
    assert all(hand.outcome for hand in round.hands)
    assert sum(round.purse.values()) == sum(round.table.purse[account] for account in round.purse), "GE-06"
    after = round.close()
    assert sum(after.purse.values()) == sum(round.table.purse.values())
    assert set(after.purse) == set(round.table.purse)
    assert round.table.bank != POOL or after.purse[POOL] >= 0
    check_replay(round)
    for step, views in enumerate(seen):
        for audience, then in views.items():
            assert view(round, audience, upto=step) == then


def check_ask(round: Round) -> None:
    ask = round.ask
    if ask is not None:
        assert len(ask.moves) > 1 or round.rules.name == "chinese", "GE-12, CH-09"
        assert len({move.name for move in ask.moves}) == len(ask.moves)
        assert ask.allows(ask.default_decision()), "GE-07"
        assert ask.hand < 0 or round.hands[ask.hand].seat == ask.actor


def check_chips(round: Round) -> None:
    """No chip is made or lost."""
    stakes = sum(hand.bet for hand in round.hands if hand.live) if round.rules.takes_stakes else 0
    side_bets = sum(hand.insured for hand in round.hands if hand.insured and not hand.insurance)
    before = sum(round.table.purse[account] for account in round.purse)
    assert sum(round.purse.values()) + stakes + side_bets == before


def check_cards(round: Round, pile: Pile) -> None:
    """No card is dealt twice, and none is lost."""
    assert len(set(pile.dealt)) == len(pile.dealt)
    assert round.cards == [pile.labels[card] for card in pile.dealt]
    hands = [round.dealer, *round.hands]
    assert sorted(offset for hand in hands for offset in hand.offsets) == list(range(len(round.cards)))
    for hand in hands:
        assert hand.cards == [round.cards[offset] for offset in hand.offsets]
        assert len(hand.faces) == len(hand.cards)


def check_refusals(round: Round, pile: Pile, choose: Chooser) -> None:
    """An illegal decision changes nothing."""
    before, position = state(round), pile.position
    for wrong in illegal(round, choose):
        with pytest.raises(IllegalDecision):
            round.decide(wrong)
    assert (state(round), pile.position) == (before, position)


def check_views(round: Round) -> None:
    """A view shows what its audience may see, and nothing else."""
    may_see = AUDIENCES[round.rules.name]
    for audience in {PUBLIC, HOUSE, *round.table.players}:
        seen = view(round, audience)
        shown: list[str] = []
        for hand, form in zip([round.dealer, *round.hands], [seen["dealer"], *seen["hands"]], strict=True):
            allowed = [may_see(round, hand, index, audience) for index in range(len(hand.cards))]
            expected = [label if ok else None for label, ok in zip(hand.cards, allowed, strict=True)]
            assert form["cards"] == expected, (audience, hand.seat)
            assert (form["total"] is None) == (None in expected)
            shown += [label for label in expected if label]
        assert sorted(labels_in(seen)) == sorted(shown)
        assert ("moves" in seen) == (round.ask is not None and round.ask.actor == audience)


def check_replay(round: Round) -> None:
    """The logged decisions give the same round."""
    source = LoggedCards(round.cards, position=round.position, present=round.present, size=round.size)
    again = replay(round.table, source, round.bets, round.decisions)
    assert state(again) == state(round)
    assert again.close().purse == round.close().purse
    assert again.close().memory == round.close().memory
    assert source.used == len(round.cards)
    half = len(round.decisions) // 2
    assert round_after(round, half).decisions == round.decisions[:half]


EVERY_MOVE = (
    *["hit", "stand", "double", "split", "surrender", "insure", "decline", "reveal", "continue", "stop", "HIT"],
    "",
)


def illegal(round: Round, choose: Chooser) -> list[Decision]:
    """Decisions that the open decision point does not offer."""
    ask = round.ask
    if ask is None:
        return [Decision(seat, move) for seat in (0, 1) for move in EVERY_MOVE]
    legal: dict[str, Move] = {move.name: move for move in ask.moves}
    wrong = [Decision(ask.actor, move) for move in EVERY_MOVE if move not in legal]
    right = choose_legal(ask, choose)
    for seat in {HOUSE, POOL, *round.purse} - {ask.actor}:
        wrong.append(right._replace(actor=seat))
    for name, move in legal.items():
        seats = move.among[: move.fewest]
        wrong += [Decision(ask.actor, name, move.high + 1, seats), Decision(ask.actor, name, move.low - 1, seats)]
        wrong.append(Decision(ask.actor, name, move.low, (*move.among, 99)))
        if move.fewest:
            wrong += [Decision(ask.actor, name, move.low), Decision(ask.actor, name, move.low, (seats[0], seats[0]))]
    return wrong


def labels_in(value: Any) -> list[str]:
    """Every card named anywhere in a view."""
    if isinstance(value, dict):
        return [label for item in value.values() for label in labels_in(item)]
    if isinstance(value, list):
        return [label for item in value for label in labels_in(item)]
    return [value] if isinstance(value, str) and LABEL.match(value) else []


def house_game(round: Round, hand: Hand, index: int, audience: int) -> bool:
    """BK-10, BX-08, BX-09, LO-08, LO-17: all but the dealer's second card, until the round is decided."""
    return round.is_over or hand is not round.dealer or index != 1


def casino(round: Round, hand: Hand, index: int, audience: int) -> bool:
    """CA-09, and CA-26: the doubled hand's third card, hidden from its owner too."""
    return house_game(round, hand, index, audience) and (round.is_over or not hand.doubled or index != 2)


def pontoon(round: Round, hand: Hand, index: int, audience: int) -> bool:
    """PO-13: the first card is its owner's; PO-16, PO-18, PO-22, PO-23: what is exposed; PO-19: the dealer's turn."""
    if round.is_over or not hand.live or hand.split:
        return True
    if hand is round.dealer:
        dealers_turn = round.ask is not None and round.ask.actor == hand.seat
        return dealers_turn or index != 0 or audience == hand.seat
    if hand.doubled and index == 2:
        return False
    return index != 0 or audience == hand.seat


def chinese(round: Round, hand: Hand, index: int, audience: int) -> bool:
    """CH-09: every card is its owner's, until the hand is settled (a void deal is not shown: CH-24) or, the
    dealer's, until his turn (CH-33), the end, or his escape from a special (CH-22)."""
    if audience == hand.seat:
        return True
    if hand is not round.dealer:
        return not hand.live and hand.outcome != "void"
    dealers_turn = round.ask is not None and round.ask.actor == hand.seat and round.ask.moves[0].name == "reveal"
    escaped = any(other.outcome == "escape" and special(other) for other in round.hands)
    void_or_settled = round.is_over and (special(hand) or any(other.outcome == "void" for other in round.hands))
    played = round.is_over and any(other.outcome not in EARLY for other in round.hands)
    return bool(dealers_turn or escaped or void_or_settled or played)


EARLY = {"ban-ban", "ban-nag", "5-dragon", "free hand", "escape"}
"""Outcomes that come before the dealer's turn."""


def special(hand: Hand) -> bool:
    return len(hand.cards) == 2 and hand.aces >= 1 and hand.hard in (2, 11)


AUDIENCES = dict.fromkeys(("banker", "boxes", "lounge"), house_game) | {
    "casino": casino,
    "chinese": chinese,
    "pontoon": pontoon,
}
"""Who may see a card, as docs/rules.md has it."""
