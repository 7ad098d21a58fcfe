"""A small honest house that writes logs without the service: for the auditor's tests and benchmarks.

Everything is drawn from a `random.Random`, so that a log repeats. Players contribute seeds, bet,
decide at random among what is legal, now and then too late.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from fairshoe.cards import named_deck
from fairshoe.engine.bank import Between
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.chips import changed_accounts, move_chips
from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.round import Round
from fairshoe.engine.rules import rules_of
from fairshoe.engine.table import POOL, Bet, Table, fresh_table
from fairshoe.errors import IllegalBet
from fairshoe.log.canonical import encode
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.shoe import Sealed, seal
from fairshoe.record import entries
from fairshoe.record.forms import shoe_id
from fairshoe.record.rounds import round_entry

SIGNER = Signer("fairshoe.test/log", hashlib.sha256(b"a signing key for tests").digest())
POLICY = {"hash": 30, "seed": 30, "cut": 30, "bet": 60, "decision": 30, "shoe": 86_400}
START = datetime(2026, 1, 1, tzinfo=UTC)


class House:
    """Writes `lines`. `tables` may be several; one honest step after the other."""

    def __init__(self, seed: int = 1) -> None:
        self.random = random.Random(seed)
        self.lines: list[bytes] = []
        self.now = START

    def at(self) -> str:
        self.now += timedelta(milliseconds=self.random.randint(1, 900))
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def log(self, entry: dict[str, Any]) -> None:
        self.lines.append(encode(entry))

    def write(self, directory: Path) -> Checkpoint:
        return write_log(directory, self.lines, SIGNER)


class Seating:
    """One table of the house."""

    def __init__(
        self,
        house: House,
        name: str,
        rules: str,
        seats: Sequence[int] = (1, 2, 3),
        *,
        chips: int = 5000,
        **options: Any,
    ) -> None:
        self.house = house
        self.random = house.random
        self.name = name
        self.rules = rules_of(rules, options)
        self.table = fresh_table(self.rules)
        self.shoes = 0
        self.rounds = 0
        self.out: str | None = None
        house.log(entries.table_entry(house.at(), name, self.rules, POLICY))
        for seat in seats:
            self.chips("buy-in", seat, 10_000 if self.rules.first_account == POOL else chips)

    def chips(self, op: str, seat: int, amount: int, **more: Any) -> None:
        player = self.table.players.get(seat) or f"{self.name}-p{seat}"
        after = move_chips(self.table, op, seat, player, amount, **more)
        accounts = changed_accounts(self.table, after, seat)
        self.house.log(entries.chips_entry(self.house.at(), self.name, op, seat, player, amount, accounts, **more))
        self.table = after

    # A shoe.

    def play(self, rounds: int) -> None:
        """So many rounds, in as many shoes as they need; every key is revealed."""
        goal = self.rounds + rounds
        while self.rounds < goal:
            self.settle_bank()
            if self.rules.needs_first_bank(self.table):
                self.first_bank()
            else:
                self.shoe(goal)

    def commit(self, purpose: str | None = None) -> None:
        rules, table, house = self.rules, self.table, self.house
        self.shoes += 1
        self.key = self.random.randbytes(32)
        self.id = shoe_id(self.name, self.shoes)
        self.roster = [table.players[chair] for chair in sorted(table.players) if table.players[chair] != self.out]
        self.out = None
        cutter = None if rules.cut_range() is None else table.players[rules.cutter(table, self.shoes)]
        self.cutter = cutter if cutter in self.roster else None
        self.seeds = {who: self.random.randbytes(self.random.choice((8, 16, 32))) for who in self.roster}
        self.cut: dict[str, Any] | None = None
        house.log(
            entries.shoe_entry(
                house.at(),
                self.id,
                deck=rules.deck,
                cards=rules.cards,
                commitment=commitment_of(self.key),
                roster=self.roster,
                draws=rules.draws(),
                cutter=self.cutter,
                purpose=purpose,
            )
        )
        span = rules.cut_range()
        if span is not None and self.cutter is not None and self.random.random() < 0.8:
            self.cut = entries.cut_form(self.random.randint(*span), self.cutter)

    def hash(self) -> None:
        if len(self.roster) > 1:
            for who in self.roster[1:]:
                if self.random.random() < 0.05:
                    del self.seeds[who]
            hashes = {who: hashlib.sha256(value).hexdigest() for who, value in self.seeds.items()}
            self.house.log(entries.seeds_entry(self.house.at(), self.id, hashes, self.cut))

    def seal(self, *, burns: bool) -> Sealed:
        rules = self.rules
        logged = self.cut is not None and len(self.roster) > 1
        chosen = self.cut
        common: dict[str, Any] = {
            "key": self.key,
            "shoe": self.id,
            "deck": named_deck(rules.deck),
            "seeds": [(who, self.seeds[who]) for who in self.roster if who in self.seeds],
            "draws": rules.draws(),
        }
        if rules.cut_range() is not None and chosen is None:
            chosen = entries.cut_form(seal(**common).number("cut"))
        sealed = seal(**common, cut=0 if chosen is None else chosen["at"])
        burn = sealed.draw() if burns else None
        seeds = {who: value.hex() for who, value in self.seeds.items()}
        self.house.log(entries.seal_entry(self.house.at(), self.id, seeds, cut=None if logged else chosen, burn=burn))
        return sealed

    def reveal(self, sealed: Sealed, why: str) -> None:
        draws = {name: sealed.number(name) for name in sealed.draws}
        self.house.log(entries.reveal_entry(self.house.at(), self.id, self.key.hex(), draws, sealed.position, why))

    def void(self, why: str, by: str | None = None, round: int | None = None) -> None:
        self.house.log(entries.void_entry(self.house.at(), self.id, self.key.hex(), why, by, round))
        if why == "seed":
            self.out = by

    def shoe(self, goal: int, *, close: bool = False) -> None:
        """One shoe, from its commitment to its reveal."""
        self.commit()
        self.hash()
        rules = self.rules
        if rules.one_round:
            bets = self.open()
            sealed = self.seal(burns=rules.burns)
            self.round(sealed, bets)
            self.reveal(sealed, "worn")
            return
        sealed = self.seal(burns=rules.burns)
        draws = {name: sealed.number(name) for name in sealed.draws}
        why = "worn"
        while not (sealed.position and rules.worn(sealed.position, len(sealed), draws)):
            if self.settle_bank() or rules.needs_first_bank(self.table):
                why = "bank"
                break
            if self.rounds >= goal and close:
                why = "closing"
                break
            self.round(sealed, self.open())
        self.reveal(sealed, why)

    # The bank.

    def settle_bank(self) -> bool:
        """Whether the bank moved."""
        between = Between(self.table)
        while between.ask is not None:
            between.decide(self.choose(between.ask))
        result = between.result
        if not result.why:
            return False
        before = self.table.purse
        changed = {account: chips for account, chips in result.table.purse.items() if before.get(account) != chips}
        self.house.log(
            entries.bank_entry(
                self.house.at(),
                self.name,
                result.why,
                result.table.bank,
                decisions=between.decisions,
                price=result.price,
                chips=changed or None,
            )
        )
        self.table = result.table
        return True

    def first_bank(self) -> None:
        self.commit("bank")
        self.hash()
        sealed = self.seal(burns=False)
        seat, cards = self.rules.first_bank(self.table, ShoeCards(sealed))
        self.house.log(entries.bank_entry(self.house.at(), self.name, "first", seat, shoe=self.id, cards=cards))
        self.table = self.table.after({}, bank=seat)
        self.reveal(sealed, "worn")

    # A round.

    def open(self) -> list[Bet]:
        rules, table = self.rules, self.table
        unit = rules.bet_unit
        low, high = -(-rules.minimum // unit), min(rules.maximum, 60) // unit
        bets: list[Bet] = []
        for seat in rules.acting_order(table):
            if rules.minimum == rules.maximum:
                bets.append(Bet(seat, rules.minimum, seat))
                continue
            bet = Bet(seat, unit * self.random.randint(low, max(low, high)), seat)
            try:
                rules.check(table, [*bets, bet])
            except IllegalBet:
                continue
            bets.append(bet)
        bets = self.boxes(bets)
        if not bets:
            raise RuntimeError("nobody can bet any more")
        self.rounds += 1
        waived = sorted({bet.seat for bet in bets if table.players[bet.seat] not in self.seeds})
        self.house.log(entries.open_entry(self.house.at(), self.id, self.rounds, bets, waived))
        return bets

    def boxes(self, bets: list[Bet]) -> list[Bet]:
        """Where a player may hold several boxes the first one takes one more."""
        if self.rules.name != "boxes" or not bets:
            return bets
        last = bets[-1]
        return [*bets, Bet(bets[0].seat, bets[0].amount, last.box + 1)] if last.box < 7 else bets

    def round(self, sealed: Sealed, bets: list[Bet]) -> None:
        cards = ShoeCards(sealed)
        played = Round(self.table, cards, bets)
        while played.ask is not None:
            played.decide(self.choose(played.ask))
        for number, after in enumerate(played.reshuffled):
            record = sealed.reshuffles[len(sealed.reshuffles) - len(played.reshuffled) + number]
            line = sealed.transcript.reshuffles[len(sealed.reshuffles) - len(played.reshuffled) + number]
            self.house.log(
                entries.reshuffle_entry(
                    self.house.at(),
                    self.id,
                    self.rounds,
                    number=line.number,
                    after=after,
                    cards=line.size,
                    deck_hash=line.deck_hash,
                    cut=record.cut,
                    burn=cards.burned[number] if number < len(cards.burned) else None,
                )
            )
        self.house.log(round_entry(self.house.at(), self.id, self.rounds, played))
        self.table = played.close()

    def choose(self, ask: Ask) -> Decision:
        """Any legal decision; one in twenty is the table's."""
        if self.random.random() < 0.05:
            return ask.by_default()
        move = self.random.choice(ask.moves)
        amount = self.random.randint(move.low, move.high)
        many = self.random.randint(move.fewest, move.most)
        return Decision(ask.actor, move.name, amount, tuple(sorted(self.random.sample(move.among, many))))


def honest(rules: str, rounds: int = 60, seed: int = 1, seats: Sequence[int] = (1, 2, 3), **options: Any) -> House:
    """A house with one table of these rules, some rounds played, the table closed where a shoe is left."""
    house = House(seed)
    seating = Seating(house, rules, rules, seats, **options)
    seating.play(rounds)
    return house


__all__ = ["SIGNER", "House", "Seating", "Table", "honest"]
