"""Packs of cards, and the decks that are named by them. Labels: rank upper, suit lower, as in hand-history formats."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from .errors import InputError
from .protocol.deck import MAX_CARDS, Deck, deck_of
from .protocol.text import check_decimal, parse_decimal

RANKS = "A23456789TJQK"
SUITS = "cdhs"
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
PACKS = {"french": PACK}
"""Every pack by its name: `NAME:N` names the deck of N of them in a row. A rule set names its pack, once."""


def french(packs: int = 1) -> Deck:
    """`packs` French packs of 52 in a row: Ac 2c … Kc Ad … Ks, Ac … InputError: not 1 to 1,260."""
    return _in_a_row(PACK, check_decimal(packs, "packs", low=1, high=MAX_CARDS // len(PACK)))


@lru_cache(maxsize=64)
def named_deck(name: str, most: int = MAX_CARDS) -> Deck:
    """Return the deck that `french:N` names. InputError: no such pack, or more than `most` of them."""
    pack, colon, packs = name.partition(":")
    if pack not in PACKS or not colon:
        raise InputError(f"no deck {name!r}", where="deck", expected=" or ".join(f"{each}:N" for each in PACKS))
    labels = PACKS[pack]
    return _in_a_row(labels, parse_decimal(packs, "deck", low=1, high=min(most, MAX_CARDS // len(labels))))


def name_of(deck: Sequence[str]) -> str:
    """Return the name of a deck, "" where it has none."""
    for pack, labels in PACKS.items():
        packs, rest = divmod(len(deck), len(labels))
        if not rest and tuple(deck) == labels * packs:
            return f"{pack}:{packs}"
    return ""


@lru_cache(maxsize=32)
def _in_a_row(labels: tuple[str, ...], packs: int) -> Deck:
    return deck_of(labels * packs)
