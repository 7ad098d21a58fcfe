"""Shoes that are sealed, and whose next cards the house dislikes: it has them end, or lets them lie."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator

from fairshoe.cards import named_deck
from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting import shoes
from fairshoe.ceremony.acting.shoes import current_order
from fairshoe.ceremony.acting.state import State, Work
from fairshoe.ceremony.book import LoggedPlacer, Shoe
from fairshoe.engine.table import Bet
from fairshoe.errors import VerificationError
from fairshoe.log.canonical import Entry
from fairshoe.log.times import DAY, SECOND
from fairshoe.protocol.openings import BoundOrder
from fairshoe.protocol.shoe import Sealed
from fairshoe.record.entries import opened_entry
from fairshoe.record.openings import Binding

from .play import Play

TRIES = 4


class Discards(Play):
    """Before each round of a shoe it looks at what comes, and `discard`s the shoe if the players would win."""

    def in_bet(self) -> None:
        if self.peek() < 0:
            self.discard()
        else:
            super().in_bet()

    def discard(self) -> None:
        raise NotImplementedError


class NoBetHeard(Discards):
    name = "no-bet-heard"
    tells = ("ended before it was worn: left", "cards left in shoes ended before they were worn")

    def discard(self) -> None:
        while self.state.shoe is not None:
            self.wait()


class Stopped(Discards):
    name = "stopped"
    tells = (
        "ended before it was worn: age",
        "cards left in shoes ended before they were worn",
        "start while a shoe was in play",
    )

    def discard(self) -> None:
        self.now += DAY
        self.restart()
        self.do(None)


class Moved(Discards):
    name = "moved"
    tells = ("closed after a seal", "ended before it was worn: left")

    def discard(self) -> None:
        self.do(say.Close())
        for player in list(self.state.table.players.values()):
            self.leave(player)
        while self.state.shoe is not None:
            self.wait()
        self.open_table()


class LyingSealed(Play):
    """Nobody leaves, closes or says anything: the next bets are taken at another table."""

    name = "lying-sealed"
    tells = ("shoe sealed and not ended", "cards left in shoes sealed and not ended")

    def in_bet(self) -> None:
        if self.peek() < 0:
            self.open_table()
        else:
            super().in_bet()


class LyingOpening(Play):
    """Its seat sits longest, and knows the order when everybody else has opened. No bet stands yet."""

    name = "lying-opening"
    tells = ("shoe opened and not sealed",)
    sitting = ("s1", "h1")

    def seed(self, player: str) -> bool:
        if player != "s1" or self.peek(rounds=self.goal) >= 0:
            return super().seed(player)
        self.open_table()
        return True


class LyingBets(Play):
    """The log ends before anything in it is a day late. With a placer it asks for all places of a round, and writes
    down only what the players lose."""

    name = "lying-bets"
    tells = ("bets not dealt", "shoe sealed and not ended", "waited without a published question")
    rules = "banker"

    def seed(self, player: str) -> bool:
        if self.placed or self.peek() >= 0:
            return super().seed(player)
        self.forge(lambda work: self.only_seal(work, player))
        self.open_table()
        return True

    def only_seal(self, work: Work, player: str) -> None:
        shoe = work.shoe()
        work.log(opened_entry(work.at, shoe.id, player, self.seed_of(player, shoe.id).hex()))
        shoes.seal(work)

    def _made(self, state: State, entries: list[Entry], key: bytes | None) -> list[Entry]:
        dealt = next((i for i, entry in enumerate(entries) if entry["kind"] == "round"), None)
        if not self.placed or dealt is None or not self.is_won_by_players(entries[dealt]):
            return super()._made(state, entries, key)
        for entry in entries[:dealt]:
            self.write(entry)
        self.unwritten += self.answers
        self.now += SECOND
        self.open_table()
        return entries[:dealt]

    def is_won_by_players(self, entry: Entry) -> bool:
        players = self.state.table.players
        return sum(hand["net"] for hand in entry["hands"] if self.honest(players.get(hand["seat"]))) > 0


class Unrevealed(Play):
    """What was dealt can be held against the commitment by its key alone. With a placer it asks honestly, and says of
    each place what card it likes once the place is given: so it plays as if it knew the places. The first round of a
    shoe shows the root that it bound, and is honest; the openings are those that lead to the root."""

    name = "unrevealed"
    tells = ("shoe sealed and not ended", "cards left in shoes sealed and not ended")
    most = 10
    together = True

    def in_bet(self) -> None:
        shoe = self.state.shoe
        if shoe is None:
            raise RuntimeError("no shoe")
        if shoe.rounds == self.most:
            self.open_cards(shoe)
            self.open_table()
            return
        if not shoe.rounds:
            self.bound = self.key
        if not self.state.bets and (shoe.rounds or not self.placed):
            self.key = max(self.other_keys(), key=self.with_key)
        super().in_bet()

    def other_keys(self) -> list[bytes]:
        return [hashlib.sha256(f"key {self.shoes} {self.rounds} {choice}".encode()).digest() for choice in range(TRIES)]

    def with_key(self, key: bytes) -> int:
        """What it wins with this key; least of all where a card would come more often than the deck has it."""
        self.key, self.seen, shoe = key, None, self.state.shoe
        if shoe is None:
            return 0
        round = self.dealt([Bet(seat, self.unit, seat) for seat in self.seats()], shoe.position)
        rounds = [
            entry for entry in self.log[-3 * self.most :] if entry["kind"] == "round" and entry["shoe"] == shoe.id
        ]
        cards = Counter(round.cards) + Counter(card for entry in rounds for card in entry["cards"])
        return -self.purse if cards - Counter(named_deck(self.state.rules.deck)) else self.wins(round)

    def places(self, placer: LoggedPlacer, sealed: Sealed) -> list[int]:
        """Those of the deck that it bound, whatever key it plays by."""
        return self.placer.order

    def open_cards(self, shoe: Shoe) -> None:
        """Show what it bound of the cards of a shoe."""
        if self.placed and self.state.placer_answers is not None:
            sealed = current_order(self.state, shoe, self.bound)
            bound = BoundOrder(self.bound, sealed.transcript.digest, sealed.deck, sealed.cut, numbered=True)
            self.openings += ((shoe.id, bound.open(place)) for place in self.state.placer_answers.places)

    def noticed(self) -> Iterator[str]:
        """Hold each card against its opening, as a client does when it is dealt."""
        rounds = [entry for entry in self.log if entry["kind"] == "round"]
        roots = {entry["shoe"]: entry.get("cards_root") for entry in self.log if entry["kind"] == "seal"}
        openings = {(shoe, each.pos): each for shoe, each in self.openings}
        binding = {shoe: Binding(root, named_deck(self.state.rules.deck)) for shoe, root in roots.items() if root}
        wrong = 0
        for entry in rounds if openings else ():
            try:
                for place, label in zip(entry["placed"]["places"], entry["cards"], strict=True):
                    binding[entry["shoe"]].take(openings[entry["shoe"], place], place, label)
            except VerificationError:
                wrong += 1
        if wrong:
            yield f"client: WrongPlaces in {wrong} of {len(rounds)} rounds"


TRICKS = (NoBetHeard, Stopped, Moved, LyingSealed, LyingOpening, LyingBets, Unrevealed)
