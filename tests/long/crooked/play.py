"""A house that knows every key, at tables that the real machine runs: honest seats, and seats of its own.

The class plays honestly. A trick overrides what the house hears (`hash`, `bet`, `seed`, `decide`: what comes
to it now), what it does between rounds, and may `forge` what the machine refuses: then the entry goes to the
log all the same, and the table is folded on from there.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Self

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.phase import phase
from fairshoe.ceremony.acting.playing import bank_question, rebuild_round
from fairshoe.ceremony.acting.shoes import current_order
from fairshoe.ceremony.acting.state import State
from fairshoe.ceremony.book import LoggedPlacer
from fairshoe.ceremony.contributing import bettors, cut_range, cutters, forced_bets_of, is_cut, openers
from fairshoe.engine.cards import Stack
from fairshoe.engine.hand import UP
from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.round import Round, Strategy, run_round
from fairshoe.engine.rules.lounge import BUY_IN, Lounge
from fairshoe.engine.strategies import mimic, reference_cut
from fairshoe.engine.table import Bet, Table
from fairshoe.errors import IllegalDecision
from fairshoe.log.canonical import Entry
from fairshoe.protocol.shoe import Sealed

from .world import World

STEPS = 1_000
"""More steps than this between two rounds: the trick hangs."""
SAMPLES = 30
"""Orders of the cards to come over which a house averages that does not know them."""


class Play(World):
    """Rounds in which everybody, the house too, is honest."""

    def play(self) -> Self:
        """The rounds, to the end of the last shoe."""
        idle = 0
        while self.rounds < self.goal or self.state.shoe is not None:
            before = self.rounds
            self.step()
            idle = 0 if self.rounds > before else idle + 1
            if idle > STEPS:
                raise RuntimeError(f"{self.name}: nothing comes of {phase(self.state)} in round {self.rounds}")
        self.finish()
        return self

    def finish(self) -> None:
        """What the log ends with."""

    def noticed(self) -> Iterator[str]:
        """Who notices the trick in play, without an audit: as `who: what`."""
        return iter(())

    # What would be.

    @classmethod
    def honest_table(cls) -> dict[str, Any]:
        """What the honest house has in common with this one."""
        same = {name: getattr(cls, name) for name in ("rules", "options", "purse", "banker")}
        return {**same, "sitting": cls.fair or cls.sitting}

    @classmethod
    def honest_house(cls, rounds: int) -> Play:
        """The same rounds at a house that tries nothing."""
        made: Play = type("Honest", (Play,), cls.honest_table())(rounds)
        return made.play()

    def fork(self) -> Play:
        """The same tables in a world of their own, where everybody is honest from now on."""
        other = Play.__new__(Play)
        other.__dict__.update(self.__dict__)
        other.log, other.sums, other.seeds = [], {}, dict(self.seeds)
        other.staked, other.placed = dict(self.staked), self.placed
        if self.placed:
            other.placer = deepcopy(self.placer) if self.together else self.placer.guessed()
            other.tree = deepcopy(self.tree)
        for name in ("rules", "seed_of"):
            setattr(other, name, getattr(self, name))
        return other

    def peek(self, act: Callable[[Play], Any] | None = None, rounds: int = 1) -> int:
        """What the house would win in the next rounds of this shoe if, after `act`, everybody played honestly on."""
        other = self.fork()
        if act is not None:
            act(other)
        return other.ahead(self.rounds + rounds, self.shoes)

    def foreseen(self, bets: list[Bet], strategy: Strategy = mimic) -> int:
        """What the house would win with these bets in the next round of a sealed shoe: the same, and faster."""
        shoe = self.state.shoe
        return 0 if shoe is None else self.wins(self.dealt(bets, shoe.position, strategy))

    def dealt(self, bets: list[Bet], position: int, strategy: Strategy = mimic) -> Round:
        """A round of the sealed shoe that begins at `position`."""
        shoe = self.state.shoe
        if shoe is None:
            raise RuntimeError("no shoe")
        if self.seen is None or self.seen[0] != shoe.id or self.placed:
            sealed = current_order(self.state, shoe, self.key)
            cards, upto = sealed.order(), list(range(len(sealed)))
            if self.placed and shoe.placer is not None:
                upto = self.places(shoe.placer, sealed) if self.together else self.placer.rest(len(cards))
            self.seen = shoe.id, [cards[i] for i in upto]
        return run_round(self.state.table, Stack(self.seen[1], position=position), bets, strategy)

    def best_decision(self, round: Round, choices: Iterable[Decision]) -> Decision:
        """The decision with which the house wins most of the open round, on average, if everybody plays honestly on."""
        orders = list(self._orders(round))
        return max(choices, key=lambda choice: sum(self._decided(round, choice, order) for order in orders))

    def _decided(self, round: Round, decision: Decision, cards: list[str]) -> int:
        """What the house wins of the open round by a decision, if these are the round's cards."""
        decisions = iter([*round.decisions, decision])
        try:
            return self.wins(
                self.played(round.table, cards, round.bets, lambda now, ask: next(decisions, None) or mimic(now, ask))
            )
        except IllegalDecision:  # with other hidden cards the round would be over
            return 0

    def played(self, table: Table, cards: list[str], bets: Sequence[Bet], strategy: Strategy) -> Round:
        """A round of these cards, which are a whole deck, so that none is gathered again."""
        return run_round(table, Stack(cards), bets, strategy)

    def count(self, entry: Entry, before: State) -> None:
        was = self.sums.get(self.shoes, [0])[0]
        super().count(entry, before)
        won, stakes = self.sums[self.shoes]
        shoe, fair = before.shoe, won - was
        if not self.decides or shoe is None:
            return
        if shoe.sealed:  # else it was over before anybody could decide
            own, start = current_order(before, shoe, self.key).order(), entry["pos"]
            cards = [own[place] for place in self.placer.order[start:]] if self.placed else own[start:]
            if "reshuffled" in entry:
                cards = entry["cards"]
            rest = list((Counter(own) - Counter(cards)).elements())
            random.Random(f"{shoe.id} {start}").shuffle(rest)
            bets = [Bet(seat, amount, seat) for seat, amount in sorted(self.staked.items())]
            fair = self.wins(self.played(before.table, [*cards, *rest], bets, mimic))
        self.fair_sums[self.shoes] = [self.fair_sums.get(self.shoes, [0])[0] + fair, stakes]

    def _orders(self, round: Round) -> Iterator[list[str]]:
        """Cards of the open round, then those to come, as the house may think of them. It knows the cards that lie,
        those that lie hidden only if it `peeps`; those to come only without a placer."""
        shoe = self.state.shoe
        if shoe is None:
            raise RuntimeError("no shoe")
        sealed, start, dealt = current_order(self.state, shoe, self.key), round.position, round.cards
        own, unseen = sealed.order(), () if self.peeps else self._hidden(round)
        if round.reshuffled:  # the deck that is present is another one
            left, before = list((Counter(own) - Counter(dealt)).elements()), []
        else:
            if self.placed and shoe.placer is not None:
                own = [own[i] for i in (self.places(shoe.placer, sealed) if self.together else self.placer.order)]
            left, before = own[start + len(dealt) :], own[:start]
        knows = not ((self.placed and not self.together) or round.reshuffled)
        left += [card for i, card in enumerate(dealt) if i in unseen]
        chance = random.Random(f"{shoe.id} {start} {len(round.decisions)}")
        for _ in range(1 if knows else SAMPLES):
            if not knows:
                chance.shuffle(left)
            cards = iter([*left, *chance.sample(before, len(before))])
            yield [*(next(cards) if i in unseen else card for i, card in enumerate(dealt)), *cards]

    def _hidden(self, round: Round) -> Container[int]:
        """The cards of a round, in the order of dealing, that no seat of the house sees."""
        mine = {UP, *self.seats(honest=False)}
        hands = (*round.hands, round.dealer)
        return {hand.offsets[i] for hand in hands for i, face in hand.hidden.items() if face not in mine}

    def places(self, placer: LoggedPlacer, sealed: Sealed) -> list[int]:
        """All places of a shoe's deck, for a house that works with its placer."""
        return self.placer.known(placer.commitment, sealed.transcript.digest, len(sealed))

    def wins(self, round: Round) -> int:
        """What the house wins of the honest seats by a round that is over."""
        before, after = round.table, round.close()
        return sum(before.purse[seat] - after.purse[seat] for seat in self.seats())

    def ahead(self, rounds: int, shoes: int) -> int:
        for _ in range(STEPS):
            if self.rounds >= rounds or self.shoes != shoes or self.state.shoe is None:
                break
            self.step()
        return self.won

    # One step, as everybody honest does it.

    def step(self) -> None:
        """The next thing that somebody does, or a limit."""
        {
            "idle": self.in_idle,
            "bank": self.in_bank,
            "hash": self.in_hash,
            "bet": self.in_bet,
            "seed": self.in_seed,
            "round": self.in_round,
            "closed": self.wait,
        }[phase(self.state)]()

    def in_idle(self) -> None:
        for seat, player in sorted(self.state.table.players.items()):
            debt = self.state.book.debts.get(player)
            if debt is not None and not debt.is_paid:
                self.do(say.GiveSeed(seat, self.seed_of(player, next(iter(debt.seeds))).hex()))
                return
            rules = self.state.rules
            if isinstance(rules, Lounge) and rules.game_over(self.state.table):
                for payer in sorted(self.state.table.players):
                    self.do(say.BuyIn(payer, BUY_IN))
                return
        self.ask_shoe()

    def ask_shoe(self) -> None:
        for seat in self.seats():
            self.state.lapse_credits[seat] = self.state.book.chairs[seat].lapse_count  # they are there, heard or not
        self.do(say.AskShoe(min(self.state.table.players)))

    def in_bank(self) -> None:
        between = bank_question(self.state)
        ask = between.ask
        if ask is None:
            raise RuntimeError("the bank is settled")
        decision = self.about_bank(ask)
        number, step = self.state.book.rounds, len(between.decisions)
        self.do(say.Decide(ask.actor, number, step, decision.move, decision.amount, decision.chosen))

    def about_bank(self, ask: Ask) -> Decision:
        if self.banker and any(move.name == "give" for move in ask.moves) and ask.actor != self.seat(self.banker):
            return Decision(ask.actor, "give", 0, (self.seat(self.banker),))
        return next(
            (Decision(ask.actor, move.name) for move in ask.moves if move.name == "agree" and not move.high),
            ask.default_decision()._replace(by="seat"),
        )

    def in_hash(self) -> None:
        state, shoe = self.state, self.state.shoe
        for player in shoe.roster if shoe else ():
            if shoe and player not in shoe.struck and player not in state.hashes and self.hash(player):
                return
        self.wait()

    def in_bet(self) -> None:
        state, shoe = self.state, self.state.shoe
        if shoe is None or forced_bets_of(state.book, shoe) is not None:
            return self.wait()
        for seat in [seat for seat in [*bettors(state.book, shoe), *state.waivers] if seat not in state.bets]:
            if self.state.shoe is None or phase(self.state) != "bet":
                return None
            if self.bet(seat):
                return None
        return self.wait()

    def in_seed(self) -> None:
        shoe = self.state.shoe
        if shoe is None:
            raise RuntimeError("no shoe")
        waited = shoe.roster if shoe.alone else openers(self.state.book, shoe)
        if not waited or not self.seed(waited[0]):
            self.wait()

    def in_round(self) -> None:
        if not self.state.round_dealt:
            self.do(None)
        elif not self.decide(*self.asked()):
            self.wait()

    def asked(self) -> tuple[Round, Ask]:
        """The open round, and who is to decide what."""
        found = rebuild_round(self.state, self.key)
        if found is None or found[0].ask is None:
            raise RuntimeError("nothing to decide")
        return found[0], found[0].ask

    # What the house hears: each says whether it did.

    def hash(self, player: str) -> bool:
        shoe = self.state.shoe
        if shoe is None:
            return False
        seed = self.seed_of(player, shoe.id)
        cut = self.cut(player) if not shoe.alone else None
        self.do(say.GiveHash(self.seat(player), hashlib.sha256(seed).hexdigest(), cut))
        return True

    def cut(self, player: str) -> int | None:
        shoe = self.state.shoe
        if shoe is None or not is_cut(shoe) or player not in cutters(self.state.book, shoe):
            return None
        return max(reference_cut(self.state.rules), cut_range(self.state.rules, shoe)[0])

    def seed_of(self, player: str, shoe: str) -> bytes:
        return self.seeds.setdefault((player, shoe), hashlib.sha256(f"seed {player} {shoe}".encode()).digest()[:16])

    def seed(self, player: str) -> bool:
        shoe = self.state.shoe
        if shoe is None:
            return False
        cut = self.cut(player) if shoe.alone else None
        self.do(say.GiveSeed(self.seat(player), self.seed_of(player, shoe.id).hex(), cut))
        return True

    @property
    def unit(self) -> int:
        return self.state.rules.lowest_bet

    def bet(self, seat: int, amount: int | None = None) -> bool:
        """A bet of the minimum, or of `amount`; 0 is a pass."""
        wanted = self.unit if amount is None else amount
        stakes = (say.Stake(wanted, seat if self.rules == "boxes" else None),) if wanted else ()
        self.do(say.PlaceBets(seat, self.state.book.rounds + 1, stakes))
        return True

    def decide(self, round: Round, ask: Ask, move: str | None = None) -> bool:
        return self.said(round, mimic(round, ask) if move is None else Decision(ask.actor, move))

    def said(self, round: Round, decision: Decision) -> bool:
        number = self.state.book.rounds if self.state.book.open_round is None else self.state.book.open_round.number
        actor, move, amount, chosen, _ = decision
        self.do(say.Decide(actor, number, len(round.decisions), move, amount, chosen))
        return True
