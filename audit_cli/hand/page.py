"""One hand as a page: a replay of what the log says, with everything that lay on the table at each step."""

from __future__ import annotations

from typing import Any

from fairshoe.engine.table import account_name
from fairshoe.errors import FairshoeError
from fairshoe.terminal.style import printable

from ..extras import rendered
from .play import Card, Frame, Played
from .telling import Telling
from .way import who

SUITS = {"c": ("♣", "clubs"), "d": ("♦", "diamonds"), "h": ("♥", "hearts"), "s": ("♠", "spades")}
RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
STATES = {"PASS": "good", "PASS so far": "unknown", "FAIL": "bad"}


def page_of(telling: Telling) -> str:
    """The page. Raises InputError where Jinja2 is not installed."""
    hand = telling.hand
    played: list[Frame] = []
    problem = None
    if hand.entry is not None:
        try:
            played = Played(hand).frames
        except (FairshoeError, LookupError) as error:
            problem = f"The rules cannot play this round: {error}"
    return rendered(
        "replay.html",
        {"face": _face, "said": _said, "printable": printable},
        title=f"Replay of round {hand.name}",
        state=STATES.get(telling.outcome.word, "unknown"),
        outcome=telling.outcome.line,
        facts=_facts(telling),
        frames=played,
        problem=problem,
        text=telling.text,
    )


def _facts(telling: Telling) -> list[tuple[str, str]]:
    hand = telling.hand
    entry: dict[str, Any] = hand.entry or {}
    chips = entry.get("chips", {})
    before = {account_name(account): amount for account, amount in hand.before.purse.items()}
    accounts = {account_name(account): account for account in hand.before.purse}
    moved = "; ".join(
        f"{who(hand, accounts[name])} {before[name]:,} → {after:,}"
        for name, after in chips.items()
        if name in before and name in accounts
    )
    return [
        ("game", hand.before.rules.name),
        ("shoe", hand.shoe.id),
        ("bets stood", hand.opened.at),
        ("settled", hand.at or "not in this log"),
        ("log entry", "none" if hand.line is None else f"{hand.line:,}"),
        *([("chips", moved)] if moved else []),
    ]


def _face(card: Card) -> str:
    """What is printed on a card: `10♠`; a label of another deck stands as it is."""
    rank, suit = card.label[:-1], SUITS.get(card.label[-1:])
    return card.label if suit is None else f"{'10' if rank == 'T' else rank}{suit[0]}"


def _said(card: Card) -> str:
    """A card in words."""
    rank, suit = card.label[:-1], SUITS.get(card.label[-1:])
    name = card.label if suit is None else f"{RANKS.get(rank, rank)} of {suit[1]}"
    return f"{name}, face down" if card.down else name
