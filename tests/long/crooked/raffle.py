"""A shoe without a table: the first card's suit decides which of four tickets wins. One of them is the house's."""

from __future__ import annotations

import hashlib
from typing import Self

from fairshoe.cards import named_deck
from fairshoe.ceremony.policy import Policy
from fairshoe.log.times import timestamp
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.shoe import seal
from fairshoe.record import entries

from .play import Play
from .world import START

TICKETS = {"c": "h1", "d": "h2", "h": "h3", "s": "s1"}


class FairRaffle(Play):
    """Everybody contributes; the deck is cut where the draw `cut` says, since nobody chose."""

    rules = "raffle"

    def open_table(self) -> None:
        pass

    def play(self) -> Self:
        for number in range(1, self.goal + 1):
            self.draw(number, f"raffle/{number}")
        return self

    def at(self) -> str:
        self.now += 50_000
        return timestamp(max(self.now, START))

    def draw(self, number: int, shoe: str) -> None:
        key = hashlib.sha256(f"raffle {number}".encode()).digest()
        roster = list(TICKETS.values())
        seeds = {who: hashlib.sha256(f"{who} {number}".encode()).digest()[:16] for who in roster}
        draws = {"cut": 52}
        self.log.append(
            entries.shoe_entry(
                self.at(),
                shoe,
                deck="french:1",
                cards=52,
                commitment=commitment_of(key),
                roster=roster,
                draws=draws,
                policy=Policy()._asdict(),
            )
        )
        hashes = {who: hashlib.sha256(seed).hexdigest() for who, seed in seeds.items()}
        self.log.append(entries.seeds_entry(self.at(), shoe, hashes, None))
        for who in reversed(roster):
            self.log.append(entries.opened_entry(self.at(), shoe, who, seeds[who].hex()))
        deck = named_deck("french:1")
        given = [(who, seeds[who]) for who in roster]
        drawn = seal(key=key, shoe=shoe, deck=deck, seeds=given, draws=draws).number("cut")
        winner, cut = self.choose(
            {at: seal(key=key, shoe=shoe, deck=deck, seeds=given, draws=draws, cut=at).draw() for at in (drawn, 0)}
        )
        form = entries.cut_form(drawn) if cut == drawn else None
        self.log.append(entries.seal_entry(self.at(), shoe, cut=form))
        self.log.append(entries.reveal_entry(self.at(), shoe, key.hex(), {"cut": drawn}, 1, "worn"))
        self.sums[number] = [3 if TICKETS[winner[-1]] == "s1" else -1, 3]
        self.rounds = self.shoes = number

    def choose(self, firsts: dict[int, str]) -> tuple[str, int]:
        """The first card, and the cut."""
        cut = next(iter(firsts))
        return firsts[cut], cut


class CutOrNot(FairRaffle):
    name = "cut-or-not"
    about = "takes the listed draw `cut` in a raffle only where its own ticket wins by it"

    @classmethod
    def honest_house(cls, rounds: int) -> Play:
        return FairRaffle(rounds).play()

    def choose(self, firsts: dict[int, str]) -> tuple[str, int]:
        drawn, *_ = firsts
        cut = drawn if TICKETS[firsts[drawn][-1]] == "s1" else 0
        return firsts[cut], cut


TRICKS = (CutOrNot,)
