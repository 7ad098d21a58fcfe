"""Who won what: by rule set, day, hour, stake and player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeVar

from fairshoe.engine.rules import Rules

from ..luck.fingerprint import rules_digest
from ..luck.reference import game_of as alike
from .seen import Round

STEPS = (1, 2, 5)

Key = TypeVar("Key")


@dataclass(slots=True)
class Sums:
    """`staked`: the bets before the first card; `wagered`: with doubles, splits, insurance; `net`: what the hands won;
    `squares`: the sum of the squares of the bets; `shared`: the sum of the squares of what was bet on each round.
    From these two follows how widely `net` may stray. `short`: what the
    lounge's pool could not pay. All in the tables' smallest units."""

    rounds: int = 0
    hands: int = 0
    staked: int = 0
    wagered: int = 0
    net: int = 0
    squares: int = 0
    shared: int = 0
    short: int = 0

    def add(self, other: Sums) -> None:
        self.rounds += other.rounds
        self.hands += other.hands
        self.staked += other.staked
        self.wagered += other.wagered
        self.net += other.net
        self.squares += other.squares
        self.shared += other.shared
        self.short += other.short


class Game(NamedTuple):
    """A rule set with its options, as `luck.reference.game_of` has them, by their digest."""

    rules: str
    digest: str


@lru_cache
def game_of(rules: Rules) -> Game:
    """The same for all tables whose options change no round's result for a unit bet."""
    return Game(rules.name, rules_digest(alike(rules)))


class Player(NamedTuple):
    table: str
    player: str


@dataclass
class Results:
    """`banked`: what a player's hands won against that player's bank; `hours` by game and hour (UTC,
    `2026-01-01T09`), `stakes` by rule set and the step of 1, 2, 5, 10, … that a bet reached."""

    hours: dict[tuple[Game, str], Sums] = field(default_factory=dict)
    stakes: dict[tuple[str, int], Sums] = field(default_factory=dict)
    players: dict[Player, dict[Game, Sums]] = field(default_factory=dict)
    banked: dict[Player, dict[Game, Sums]] = field(default_factory=dict)
    options: dict[Game, dict[str, object]] = field(default_factory=dict)

    def round(self, seen: Round) -> None:
        game = game_of(seen.rules)
        if game not in self.options:
            self.options[game] = dict(alike(seen.rules).options)
        whole = Sums(rounds=1)
        mine: dict[str, Sums] = {}
        for seat, stake, hands in _bets(seen):
            net = sum(hand["net"] + hand.get("insurance", 0) for hand in hands)
            wagered = sum(hand["bet"] + hand.get("insured", 0) for hand in hands)
            short = sum(hand.get("short", 0) for hand in hands)
            bet = Sums(0, len(hands), stake, wagered, net, stake * stake, 0, short)
            whole.add(bet)
            step = self.stakes.setdefault((game.rules, step_of(stake)), Sums())
            step.add(bet)
            step.rounds += 1
            step.shared += stake * stake
            player = seen.players.get(seat)
            if player is not None:
                mine.setdefault(player, Sums(rounds=1)).add(bet)
        for player, sums in mine.items():
            sums.shared = sums.staked**2
            _into(self.players.setdefault(Player(seen.table, player), {}), game, sums)
        whole.shared = whole.staked**2
        _into(self.hours, (game, seen.at[:13]), whole)
        banker = seen.players.get(seen.bank)
        if banker is not None:
            _into(self.banked.setdefault(Player(seen.table, banker), {}), game, whole)

    @property
    def games(self) -> dict[Game, Sums]:
        """Of all hours together, by game."""
        found: dict[Game, Sums] = {}
        for (game, _), sums in sorted(self.hours.items()):
            _into(found, game, sums)
        return found

    def merge(self, later: Results) -> None:
        _all_into(self.hours, later.hours)
        _all_into(self.stakes, later.stakes)
        for people, others in ((self.players, later.players), (self.banked, later.banked)):
            for player, games in others.items():
                _all_into(people.setdefault(player, {}), games)
        self.options.update(later.options)


def step_of(stake: int) -> int:
    """The greatest of 1, 2, 5, 10, 20, 50, … that does not exceed a bet."""
    tens = 10 ** (len(str(stake)) - 1)
    return max((tens * step for step in STEPS if tens * step <= stake), default=0)


def _bets(seen: Round) -> Iterator[tuple[int, int, list[dict[str, int]]]]:
    """Each bet: its chair, its stake, the hands that it became."""
    hands: dict[tuple[int, int], list[dict[str, int]]] = {}
    for hand in seen.entry["hands"]:
        hands.setdefault((hand["seat"], hand.get("box", hand["seat"])), []).append(hand)
    for (seat, box), stake in seen.stakes.items():
        if (seat, box) in hands:
            yield seat, stake, hands[seat, box]


def _into(sums: dict[Key, Sums], name: Key, more: Sums) -> None:
    if name not in sums:
        sums[name] = Sums()
    sums[name].add(more)


def _all_into(sums: dict[Key, Sums], more: dict[Key, Sums]) -> None:
    for name, each in more.items():
        _into(sums, name, each)
