"""A round with findings, played again with other cards: whether they are all that is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from fairshoe.engine.cards import Dealt
from fairshoe.engine.moves import Decision
from fairshoe.engine.round import Round
from fairshoe.engine.table import Bet, Table
from fairshoe.errors import RuleError
from fairshoe.log.canonical import Entry, encode
from fairshoe.record.rounds import round_entry


class Replay(NamedTuple):
    """A round with findings, to be played again with the cards that the key gives."""

    table: Table
    bets: Sequence[Bet]
    decisions: Sequence[Decision]
    moments: Sequence[str]
    position: int
    present: int
    size: int
    entry: Entry

    def fits(self, cards: Sequence[str]) -> bool:
        """Whether with these cards the rest of the entry is as the rules have it, so that only cards were exchanged."""
        return self._fits(cards, self.bets)

    def fits_logged_bets(self, expected: Sequence[Entry]) -> bool:
        """Whether the entry is as the rules have it for the bets that its hands name; `expected`: the hands for those
        that stood."""
        logged = self.entry["hands"]
        if [_place(hand) for hand in logged] != [_place(hand) for hand in expected]:
            return False
        bets = []
        for bet in self.bets:
            i = next((i for i, hand in enumerate(expected) if _place(hand) == (bet.seat, bet.box)), None)
            times = 0 if i is None or not bet.amount else expected[i]["bet"] // bet.amount
            if i is None or times * bet.amount != expected[i]["bet"] or not times or logged[i]["bet"] % times:
                return False
            bets.append(bet._replace(amount=logged[i]["bet"] // times))
        return self._fits(self.entry["cards"], bets)

    def _fits(self, cards: Sequence[str], bets: Sequence[Bet]) -> bool:
        entry = self.entry
        source = Dealt(list(cards), position=self.position, present=self.present, size=self.size)
        try:
            played = Round(self.table, source, bets)
            for decision in self.decisions:
                played.decide(decision)
        except (RuleError, KeyError, IndexError):
            return False
        if played.ask is not None:
            return False
        expected = round_entry(entry["at"], entry["shoe"], entry["round"], played, self.moments)
        return encode(expected | {"cards": []}) == encode(entry | {"cards": []})


def _place(hand: Entry) -> tuple[Any, Any]:
    return hand["seat"], hand.get("box", hand["seat"])
