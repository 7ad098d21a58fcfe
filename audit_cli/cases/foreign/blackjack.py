"""A hand of blackjack played again from a house's cards and the player's actions, and what one chip brings back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairshoe.errors import InputError

from .scheme import cards_in


class UnknownRule(Exception):
    """The next step of the hand is not known: an action is missing, or no real hand has shown what this house does."""


class PlayedHand(NamedTuple):
    """`cards` in the order of the deal; `back`: what came back for a bet of 1, doubles and splits included."""

    cards: list[str]
    back: float


def total(cards: list[str]) -> tuple[int, bool]:
    """Return a hand's best total, and whether an ace counts 11 in it."""
    hard = sum(1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0]) for card in cards)
    soft = hard <= 11 and any(card[0] == "A" for card in cards)
    return hard + 10 * soft, soft


def play(draws: Iterator[str], actions: list[str]) -> PlayedHand:
    """Deal player, dealer, player, dealer, follow `hit`, `stand`, `double` and one `split`, and draw the dealer to 17.

    A split deals the main hand's second card, then the other's; the other is played first. Raises UnknownRule.
    """
    cards = [next(draws) for _ in range(4)]
    main, dealer = cards[0::2], cards[1::2]
    naturals = [total(each)[0] == 21 for each in (main, dealer)]
    if any(naturals):
        return PlayedHand(cards, 1.0 if all(naturals) else 2.5 * naturals[0])
    left, hands = list(actions), [main]
    if left[:1] == ["split"]:
        left.pop(0)
        cards += [next(draws), next(draws)]
        hands = [[cards[2], cards[5]], [cards[0], cards[4]]]
    stakes = [_play_one(each, left, draws, cards) for each in hands]
    if left:
        raise UnknownRule(f"{' '.join(left)} is more than the player can have done")
    while total(dealer)[0] < 17:
        dealer.append(next(draws))
        cards.append(dealer[-1])
    if total(dealer) == (17, True):
        raise UnknownRule("the dealer has a soft 17, and no real hand showed whether it draws")
    back = sum(stake * _returned(total(each)[0], total(dealer)[0]) for each, stake in zip(hands, stakes, strict=True))
    return PlayedHand(cards, float(back))


def _play_one(hand: list[str], left: list[str], draws: Iterator[str], cards: list[str]) -> int:
    """Play one hand by the actions that are left; return its stake. Raises UnknownRule."""
    while total(hand)[0] < 21:
        action = left.pop(0) if left else ""
        if action == "stand":
            return 1
        if action not in ("hit", "double"):
            what = f"{action} is not known here" if action else "an action is missing"
            raise UnknownRule(f"after {' '.join(hand)} {what}")
        hand.append(next(draws))
        cards.append(hand[-1])
        if action == "double":
            return 2
    return 1


def _returned(player: int, dealer: int) -> int:
    return 0 if player > 21 or player < dealer <= 21 else 1 if player == dealer else 2


def deal_order(result: str) -> list[str]:
    """Return the cards of a result in the order of the deal, which `main|other / dealer` is not. Raises InputError."""
    player, slash, dealer = result.partition("/")
    if not slash:
        return cards_in(player)
    hands, house = [cards_in(each) for each in player.split("|")], cards_in(dealer)
    if len(hands) > 2 or any(len(each) < 2 for each in (*hands, house)):
        raise InputError("has other hands", where="result", expected="`main|other / dealer`, two cards each or more")
    main, other = hands[0], hands[1] if len(hands) == 2 else []
    if not other:
        return [main[0], house[0], main[1], house[1], *main[2:], *house[2:]]
    return [main[0], house[0], other[0], house[1], main[1], other[1], *other[2:], *main[2:], *house[2:]]
