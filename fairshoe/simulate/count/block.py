"""One block of rounds: a fresh table, its own shoes, its own choices."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from ...cards import named_deck
from ...engine.bank import Between
from ...engine.cards import Cards, ShoeCards
from ...engine.round import run
from ...engine.rules import Rules
from ...engine.strategies import reference_cut
from ...engine.table import HOUSE, POOL, Bet, Table
from ...protocol.shoe import CUT, Sealed, seal
from ...protocol.words import Words
from ..shuffled import Shuffled
from ..strategy import choosing
from .tally import FIRST, Tally

if TYPE_CHECKING:
    from .plan import Plan

CHIPS = 10**9
BUY_IN = 10_000
"""What every game takes: LO-02 fixes it, the others take any amount. The purses are filled up afterwards."""


class Block:
    """One block: a fresh table, its own shoes, its own choices."""

    def __init__(self, plan: Plan, block: int) -> None:
        self.rules = rules = plan.rules
        self.plan = plan
        self.block = block
        self.shoes = 0
        choose = Words(self._key("choices"), b"fairshoe simulate", b"").uniform
        self.strategy, self.about_bank = choosing(plan.strategy, choose)
        chairs = range(1, plan.seats + 1)
        bank = rules.first_account
        self.purse = dict.fromkeys((HOUSE, POOL, *chairs), CHIPS)
        table = Table(rules, {chair: f"player-{chair}" for chair in chairs}, {**self.purse, bank: CHIPS}, bank)
        for chair in chairs:
            table = rules.buy_in(table, chair, BUY_IN)
        self.table = table.after(self.purse)
        self.bank_moves = type(rules).between is not Rules.between
        self.remembers = self.bank_moves or type(rules).close is not Rules.close

    def play(self, rounds: int) -> Tally:
        """The next `rounds` rounds of this block."""
        rules, table, strategy = self.rules, self.table, self.strategy
        tally = Tally(played=rounds)
        bet = self.plan.bet
        flat = 0 if rules.stake(bet) else bet
        bets: list[Bet] = []
        shoe: Shuffled | None = None
        draws: dict[str, int] = {}
        for _ in range(rounds):
            if self.bank_moves:
                table, moved = self._settle_bank(table)
                if moved:
                    shoe, bets = None, []
            bets = bets or [Bet(seat, bet, seat) for seat in rules.acting_order(table)]
            if shoe is None and rules.one_round:
                played = run(table, self._one_round(), bets, strategy, trusted=True)
            else:
                if shoe is None:
                    shoe, draws = self._shoe()
                played = run(table, shoe, bets, strategy, trusted=True)
                position = shoe.position
                if rules.worn(position, shoe.present, draws):
                    shoe = None
                else:
                    shoe.begin(position)
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

    def _one_round(self) -> Cards:
        cut = reference_cut(self.rules)
        sealed = self._sealed("shoe", cut)
        return Shuffled(sealed) if cut else ShoeCards(sealed)  # lazily where a round needs few cards of many

    def _shoe(self) -> tuple[Shuffled, dict[str, int]]:
        sealed = self._sealed("shoe", reference_cut(self.rules))
        shoe = Shuffled(sealed)
        if self.rules.burns:
            shoe.draw()
            shoe.begin(shoe.position)
        return shoe, {name: sealed.number(name) for name in sealed.draws if name != CUT}

    # The bank.

    def _settle_bank(self, table: Table) -> tuple[Table, bool]:
        """The table with its bank settled, and whether anything happened to it."""
        rules = self.rules
        found = rules.needs_first_bank(table)
        if found:
            seat, _ = rules.first_bank(table, ShoeCards(self._sealed("bank")), rules.first_chairs(table))
            table = rules.found_bank(table, seat)
        between = Between(table)
        while between.ask is not None:
            between.decide(self.about_bank(between.ask))
        return between.result.table.after(self.purse), found or bool(between.result.why)
