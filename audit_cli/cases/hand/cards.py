"""How the key gives each card of a round, through every reshuffle of its shoe, with the arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fairshoe.errors import FairshoeError
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.deck import Deck
from fairshoe.protocol.shoe import CUT, Sealed
from fairshoe.protocol.transcript import Transcript
from fairshoe.protocol.word_stream import DRAW_SALT, SHUFFLE_SALT, SPAN, words

from ...verify.kinds.reveal import rebuild_order
from ...verify.walk.state import LoggedEntry
from .story import BAD, mark
from .watcher import WatchedRound


def cards(hand: WatchedRound) -> Iterator[str]:
    """Section 5: every card of the round, by the key."""
    key = None if hand.end is None else bytes.fromhex(hand.end["key"])
    if key is None or commitment_of(key) != hand.shoe.commitment:
        yield "5. Without the key that was committed to no card can be checked."
        return
    if hand.shoe.book_shoe.placer is not None:
        yield "5. House and placer fixed every card together. `fairshoe-audit verify` checks them; how they come about"
        yield "   is not shown here."
        return
    yield "5. Key and seeds give every card. The shoe begins as a sorted deck of n cards; step i of the shuffle takes"
    yield "   the next word w of the stream and swaps places i and i + w mod (n - i). Place i is final then."
    if hand.dealt is None:
        yield "     The entry of this round could not be followed, so that there are no cards to compare."
        return
    try:
        lines = list(_course(hand, key))
    except FairshoeError as error:
        lines = [f"     {BAD} {error}"]
    yield from lines


class ShoeOrder(NamedTuple):
    """One order of the shoe's cards: the transcript that names its stream, the deck that is shuffled, the cut."""

    transcript: Transcript
    deck: Deck
    cut: int


def _order(sealed: Sealed) -> ShoeOrder:
    return ShoeOrder(sealed.transcript, sealed.deck.pick(sealed.gathered), sealed.cut)


def _course(hand: WatchedRound, key: bytes) -> Iterator[str]:
    """How the round's cards came about: the reshuffles of the sealed shoe before it, then its own cards and the
    reshuffles between."""
    sealed = rebuild_order(hand.shoe, key)
    order = _order(sealed)
    yield "   It is named by this transcript:"
    for line in order.transcript.text.splitlines():
        yield f"       {line}"
    yield f"     its SHA-256 is {order.transcript.digest.hex()}"
    yield from _cut_and_burn(hand, key, order)
    before = False
    for dealt in hand.shoe.rounds:
        own = dealt.number == hand.number
        start, position = 0, dealt.position
        on_table: set[int] = set()
        for number, gathering in enumerate(dealt.gatherings):
            cards = dealt.cards[start : gathering.after]
            if own:
                yield from _dealt(key, cards, order, position)
            elif not before:
                before = True
                yield "   Before this round the cards out of play were gathered and shuffled anew under the same key:"
            on_table.update(sealed.order_indexes()[position : position + len(cards)])
            sealed.reshuffle([i for i in range(len(sealed.deck)) if i not in on_table], cut=gathering.cut)
            order = _order(sealed)
            burned = sealed.order()[0] if gathering.burn and len(sealed) > 1 else None
            yield f"   Before card {gathering.after + 1} of round {dealt.number}:"
            logged = dealt.logged[number] if number < len(dealt.logged) else None
            yield from _gathered(logged, order, _draw_of_cut(key, order) if gathering.cut else None, burned)
            start, position = gathering.after, int(burned is not None)
        if own:
            yield from _dealt(key, dealt.cards[start:], order, position)
            return


def _cut_and_burn(hand: WatchedRound, key: bytes, order: ShoeOrder) -> Iterator[str]:
    cut = hand.shoe.book_shoe.cut
    if cut is None and CUT in hand.shoe.book_shoe.draws:
        draw = _draw_of_cut(key, order)
        yield f"     {mark(draw.value == hand.drawn_cut)} the cut: {draw.explanation}"
    elif cut is not None:
        yield f"     the cut at {cut.at:,}: the first card dealt is the one at place i = {cut.at}"
    if hand.shoe.burn is not None:
        yield from (f"{line}   (burned)" for line in _dealt(key, [hand.shoe.burn], order, 0))


def _gathered(
    logged: LoggedEntry | None, order: ShoeOrder, draw: StreamDraw | None, burned: str | None
) -> Iterator[str]:
    """A reshuffle in the middle of a deal that gave `order`, with its arithmetic: the entry that tells of it, the draw
    of its cut, the card that was burned; each None where there is none."""
    latest = order.transcript.reshuffles[-1]
    where = "no entry of the log tells of it" if logged is None else f"entry {logged.line}"
    form = {} if logged is None else logged.entry
    yield (
        f"   Reshuffle {latest.number} of this shoe ({where}): the {latest.size} cards that did not lie on the table "
        "make a new deck."
    )
    yield f"     {mark(form.get('deck') == latest.deck_hash)} the SHA-256 of its labels is {latest.deck_hash}"
    yield f"     The transcript grows by the line: reshuffle {latest.number} {latest.size} {latest.deck_hash}"
    yield f"     its SHA-256 is {order.transcript.digest.hex()}"
    if draw is not None:
        yield f"     {mark(form.get('cut') == draw.value)} the cut: {draw.explanation}"
    if burned is not None:
        yield f"     {mark(form.get('burn') == burned)} its first card, {burned}, was burned"


def _dealt(key: bytes, cards: Sequence[str], order: ShoeOrder, position: int) -> Iterator[str]:
    """Cards in a row, dealt from `order` at `position`, each with the step that gives it."""
    size = len(order.deck)
    places = [(place + order.cut) % size if place < size else None for place in range(position, position + len(cards))]
    steps = {step.at: step for step in _steps(key, order) if step.at in places} if cards else {}
    for label, place in zip(cards, places, strict=True):
        if place is None:
            yield f"     {BAD} {label}   there is no card at this place: the deck has {size}"
            continue
        at, draw, card = steps[place]
        other = "" if card == label else f", which is {card}"
        yield (
            f"     {mark(not other)} {label}   i = {at}, w = {draw.word}{draw.redrawn}: "
            f"{at} + {draw.word} mod {draw.m} = {at + draw.value}{other}"
        )


# The stream.


class StreamDraw(NamedTuple):
    """An index below `m` of a stream: how many words were `discarded`, the word used, the index."""

    discarded: int
    word: int
    m: int
    value: int

    @property
    def redrawn(self) -> str:
        return f" after {self.discarded} discarded" if self.discarded else ""

    @property
    def explanation(self) -> str:
        return f"the draw `cut` takes w = {self.word}{self.redrawn}: {self.word} mod {self.m} = {self.value}"


class ShuffleSwap(NamedTuple):
    """Step `at` of the shuffle swaps in the place that lies `draw` further, and leaves its card here."""

    at: int
    draw: StreamDraw
    card: str


def _draw_of_cut(key: bytes, order: ShoeOrder) -> StreamDraw:
    info = order.transcript.digest + b"draw %b\n" % CUT.encode()
    return _draw(words(key, DRAW_SALT, info, expect=8), len(order.deck))


def _draw(stream: Iterator[int], m: int) -> StreamDraw:
    """Return the next index below `m`, with what was discarded for it."""
    discarded = 0
    while (word := next(stream)) >= SPAN - SPAN % m:
        discarded += 1
    return StreamDraw(discarded, word, m, word % m)


def _steps(key: bytes, order: ShoeOrder) -> Iterator[ShuffleSwap]:
    """Every step of the forward Fisher–Yates of an order, before its cut."""
    deck = list(order.deck)
    size = len(deck)
    stream = words(key, SHUFFLE_SALT, order.transcript.digest, expect=size)
    for at in range(size):
        draw = _draw(stream, size - at) if at < size - 1 else StreamDraw(0, 0, 1, 0)
        deck[at], deck[at + draw.value] = deck[at + draw.value], deck[at]
        yield ShuffleSwap(at, draw, deck[at])
