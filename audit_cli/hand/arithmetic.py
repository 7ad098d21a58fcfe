"""How the key gives each card: transcripts, the words of the stream, the swaps, through every reshuffle of a shoe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fairshoe.protocol.deck import Deck
from fairshoe.protocol.shoe import CUT, Sealed
from fairshoe.protocol.transcript import Transcript
from fairshoe.protocol.words import DRAW_SALT, SHUFFLE_SALT, SPAN, Words

from ..walk.state import DealtRound, Logged


class Step(NamedTuple):
    """Step `at` of the shuffle: words that were discarded, the word used, the place swapped in, its card."""

    at: int
    rejected: tuple[int, ...]
    word: int
    swapped: int
    card: str


class DrawStep(NamedTuple):
    """A named draw below `m`: words that were discarded, the word used, the value."""

    rejected: tuple[int, ...]
    word: int
    m: int
    value: int


class Order(NamedTuple):
    """One order of the shoe's cards: the transcript that names its stream, the deck that is shuffled, the cut."""

    transcript: Transcript
    deck: Deck
    cut: int


class Gathered(NamedTuple):
    """A reshuffle in the middle of round `round`, before its card `after`, that gave `order`.

    `draw` is the arithmetic of its cut, None where the rules do not cut again; `burned` the card that was burned;
    `logged` the entry that tells of it, if there is one.
    """

    round: int
    after: int
    order: Order
    draw: DrawStep | None
    burned: str | None
    logged: Logged | None


class Piece(NamedTuple):
    """Cards in a row: the round's from `start` on, dealt from `order` at `position`."""

    start: int
    cards: Sequence[str]
    order: Order
    position: int


class Course(NamedTuple):
    """How a round's cards came about: the orders of the shoe before it, its own pieces and the reshuffles between."""

    first: Order
    earlier: list[Gathered]
    pieces: list[Piece]
    own: list[Gathered]


def course_of(key: bytes, sealed: Sealed, rounds: Sequence[DealtRound], wanted: int) -> Course:
    """The course of round number `wanted`, of a freshly sealed shoe, through its `rounds`. Raises InputError."""
    first = order = _order(sealed)
    earlier: list[Gathered] = []
    for dealt in rounds:
        own: list[Gathered] = []
        pieces: list[Piece] = []
        start, position = 0, dealt.position
        on_table: set[int] = set()
        for number, gathering in enumerate(dealt.gatherings):
            cards = dealt.cards[start : gathering.after]
            pieces.append(Piece(start, cards, order, position))
            on_table.update(sealed.order_indexes()[position : position + len(cards)])
            sealed.reshuffle([i for i in range(len(sealed.deck)) if i not in on_table], cut=gathering.cut)
            order = _order(sealed)
            burned = sealed.order()[0] if gathering.burn and len(sealed) > 1 else None
            draw = draw_step(key, sealed.transcript, CUT, len(sealed)) if gathering.cut else None
            logged = dealt.logged[number] if number < len(dealt.logged) else None
            own.append(Gathered(dealt.number, gathering.after, order, draw, burned, logged))
            start, position = gathering.after, int(burned is not None)
        if dealt.number == wanted:
            pieces.append(Piece(start, dealt.cards[start:], order, position))
            return Course(first, earlier, pieces, own)
        earlier += own
    return Course(first, earlier, [], [])


def _order(sealed: Sealed) -> Order:
    return Order(sealed.transcript, sealed.deck.pick(sealed.gathered), sealed.cut)


def draw_step(key: bytes, transcript: Transcript, name: str, m: int) -> DrawStep:
    """The named draw below `m` under a transcript, with its words."""
    rejected, word = _word(Words(key, DRAW_SALT, transcript.digest, b"draw %b\n" % name.encode(), expect=8), m)
    return DrawStep(rejected, word, m, word % m)


def _word(words: Words, m: int) -> tuple[tuple[int, ...], int]:
    """The next word that is not discarded for an index below `m`, and those that are."""
    rejected: tuple[int, ...] = ()
    while (word := words.next()) >= SPAN - SPAN % m:
        rejected += (word,)
    return rejected, word


def steps(key: bytes, order: Order) -> Iterator[Step]:
    """Every step of the forward Fisher–Yates of an order, before its cut."""
    deck = list(order.deck)
    size = len(deck)
    words = Words(key, SHUFFLE_SALT, order.transcript.digest, expect=size)
    for index in range(size - 1):
        rejected, word = _word(words, size - index)
        swapped = index + word % (size - index)
        deck[index], deck[swapped] = deck[swapped], deck[index]
        yield Step(index, rejected, word, swapped, deck[index])
    yield Step(size - 1, (), 0, size - 1, deck[size - 1])


def steps_at(key: bytes, order: Order, positions: Sequence[int]) -> list[Step | None]:
    """The steps that give the cards at these positions of the dealt order; None where it has no such position."""
    size = len(order.deck)
    wanted = {(position + order.cut) % size for position in positions if position < size}
    found: dict[int, Step] = {}
    for step in steps(key, order) if wanted else ():
        if step.at in wanted:
            found[step.at] = step
            if len(found) == len(wanted):
                break
    return [found[(position + order.cut) % size] if position < size else None for position in positions]
