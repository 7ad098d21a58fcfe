"""`round` as canonical text, each thing once, and its inputs cut out of such a text.

It is written straight in canonical order, since an audit's cost is mostly the entries' size: a line
that equals the text rebuilt from its inputs needs no parsing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from ..engine.hand import Hand
from ..engine.moves import Decision
from ..engine.round import Round
from ..engine.table import account_name
from ..log.canonical import Entry, encode
from .forms import MOST_KEPT, decision_form, decisions_of, is_decision


def round_text(at: str, shoe: str, number: int, round: Round, moments: Sequence[str] = ()) -> str:
    """The `round` entry of a round that is over; `moments`: the `at` of each decision that the table made.

    `cards` are the labels in dealt order, the first at position `pos`; a hand lists offsets into
    them. `chips` are the accounts that took part, afterwards.
    """
    purse = round.purse
    form, in_order = _chips(tuple(purse))
    cards = '","'.join(round.cards)
    dealer = round.dealer
    total = round.rules.total
    hands = ",".join([_hand(hand, total(hand)) for hand in round.hands])
    decisions = ",".join(map(_decision, round.decisions))
    if moments:
        decisions = _with_moments(decisions, moments)
    again = f'"reshuffled":{_integers(round.reshuffled)},' if round.reshuffled else ""
    return (
        f'{{"at":"{at}","cards":["{cards}"],"chips":{{{form % in_order(purse)}}},'
        f'"dealer":{{"cards":{_integers(tuple(dealer.offsets))},"total":{total(dealer)}}},'
        f'"decisions":[{decisions}],"hands":[{hands}],'
        f'"kind":"round","pos":{round.position},{again}"round":{number},"shoe":"{shoe}","v":1}}'
    )


def round_entry(at: str, shoe: str, number: int, round: Round, moments: Sequence[str] = ()) -> Entry:
    """The same as an object."""
    entry: Entry = json.loads(round_text(at, shoe, number, round, moments))
    return entry


TABLES = '"by":"table"'
"""How a decision says that the table made it."""
CARDS = len('{"at":"2026-01-01T00:00:00.000000Z","cards":["')
"""Where the first card begins in a line."""


def read_round(text: str) -> tuple[str, list[str], list[Decision], list[str]] | None:
    """Shoe, cards, decisions and the moments of those that the table made, cut out of a line that begins as
    `round_text` does; None where they are none.

    A wrong cut does no harm: whoever reads a round replays it and compares the text of the result.
    """
    end = text.find('"]', CARDS)
    start = text.find('"decisions":[', end) + 13
    made = text[start : text.find('],"hands":', start)]
    once = len(made) > MOST_KEPT or TABLES in made
    found = _decisions.__wrapped__(made) if once else _decisions(made)
    if found is None:
        return None
    return text[text.rfind('"shoe":"') + 8 : -8], text[CARDS:end].split('","'), *found


@lru_cache(maxsize=1 << 12)
def _decisions(text: str) -> tuple[list[Decision], list[str]] | None:
    try:
        forms = json.loads(f"[{text}]")
    except (ValueError, RecursionError):
        return None
    return decisions_of(forms) if all(map(is_decision, forms)) else None


def _with_moments(decisions: str, moments: Sequence[str]) -> str:
    """The text of decisions with the moments of those that the table made."""
    parts = decisions.split(TABLES)
    return parts[0] + "".join(f'"at":"{at}",{TABLES}{part}' for at, part in zip(moments, parts[1:], strict=True))


def _hand(hand: Hand, total: int) -> str:
    box = "" if hand.box == hand.seat else f'"box":{hand.box},'
    insured = f'"insurance":{hand.insurance},"insured":{hand.insured},' if hand.insured else ""
    short = f'"short":{hand.short},' if hand.short else ""
    return (
        f'{{"bet":{hand.bet},{box}"cards":{_integers(tuple(hand.offsets))},{insured}"net":{hand.net},'
        f'"outcome":"{hand.outcome}","seat":{hand.seat},{short}"total":{total}}}'
    )


@lru_cache(maxsize=4096)
def _chips(accounts: tuple[int, ...]) -> tuple[str, Callable[[Mapping[int, int]], Any]]:
    """Accounts by name in canonical order, with a place for the chips of each, and what puts these in order."""
    names = sorted((account_name(account), account) for account in accounts)
    return ",".join(f'"{name}":%d' for name, _ in names), itemgetter(*(account for _, account in names))


@lru_cache(maxsize=4096)
def _integers(numbers: tuple[int, ...]) -> str:
    return encode(list(numbers)).decode()  # type: ignore[arg-type]


@lru_cache(maxsize=4096)
def _decision(decision: Decision) -> str:
    return encode(decision_form(decision)).decode()
