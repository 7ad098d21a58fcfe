"""The parts of another house's scheme: its commitment, its games, and what it cannot show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from hmac import digest
from itertools import islice
from typing import Protocol

from fairshoe.errors import InputError

MAX_CARDS = 1000
"""Cards that one hand may name: no game of these houses shows more."""
MAX_CHAIN = 10_000_000
"""Games between a revealed hash and a remembered one of the same chain; the longest known chains have as many."""
RANKS = {"1": "A", "10": "T", "11": "J", "12": "Q", "13": "K"}
SUITS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "dhsc"]
_SUIT_FIRST = re.compile(r"([cdhs♣♦♥♠])(1[0-3]|[1-9atjqk])", re.I)
_RANK_FIRST = re.compile(r"(1[0-3]|[1-9atjqk])([cdhs♣♦♥♠])", re.I)


@dataclass(frozen=True)
class ForeignHand:
    """One result as its player knows it. Every field is the text that was given, "" if it was not."""

    scheme: str = ""  # how the house turns seeds into results, such as `stake`
    game: str = ""  # a game of that scheme
    server_seed: str = ""  # revealed by the house
    client_seed: str = ""  # the player's
    nonce: str = ""  # number of the bet under these seeds
    cursor: str = ""  # where the house began to count its numbers
    commitment: str = ""  # what the house published of the server seed before
    result: str = ""  # the cards in the order of the deal, or one number
    bet: str = ""  # the main bet
    actions: str = ""  # the player's, separated by commas
    payout: str = ""  # what came back

    def number(self, field: str) -> int:
        """Return a field that is a whole number, 0 if it is empty. Raises InputError."""
        text = getattr(self, field)
        if not re.fullmatch(r"[0-9]{0,15}", text):
            raise InputError(f"{text!r} is no whole number", where=field, expected="up to 15 digits")
        return int(text or "0")

    def bytes_of(self, field: str) -> bytes:
        """Return the bytes that a field's hex digits write. Raises InputError."""
        return bytes_in(getattr(self, field), field)


class ResultCheck(Protocol):
    """Compares what a hand says with what its seeds give; a result of another form raises InputError.

    `expected` is the result that the seeds give; `odds` is N if a result like the hand's fits other seeds once in N.
    """

    def expected(self, hand: ForeignHand) -> str: ...
    def follows(self, hand: ForeignHand, expected: str) -> bool: ...
    def odds(self, hand: ForeignHand) -> int: ...


@dataclass(frozen=True)
class CardGame:
    """A game whose result is a list of cards. `draw` gives them one by one; `shown` the result's cards in that order;
    `whole` all cards of a hand whose actions are given, None if they are not."""

    draw: Callable[[ForeignHand], Iterator[str]]
    shown: Callable[[ForeignHand], list[str]] = lambda hand: cards_in(hand.result)
    whole: Callable[[ForeignHand], list[str] | None] = lambda hand: None

    def expected(self, hand: ForeignHand) -> str:
        whole = self.whole(hand)
        return " ".join(islice(self.draw(hand), len(self.shown(hand))) if whole is None else whole)

    def follows(self, hand: ForeignHand, expected: str) -> bool:
        return self.shown(hand) == expected.split(" ")

    def odds(self, hand: ForeignHand) -> int:
        return int(52 ** min(len(self.shown(hand)), 9))


@dataclass(frozen=True)
class NumberGame:
    """A game whose result is a number. `value` computes it; `chance` is that of one result, given the number."""

    value: Callable[[ForeignHand], float]
    chance: Callable[[float], float]
    digits: int = 2
    """Decimals that the house shows."""
    either: bool = False
    """Whether it is unknown if the house cuts or rounds the decimals that it does not show: both are taken."""

    def expected(self, hand: ForeignHand) -> str:
        value = self.value(hand)
        return f"{value:.{self.digits}f}" if round(value, self.digits) == value else repr(value)

    def follows(self, hand: ForeignHand, expected: str) -> bool:
        value, given = float(expected), number_in(hand.result, "result")
        rounded = float(f"{value:.{self.digits}f}")
        cut = int(value * 10**self.digits) / 10**self.digits
        return given == value or (self.either and given in (rounded, cut))

    def odds(self, hand: ForeignHand) -> int:
        return int(1 / self.chance(number_in(hand.result, "result")))


@dataclass(frozen=True)
class SchemeGame:
    """A game of a scheme. `real`: whether results of real rounds are among the tests. `paid` computes what came back
    for `bet` and `actions`; raises UnknownRule where no real hand has shown it."""

    outcome: ResultCheck
    real: bool
    paid: Callable[[ForeignHand], float] | None = None


@dataclass(frozen=True)
class Scheme:
    """A way to turn seeds into results, used by one house or those who copy it.

    `commits`: what the house publishes of a server seed; in a `chain` that is the hash of the game before, and any
    earlier game's hash is a commitment too. `limits`: what following from the seeds does not show.
    """

    name: str
    games: Mapping[str, SchemeGame]
    commits: Callable[[str], str]
    limits: tuple[str, ...]
    chain: bool = False


UNSIGNED = "Nothing is signed: only your own memory of the commitment binds the house."
GAPS = "A nonce that is left out shows nowhere."
CLIENT_KNOWN = "A house that knows your client seed can choose the server seed after it."
REPLACED = "Cards are drawn with replacement: there is no shoe to count."
CHOSEN = "Whoever made the chain could choose it if the salt was known by then."


def hash_of_text(server_seed: str) -> str:
    """Return the SHA-256 of a server seed's text."""
    return sha256(server_seed.encode()).hexdigest()


def hash_of_bytes(server_seed: str) -> str:
    """Return the SHA-256 of the bytes that a server seed's hex digits write. Raises InputError."""
    return sha256(bytes_in(server_seed, "server_seed")).hexdigest()


def is_hex(text: str) -> bool:
    """Whether a text is pairs of hex digits."""
    return re.fullmatch("(?:[0-9a-fA-F]{2})+", text) is not None


def bytes_in(text: str, field: str) -> bytes:
    """Return the bytes that hex digits write. Raises InputError."""
    if not is_hex(text):
        raise InputError("is not hexadecimal", where=field, expected="pairs of hex digits")
    return bytes.fromhex(text)


def crash_chance(point: float, returned: float = 0.99) -> float:
    """Return the chance of a multiplier to two decimals, if a game returns this share of its stakes in the long run."""
    return returned / point - returned / (point + 0.01) if point > 1 else 1 - returned / 1.01


def words(key: bytes, message: bytes) -> list[int]:
    """Return the eight big-endian numbers of 32 bits in HMAC-SHA256."""
    mac = digest(key, message, "sha256")
    return [int.from_bytes(mac[at : at + 4]) for at in range(0, 32, 4)]


def number_in(text: str, field: str) -> float:
    """Return the decimal number that a field holds; a multiplier may end in `x`. Raises InputError."""
    if not re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,20})?x?", text):
        raise InputError(f"{text!r} is no decimal number", where=field, expected="digits, such as 2.81")
    return float(text.removesuffix("x"))


def cards_in(text: str) -> list[str]:
    """Return our labels for the cards of a text, in any house's notation (`H7`, `7♥`, `Td`). Raises InputError."""
    names = text.split()
    if not 0 < len(names) <= MAX_CARDS:
        raise InputError(f"{len(names)} cards", where="result", expected=f"1 to {MAX_CARDS}, separated by spaces")
    return [card_in(name) for name in names]


def card_in(name: str) -> str:
    """Return our label for one card: rank upper case, suit lower case. Raises InputError."""
    if found := _SUIT_FIRST.fullmatch(name):
        suit, rank = found.groups()
    elif found := _RANK_FIRST.fullmatch(name):
        rank, suit = found.groups()
    else:
        raise InputError(f"{name!r} is no card", where="result", expected="rank and suit, such as Td, 10♦, D10 or 2H")
    return RANKS.get(rank, rank.upper()) + SUITS.get(suit, suit.lower())
