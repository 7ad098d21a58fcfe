"""A small honest house that writes logs without the service: for the auditor's tests and benchmarks.

Everything is drawn from a `random.Random`, so that a log repeats. Players contribute seeds, bet,
decide at random among what is legal, now and then too late.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from fairshoe.engine.table import POOL, Bet, fresh_table
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


@dataclass
class Prepared:
    """A shoe from its commitment on: what the house knows about it before it is dealt."""

    id: str
    key: bytes
    roster: list[str]
    seeds: dict[str, bytes]
    cut: dict[str, Any] | None = None


class Seating:
    """One table of the house. Players in `silent` send no seeds; with `ahead` the next shoe is prepared early."""

    def __init__(
        self,
        house: House,
        name: str,
        rules: str,
        seats: Sequence[int] = (1, 2, 3),
        *,
        chips: int = 5000,
        ahead: bool = False,
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
        self.silent: set[str] = set()
        self.ahead = ahead
        self.waiting: Prepared | None = None
        house.log(entries.table_entry(house.at(), name, self.rules, POLICY))
        for seat in seats:
            self.chips("buy-in", seat, 10_000 if self.rules.first_account == POOL else chips)

    def chips(self, op: str, seat: int, amount: int, **more: Any) -> None:
        player = self.table.players.get(seat) or f"{self.name}-p{seat}"
        after = move_chips(self.table, op, seat, player, amount, **more)
        accounts = changed_accounts(self.table, after, seat)
        self.house.log(entries.chips_entry(self.house.at(), self.name, op, seat, player, amount, accounts, **more))
        self.table = after

    def leave(self, seat: int) -> None:
        self.chips("cash-out", seat, self.table.purse[seat], leaves=True)

    # A shoe.

    def play(self, rounds: int, *, close: bool = False) -> None:
        """So many rounds, in as many shoes as they need; every key is revealed."""
        for _ in self.steps(rounds, close=close):
            pass

    def steps(self, rounds: int, *, close: bool = False) -> Iterator[None]:
        """The same step by step; between steps no round is open. `close`: the last shoe ends with the last round."""
        goal = self.rounds + rounds
        while self.rounds < goal:
            self.settle_bank()
            if self.rules.needs_first_bank(self.table):
                self.first_bank()
            else:
                yield from self.shoe(goal if close else None)
        if close and self.waiting is not None:
            self.void(self.prepare(), "closing")

    def commit(self, purpose: str | None = None) -> Prepared:
        rules, table, house = self.rules, self.table, self.house
        self.shoes += 1
        roster = [table.players[chair] for chair in sorted(table.players) if table.players[chair] != self.out]
        self.out = None
        cutter = None
        if rules.cut_range() is not None and table.players:
            cutter = table.players[rules.cutter(table, self.shoes)]
        cutter = cutter if cutter in roster else None
        seeds = {who: self.random.randbytes(self.random.choice((8, 16, 32))) for who in roster}
        shoe = Prepared(shoe_id(self.name, self.shoes), self.new_key(), roster, seeds)
        for who in self.silent & seeds.keys():
            del seeds[who]
        house.log(
            entries.shoe_entry(
                house.at(),
                shoe.id,
                deck=rules.deck,
                cards=rules.cards,
                commitment=commitment_of(shoe.key),
                roster=roster,
                draws=rules.draws(),
                cutter=cutter,
                purpose=purpose,
            )
        )
        span = rules.cut_range()
        if span is not None and cutter is not None and self.random.random() < 0.8:
            shoe.cut = entries.cut_form(self.random.randint(*span), cutter)
        return shoe

    def new_key(self) -> bytes:
        return self.random.randbytes(32)

    def hash(self, shoe: Prepared) -> None:
        if len(shoe.roster) > 1:
            for who in shoe.roster[1:]:
                if self.random.random() < 0.05:
                    shoe.seeds.pop(who, None)
            hashes = {who: hashlib.sha256(value).hexdigest() for who, value in shoe.seeds.items()}
            self.house.log(entries.seeds_entry(self.house.at(), shoe.id, hashes, shoe.cut))

    def prepare(self) -> Prepared:
        """A shoe with its hashes: the one that waits, or a new one."""
        shoe, self.waiting = self.waiting, None
        if shoe is None:
            shoe = self.commit()
            self.hash(shoe)
        return shoe

    def seal(self, shoe: Prepared, *, burns: bool) -> Sealed:
        rules = self.rules
        logged = shoe.cut is not None and len(shoe.roster) > 1
        chosen = shoe.cut
        common: dict[str, Any] = {
            "key": shoe.key,
            "shoe": shoe.id,
            "deck": named_deck(rules.deck),
            "seeds": [(who, shoe.seeds[who]) for who in shoe.roster if who in shoe.seeds],
            "draws": rules.draws(),
        }
        if rules.cut_range() is not None and chosen is None:
            chosen = entries.cut_form(seal(**common).number("cut"))
        sealed = seal(**common, cut=0 if chosen is None else chosen["at"])
        burn = sealed.draw() if burns else None
        seeds = {who: value.hex() for who, value in shoe.seeds.items()}
        self.house.log(entries.seal_entry(self.house.at(), shoe.id, seeds, cut=None if logged else chosen, burn=burn))
        return sealed

    def reveal(self, shoe: Prepared, sealed: Sealed, why: str) -> None:
        draws = {name: sealed.number(name) for name in sealed.draws}
        self.house.log(entries.reveal_entry(self.house.at(), shoe.id, shoe.key.hex(), draws, sealed.position, why))

    def void(self, shoe: Prepared, why: str, by: str | None = None, round: int | None = None) -> None:
        self.house.log(entries.void_entry(self.house.at(), shoe.id, shoe.key.hex(), why, by, round))
        if why == "seed":
            self.out = by

    def asked_reshuffle(self, by: str) -> None:
        """A shoe that is closed before its seal, since somebody asked for another."""
        self.void(self.prepare(), "reshuffle", by)

    def unopened_seed(self) -> str:
        """A shoe whose last contributor does not open the seed; who that was. Bets that stood are returned."""
        shoe = self.prepare()
        if self.rules.one_round:
            self.open(shoe)
        late = list(shoe.seeds)[-1]
        self.void(shoe, "seed", late, self.rounds if self.rules.one_round else None)
        return late

    def shoe(self, goal: int | None = None) -> Iterator[None]:
        """One shoe, from its commitment to its reveal; with a `goal` it is closed after that round."""
        shoe = self.prepare()
        rules = self.rules
        if rules.one_round:
            bets = self.open(shoe)
            sealed = self.seal(shoe, burns=rules.burns)
            self.round(shoe, sealed, bets)
            self.reveal(shoe, sealed, "worn")
            yield
            return
        sealed = self.seal(shoe, burns=rules.burns)
        why, since = "worn", self.house.now
        while not self.worn(sealed):
            if self.settle_bank() or rules.needs_first_bank(self.table):
                why = "bank"
                break
            if self.rounds == goal:
                why = "closing"
                break
            if 0 < POLICY["shoe"] <= (self.house.now - since).total_seconds():
                why = "age"
                break
            self.round(shoe, sealed, self.open(shoe))
            if self.ahead and self.waiting is None and self.rounds != goal:
                self.waiting = self.prepare()
            yield
        self.reveal(shoe, sealed, why)

    def worn(self, sealed: Sealed) -> bool:
        draws = {name: sealed.number(name) for name in sealed.draws}
        return bool(sealed.position) and self.rules.worn(sealed.position, len(sealed), draws)

    # The bank.

    def settle_bank(self) -> bool:
        """Whether the bank moved."""
        between = Between(self.table)
        while between.ask is not None:
            between.decide(self.choose(between.ask))
        if not between.result.why:
            return False
        self.house.log(entries.bank_move_entry(self.house.at(), self.name, between))
        self.table = between.result.table
        return True

    def first_bank(self) -> None:
        shoe = self.commit("bank")
        self.hash(shoe)
        sealed = self.seal(shoe, burns=False)
        seat, cards = self.rules.first_bank(self.table, self.cards(sealed))
        self.house.log(entries.bank_entry(self.house.at(), self.name, "first", seat, shoe=shoe.id, cards=cards))
        self.table = self.table.after({}, bank=seat)
        self.reveal(shoe, sealed, "worn")

    # A round.

    def open(self, shoe: Prepared) -> list[Bet]:
        bets = self.bets()
        if not bets:
            raise RuntimeError("nobody can bet any more")
        self.rounds += 1
        self.house.log(entries.open_entry(self.house.at(), shoe.id, self.rounds, bets, self.waived(shoe, bets)))
        return bets

    def waived(self, shoe: Prepared, bets: list[Bet]) -> list[int]:
        return sorted({bet.seat for bet in bets if self.table.players.get(bet.seat) not in shoe.seeds})

    def bets(self) -> list[Bet]:
        """What everybody who can bets, in acting order."""
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
        return self.boxes(bets)

    def boxes(self, bets: list[Bet]) -> list[Bet]:
        """Where a player may hold several boxes the first one takes one more."""
        if self.rules.name != "boxes" or not bets:
            return bets
        last = bets[-1]
        return [*bets, Bet(bets[0].seat, bets[0].amount, last.box + 1)] if last.box < 7 else bets

    def round(self, shoe: Prepared, sealed: Sealed, bets: list[Bet]) -> None:
        cards = self.cards(sealed)
        played = Round(self.table, cards, bets)
        while played.ask is not None:
            played.decide(self.choose(played.ask))
        for number, after in enumerate(played.reshuffled):
            record = sealed.reshuffles[len(sealed.reshuffles) - len(played.reshuffled) + number]
            line = sealed.transcript.reshuffles[len(sealed.reshuffles) - len(played.reshuffled) + number]
            self.house.log(
                entries.reshuffle_entry(
                    self.house.at(),
                    shoe.id,
                    self.rounds,
                    number=line.number,
                    after=after,
                    cards=line.size,
                    deck_hash=line.deck_hash,
                    cut=record.cut,
                    burn=cards.burned[number] if number < len(cards.burned) else None,
                )
            )
        self.house.log(round_entry(self.house.at(), shoe.id, self.rounds, played))
        self.table = played.close()

    def cards(self, sealed: Sealed) -> ShoeCards:
        """Where a round's cards come from."""
        return ShoeCards(sealed)

    def choose(self, ask: Ask) -> Decision:
        """Any legal decision; one in twenty is the table's."""
        if self.random.random() < 0.05:
            return ask.by_default()
        move = self.random.choice(ask.moves)
        amount = self.random.randint(move.low, move.high)
        many = self.random.randint(move.fewest, move.most)
        return Decision(ask.actor, move.name, amount, tuple(sorted(self.random.sample(move.among, many))))


def honest(rules: str, rounds: int = 60, seed: int = 1, seats: Sequence[int] = (1, 2, 3), **options: Any) -> House:
    """A house with one table of these rules and some rounds played."""
    house = House(seed)
    Seating(house, rules, rules, seats, **options).play(rounds)
    return house


__all__ = ["POLICY", "SIGNER", "House", "Prepared", "Seating", "honest"]
