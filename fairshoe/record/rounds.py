"""A round as an entry: everything that happened, each thing once."""

from __future__ import annotations

from typing import Any

from ..engine.hand import Hand
from ..engine.round import Round
from ..engine.table import account_name
from ..log.canonical import Entry
from .forms import decision_form


def round_entry(at: str, shoe: str, number: int, round: Round) -> Entry:
    """The `round` entry of a round that is over.

    `cards` are the labels in dealt order, the first at position `pos`; a hand lists offsets into
    them. `chips` are the accounts that took part, afterwards.
    """
    purse = round.close().purse
    total = round.rules.total
    entry: Entry = {
        "v": 1,
        "kind": "round",
        "at": at,
        "shoe": shoe,
        "round": number,
        "pos": round.position,
        "cards": round.cards,
        "hands": [_hand(hand, total(hand)) for hand in round.hands],
        "dealer": {"cards": round.dealer.offsets, "total": total(round.dealer)},
        "decisions": [decision_form(decision) for decision in round.decisions],
        "chips": {account_name(account): purse[account] for account in round.purse},
    }
    if round.reshuffled:
        entry["reshuffled"] = list(round.reshuffled)
    return entry


def _hand(hand: Hand, total: int) -> dict[str, Any]:
    seat = hand.seat
    form: dict[str, Any] = {
        "bet": hand.bet,
        "cards": hand.offsets,
        "net": hand.net,
        "outcome": hand.outcome,
        "seat": seat,
        "total": total,
    }
    if hand.box != seat:
        form["box"] = hand.box
    if hand.insured:
        form["insured"] = hand.insured
        form["insurance"] = hand.insurance
    if hand.short:
        form["short"] = hand.short
    return form
