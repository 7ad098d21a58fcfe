"""Many rounds of a game by a reference strategy, counted.

All follows from one master key, whatever the number of processes. Blocks of `BLOCK` rounds each have a fresh table;
shoe s of block b has the key HMAC-SHA256(master, "block b shoe s"), a first banker's "block b bank s"; the strategy
`random` has "block b choices". Every round starts with full purses, and a full pool.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from functools import partial
from math import sqrt
from typing import Any, NamedTuple

from ..cards import named_deck
from ..engine.cards import ShoeCards
from ..engine.round import BankSettlement, Round, run_round
from ..engine.rules import Rules, check_playable, rules_of
from ..engine.strategies import choose_legal, find_strategy, random_legal, reference_cut, reference_decision
from ..engine.table import HOUSE, POOL, Bet, Table
from ..errors import InputError
from ..protocol.shoe import CUT, Sealed, seal
from .simulated_table import BUY_IN, RANDOM, KeyedRandom

BLOCK = 5_000
CHIPS = 10**9
FIRST = 1
"""The chair whose results are counted."""


class Plan(NamedTuple):
    """A simulation to run. `seats` chairs are taken, the dealer's included if the bank is a chair."""

    rules: Rules
    strategy: str
    rounds: int
    key: bytes
    seats: int

    @property
    def bet(self) -> int:
        return self.rules.lowest_bet

    def blocks(self) -> Iterator[tuple[int, int]]:
        """(block, rounds in it)."""
        for block, start in enumerate(range(0, self.rounds, BLOCK)):
            yield block, min(BLOCK, self.rounds - start)


def plan(
    rules: str,
    strategy: str,
    rounds: int,
    key: bytes,
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> Plan:
    """A checked plan. Raises InputError."""
    game = rules_of(rules, options)
    check_playable(game)
    fewest, most = game.players_needed, game.chairs[1]
    if strategy != RANDOM:
        find_strategy(game, strategy)
    if rounds < 1:
        raise InputError(f"{rounds}", where="rounds", expected="at least 1")
    if seats is None:
        seats = fewest
    if not fewest <= seats <= most:
        raise InputError(f"{seats}", where="seats", expected=f"{fewest} to {most}")
    return Plan(game, strategy, rounds, key, seats)


def simulate(plan: Plan, *, jobs: int = 1, progress: Callable[[int], None] = lambda played: None) -> Tally:
    """Play a plan in `jobs` processes; `progress` hears how many rounds are played."""
    total = Tally()
    for tally in _tallies(plan, jobs):
        total.add(tally)
        progress(total.played)
    return total


def _tallies(plan: Plan, jobs: int) -> Iterable[Tally]:
    blocks, play = zip(*plan.blocks(), strict=True), partial(_play, plan)
    if jobs == 1:
        yield from map(play, *blocks)
    else:
        with ProcessPoolExecutor(jobs) as pool:
            yield from pool.map(play, *blocks)


def _play(plan: Plan, block: int, rounds: int) -> Tally:
    return Block(plan, block).play(rounds)


class Block:
    """One block: a fresh table, its own shoes, its own choices."""

    def __init__(self, plan: Plan, block: int) -> None:
        self.rules = rules = plan.rules
        self.plan = plan
        self.block = block
        self.shoes = 0
        choose = KeyedRandom(self._key("choices")).below
        by_chance = plan.strategy == RANDOM
        self.strategy = random_legal(choose) if by_chance else find_strategy(rules, plan.strategy)
        self.about_bank = partial(choose_legal, choose=choose) if by_chance else reference_decision
        chairs = range(1, plan.seats + 1)
        bank = rules.first_account
        self.purse = dict.fromkeys((HOUSE, POOL, *chairs), CHIPS)
        table = Table(rules, {chair: f"player-{chair}" for chair in chairs}, {**self.purse, bank: CHIPS}, bank)
        for chair in chairs:
            table = rules.buy_in(table, chair, BUY_IN)
        self.table = table.after(self.purse)
        self.bank_moves = type(rules).settle_bank is not Rules.settle_bank
        self.remembers = self.bank_moves or type(rules).close is not Rules.close

    def play(self, rounds: int) -> Tally:
        """Return the next `rounds` rounds of this block."""
        rules, table, strategy = self.rules, self.table, self.strategy
        tally = Tally(played=rounds)
        bet = self.plan.bet
        flat = 0 if rules.takes_stakes else bet
        bets: list[Bet] = []
        shoe: Sealed | None = None
        draws: dict[str, int] = {}
        for _ in range(rounds):
            if self.bank_moves:
                table, moved = self._settle_bank(table)
                if moved:
                    shoe, bets = None, []
            if not bets:
                bets = [Bet(seat, bet, seat) for seat in rules.acting_order(table)]
                rules.check_round_bets(table, bets)
            if shoe is None:
                shoe, draws = self._shoe()
            cards = ShoeCards(shoe)
            played = run_round(table, cards, bets, strategy, trusted=True, checked=True)
            if rules.one_round or rules.is_worn_out(cards.position, cards.present, draws):
                shoe = None
            if table.bank != FIRST:
                tally.count(played, flat)
            if self.remembers:
                table = played.close().after(self.purse)
        self.table = table
        return tally

    # The shoes.

    def _key(self, name: str) -> bytes:
        return hmac.digest(self.plan.key, f"block {self.block} {name}".encode(), "sha256")

    def _sealed(self, kind: str, cut: int = 0) -> Sealed:
        self.shoes += 1
        rules = self.rules
        return seal(
            key=self._key(f"{kind} {self.shoes}"),
            shoe=f"simulate/{self.block}/{self.shoes}",
            deck=named_deck(rules.deck),
            cut=cut,
            draws=rules.draws(),
        )

    def _shoe(self) -> tuple[Sealed, dict[str, int]]:
        sealed = self._sealed("shoe", reference_cut(self.rules))
        if self.rules.burns:
            sealed.draw()
        return sealed, {name: sealed.number(name) for name in sealed.draws if name != CUT}

    # The bank.

    def _settle_bank(self, table: Table) -> tuple[Table, bool]:
        """Return the table with its bank settled, and whether anything happened to it."""
        rules = self.rules
        found = rules.needs_first_bank(table)
        if found:
            seat, _ = rules.draw_first_bank(table, ShoeCards(self._sealed("bank")), rules.bank_candidates(table))
            table = rules.set_first_bank(table, seat)
        between = BankSettlement(table)
        while between.ask is not None:
            between.decide(self.about_bank(between.ask))
        return between.result.table.after(self.purse), found or bool(between.result.why)


@dataclass
class Tally:
    """Counts over rounds, for the hands in the first chair; chips in the smallest unit."""

    played: int = 0  # rounds played
    rounds: int = 0  # rounds counted: those in which somebody else held the bank
    net: int = 0  # chips won, below zero lost
    squares: int = 0  # sum of the squared results of the rounds
    wagered: int = 0  # chips bet, insurance included
    naturals: int = 0  # naturals of its hands
    player_busts: int = 0  # bust hands
    dealer_busts: int = 0  # rounds in which the dealer bust
    splits: int = 0  # number of splits
    doubles: int = 0  # doubled hands
    insurance_offered: int = 0  # rounds with an offer
    insurance_won: int = 0  # offers that would have won
    bonuses: Counter[str] = field(default_factory=Counter)  # hands but naturals paid more than 1:1, by outcome

    def add(self, other: Tally) -> None:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def count(self, round: Round, flat: int) -> None:
        """Count one round. `flat` unless 0: a hand stakes nothing; one that wins is +`flat`, any other −`flat`."""
        net = 0
        dealer = round.dealer
        for hand in round.hands:
            if hand.seat != FIRST:
                continue
            bet, won = hand.bet, hand.net
            self.wagered += bet
            if flat:
                net += flat if won > 0 else -flat
            else:
                net += won
            if hand.hard > 21:
                self.player_busts += 1
            elif hand.hard == 11 and hand.natural:
                self.naturals += 1
            if won > bet and hand.outcome != "natural":
                self.bonuses[hand.outcome] += 1
            if hand.doubled:
                self.doubles += 1
            if hand.insured:
                net += hand.insurance
                self.wagered += hand.insured
        if len(round.hands) > len(round.bets):
            self.splits += sum(hand.split for hand in round.hands if hand.seat == FIRST) // 2
        if dealer.hard > 21:
            self.dealer_busts += 1
        if dealer.aces and any(d.actor == FIRST and d.move in ("insure", "decline") for d in round.decisions):
            self.insurance_offered += 1
            self.insurance_won += dealer.natural
        self.rounds += 1
        self.net += net
        self.squares += net * net

    def report(self, bet: int) -> dict[str, Any]:
        """The tally per unit of the initial bet, as JSON values; `mean` and `se` are null where nothing says them."""
        n = self.rounds
        mean = self.net / n if n else None
        spread = sqrt(max(self.squares - self.net * self.net / n, 0) / (n - 1) / n) if n > 1 else None
        return {
            "played": self.played,
            "rounds": n,
            "net": self.net / bet,
            "mean": None if mean is None else mean / bet,
            "se": None if spread is None else spread / bet,
            "wagered": self.wagered / bet,
            "naturals": self.naturals,
            "player_busts": self.player_busts,
            "dealer_busts": self.dealer_busts,
            "splits": self.splits,
            "doubles": self.doubles,
            "insurance_offered": self.insurance_offered,
            "insurance_won": self.insurance_won,
            "bonuses": dict(sorted(self.bonuses.items())),
        }
