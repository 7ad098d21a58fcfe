"""The cards of a round with their arithmetic, through every reshuffle of the shoe, for people and programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairshoe.errors import FairshoeError
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.shoe import CUT, Sealed

from ..kinds.reveal import sealed_of
from .arithmetic import Course, DrawStep, Gathered, Order, Piece, Step, course_of, draw_step, steps_at
from .dealt import Hand
from .way import BAD, mark

SHOWN = 12
"""How many cards are shown of a round that could not be read."""


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
    sealed = _before(hand, key)
    position = hand.position
    row = sealed.order()[position : position + SHOWN]
    yield "     The entry of this round could not be followed, so that there are no cards to compare."
    yield f"     From position {position:,} on the key gives: {' '.join(row)} …"


def _before(hand: Hand, key: bytes) -> Sealed:
    """The shoe as it was when the round began."""
    sealed = sealed_of(hand.shoe, key)
    course_of(key, sealed, [dealt for dealt in hand.shoe.rounds if dealt.line < hand.opened_line], hand.number)
    return sealed


def _course(hand: Hand, key: bytes) -> Iterator[str]:
    course = course_of(key, sealed_of(hand.shoe, key), hand.shoe.rounds, hand.number)
    yield "   It is named by this transcript:"
    yield from _transcript(course.first)
    yield from _cut_and_burn(hand, key, course.first)
    if course.earlier:
        yield "   Before this round the cards that were out of play were gathered and shuffled anew under the same key:"
        for gathered in course.earlier:
            yield from _gathered(gathered)
    for number, piece in enumerate(course.pieces):
        if number:
            yield from _gathered(course.own[number - 1])
        yield from _piece(key, piece)


def _transcript(order: Order) -> Iterator[str]:
    for line in order.transcript.text.splitlines():
        yield f"       {line}"
    yield f"     its SHA-256 is {order.transcript.digest.hex()}"


def _cut_and_burn(hand: Hand, key: bytes, order: Order) -> Iterator[str]:
    cut = hand.shoe.told.cut
    if cut is None and CUT in hand.shoe.told.draws:
        draw = draw_step(key, order.transcript, CUT, len(order.deck))
        yield f"     {mark(draw.value == hand.drawn_cut)} the cut: {_draw(draw)}"
    elif cut is not None:
        yield f"     the cut at {cut.at:,}: the first card dealt is the one at place i = {cut.at}"
    if hand.shoe.burn is not None:
        step = steps_at(key, order, [0])[0]
        yield f"{_card(hand.shoe.burn, step, len(order.deck))}   (burned)"


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
        yield f"     {mark(form.get('cut') == gathered.draw.value)} the cut: {_draw(gathered.draw)}"
    if gathered.burned is not None:
        yield f"     {mark(form.get('burn') == gathered.burned)} its first card, {gathered.burned}, was burned"


def _draw(draw: DrawStep) -> str:
    again = f" after {len(draw.rejected)} discarded" if draw.rejected else ""
    return f"the draw `cut` takes w = {draw.word}{again}: {draw.word} mod {draw.m} = {draw.value}"


def _piece(key: bytes, piece: Piece) -> Iterator[str]:
    positions = [piece.position + offset for offset in range(len(piece.cards))]
    for label, step in zip(piece.cards, steps_at(key, piece.order, positions), strict=True):
        yield _card(label, step, len(piece.order.deck))


def _card(label: str, step: Step | None, size: int) -> str:
    if step is None:
        return f"     {BAD} {label}   there is no card at this place: the deck has {size}"
    again = f" after {len(step.rejected)} discarded" if step.rejected else ""
    other = "" if step.card == label else f", which is {step.card}"
    return (
        f"     {mark(not other)} {label}   i = {step.at}, w = {step.word}{again}: "
        f"{step.at} + {step.word} mod {size - step.at} = {step.swapped}{other}"
    )


def arithmetic(hand: Hand) -> dict[str, Any] | None:
    """The same for programs; None where the key is not out or the round could not be followed."""
    key = key_of(hand)
    if key is None or hand.dealt is None:
        return None
    try:
        course: Course = course_of(key, sealed_of(hand.shoe, key), hand.shoe.rounds, hand.number)
        cards = [form for piece in course.pieces for form in _piece_form(key, piece)]
    except FairshoeError:
        return None
    return {
        "transcript": course.first.transcript.text,
        "cut": course.first.cut,
        "earlier": [_gathered_form(each) for each in course.earlier],
        "reshuffles": [_gathered_form(each) for each in course.own],
        "cards": cards,
    }


def _piece_form(key: bytes, piece: Piece) -> Iterator[dict[str, Any]]:
    positions = [piece.position + offset for offset in range(len(piece.cards))]
    size = len(piece.order.deck)
    for label, position, step in zip(piece.cards, positions, steps_at(key, piece.order, positions), strict=True):
        form: dict[str, Any] = {"card": label, "position": position, "gives": None if step is None else step.card}
        if step is not None:
            form |= {"i": step.at, "w": step.word, "discarded": list(step.rejected), "m": size - step.at}
        yield form


def _gathered_form(gathered: Gathered) -> dict[str, Any]:
    latest, draw = gathered.order.transcript.reshuffles[-1], gathered.draw
    return {
        "k": latest.number,
        "round": gathered.round,
        "after": gathered.after,
        "entry": None if gathered.logged is None else gathered.logged.line,
        "cards": latest.size,
        "deck": latest.deck_hash,
        "transcript": gathered.order.transcript.text,
        "cut": None if draw is None else {"w": draw.word, "discarded": list(draw.rejected), "value": draw.value},
        "burn": gathered.burned,
    }
