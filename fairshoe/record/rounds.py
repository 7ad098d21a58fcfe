"""`open` and `round` as canonical text, each thing once: the two entries that a log is made of.

They are written straight in canonical order, since an audit's cost is mostly the entries' size: a
line that equals the rebuilt text needs no parsing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ..engine.hand import Hand
from ..engine.moves import Decision
from ..engine.round import Round
from ..engine.table import Bet, account_name
from ..log.canonical import Entry, encode
from .forms import bet_form, decision_form


def open_text(at: str, shoe: str, number: int, bets: Iterable[Bet], waived: Sequence[int] = ()) -> str:
    """Bets stand. `waived` are the seats that bet without a seed of their own in the shoe."""
    bets_text = ",".join(map(_bet, bets))
    waivers = f',"waived":{_integers(tuple(waived))}' if waived else ""
    return f'{{"at":"{at}","bets":[{bets_text}],"kind":"open","round":{number},"shoe":"{shoe}","v":1{waivers}}}'


def round_text(at: str, shoe: str, number: int, round: Round) -> str:
    """The `round` entry of a round that is over.

    `cards` are the labels in dealt order, the first at position `pos`; a hand lists offsets into
    them. `chips` are the accounts that took part, afterwards.
    """
    purse = round.purse
    chips = ",".join([f'"{name}":{purse[account]}' for name, account in _accounts(tuple(purse))])
    cards = '","'.join(round.cards)
    dealer = round.dealer
    total = round.rules.total
    hands = ",".join([_hand(hand, total(hand)) for hand in round.hands])
    decisions = ",".join(map(_decision, round.decisions))
    again = f'"reshuffled":{_integers(round.reshuffled)},' if round.reshuffled else ""
    return (
        f'{{"at":"{at}","cards":["{cards}"],"chips":{{{chips}}},'
        f'"dealer":{{"cards":{_integers(tuple(dealer.offsets))},"total":{total(dealer)}}},'
        f'"decisions":[{decisions}],"hands":[{hands}],'
        f'"kind":"round","pos":{round.position},{again}"round":{number},"shoe":"{shoe}","v":1}}'
    )


def round_entry(at: str, shoe: str, number: int, round: Round) -> Entry:
    """The same as an object."""
    entry: Entry = json.loads(round_text(at, shoe, number, round))
    return entry


def _hand(hand: Hand, total: int) -> str:
    box = "" if hand.box == hand.seat else f'"box":{hand.box},'
    insured = f'"insurance":{hand.insurance},"insured":{hand.insured},' if hand.insured else ""
    short = f'"short":{hand.short},' if hand.short else ""
    return (
        f'{{"bet":{hand.bet},{box}"cards":{_integers(tuple(hand.offsets))},{insured}"net":{hand.net},'
        f'"outcome":"{hand.outcome}","seat":{hand.seat},{short}"total":{total}}}'
    )


@lru_cache(maxsize=4096)
def _accounts(accounts: tuple[int, ...]) -> list[tuple[str, int]]:
    """Accounts with their names, in canonical order."""
    return sorted((account_name(account), account) for account in accounts)


@lru_cache(maxsize=4096)
def _integers(numbers: tuple[int, ...]) -> str:
    return encode(list(numbers)).decode()  # type: ignore[arg-type]


@lru_cache(maxsize=4096)
def _decision(decision: Decision) -> str:
    return encode(decision_form(decision)).decode()


@lru_cache(maxsize=4096)
def _bet(bet: Bet) -> str:
    return encode(bet_form(bet)).decode()
