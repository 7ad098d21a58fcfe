"""A small honest house that writes logs without the service: for the auditor's tests and benchmarks.

It is a second reading of the ceremony (`docs/log.md`) and shares no code with `fairshoe.ceremony`. Players contribute
seeds, bet, decide at random among what is legal, and now and then let a limit pass; then the house waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.round import BankSettlement, Round
from fairshoe.engine.rules import rules_of
from fairshoe.engine.table import Bet
from fairshoe.errors import IllegalBet
from fairshoe.log.times import HOUR, SECOND
from fairshoe.protocol.shoe import Sealed
from fairshoe.record import entries
from fairshoe.record.rounds import Betting, open_entry, round_entry

from .house_shoe import Shoes
from .house_table import POLICY, SIGNER, House, Prepared

AGE_MARGIN = 2 * POLICY["bet"] * SECOND
"""So long before a shoe's age nobody bets any more, since the limit of the betting might go beyond it."""


class Seating(Shoes):
    """One table of the house, played. Each step is a method that a crooked house may exchange.

    Seats in `passing` always pass, seats in `tardy` are always late to bet. `no_more_bets`: somebody is late before the
    limit has passed (boxes). `resting`: nobody bets any more; the shoe ends after an hour of it.
    """

    def __init__(
        self,
        house: House,
        name: str,
        rules: str,
        seats: Sequence[int] = (1, 2, 3),
        *,
        chips: int = 5000,
        careless: float = 0.05,
        **options: Any,
    ) -> None:
        super().__init__(house, name, rules, seats, chips, careless, options)
        self.played = 0
        self.passing: set[int] = set()
        self.tardy: set[int] = set()
        self.no_more_bets = self.resting = False

    # Shoe after shoe.

    def play(self, rounds: int, *, close: bool = False) -> None:
        """So many rounds, in as many shoes as they need; every key is revealed."""
        for _ in self.steps(rounds, close=close):
            pass

    def steps(self, rounds: int, *, close: bool = False) -> Iterator[None]:
        """The same step by step; between steps no round is open.

        Shoes are played to their end, with more rounds than asked for; `close`: after the last round the table is
        closed and everybody leaves.
        """
        goal = self.played + rounds
        while self.played < goal:
            self.top_up(but=self.table.bank)
            self.settle_bank()
            if self.rules.needs_first_bank(self.table):
                self.first_bank()
            elif self.rules.one_round:
                if self.one_round():
                    yield
            else:
                yield from self.shoe(goal if close else None)
        if close:
            if not self.closed:
                self.close()
            self.leave_all()

    def one_round(self) -> bool:
        """A shoe that serves one round; whether that was dealt."""
        shoe = self.prepare()
        if not self.ready(shoe):
            return False
        betting = self.open(shoe)
        if betting is None:
            self.house.wait(POLICY["bet"], self.betting_began(shoe))
            self.void(shoe, "idle")
            return False
        bets = self.open_seeds(shoe, list(betting.bets))
        if not bets:
            return False
        sealed = self.seal(shoe)
        self.round(shoe, sealed, bets)
        self.reveal(shoe, sealed, "worn")
        return True

    def shoe(self, goal: int | None = None) -> Iterator[None]:
        """A shoe of many rounds, from its commitment to its reveal; with a `goal` the table closes at that round."""
        shoe = self.prepare()
        if not self.ready(shoe) or self.open_seeds(shoe, []) is None:
            return
        sealed = self.seal(shoe)
        while not (why := self.over(shoe, sealed, goal)):
            betting = self.open(shoe)
            if betting is None:
                raise RuntimeError("somebody has a seed in the shoe, and nobody can bet")
            self.round(shoe, sealed, list(betting.bets))
            yield
        self.reveal(shoe, sealed, why)

    def over(self, shoe: Prepared, sealed: Sealed, goal: int | None) -> str:
        """Why a sealed shoe ends before the next `open`, if it does."""
        if self.worn(sealed):
            return "worn"
        if self.settle_bank() or self.rules.needs_first_bank(self.table):
            return "bank"
        self.top_up(but=self.table.bank)
        age = shoe.sealed + POLICY["shoe"] * SECOND
        if self.house.now > age - AGE_MARGIN:
            self.house.wait(POLICY["shoe"], shoe.sealed)
            return "age"
        if goal is not None and self.played >= goal:
            self.close()
            self.leave_all(but=self.table.bank)
        if self.resting:
            self.resting = False
            self.house.wait(HOUR // SECOND, self.house.now if self.closed else self.betting_since)
            return "left"
        return "" if self.seeded(shoe) else "left"

    def worn(self, sealed: Sealed) -> bool:
        draws = {name: sealed.number(name) for name in sealed.draws}
        return bool(sealed.position) and self.rules.is_worn_out(sealed.position, len(sealed), draws)

    def unopened_seed(self) -> str:
        """A shoe whose last contributor does not open the seed; who that was. Bets that stood are returned."""
        careless, self.careless = self.careless, 0.0
        shoe = self.prepare()
        betting = self.open(shoe) if self.rules.one_round else None
        last = self.opening_order(shoe.seeds)[-1]
        self.lapsing.add(last)
        self.open_seeds(shoe, [] if betting is None else list(betting.bets))
        self.lapsing.discard(last)
        self.careless = careless
        return last

    # The bank.

    def settle_bank(self) -> bool:
        """Whether the bank moved."""
        between = BankSettlement(self.table)
        while between.ask is not None:
            between.decide(self.choose(between.ask))
        if not between.result.why:
            return False
        moments = self.decided(between.decisions, self.house.now)
        self.house.log(entries.bank_move_entry(self.house.at(), self.name, between, moments))
        self.table = between.result.table
        return True

    def first_bank(self) -> None:
        shoe = self.commit("bank")
        self.hash(shoe)
        able = [seat for seat in self.rules.bank_candidates(self.table) if self.table.players[seat] in shoe.roster]
        if not self.ready(shoe) or self.open_seeds(shoe, []) is None:
            return
        sealed = self.seal(shoe)
        seat, cards = self.rules.draw_first_bank(self.table, self.cards(sealed), able)
        self.house.log(entries.bank_entry(self.house.at(), self.name, "first", seat, shoe=shoe.id, cards=cards))
        self.table = self.rules.set_first_bank(self.table, seat)
        self.reveal(shoe, sealed, "worn")

    # Bets.

    def open(self, shoe: Prepared) -> Betting | None:
        """Bets stand; None if nobody can bet."""
        if not shoe.sealed:
            self.strike_leavers(shoe)
        betting = self.betting(shoe)
        if betting is None:
            return None
        self.rounds += 1
        self.house.log(open_entry(self.house.at(), shoe.id, self.rounds, betting))
        if not shoe.sealed:
            self.betting_since = self.house.now
        return betting

    def betting_began(self, shoe: Prepared) -> int:
        return self.betting_since if shoe.sealed else max(shoe.hashed, shoe.committed, self.ended)

    def seeded(self, shoe: Prepared) -> list[int]:
        """The chairs but the bank's with a seed of their own in the shoe, or a waiver in an earlier `open` of it."""
        players = self.table.players
        with_part = [seat for seat in sorted(players) if self.has_seed(shoe, seat) or players[seat] in shoe.waived]
        return [seat for seat in with_part if seat != self.table.bank]

    def has_seed(self, shoe: Prepared, seat: int) -> bool:
        """Who left and came back is somebody new."""
        who = self.table.players[seat]
        return who in shoe.seeds and self.taken[who] <= shoe.committed

    def betting(self, shoe: Prepared) -> Betting | None:
        """How the betting ends: of those with a seed everybody bets, passes or is late; newcomers may waive theirs."""
        rules, table = self.rules, self.table
        seeded = self.seeded(shoe)
        forced = rules.forced_bets(table, seeded)
        if forced is not None:
            return Betting(tuple(forced)) if forced else None
        unfunded = [seat for seat in seeded if not self.bet_allowed(Bet(seat, self.lowest, seat))]
        seeded = [seat for seat in seeded if seat not in unfunded]
        if not seeded:
            return None
        late = {seat for seat in seeded if seat in self.tardy or self.forgets()}
        passed = {seat for seat in seeded if seat not in late and (seat in self.passing or self.forgets())}
        if len(late) + len(passed) == len(seeded):
            late, passed = late - {seeded[0]}, passed - {seeded[0]}
        waiving = self.waiving(shoe)
        bets, uncovered = rules.partition_covered(table, self.offers(sorted({*seeded, *waiving} - late - passed)))
        for seat in {*seeded, *waiving} - late:
            self.acted(table.players[seat])
        if late and not self.no_more_bets:
            self.house.wait(POLICY["bet"], self.betting_began(shoe))
            for seat in late:
                self.missed_limit(table.players[seat])
        waived = self.waived(shoe, bets)
        shoe.waived |= {table.players[seat] for seat in waived}
        silent = tuple(sorted(passed)), tuple(sorted(late))
        return Betting(tuple(bets), tuple(waived), *silent, tuple(uncovered), tuple(unfunded))

    def waiving(self, shoe: Prepared) -> list[int]:
        """Chairs taken since the commitment of a shoe of many rounds, which bet this time without a seed of theirs."""
        if self.rules.one_round:
            return []
        players = self.table.players
        known = {*self.seeded(shoe), self.table.bank}
        new = [seat for seat in players if seat not in known and self.taken[players[seat]] > shoe.committed]
        return [seat for seat in new if self.random.random() < 0.7 and self.bet_allowed(Bet(seat, self.lowest, seat))]

    def waived(self, shoe: Prepared, bets: list[Bet]) -> list[int]:
        """The seats among them that bet without a seed of their own."""
        return sorted({bet.seat for bet in bets if not self.has_seed(shoe, bet.seat)})

    def bet_allowed(self, bet: Bet) -> bool:
        try:
            self.rules.check_round_bets(self.table, [bet])
        except IllegalBet:
            return False
        return True

    def offers(self, seats: Sequence[int]) -> list[Bet]:
        """What everybody bets: something between the table's limits that they can pay."""
        unit = self.rules.bet_unit
        low, high = self.lowest // unit, min(self.rules.maximum, 60) // unit
        bets = [Bet(seat, unit * self.random.randint(low, max(low, high)), seat) for seat in seats]
        return self.boxes([bet if self.bet_allowed(bet) else bet._replace(amount=self.lowest) for bet in bets])

    def boxes(self, bets: list[Bet]) -> list[Bet]:
        """Where a player may hold several boxes the first one takes one more, if one is free."""
        free = [box for box in range(1, 8) if box not in self.table.players]
        if self.rules.name != "boxes" or not bets or not free:
            return bets
        first = bets[0]
        able = self.table.purse[first.seat] >= 2 * first.amount
        return [*bets, first._replace(box=free[-1])] if able else bets

    # A round.

    def round(self, shoe: Prepared, sealed: Sealed, bets: list[Bet]) -> None:
        since = self.house.now
        cards = self.cards(sealed)
        played = Round(self.table, cards, bets)
        while played.ask is not None:
            played.decide(self.choose(played.ask))
        moments = self.decided(played.decisions, since)
        self.reshuffles(shoe, sealed, cards, played)
        self.house.log(round_entry(self.house.at(), shoe.id, self.rounds, played, moments))
        self.betting_since = self.house.now
        self.played += 1
        self.table = played.close()

    def reshuffles(self, shoe: Prepared, sealed: Sealed, cards: ShoeCards, played: Round) -> None:
        before = len(sealed.reshuffles) - len(played.reshuffled)
        for number, after in enumerate(played.reshuffled):
            line = sealed.transcript.reshuffles[before + number]
            self.house.log(
                entries.reshuffle_entry(
                    self.house.at(),
                    shoe.id,
                    self.rounds,
                    k=line.number,
                    after=after,
                    cards=line.size,
                    deck=line.deck_hash,
                    cut=sealed.reshuffles[before + number].cut,
                    burn=cards.burned[number] if number < len(cards.burned) else None,
                )
            )

    def cards(self, sealed: Sealed) -> ShoeCards:
        """Where a round's cards come from."""
        return ShoeCards(sealed)

    def choose(self, ask: Ask) -> Decision:
        """Any legal decision; now and then it is the table's."""
        if self.forgets():
            return ask.default_decision()
        move = self.random.choice(ask.moves)
        amount = self.random.randint(move.low, move.high)
        many = self.random.randint(move.fewest, move.most)
        return Decision(ask.actor, move.name, amount, tuple(sorted(self.random.sample(move.among, many))))


def find_chairs(rules: str, most: int = 2) -> tuple[int, ...]:
    """The first chairs at which these rules are played, `most` of them where the table has so many."""
    return tuple(range(1, min(most, rules_of(rules).chairs[1]) + 1))


def honest(rules: str, rounds: int = 60, seed: int = 1, seats: Sequence[int] = (1, 2, 3), **options: Any) -> House:
    """A house with one table of these rules and some rounds played."""
    house = House(seed)
    Seating(house, rules, rules, seats, **options).play(rounds)
    return house


__all__ = ["POLICY", "SIGNER", "House", "Prepared", "Seating", "find_chairs", "honest"]
