"""What the order is made of: seeds taken twice, left out, put in by the house, waived; a beacon chosen afterwards."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from fairshoe.cards import named_deck
from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting import shoes
from fairshoe.ceremony.acting.phase import phase
from fairshoe.ceremony.acting.state import copy
from fairshoe.ceremony.acting.work import Work
from fairshoe.ceremony.contributing import openers
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.round import Round, run
from fairshoe.engine.strategies import mimic
from fairshoe.engine.table import Bet
from fairshoe.log.canonical import Entry
from fairshoe.protocol.shoe import Sealed, seal
from fairshoe.protocol.transcript import Beacon
from fairshoe.record import entries
from fairshoe.record.rounds import Betting, open_entry, round_entry

from .play import Play

TRIES = 4


class SameSeeds(Play):
    """The last opener is not heard; of the others the house has the seeds then."""

    name = "same-seeds"
    about = "lets a bad shoe be void, and takes its seeds for the next one again, with a key that it chooses for them"
    rules = "boxes"
    sitting = ("h1", "h2")

    def __init__(self, rounds: int) -> None:
        self.known: dict[str, bytes] = {}
        self.again: dict[str, bytes] = {}
        self.ground: bytes | None = None
        super().__init__(rounds)

    def seed_of(self, player: str, shoe: str) -> bytes:
        if player in self.again and shoe == self.state.shoe_id:
            return self.again[player]
        return super().seed_of(player, shoe)

    def fresh_key(self) -> bytes:
        return self.ground or super().fresh_key()

    def seed(self, player: str) -> bool:
        shoe = self.state.shoe
        if shoe is None or len(openers(self.state.book, shoe)) > 1 or self.again or self.peek() >= 0:
            return super().seed(player)
        self.known = {who: self.seed_of(who, shoe.id) for who in shoe.opened}
        self.wait()
        return True

    def ask_shoe(self) -> None:
        self.again, self.known = self.known, {}
        self.ground = None
        if self.again:
            keys = [hashlib.sha256(f"key {self.shoes + 1} {choice}".encode()).digest() for choice in range(TRIES)]
            self.ground = max(keys, key=self.with_key)
        super().ask_shoe()
        self.ground = None

    def with_key(self, key: bytes) -> int:
        play = self.fork()
        again = self.again
        play.fresh_key = lambda: key  # type: ignore[method-assign]
        play.seed_of = lambda player, shoe: again.get(player, b"?")  # type: ignore[method-assign]
        play.ask_shoe()
        return play.ahead(self.rounds + 1, play.shoes)


class SeedDropped(Play):
    name = "seed-dropped"
    about = "seals without the last opener's seed where that is better, and deals the seat all the same"
    rules = "boxes"
    sitting = ("h1", "s1")

    def seed(self, player: str) -> bool:
        if not self.honest(player) or self.peek() >= 0:
            return super().seed(player)
        self.forge(shoes.seal)
        return True


class WithoutSeed(Play):
    """Its own seat contributes alone, with the seed that the house wants."""

    name = "dealt-without-a-seed"
    about = "does not hear a player's hash, and deals the seat all the same"
    rules = "boxes"
    sitting = ("h1", "s1")
    waived: ClassVar[list[int]] = []

    def write(self, entry: Entry) -> None:
        if entry["kind"] == "seeds":
            del entry["hashes"]["h1"]
        elif entry["kind"] == "open" and self.waived:
            entry["waived"] = self.waived
        super().write(entry)

    def in_hash(self) -> None:
        shoe = self.state.shoe
        if shoe is not None and ("s1", shoe.id) not in self.seeds:
            self.seeds["s1", shoe.id] = max(candidates(self), key=self.with_seed)
        super().in_hash()

    def with_seed(self, seed: bytes) -> int:
        play = self.fork()
        play.seed_of = lambda player, shoe: seed if player == "s1" else b"?"  # type: ignore[method-assign]
        while phase(play.state) != "seed":
            play.step()
        play.seed("s1")
        play.forge(shoes.seal)
        return play.ahead(self.rounds + 1, self.shoes)

    def seed(self, player: str) -> bool:
        super().seed(player)
        self.forge(shoes.seal)
        return True


def candidates(play: Play) -> list[bytes]:
    """Seeds among which the house chooses."""
    return [hashlib.sha256(f"seed {play.shoes} {choice}".encode()).digest()[:16] for choice in range(TRIES)]


class LoungeWithoutSeed(WithoutSeed):
    name = "lounge-without-a-seed"
    about = "the same in the lounge (LO-09)"
    rules = "lounge"


class ForgedWaiver(WithoutSeed):
    name = "waiver-offered"
    about = "does not hear a player's hash, and has the player waive the seed instead"
    waived: ClassVar[list[int]] = [1]


class SealWithoutHashes(Play):
    """One of two players is left out; the other's seed is the house's, and stands in the seal."""

    name = "no-hashes"
    about = "leaves the players but its own seat out of a roster, whose seed it chooses after the bets"
    rules = "boxes"
    sitting = ("h1", "s1")

    def ask_shoe(self) -> None:
        self.state = copy(self.state)
        chair = self.state.book.chairs[1]
        missed, chair.lapsed = chair.lapsed, 2
        self.do(say.AskShoe(2))
        self.state = copy(self.state)
        self.state.book.chairs[1].lapsed = missed
        if self.state.shoe is not None:
            self.state.shoe.alone = True

    def in_hash(self) -> None:
        self.forge(self.open)
        shoe = self.state.shoe
        if shoe is None:
            return
        best = max(candidates(self), key=lambda seed: self.peek(lambda play: self.sealed_by(play, seed)))
        self.sealed_by(self, best)
        self.do(None)

    def sealed_by(self, play: Play, seed: bytes) -> None:
        play.forge(lambda work: self.seal(work, seed))

    in_bet = in_hash

    def open(self, work: Work) -> None:
        stake = work.state.rules.minimum
        betting = Betting(tuple(Bet(seat, stake, seat) for seat in sorted(work.state.table.players)))
        number = work.book.rounds + 1
        work.log(open_entry(work.at, work.shoe().id, number, betting))
        work.state.since = work.now

    def seal(self, work: Work, seed: bytes) -> None:
        work.log(entries.opened_entry(work.at, work.shoe().id, "s1", seed.hex()))
        shoes.seal(work)


class BeaconChosen(Play):
    """A beacon that nobody can verify yet: it is what the house says."""

    name = "beacon-chosen"
    about = "names a beacon, and chooses its randomness when it has the seeds"
    rules = "banker"
    chain = "00" * 32

    def write(self, entry: Entry) -> None:
        if entry["kind"] == "shoe":
            entry["beacon"] = {"chain": self.chain, "round": 1_000 + self.shoes}
        super().write(entry)

    def seed(self, player: str) -> bool:
        self.forge(lambda work: self.by_hand(work, player))
        return True

    def by_hand(self, work: Work, player: str) -> None:
        """Seal, round and reveal: the machine knows no beacon."""
        shoe, state = work.shoe(), work.state
        opened = work.book.open
        if opened is None:
            raise RuntimeError("no bets")
        seed = self.seed_of(player, shoe.id)
        bets = list(opened.betting.bets)

        def sealed(beacon: Beacon) -> Sealed:
            deck = named_deck(state.rules.deck)
            return seal(key=self.key, shoe=shoe.id, deck=deck, seeds=[(player, seed)], beacon=beacon[:3])

        def players_win(beacon: Beacon) -> int:
            return run(state.table, ShoeCards(sealed(beacon)), bets, mimic).close().purse[bets[0].seat]

        number = 1_000 + self.shoes
        choices = (hashlib.sha256(f"{shoe.id} {choice}".encode()).hexdigest() for choice in range(TRIES))
        beacon = min((Beacon(self.chain, number, value) for value in choices), key=players_win)
        work.log(entries.opened_entry(work.at, shoe.id, player, seed.hex()))
        work.log(entries.seal_entry(work.at, shoe.id, beacon=beacon))
        cards = ShoeCards(sealed(beacon))
        round = Round(state.table, cards, bets)
        while round.ask is not None:
            round.decide(mimic(round, round.ask))
        work.log(round_entry(work.at, shoe.id, opened.number, round))
        work.log(entries.reveal_entry(work.at, shoe.id, self.key.hex(), {}, shoe.position, "worn"))
        state.clear_shoe()


class Waivers(Play):
    """Who sits down meanwhile bets without a seed; its own seat, which contributed alone, chose the order."""

    name = "waivers"
    about = "seals a shoe with a seed of its own seat alone, and lets players sit down who waive theirs"
    tells = ("waiver", "sole contributor")
    sitting = ("s1",)
    fair = ("s1", "h1")

    def in_idle(self) -> None:
        if self.state.book.seat_of("h1") is not None:
            self.leave("h1")
        super().in_idle()

    def in_hash(self) -> None:
        shoe = self.state.shoe
        if shoe is not None:
            self.seeds["s1", shoe.id] = max(candidates(self), key=self.with_seed)
        super().in_hash()

    def with_seed(self, seed: bytes) -> int:
        play = self.fork()
        play.seed_of = lambda player, shoe: seed  # type: ignore[method-assign]
        play.in_hash()
        play.in_seed()
        self.let_in(play)
        return play.ahead(10**9, self.shoes)

    def in_bet(self) -> None:
        if self.state.book.seat_of("h1") is None:
            self.let_in(self)
        super().in_bet()

    def let_in(self, play: Play) -> None:
        play.sit("h1")
        play.do(say.Waive(play.seat("h1")))


TRICKS = (
    SameSeeds, SeedDropped, WithoutSeed, LoungeWithoutSeed, ForgedWaiver, SealWithoutHashes, BeaconChosen, Waivers,
)  # fmt: skip
