"""Houses and players, honest and not, as the luck tests see them: shoe after shoe, without a ceremony around."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from audit_cli.counting.seen import HandSeen, RoundSeen, ShoeSeen, Stake
from audit_cli.luck.reference import Reference, shuffled
from fairshoe.cards import named_deck
from fairshoe.engine.cards import Stack
from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.round import Round, Strategy
from fairshoe.engine.rules import Rules, rules_of
from fairshoe.engine.strategies import mimic

UNIT = 2
INSERT = 60


class Players(NamedTuple):
    """`strategy`: how they play; `seats`: how many there are; `stake`: of a seat that staked and won so much before;
    `stays`: whether they stay, the shoe having brought them so much; `counts`: they bet only while high cards are left
    over."""

    seats: int
    strategy: str = "bicycle"
    stake: Callable[[int, int], int] = lambda stake, net: UNIT
    stays: Callable[[int], bool] = lambda won: True
    counts: bool = False


def doubled_after_losses(stake: int, net: int) -> int:
    return min(2 * stake, 64 * UNIT) if net < 0 else UNIT


def doubled_after_wins(stake: int, net: int) -> int:
    return min(2 * stake, 64 * UNIT) if net > 0 else UNIT


def leaves_after_losses(won: int) -> bool:
    return won > -10 * UNIT


@cache
def deck_of(rules: Rules) -> list[str]:
    return list(named_deck(rules.deck))


@cache
def playing(name: str, strategy: str) -> Reference:
    return Reference(rules_of(name), strategy)


def names(seats: int) -> list[str]:
    return [f"p{seat}" for seat in range(1, seats + 1)]


def stakes_of(amounts: list[int]) -> list[Stake]:
    return [Stake(seat, f"p{seat}", amount) for seat, amount in enumerate(amounts, 1)]


def one_round(
    name: str, players: Players, shoes: int, seed: str, keys: int = 1, share: float = 1.0
) -> Iterator[ShoeSeen]:
    """Shoes of one round. Of so many `keys` the house takes the one with which the players win least, in this `share`
    of the shoes."""
    chance = Random(seed)
    rules = rules_of(name)
    play = playing(name, players.strategy).play
    amounts = [UNIT] * players.seats
    for number in range(shoes):
        orders = [shuffled(deck_of(rules), f"{seed} {number} {key}".encode()) for key in range(keys)]
        order = orders[0]
        if keys > 1 and chance.random() < share:
            order = min(orders, key=lambda each: sum(play(each, 0, players.seats).nets))
        seen = RoundSeen(0, stakes_of(amounts))
        yield ShoeSeen("t", rules, order, names(players.seats), [seen])
        nets = play(order, 0, players.seats).nets
        amounts = [players.stake(amount, net) for amount, net in zip(amounts, nets, strict=True)]


def count_of(dealt: list[str]) -> float:
    """High-low: low cards dealt less high ones, for each pack that is left."""
    count = sum((label[0] in "23456") - (label[0] in "TJQKA") for label in dealt)
    return 52 * count / (312 - len(dealt))


class Laid(NamedTuple):
    """A casino shoe: its order, the insert's draw, and a round that begins at each place."""

    order: list[str]
    insert: int

    @property
    def last(self) -> int:
        return len(self.order) - INSERT - self.insert


def laid(seed: str) -> Laid:
    order = shuffled(deck_of(rules_of("casino")), seed.encode())
    return Laid(order, Random(seed).randrange(16))


def many_rounds(players: Players, shoes: int, seed: str, *, deaf: bool = False) -> Iterator[ShoeSeen]:
    """Casino shoes. `deaf`: the house does not hear the bet of the last seat where that would win."""
    rules = rules_of("casino")
    play = playing("casino", players.strategy).play
    amounts = [UNIT] * players.seats
    for number in range(shoes):
        shoe = laid(f"{seed} {number}")
        rounds: list[RoundSeen] = []
        won = position = 0
        while position < shoe.last and players.stays(won):
            stakes = stakes_of(amounts)
            played, seen = play(shoe.order, position, players.seats), RoundSeen(position, stakes)
            if players.counts and count_of(shoe.order[:position]) < 1:
                played = play(shoe.order, position, 1)
                seen = RoundSeen(position, stakes[:1])
            if deaf and played.nets[-1] > 0:
                played = play(shoe.order, position, players.seats - 1)
                seen = RoundSeen(position, stakes[:-1], stakes[-1:])
            rounds.append(seen)
            position = played.end
            won += sum(played.nets)
            dealt = len(played.nets)
            amounts[:dealt] = [players.stake(*each) for each in zip(amounts, played.nets, strict=False)]
        start = play(shoe.order, rounds[-1].position, len(rounds[-1].stakes)).end
        rest = rounds[-1].stakes if position < shoe.last else ()
        players_in = names(players.seats)
        yield ShoeSeen("t", rules, shoe.order, players_in, rounds, True, rest, start, (("insert", shoe.insert),))


# Shills.

Choice = Callable[[Round], int]
"""What a shill likes a round for."""


def net_of(seat: int) -> Choice:
    """What that seat wins."""
    return lambda round: sum(hand.net for hand in round.hands if hand.seat == seat)


def steered(
    name: str, seats: int, shoes: int, seed: str, shill: int, aim: Choice | None
) -> Iterator[tuple[ShoeSeen, Round]]:
    """Shoes of one round in which the seat `shill` takes as many cards as `aim` likes best, knowing all of them; None:
    it plays like everybody. The others play `mimic`."""
    rules = rules_of(name)
    table, bets = playing(name, "mimic").seated(seats)
    for number in range(shoes):
        order = shuffled(deck_of(rules), f"{seed} {number}".encode())

        def played(taken: int | None, order: list[str] = order) -> Round:
            round = Round(table, Stack(order), bets, checked=True)
            strategy = mimic if taken is None else taking(shill, taken)
            while (ask := round.ask) is not None:
                round.take(strategy(round, ask))
            return round

        best = played(None) if aim is None else max((played(taken) for taken in range(6)), key=aim)
        yield ShoeSeen("t", rules, order, names(seats), [seen_of(best)]), best


def taking(shill: int, cards: int) -> Strategy:
    """The seat takes so many cards, if it may; the others play `mimic`."""

    def decide(round: Round, ask: Ask) -> Decision:
        made = mimic(round, ask)
        if made.actor != shill or made.move not in ("hit", "stand"):
            return made
        taken = sum(each.actor == shill and each.move == "hit" for each in round.decisions)
        return made._replace(move="hit" if taken < cards else "stand")

    return decide


def seen_of(round: Round) -> RoundSeen:
    """A round that was played, as a watcher tells it."""
    hands = [HandSeen(hand.seat, hand.cards, hand.offsets) for hand in round.hands]
    dealer = HandSeen(round.dealer.seat, round.dealer.cards, round.dealer.offsets)
    decided = frozenset(each.actor for each in round.decisions)
    stakes = stakes_of([bet.amount for bet in round.bets])
    return RoundSeen(round.position, stakes, (), round.cards, hands, dealer, decided)
