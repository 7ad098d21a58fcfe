"""The order of a shoe's cards, from its key and what the log says went into it."""

from __future__ import annotations

from ..protocol.commitment import commitment_of
from ..protocol.deck import Deck
from ..protocol.shoe import CUT, Sealed
from ..protocol.transcript import Beacon, Seed, Transcript
from ..protocol.words import check_draws, drawn
from .book import Shoe


def seeds_in_order(shoe: Shoe) -> tuple[Seed, ...]:
    """The seeds that are open, in the order in which the transcript has them: the roster's."""
    return tuple(Seed(who, bytes.fromhex(shoe.opened[who])) for who in shoe.roster if who in shoe.opened)


def order_of(shoe: Shoe, key: bytes, deck: Deck, beacon: Beacon | None = None) -> Sealed:
    """The shoe with its order fixed. A deck that is cut, and where nobody chose the cut, is cut at the named draw.

    Raises InputError: where `cut` what was chosen does not fit the deck.
    """
    transcript = Transcript(shoe.id, len(deck), deck.hash, commitment_of(key), seeds_in_order(shoe), beacon)
    if shoe.cut is not None:
        cut = shoe.cut.at
    elif CUT in shoe.draws:
        cut = drawn(key, transcript.digest, CUT, check_draws(shoe.draws, len(deck))[CUT])
    else:
        cut = 0
    return Sealed(key, transcript, deck, cut=cut, draws=shoe.draws)
