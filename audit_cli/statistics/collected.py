"""Everything that is collected from a log for the shuffle statistics: sums of integers, in bounded memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fairshoe.protocol.deck import Deck

from .dealt import Dealt
from .layout import layout_of
from .measured import FOUND, TOO_FEW, Judged, judged
from .openings import Openings
from .profile import Profile
from .repeats import Seeds, commitments
from .shoes import Shoes

MOST_DECKS = 16
"""Different decks that are counted, those with the smallest hashes: the same ones however a log is cut."""


@dataclass(frozen=True, slots=True)
class Result:
    """What the tests say together. `shoes` are those whose whole order was counted, `left_out` those of decks beyond
    the sixteen that are counted."""

    profile: Profile
    shoes: int
    left_out: int
    tests: tuple[Judged, ...]

    @property
    def found(self) -> list[Judged]:
        """The tests that found something."""
        return [test for test in self.tests if test.status == FOUND]

    @property
    def too_few(self) -> list[Judged]:
        """The tests that had too few shoes to say anything."""
        return [test for test in self.tests if test.status == TOO_FEW]

    def as_json(self) -> dict[str, Any]:
        """All of it, as plain values."""
        return {
            "profile": self.profile._asdict(),
            "shoes": self.shoes,
            "left_out": self.left_out,
            "tests": [test.as_json() for test in self.tests],
        }


class FromTable(NamedTuple):
    """The sums over what was dealt from one deck's shoes."""

    openings: Openings
    dealt: Dealt


class Collected:
    """Add shoes, merge parts, ask for the result: it does not depend on the order, or on how a log was cut."""

    def __init__(self) -> None:
        self.shoes: dict[str, Shoes] = {}
        self.dealt: dict[str, FromTable] = {}
        self.commitments = commitments()
        self.seeds = Seeds()
        self.whole = 0

    def add(self, deck: Deck, order: Sequence[int] | Sequence[str], *, apart: bool = True) -> None:
        """A whole shoe's order before any cut: indexes of its deck, or, not told `apart`, labels. Raises InputError."""
        layout = layout_of(deck, apart=apart)
        if _is_counted(layout.key, self.shoes):
            if layout.key not in self.shoes:
                self.shoes[layout.key] = Shoes(layout)
            self.shoes[layout.key].add(order)
            _drop(self.shoes)
        self.whole += 1

    def add_dealt(self, deck: Deck, cards: Sequence[str]) -> None:
        """The cards that were dealt from a shoe without a gap, from its first round on, as labels. A row with a card
        that the deck has not is not counted."""
        layout = layout_of(deck, apart=False)
        try:
            classes = [layout.code[card] for card in cards]
        except KeyError:
            return
        if not _is_counted(layout.key, self.dealt):
            return
        if layout.key not in self.dealt:
            self.dealt[layout.key] = FromTable(Openings(layout), Dealt(layout))
        for sums in self.dealt[layout.key]:
            sums.add(classes)
        _drop(self.dealt)

    def merge(self, other: Collected) -> None:
        """Add what another part of the log holds; it is not used any more afterwards."""
        for key, shoes in other.shoes.items():
            if key in self.shoes:
                self.shoes[key].merge(shoes)
            else:
                self.shoes[key] = shoes
        for key, theirs in other.dealt.items():
            mine = self.dealt.setdefault(key, theirs)
            if mine is not theirs:
                mine.openings.merge(theirs.openings)
                mine.dealt.merge(theirs.dealt)
        self.commitments.merge(other.commitments)
        self.seeds.merge(other.seeds)
        self.whole += other.whole
        _drop(self.shoes)
        _drop(self.dealt)

    def result(self, profile: Profile) -> Result:
        """Every test, corrected for their number."""
        tests = [test for _, shoes in sorted(self.shoes.items()) for test in shoes.tests()]
        tests += [test for _, dealt in sorted(self.dealt.items()) for sums in dealt for test in sums.tests()]
        tests += [self.commitments.test(), self.seeds.test()]
        counted = sum(shoes.shoes for shoes in self.shoes.values())
        return Result(profile, counted, self.whole - counted, tuple(judged(tests, profile)))


def _is_counted(key: str, decks: Mapping[str, object]) -> bool:
    """Whether a deck is among those with the smallest keys, so far."""
    return key in decks or len(decks) < MOST_DECKS or key < max(decks)


def _drop(decks: dict[str, Any]) -> None:
    """Of too many decks the one with the largest key goes; whatever is left was never dropped."""
    while len(decks) > MOST_DECKS:
        del decks[max(decks)]
