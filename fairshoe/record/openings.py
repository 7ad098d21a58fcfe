"""Openings: a card of a shoe with a placer, with what shows that the house bound it before its place was given
(docs/placer-protocol.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import InputError, VerificationError
from ..log.tree import check_inclusion, leaf_hash
from ..protocol.deck import MAX_CARDS
from ..protocol.openings import SALT_BYTES, leaf, path_in
from ..protocol.placed_shoe import BoundOrder
from ..protocol.text import bytes_of_hex

MAX_PATH = 16
"""Hashes of a path: a deck has 65,536 cards at most."""


class Opening(NamedTuple):
    """The card at place `pos` of an order of `n` cards: its label, its number in the deck that is present, the salt and
    the inclusion path of its leaf."""

    pos: int
    n: int
    label: str
    number: int
    salt: bytes
    path: tuple[bytes, ...]

    @property
    def form(self) -> dict[str, Any]:
        return {**self._asdict(), "salt": self.salt.hex(), "path": [each.hex() for each in self.path]}


def openings_of(bound: BoundOrder, places: Iterable[int]) -> Iterator[Opening]:
    """The openings of the cards at these places."""
    for place in places:
        number = bound.numbers[place]
        path = tuple(path_in(bound.levels, place))
        yield Opening(place, len(bound.deck), bound.deck[number], number, bound.salts[place], path)


def opening_of(form: Any) -> Opening:
    """Read an opening. Raises VerificationError."""
    try:
        pos, n, label, number, salt, path = (form[name] for name in Opening._fields)
        if not all(type(each) is int and 0 <= each <= MAX_CARDS for each in (pos, n, number)):
            raise TypeError
        if type(label) is not str or type(path) is not list or len(path) > MAX_PATH:
            raise TypeError
        label.encode()  # a lone surrogate has no bytes
        hashes = tuple(bytes_of_hex(each, "path", low=32, high=32) for each in path)
        return Opening(pos, n, label, number, bytes_of_hex(salt, "salt", low=SALT_BYTES, high=SALT_BYTES), hashes)
    except (KeyError, TypeError, ValueError, AttributeError, InputError):
        raise VerificationError("no opening of a card", where="openings", expected="docs/placer-protocol.md") from None


class Binding:
    """The cards of one order, as their openings come: `root` is what the house signed, `deck` the labels of the deck
    that is present. Each card's number comes once."""

    def __init__(self, root: str, deck: Sequence[str]) -> None:
        self.root, self.deck = bytes.fromhex(root), deck
        self.known: dict[int, Opening] = {}
        self._places: dict[int, int] = {}

    def is_bound(self, opening: Opening) -> bool:
        """Whether the house signed this card at this place: its path leads to the root."""
        if not opening.pos < opening.n == len(self.deck) or opening.number >= MAX_CARDS:
            return False
        card = leaf_hash(leaf(opening.salt, opening.label, opening.number))
        try:
            check_inclusion(card, opening.pos, opening.n, opening.path, self.root)
        except VerificationError:
            return False
        return True

    def take(self, opening: Opening, place: int, label: str | None = None) -> None:
        """Check the opening of the card at a place, which was shown as `label`. Raises VerificationError."""
        if opening.pos != place or not self.is_bound(opening):
            what = f"the opening of place {opening.pos} does not lead to what the house signed"
            raise VerificationError(what, where="openings", expected=f"the card at place {place}")
        self.hold(opening, label)

    def hold(self, opening: Opening, label: str | None = None) -> None:
        """Hold a bound card against the deck, and what was shown. Raises VerificationError: the house is at fault."""
        number, known = opening.number, self._places.setdefault(opening.number, opening.pos)
        wrong = ""
        if number >= len(self.deck) or self.deck[number] != opening.label:
            wrong = f"the house bound {opening.label} as card {number} of the deck, which is another one"
        elif known != opening.pos:
            wrong = f"the house bound card {number} of the deck at places {known} and {opening.pos}"
        elif label not in (None, opening.label):
            wrong = f"the card at place {opening.pos} is {opening.label}, and {label} was shown"
        if wrong:
            raise VerificationError(wrong, where="openings")
        self.known[opening.pos] = opening


def forms_of(openings: Iterable[Opening | None]) -> list[Mapping[str, Any] | None]:
    return [None if each is None else each.form for each in openings]
