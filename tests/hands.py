"""Hands written out card by card: what the tests of the rules share.

Cards are ranks (`A`, `T`) or labels (`Ah`) in the order dealt, `|` only parts them for the eye.
A round that is over must have dealt every card written, and no other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import pytest

from fairshoe.engine.cards import Stack
from fairshoe.engine.hand import Hand
from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.round import Round
from fairshoe.engine.rules import rules_of
from fairshoe.engine.rules.lounge import BUY_IN
from fairshoe.engine.table import POOL, Bet, Table, fresh_table
from fairshoe.errors import IllegalBet, IllegalDecision

Bets = Mapping[int, int] | Sequence[int | Bet]


def labels(cards: str) -> list[str]:
    """`A Th | 5` → As Th 5s."""
    return [word if len(word) == 2 else word + "s" for word in cards.split() if word != "|"]


def seated(
    name: str,
    chairs: Iterable[int] = (1,),
    *,
    chips: int | Mapping[int, int] = 1000,
    bank: int | None = None,
    **options: Any,
) -> Table:
    """A table of these rules with a player in each chair who has bought in."""
    rules = rules_of(name, options)
    table = fresh_table(rules)
    table = Table(
        rules, {chair: f"player-{chair}" for chair in chairs}, table.purse, table.bank if bank is None else bank
    )
    for chair in table.players:
        amount = chips if isinstance(chips, int) else chips[chair]
        table = rules.buy_in(table, chair, BUY_IN if rules.first_account == POOL else amount)
    return table


def bets_of(bets: Bets) -> list[Bet]:
    """[10, 20] are seats 1 and 2; {2: 10} is seat 2; a Bet is itself."""
    if isinstance(bets, Mapping):
        return [Bet(seat, amount, seat) for seat, amount in bets.items()]
    return [bet if isinstance(bet, Bet) else Bet(seat, bet, seat) for seat, bet in enumerate(bets, 1)]


def decision(round: Round, word: str) -> Decision:
    """`hit`, `insure:5`, `reveal@1,2`: by whoever is asked."""
    assert round.ask is not None, f"the round is over before {word!r}"
    return said(round.ask, word)


def said(ask: Ask, word: str) -> Decision:
    """`accept`, `give@3`, `sell:4@3`."""
    rest, _, chosen = word.partition("@")
    move, _, amount = rest.partition(":")
    return Decision(ask.actor, move, int(amount or 0), tuple(int(seat) for seat in chosen.split(",") if seat))


def begin(table: Table, cards: str, bets: Bets = (10,), moves: str = "") -> Round:
    """A round at this table, as far as these moves bring it."""
    order = labels(cards)
    played = Round(table, Stack(order), bets_of(bets))
    return go_on(played, moves)


def go_on(played: Round, moves: str) -> Round:
    """The same round some moves later."""
    for word in moves.split():
        played.decide(decision(played, word))
    if played.is_over:
        order = played._source.order  # type: ignore[attr-defined]
        assert played.cards == list(order), f"dealt {len(played.cards)} cards of {len(order)}"
    return played


def play(
    name: str, cards: str, moves: str = "", *, bets: Bets = (10,), chips: int | Mapping[int, int] = 1000, **options: Any
) -> Round:
    """A round at a fresh table: the seats that bet have `chips` each."""
    wagers = bets_of(bets)
    return begin(seated(name, dict.fromkeys(bet.seat for bet in wagers), chips=chips, **options), cards, wagers, moves)


def lounge(cards: str, moves: str = "", *, seats: int = 1, gift: int = 1000) -> Round:
    """A round of the lounge with one gift for each seat."""
    return play("lounge", cards, moves, bets=[gift] * seats, gift=gift)


@cache
def _table() -> Table:
    return seated("casino")


def hand_of(cards: str) -> Hand:
    """A hand that was dealt these cards."""
    dealt = Round(_table(), Stack(["5s"] * 4 + labels(cards)), [Bet(1, 10, 1)])
    hand = Hand(1, 1, 10)
    for _ in labels(cards):
        dealt.deal(hand)
    return hand


def ranks(hand: Hand) -> str:
    """`A T 5`."""
    return " ".join(label[0] for label in hand.cards)


def legal(played: Round) -> set[str]:
    """The names of the moves that are legal now."""
    return set() if played.ask is None else {move.name for move in played.ask.moves}


def nets(played: Round) -> list[int]:
    """The result of every hand, in order, without insurance."""
    assert played.is_over
    return [hand.net for hand in played.hands]


def won(played: Round, account: int = 1) -> int:
    """What an account has gained by the round."""
    assert played.is_over
    return played.purse[account] - played.table.purse[account]


def refused(played: Round, word: str | Decision) -> None:
    """The round refuses this decision and stays as it is (GE-08)."""
    before = state(played)
    with pytest.raises(IllegalDecision):
        played.decide(word if isinstance(word, Decision) else decision(played, word))
    assert state(played) == before


def refused_bets(name: str, bets: Bets, *, chairs: Iterable[int] = (1, 2), chips: int = 1000, **options: Any) -> None:
    """No round is opened with these bets."""
    with pytest.raises(IllegalBet):
        begin(seated(name, chairs, chips=chips, **options), "", bets)


HAND = re.compile(
    r"((?:[A-Z]{2}-\d\d )+)[^:[{]*(?:\[(.*)\] ?)?(?:\{(.*)\} ?)?:"
    r" ([^,=?!~#%]*?)(?:, ([^=?!~#%]*?))?((?: [=?!~#%]\d* [^=?!~#%]*)+)"
)
CHECK = re.compile(r"([=?!~#%])(\d*) ([^=?!~#%]*)")


def every_hand(text: str) -> pytest.MarkDecorator:
    """Hands written out, one in a line, for `check_hand`."""
    return pytest.mark.parametrize("line", text.strip().splitlines())


def played_hand(start: Callable[..., Round], line: str) -> tuple[Round, str]:
    """The round of a line, as far as its moves bring it, and what is to be checked of it."""
    found = HAND.fullmatch(line)
    assert found is not None, line
    _, bets, options, cards, moves, rest = found.groups()
    more: dict[str, Any] = {"bets": [int(amount) for amount in bets.split()]} if bets else {}
    for name, _, value in (option.partition("=") for option in (options or "").split()):
        more[name] = bool(int(value)) if name == "escape" else int(value) if value else True
    return start(cards, moves or "", **more), rest


def check_hand(start: Callable[..., Round], line: str) -> None:
    """Play one hand: `CA-13 of every bet [10 20] {packs=3}: T 9 K | 9 9 A, stand = -10 lose, -20`.

    That is the clauses, what it shows, the bets and options where they are not the usual ones, the cards, the moves,
    and what is checked: `=` the result of each hand and its outcome, `~` what seat 1 won altogether, `#` the dealer's
    cards, `%` the first hand's total, `?` what is legal and `?2` that seat 2 is asked, `!` what is refused.
    """
    played, rest = played_hand(start, line)
    for sign, seat, text in CHECK.findall(rest):
        text = text.strip()
        if sign == "=":
            ends = [end.partition(" ") for end in text.split(", ")]
            assert nets(played) == [int(net) for net, _, _ in ends]
            assert all(
                hand.outcome == (end or hand.outcome) for hand, (_, _, end) in zip(played.hands, ends, strict=True)
            )
        elif sign == "?":
            assert legal(played) == set(text.split())
            assert not seat or (played.ask is not None and played.ask.actor == int(seat))
        elif sign == "!":
            for word in text.split():
                refused(played, word)
        elif sign == "~":
            assert won(played) == int(text)
        elif sign == "#":
            assert ranks(played.dealer) == text
        else:
            assert played.hands[0].total == int(text)


def state(played: Round) -> dict[str, Any]:
    """Everything a round holds, as values that can be compared."""
    return {
        "ask": played.ask,
        "purse": dict(played.purse),
        "cards": list(played.cards),
        "decisions": list(played.decisions),
        "reshuffled": played.reshuffled,
        "hands": [hand_state(hand) for hand in (played.dealer, *played.hands)],
    }


def hand_state(hand: Hand) -> dict[str, Any]:
    kept = ("seat", "box", "bet", "hard", "aces", "doubled", "split", "outcome", "net", "insured", "insurance", "short")
    lists = {"cards": list(hand.cards), "offsets": list(hand.offsets), "hidden": hand.hidden}
    return {name: getattr(hand, name) for name in kept} | lists
