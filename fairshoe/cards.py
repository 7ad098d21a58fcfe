"""French packs and card labels: rank upper, suit lower, as in hand-history formats."""

from __future__ import annotations

from functools import lru_cache

from .errors import InputError
from .protocol.deck import MAX_CARDS, Deck, deck_of
from .protocol.text import check_decimal, parse_decimal

RANKS = "A23456789TJQK"
SUITS = "cdhs"
MAX_PACKS = MAX_CARDS // 52
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)


def french(packs: int = 1) -> Deck:
    """`packs` French packs of 52 in a row: Ac 2c … Kc Ad … Ks, Ac … InputError: not 1 to 1,260."""
    return _french(check_decimal(packs, "packs", low=1, high=MAX_PACKS))


@lru_cache(maxsize=32)
def _french(packs: int) -> Deck:
    return deck_of(PACK * packs)


def named_deck(name: str) -> Deck:
    """The deck that `french:N` names."""
    kind, colon, packs = name.partition(":") if isinstance(name, str) else ("", "", "")
    if kind != "french" or not colon:
        raise InputError(f"no deck {name!r}", where="deck", expected="french:N")
    return french(parse_decimal(packs, "deck", low=1, high=MAX_PACKS))
