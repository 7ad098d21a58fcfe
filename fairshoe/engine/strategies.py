"""Reference strategies for bots, simulation and the house-luck test: pure functions of what a seat may see (ST-00 …
ST-04); `bicycle` also gives the hints."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ..errors import InputError
from .hand import VALUE, Hand
from .moves import HIT_OR_STAND, STAND, Ask, Decision, Move
from .round import Round, Strategy
from .rules.base import Rules


@cache
def make_decision(seat: int, move: str) -> Decision:
    """A seat's own decision that takes no amount."""
    return Decision(seat, move)


def reference_cut(rules: Rules) -> int:
    """ST-00: the middle of the shoe; 0 where there is no cut, or it may be declined."""
    span = rules.cut_range()
    return rules.cards // 2 if span is not None and span[0] > 0 else 0


def reference_decision(ask: Ask) -> Decision:
    """ST-00: as the table would decide, but take a gift: no insurance, continue, reveal everybody, accept the bank and
    never trade it; a chinese hand below 16 hits (CH-27)."""
    for move in ask.moves:
        if move.name == "agree" and not move.high:
            return make_decision(ask.actor, move.name)
    return ask.default_decision()._replace(by="seat")


def mimic(round: Round, ask: Ask) -> Decision:
    """ST-01: plays like the bank."""
    if ask.default is not STAND:
        return reference_decision(ask)
    index = ask.hand
    hand = round.hands[index] if index >= 0 else round.dealer
    return make_decision(ask.actor, "hit" if round.rules.bank_hits(hand) else "stand")


def stand(round: Round, ask: Ask) -> Decision:
    """ST-02: stands wherever standing is legal."""
    if ask.default is not STAND or ask.hand < 0:
        return mimic(round, ask)
    return make_decision(ask.actor, "stand")


def never_bust(round: Round, ask: Ask) -> Decision:
    """ST-03: takes a card only where that cannot bust, or the hand is soft and below 18."""
    if ask.default is not STAND or ask.hand < 0:
        return mimic(round, ask)
    hand = round.hands[ask.hand]
    rules = round.rules
    return make_decision(ask.actor, "hit" if rules.total(hand) < (18 if rules.is_soft(hand) else 12) else "stand")


def bicycle(round: Round, ask: Ask) -> Decision:
    """ST-04: the advice of the third source, lines 56-64, which is no rule (CA-36). InputError: there is no upcard."""
    if ask.default is not STAND or ask.hand < 0:
        return mimic(round, ask)
    upcard = round.dealer.cards[_upcard(round.rules)]
    return make_decision(ask.actor, advice(round.hands[ask.hand], VALUE[upcard], ask.moves))


SPLITS = {1: range(1, 11), 8: range(1, 11), 2: range(2, 8), 3: range(2, 8), 7: range(2, 8), 6: range(2, 7)}
"""ST-04: value of a pair → the upcards (ace 1) against which it is split; no other pair is."""
DOUBLES = {11: range(1, 11), 10: range(2, 10), 9: range(2, 7)}
"""ST-04: a total of two cards → the upcards against which it is doubled; a soft one is never below 12."""
STANDS_ON = {upcard: 12 if upcard in (4, 5, 6) else 13 if upcard in (2, 3) else 17 for upcard in range(1, 11)}
"""ST-04: upcard → the hard total on which to stop: against good, fair and poor ones."""


def advice(hand: Hand, upcard: int, moves: tuple[Move, ...]) -> str:
    """ST-04: split, double, soft, hard, in this order; the first line that the legal `moves` allow."""
    total = hand.total
    if moves is not HIT_OR_STAND:
        legal = [move.name for move in moves]
        if "split" in legal and upcard in SPLITS.get(VALUE[hand.cards[0]], ()):
            return "split"
        if "double" in legal and upcard in DOUBLES.get(total, ()):
            return "double"
    return "hit" if total < (18 if hand.soft else STANDS_ON[upcard]) else "stand"


def _upcard(rules: Rules) -> int:
    if rules.upcard is None:
        raise InputError(
            f"bicycle is not offered in {rules.name}", where="strategy", expected="mimic, stand or never-bust"
        )
    return rules.upcard


STRATEGIES: dict[str, Strategy] = {"mimic": mimic, "stand": stand, "never-bust": never_bust, "bicycle": bicycle}


def find_strategy(rules: Rules, name: str) -> Strategy:
    """Return the strategy `name` for a game. Raises InputError where the game does not offer it."""
    if name not in STRATEGIES:
        raise InputError(f"no strategy {name!r}", where="strategy", expected=", ".join(STRATEGIES))
    strategy = STRATEGIES[name]
    if strategy is bicycle:
        _upcard(rules)
    return strategy


Chooser = Callable[[int], int]
"""A choice among `n`: an index 0 … n−1."""


def choose_legal(ask: Ask, choose: Chooser) -> Decision:
    """Some legal decision, in a round or about the bank; every legal one can come out."""
    move = ask.moves[choose(len(ask.moves))]
    amount = move.low + choose(move.high - move.low + 1)
    seats = list(move.among)
    many = move.fewest + choose(move.most - move.fewest + 1)
    chosen = sorted(seats.pop(choose(len(seats))) for _ in range(many))
    return Decision(ask.actor, move.name, amount, tuple(chosen))


def random_legal(choose: Chooser) -> Strategy:
    """Any legal decision, as `choose` chooses: each of the moves is as likely as another."""

    def decide(_: Round, ask: Ask) -> Decision:
        move = ask.moves[choose(len(ask.moves))]
        if move.high or move.among:
            return choose_legal(ask._replace(moves=(move,)), choose)
        return make_decision(ask.actor, move.name)

    return decide
