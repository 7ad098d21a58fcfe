"""How the key gives each card of a round, through every reshuffle of its shoe, with the arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fairshoe.errors import FairshoeError
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.deck import Deck
from fairshoe.protocol.shoe import CUT, Sealed
from fairshoe.protocol.transcript import Transcript
from fairshoe.protocol.words import DRAW_SALT, SHUFFLE_SALT, SPAN, words

from ..kinds.reveal import sealed_of
from ..walk.state import DealtRound, Logged
from .story import BAD, mark
from .watch import Hand

SHOWN = 12
"""How many cards are shown of a round that could not be read."""


class Draw(NamedTuple):
    """An index below `m` of a stream: words that were discarded, the word used, the index."""

    rejected: tuple[int, ...]
    word: int
    m: int
    value: int

    @property
    def again(self) -> str:
        return f" after {len(self.rejected)} discarded" if self.rejected else ""


class Step(NamedTuple):
    """Step `at` of the shuffle swaps in the place that lies `draw` further, and leaves its card here."""

    at: int
    draw: Draw
    card: str


class Order(NamedTuple):
    """One order of the shoe's cards: the transcript that names its stream, the deck that is shuffled, the cut."""

    transcript: Transcript
    deck: Deck
    cut: int


class Gathered(NamedTuple):
    """A reshuffle in the middle of round `round`, before its card `after`, that gave `order`.

    `draw` gave its cut, None where the rules do not cut again; `burned` is the card that was burned; `logged` the entry
    that tells of it, if there is one.
    """

    round: int
    after: int
    order: Order
    draw: Draw | None
    burned: str | None
    logged: Logged | None


class Piece(NamedTuple):
    """Cards of the round in a row, dealt from `order` at `position`."""

    cards: Sequence[str]
    order: Order
    position: int

    def steps(self, key: bytes) -> list[Step | None]:
        """The steps that give them; None where the order has no such position."""
        size = len(self.order.deck)
        places = range(self.position, self.position + len(self.cards))
        wanted = {(place + self.order.cut) % size for place in places if place < size}
        found: dict[int, Step] = {}
        for step in _steps(key, self.order) if wanted else ():
            if step.at in wanted:
                found[step.at] = step
                if len(found) == len(wanted):
                    break
        return [found[(place + self.order.cut) % size] if place < size else None for place in places]


def course_of(key: bytes, sealed: Sealed, rounds: Sequence[DealtRound], wanted: int) -> list[Gathered | Piece]:
    """How the cards of round number `wanted` came about: the reshuffles of a freshly sealed shoe before it, then
    its own cards and the reshuffles between. Raises InputError."""
    order = _order(sealed)
    course: list[Gathered | Piece] = []
    for dealt in rounds:
        start, position = 0, dealt.position
        on_table: set[int] = set()
        for number, gathering in enumerate(dealt.gatherings):
            cards = dealt.cards[start : gathering.after]
            if dealt.number == wanted:
                course.append(Piece(cards, order, position))
            on_table.update(sealed.order_indexes()[position : position + len(cards)])
            sealed.reshuffle([i for i in range(len(sealed.deck)) if i not in on_table], cut=gathering.cut)
            order = _order(sealed)
            burned = sealed.order()[0] if gathering.burn and len(sealed) > 1 else None
            draw = _draw_of_cut(key, order) if gathering.cut else None
            logged = dealt.logged[number] if number < len(dealt.logged) else None
            course.append(Gathered(dealt.number, gathering.after, order, draw, burned, logged))
            start, position = gathering.after, int(burned is not None)
        if dealt.number == wanted:
            return [*course, Piece(dealt.cards[start:], order, position)]
    return course


def _order(sealed: Sealed) -> Order:
    return Order(sealed.transcript, sealed.deck.pick(sealed.gathered), sealed.cut)


def _draw_of_cut(key: bytes, order: Order) -> Draw:
    info = order.transcript.digest + b"draw %b\n" % CUT.encode()
    return _draw(words(key, DRAW_SALT, info, expect=8), len(order.deck))


def _draw(stream: Iterator[int], m: int) -> Draw:
    """The next index below `m`, with what was discarded for it."""
    rejected: tuple[int, ...] = ()
    while (word := next(stream)) >= SPAN - SPAN % m:
        rejected += (word,)
    return Draw(rejected, word, m, word % m)


def _steps(key: bytes, order: Order) -> Iterator[Step]:
    """Every step of the forward Fisher–Yates of an order, before its cut."""
    deck = list(order.deck)
    size = len(deck)
    stream = words(key, SHUFFLE_SALT, order.transcript.digest, expect=size)
    for at in range(size):
        draw = _draw(stream, size - at) if at < size - 1 else Draw((), 0, 1, 0)
        deck[at], deck[at + draw.value] = deck[at + draw.value], deck[at]
        yield Step(at, draw, deck[at])


def key_of(hand: Hand) -> bytes | None:
    """The revealed key, if it is the one that was committed to."""
    if hand.end is None:
        return None
    key = bytes.fromhex(hand.end["key"])
    return key if commitment_of(key) == hand.shoe.commitment else None


def cards(hand: Hand) -> Iterator[str]:
    """Section 5: every card of the round, by the key."""
    key = key_of(hand)
    if key is None:
        yield "5. Without the key that was committed to no card can be checked."
        return
    try:
        lines = list(_unread(hand, key) if hand.dealt is None else _course(hand, key))
    except FairshoeError as error:
        lines = [f"     {BAD} {error}"]
    yield "5. Key and seeds give every card. The shoe begins as a sorted deck of n cards; step i of the shuffle takes"
    yield "   the next word w of the stream and swaps places i and i + w mod (n - i). Place i is final then."
    yield from lines


def _unread(hand: Hand, key: bytes) -> Iterator[str]:
    sealed = sealed_of(hand.shoe, key)
    course_of(key, sealed, [dealt for dealt in hand.shoe.rounds if dealt.line < hand.opened_line], hand.number)
    row = sealed.order()[hand.position : hand.position + SHOWN]
    yield "     The entry of this round could not be followed, so that there are no cards to compare."
    yield f"     From position {hand.position:,} on the key gives: {' '.join(row)} …"


def _course(hand: Hand, key: bytes) -> Iterator[str]:
    sealed = sealed_of(hand.shoe, key)
    first = _order(sealed)
    course = course_of(key, sealed, hand.shoe.rounds, hand.number)
    yield "   It is named by this transcript:"
    for line in first.transcript.text.splitlines():
        yield f"       {line}"
    yield f"     its SHA-256 is {first.transcript.digest.hex()}"
    yield from _cut_and_burn(hand, key, first)
    if course and isinstance(course[0], Gathered):
        yield "   Before this round the cards that were out of play were gathered and shuffled anew under the same key:"
    for each in course:
        yield from _gathered(each) if isinstance(each, Gathered) else _piece(key, each)


def _cut_and_burn(hand: Hand, key: bytes, order: Order) -> Iterator[str]:
    cut = hand.shoe.told.cut
    if cut is None and CUT in hand.shoe.told.draws:
        draw = _draw_of_cut(key, order)
        yield f"     {mark(draw.value == hand.drawn_cut)} the cut: {_drawn(draw)}"
    elif cut is not None:
        yield f"     the cut at {cut.at:,}: the first card dealt is the one at place i = {cut.at}"
    if hand.shoe.burn is not None:
        yield from (f"{line}   (burned)" for line in _piece(key, Piece([hand.shoe.burn], order, 0)))


def _gathered(gathered: Gathered) -> Iterator[str]:
    """A reshuffle in the middle of a deal, with its arithmetic."""
    order, logged = gathered.order, gathered.logged
    latest = order.transcript.reshuffles[-1]
    where = "no entry of the log tells of it" if logged is None else f"entry {logged.line}"
    form = {} if logged is None else logged.entry
    yield (
        f"   Reshuffle {latest.number} of this shoe ({where}), before card {gathered.after + 1} of round "
        f"{gathered.round}: the {latest.size} cards that did not lie on the table make a new deck."
    )
    yield f"     {mark(form.get('deck') == latest.deck_hash)} the SHA-256 of its labels is {latest.deck_hash}"
    yield f"     The transcript grows by the line: reshuffle {latest.number} {latest.size} {latest.deck_hash}"
    yield f"     its SHA-256 is {order.transcript.digest.hex()}"
    if gathered.draw is not None:
        yield f"     {mark(form.get('cut') == gathered.draw.value)} the cut: {_drawn(gathered.draw)}"
    if gathered.burned is not None:
        yield f"     {mark(form.get('burn') == gathered.burned)} its first card, {gathered.burned}, was burned"


def _drawn(draw: Draw) -> str:
    return f"the draw `cut` takes w = {draw.word}{draw.again}: {draw.word} mod {draw.m} = {draw.value}"


def _piece(key: bytes, piece: Piece) -> Iterator[str]:
    for label, step in zip(piece.cards, piece.steps(key), strict=True):
        if step is None:
            yield f"     {BAD} {label}   there is no card at this place: the deck has {len(piece.order.deck)}"
            continue
        at, draw, card = step
        other = "" if card == label else f", which is {card}"
        yield (
            f"     {mark(not other)} {label}   i = {at}, w = {draw.word}{draw.again}: "
            f"{at} + {draw.word} mod {draw.m} = {at + draw.value}{other}"
        )
