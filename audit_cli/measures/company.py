"""Who plays with whom, and whether two always act alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

from .seen import Round

MOST_PAIRS = 1 << 14
"""So many pairs at one table are counted; with more of them these that came first."""
Pair = tuple[str, str, str]
"""The table, and two players, in the order of their ids."""


@dataclass
class Company:
    """By pair: rounds in which both bet (`together`), the same amount (`same_bet`); in which both decided (`moved`),
    the same move first (`same_move`). `rounds` by table and player; `pairs`: how many are counted at a table."""

    together: Counter[Pair] = field(default_factory=Counter)
    same_bet: Counter[Pair] = field(default_factory=Counter)
    moved: Counter[Pair] = field(default_factory=Counter)
    same_move: Counter[Pair] = field(default_factory=Counter)
    rounds: Counter[tuple[str, str]] = field(default_factory=Counter)
    pairs: Counter[str] = field(default_factory=Counter)

    def round(self, seen: Round) -> None:
        bets: Counter[str] = Counter()
        for (seat, _), stake in seen.stakes.items():
            if seat in seen.players:
                bets[seen.players[seat]] += stake
        moves: dict[str, str] = {}
        for each in seen.entry["decisions"]:
            player = seen.players.get(each["seat"])
            if player is not None:
                moves.setdefault(player, each["move"])
        for player in bets:
            self.rounds[seen.table, player] += 1
        for one, other in combinations(sorted(bets), 2):
            pair = seen.table, one, other
            if pair not in self.together:
                if self.pairs[seen.table] >= MOST_PAIRS:
                    continue
                self.pairs[seen.table] += 1
            self.together[pair] += 1
            self.same_bet[pair] += bets[one] == bets[other]
            if one in moves and other in moves:
                self.moved[pair] += 1
                self.same_move[pair] += moves[one] == moves[other]

    def merge(self, later: Company) -> None:
        for pair in later.together:
            if pair not in self.together:
                if self.pairs[pair[0]] >= MOST_PAIRS:
                    continue
                self.pairs[pair[0]] += 1
            self.together[pair] += later.together[pair]
            self.same_bet[pair] += later.same_bet[pair]
            self.moved[pair] += later.moved[pair]
            self.same_move[pair] += later.same_move[pair]
        self.rounds.update(later.rounds)
