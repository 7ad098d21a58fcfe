"""The house-luck test: the reference strategy plays every shoe whose seeds are in the log, as its rounds were seated.

Whoever knows the order of a shoe before it is dealt and chooses, a key, an end, which bets it hears, is seen in these
sums whatever the players did. In games whose bank changes a house wins only as somebody who sits there: so these are
summed by player.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from fairshoe.engine.rules import Rules
from fairshoe.errors import FairshoeError

from ..counting.observations import Count, ObservedRound, ObservedShoe, SeatStake
from .expectations import HALF, Expectation, expectation
from .reference import PlayedRound, Reference, RemainingCards, game_of, reference, rules_digest
from .sums import (
    LOG,
    UNIT_SCALE,
    LuckReading,
    PlaySums,
    ReferenceSums,
    Scope,
    Wagers,
    in_order,
    read_bets,
    read_both,
    read_one,
    terms,
    with_holm,
)

DEALT = "dealt"
"""Rounds that were dealt."""
REST = "rest"
"""Rounds left in a shoe that ended before it was worn out."""
VOID = "void"
"""Shoes that were void, although their order is known."""
LATE = "late"
"""The bets that came too late, as if they had been heard."""
NEXT = "next"
"""Of these what would have come first: of each rest or void shoe the first round, and the late bets."""
SEAT = "seat"
"""A seat's own rounds where the bank changes."""
AVOIDED = (REST, VOID, LATE)
BANK = "bank"
"""All seats together against whoever banks, where the bank changes: names are cheap."""
PARTS = (DEALT, *AVOIDED, NEXT, SEAT, BANK)


class ReferenceGame(NamedTuple):
    """A table's game as the reference plays it."""

    digest: str
    reference: Reference
    expected: Expectation
    leans: bool


@cache
def _game(rules: Rules) -> ReferenceGame:
    game, expected = game_of(rules), expectation(rules)
    leans = not rules.one_round and any(expected.slopes)
    return ReferenceGame(rules_digest(game), reference(game), expected, leans)


@dataclass
class Luck(Count):
    """`parts`: by table or player, and by part; `wagers`: by table or player; `play`: by game and hour. `games`: by
    hash. `unplayed`: rounds for which a deck is too small."""

    ADDS = ("parts", "wagers", "play", "shoes", "unplayed")

    games: dict[str, Rules] = field(default_factory=dict)
    parts: dict[tuple[Scope, str], ReferenceSums] = field(default_factory=lambda: defaultdict(ReferenceSums))
    wagers: dict[Scope, Wagers] = field(default_factory=lambda: defaultdict(Wagers))
    play: dict[tuple[str, str], PlaySums] = field(default_factory=lambda: defaultdict(PlaySums))
    shoes: int = 0
    unplayed: int = 0

    def shoe(self, seen: ObservedShoe) -> None:
        """Play a shoe."""
        game = _game(seen.rules)
        self.games[game.digest] = game.reference.rules
        self.shoes += 1
        walk = _ReferenceRun(game, seen)
        scopes = [("table", seen.table), *(("player", player) for player in dict.fromkeys(seen.players))]
        end = seen.start
        for each in seen.rounds:
            end = max(end, self._round(walk, scopes, each, seen.dealt))
        for number, (played, leant) in enumerate(walk.rest(end)):
            parts = (REST if seen.dealt else VOID,) if number else (REST if seen.dealt else VOID, NEXT)
            self._count(walk, scopes, parts, played.nets, leant, seen.rest, seen.banker)
        for scope in scopes:
            for part, sums in walk.parts.items():
                self.parts[scope, part].merge(sums)
            if walk.wagers.rounds:
                self.wagers[scope].merge(walk.wagers)
        self.unplayed += walk.unplayed

    def _round(self, walk: _ReferenceRun, scopes: Sequence[Scope], seen: ObservedRound, dealt: bool) -> int:
        """A round that was logged; gives where the next cards lie that it does not need."""
        game = walk.game
        played = walk.play(seen.position, len(seen.stakes))
        if played is None:
            return 0
        leant = walk.leant()
        parts = (DEALT,) if dealt else (VOID, NEXT)
        self._count(walk, scopes, parts, played.nets, leant, seen.stakes, seen.banker)
        amounts = [stake.amount for stake in seen.stakes]
        if dealt and seen.at:
            won = sum(amount * net for amount, net in zip(amounts, played.nets, strict=True))
            above = (HALF * seen.net - won) * UNIT_SCALE // HALF + sum(amounts) * leant
            play = self.play[game.digest, seen.at[:13]]
            play.rounds += 1
            play.above += above
        if dealt and not seen.banker:
            walk.wagers.add(game.digest, amounts, played.nets, leant)
        if seen.late and not seen.banker:
            self._late(walk, scopes, seen, leant)
        return max(played.end, seen.position + len(seen.cards))

    def _late(self, walk: _ReferenceRun, scopes: Sequence[Scope], seen: ObservedRound, leant: int) -> None:
        together = sorted([*seen.stakes, *seen.late], key=lambda stake: stake.seat)
        played = walk.play(seen.position, len(together))
        if played is None:
            return
        late = {stake.seat for stake in seen.late}
        nets = [net for stake, net in zip(together, played.nets, strict=True) if stake.seat in late]
        self._count(walk, scopes, (LATE, NEXT), nets, leant, seen.late, "")

    def _count(
        self,
        walk: _ReferenceRun,
        scopes: Sequence[Scope],
        parts: Sequence[str],
        nets: Sequence[int],
        leant: int,
        stakes: Sequence[SeatStake],
        banker: str,
    ) -> None:
        game, seats, net = walk.game, len(nets), sum(nets)
        if not banker:
            for part in parts:
                walk.parts[part].add(game.digest, seats, net, seats * leant)
            return
        self.parts[scopes[0], BANK].add(game.digest, seats, net, seats * leant)
        for stake, own in zip(stakes, nets, strict=True):
            self.parts[("player", stake.player), SEAT].add(game.digest, 1, own, leant)
        self.parts[("player", banker), SEAT].add(game.digest, -seats, -net, -seats * leant)

    def merge(self, other: Luck) -> None:
        """Add another's."""
        super().merge(other)
        self.games.update(other.games)

    def result(self) -> list[LuckReading]:
        """Every test, corrected for the number of them (Holm); the log's first, then by table and player."""
        readings = list(self._readings(LOG, *self._whole()))
        for scope in sorted({scope for scope, _ in self.parts}, key=in_order):
            found = {part: self.parts[scope, part] for part in PARTS if (scope, part) in self.parts}
            readings += self._readings(scope, found, self.wagers.get(scope))
        return with_holm(readings)

    def _whole(self) -> tuple[dict[str, ReferenceSums], Wagers | None]:
        """Return the result of all tables together."""
        parts: dict[str, ReferenceSums] = defaultdict(ReferenceSums)
        for (scope, part), sums in self.parts.items():
            if scope[0] == "table":
                parts[part].merge(sums)
        wagers = Wagers()
        for scope, each in self.wagers.items():
            if scope[0] == "table":
                wagers.merge(each)
        return parts, wagers if wagers.rounds else None

    def _readings(self, scope: Scope, found: dict[str, ReferenceSums], wagers: Wagers | None) -> Iterator[LuckReading]:
        games = self.games
        dealt = [found[DEALT]] if DEALT in found else []
        avoided = [found[part] for part in AVOIDED if part in found]
        shoes = dealt + [found[part] for part in (REST, VOID) if part in found]
        if dealt:
            yield read_one(scope, "dealt", terms(games, [(each, -1) for each in dealt]), dealt)
        if len(shoes) > len(dealt):
            yield read_one(scope, "shoes", terms(games, [(each, -1) for each in shoes]), shoes)
        if dealt and avoided:
            parts = [(each, -1) for each in dealt] + [(each, 1) for each in avoided]
            yield read_one(scope, "avoided", terms(games, parts), dealt + avoided)
        if NEXT in found:
            yield read_one(scope, "next", terms(games, [(found[NEXT], 1)]), [found[NEXT]])
        if wagers is not None:
            yield read_bets(scope, games, wagers)
        if BANK in found:
            yield read_both(scope, "bank", terms(games, [(found[BANK], -1)]), [found[BANK]])
        if SEAT in found:
            yield read_both(scope, "seat", terms(games, [(found[SEAT], 1)]), [found[SEAT]])


class _ReferenceRun:
    """The reference on one shoe; `parts` and `wagers` are sums of the table's and each of its players'."""

    def __init__(self, game: ReferenceGame, shoe: ObservedShoe) -> None:
        self.game = game
        self.shoe = shoe
        self.parts: dict[str, ReferenceSums] = defaultdict(ReferenceSums)
        self.wagers = Wagers()
        self.unplayed = 0
        self._left = RemainingCards(shoe.order, shoe.rules.deck) if game.leans else None

    def play(self, position: int, seats: int) -> PlayedRound | None:
        if self._left is not None:
            self._left.go(position)
        if not seats:
            return None
        try:
            return self.game.reference.play(self.shoe.order, position, seats)
        except FairshoeError:
            self.unplayed += 1
            return None

    def leant(self) -> int:
        """By how much the cards that were left let expect more of a hand of the round, in `UNIT_SCALE` parts."""
        if self._left is None:
            return 0
        pairs = zip(self.game.expected.slopes, self._left.leanings(), strict=True)
        return round(UNIT_SCALE * sum(slope * leaning for slope, leaning in pairs))

    def rest(self, position: int) -> Iterator[tuple[PlayedRound, int]]:
        """Rounds as the last ones were seated, from `position` until the shoe is worn."""
        shoe, rules, size = self.shoe, self.shoe.rules, len(self.shoe.order)
        draws = dict(shoe.draws)
        while shoe.rest and not (position and rules.is_worn_out(position, size, draws)):
            played = self.play(position, len(shoe.rest))
            if played is None:
                return
            yield played, self.leant()
            position = played.end
            if played.again or rules.one_round:
                return
