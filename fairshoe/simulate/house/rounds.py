"""A simulated round, from its first card to its `round` entry, and what happens to the bank."""

from __future__ import annotations

from ...ceremony.book import OpenRound, Shoe, bets_that_stand
from ...ceremony.fold import dealt, decided
from ...engine.bank import Between
from ...engine.round import Round, run
from ...record.entries import bank_entry, bank_move_entry, reshuffle_entry
from ...record.rounds import round_text
from ..shuffled import Shuffled
from .seating import Seating


def play_round(seating: Seating, shoe: Shoe, opened: OpenRound) -> None:
    """Deal the open round and play it to its end."""
    book = seating.book
    cards = seating.cards
    if isinstance(cards, Shuffled):
        cards.begin(cards.position)
    bets = bets_that_stand(book, shoe, opened) if shoe.struck else opened.betting.bets
    played = run(book.table, cards, bets, seating.decide, trusted=True)
    moments = seating.wait_for_decisions()
    if played.reshuffled:
        _log_reshuffles(seating, shoe, played)
    at = seating.clock.tick()
    number = opened.number
    seating.lines.append((seating.clock.now, 1, round_text(at, shoe.id, number, played, moments).encode()))
    decided(book, at, played.decisions)
    dealt(book, shoe, at, played.close(), cards.position, cards.present)
    seating.played += 1


def _log_reshuffles(seating: Seating, shoe: Shoe, played: Round) -> None:
    """The reshuffles in the middle of this round."""
    sealed, burned = seating.cards.shoe, iter(seating.cards.burned)
    lines = sealed.transcript.reshuffles[-len(played.reshuffled) :]
    for after, (k, size, digest) in zip(played.reshuffled, lines, strict=True):
        at = seating.clock.tick()
        entry = reshuffle_entry(
            at,
            shoe.id,
            seating.book.rounds,
            number=k,
            after=after,
            cards=size,
            deck_hash=digest,
            cut=sealed.reshuffles[k - 1].cut,
            burn=next(burned, None),
        )
        seating.log(entry)


def settle_bank(seating: Seating) -> None:
    """Whoever has a choice about the bank makes it."""
    book = seating.book
    between = Between(book.table)
    while between.ask is not None:
        between.decide(seating.decide_bank(between.ask))
    if between.result.why:
        moments = seating.wait_for_decisions()
        at = seating.clock.tick()
        seating.log(bank_move_entry(at, book.id, between, moments), between.result.table)


def find_first_bank(seating: Seating, shoe: Shoe) -> None:
    """PO-04: deal from the shoe of its own until somebody has the bank."""
    book, rules = seating.book, seating.rules
    seat, cards = rules.first_bank(book.table, seating.cards, shoe.dealt)
    at = seating.clock.tick()
    seating.log(bank_entry(at, book.id, "first", seat, shoe=shoe.id, cards=cards), rules.found_bank(book.table, seat))
