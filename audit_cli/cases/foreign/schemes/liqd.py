"""LIQD: blackjack from a shoe of eight packs, shuffled anew for each hand, with what it pays.

Key: the server seed's bytes. Step i of the Fisher–Yates shuffle, 415 down to 1, takes the message `client:nonce:i`.
Commitment: SHA-256 of the seed's hex text. Deal: player, dealer, player, dealer; after a split the main hand's second
card, then the other's, and the other is played first. The dealer draws to 17 even if the player is bust. Real hands
have shown each of these, but no dealer's soft 17, no second split and no insurance that paid.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from fairshoe.errors import InputError

from .. import scheme
from ..blackjack import PlayedHand, UnknownRule, deal_order, play

RANKS = "A23456789TJQK"
SHOE = [rank + suit for suit in "chsd" for rank in RANKS] * 8
RETRY = 1_000_000
"""Added to a step whose eight numbers were all refused."""


def _draw(hand: scheme.ForeignHand) -> Iterator[str]:
    key, prefix, shoe = hand.bytes_of("server_seed"), f"{hand.client_seed}:{hand.number('nonce')}:", list(SHOE)
    for i in range(len(shoe) - 1, 0, -1):
        bound, step = 2**32 // (i + 1) * (i + 1), i
        while (number := next((n for n in scheme.words(key, f"{prefix}{step}".encode()) if n < bound), None)) is None:
            step += RETRY
        j = number % (i + 1)
        shoe[i], shoe[j] = shoe[j], shoe[i]
    return iter(shoe)


def _played(hand: scheme.ForeignHand) -> PlayedHand:
    return play(_draw(hand), [word for word in hand.actions.replace(",", " ").split() if word != "no-ins"])


def _whole(hand: scheme.ForeignHand) -> list[str] | None:
    with suppress(UnknownRule):
        return _played(hand).cards if hand.actions else None
    return None


def _paid(hand: scheme.ForeignHand) -> float:
    """Return what came back for `bet`: the main bet, then side bets as `pairs=0.1` and `21+3=0.1`. Raises
    UnknownRule."""
    main, *sides = hand.bet.split()
    played = _played(hand)
    first, up, second = played.cards[:3]
    back = played.back * scheme.number_in(main, "bet")
    for side in sides:
        name, _, stake = side.partition("=")
        cards = {"pairs": [first, second], "21+3": [first, second, up]}.get(name)
        if cards is None:
            raise InputError(f"{side!r} is no side bet", where="bet", expected="pairs=STAKE or 21+3=STAKE")
        back += _side(cards) * scheme.number_in(stake, "bet")
    return back


def _side(cards: list[str]) -> int:
    """Return what a side bet of 1 brings back. Raises UnknownRule for a win that no real hand has shown."""
    ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
    straight = any(ranks == set((RANKS + "A")[at : at + 3]) for at in range(12))
    known = {
        (2, 2, False): 0,
        (2, 1, False): 14 if suits in ({"c", "s"}, {"d", "h"}) else 7 if len(suits) == 2 else None,
        (3, 1, False): 31 if len(suits) > 1 else None,
        (3, 2, False): 0 if len(suits) > 1 else None,
        (3, 3, False): 0 if len(suits) > 1 else None,
        (3, 3, True): 41 if len(suits) == 1 else None,
    }
    won = known[len(cards), len(ranks), straight]
    if won is None:
        raise UnknownRule(f"no real hand showed what {' '.join(cards)} wins")
    return won


SCHEMES = [
    scheme.Scheme(
        "liqd",
        {
            "blackjack": scheme.SchemeGame(
                scheme.CardGame(_draw, lambda hand: deal_order(hand.result), _whole), True, _paid
            )
        },
        scheme.hash_of_text,
        (scheme.UNSIGNED, scheme.GAPS, scheme.CLIENT_KNOWN),
    )
]
