"""A simulated shoe's ceremony: commitment, hashes and cut, seeds one after the other, seal, end."""

from __future__ import annotations

from hashlib import sha256

from ..cards import named_deck
from ..ceremony import contributing
from ..ceremony.book import Book, Shoe, live_shoe
from ..ceremony.ending import all_bets_returned, wait_start
from ..engine.cards import ShoeCards
from ..protocol.commitment import commitment_of
from ..record import entries
from ..record.forms import shoe_id
from .simulated_table import SimulatedTable

CUT_SHARE = 0.8
"""In which share of the cases who may cut does."""


def commit(seating: SimulatedTable) -> Shoe:
    """A commitment to a fresh key."""
    book = seating.book
    name = shoe_id(book.id, book.shoes + 1)
    seating.key = seating.secret(f"key {name}")
    away = _away(seating) if any(chair.is_absent for chair in book.chairs.values()) else []
    at = seating.clock.tick()
    says = contributing.next_shoe_fields(book, away, at)
    entry = entries.shoe_entry(at, name, commitment=commitment_of(seating.key), **says)
    seating.log(entry)
    return live_shoe(book)


def _away(seating: SimulatedTable) -> list[int]:
    """Half of the chairs that nobody waits for are left out, as long as somebody else can play."""
    book = seating.book
    away = [seat for seat in contributing.may_be_away(book) if seating.chance.happens(0.5)]
    return away if contributing.can_play(book, [seat for seat in book.chairs if seat not in away]) else []


def send_hashes(seating: SimulatedTable, shoe: Shoe) -> None:
    """Send the players' hashes, and perhaps a cut with one. Some players forget theirs, but at least one hash comes."""
    book, clock = seating.book, seating.clock
    sent = [who for who in shoe.roster if not seating.forgets()] or shoe.roster[:1]
    seating.seeds = {who: seating.seed(shoe.id, who) for who in sent}
    hashes = {who: sha256(seed).hexdigest() for who, seed in seating.seeds.items()}
    cuts = _cuts(seating, shoe, sent)
    silent = contributing.missing_hashes(book, shoe, hashes) if len(sent) < len(shoe.roster) else []
    if silent:
        clock.wait(book.policy.hash, wait_start(book, shoe.at))
    if shoe.cutter in hashes and shoe.cutter not in cuts:
        clock.wait(book.policy.cut, wait_start(book, shoe.at))
    cut = contributing.cut_that_counts(book, shoe, cuts)
    at = clock.tick()
    seating.log(entries.seeds_entry(at, shoe.id, hashes, cut and cut._asdict(), silent))


def _cuts(seating: SimulatedTable, shoe: Shoe, players: list[str]) -> dict[str, int]:
    """Return the cut of one of those among `players` who may, if anybody cuts."""
    if not contributing.is_cut(shoe):
        return {}
    able = [who for who in contributing.cutters(seating.book, shoe) if who in players]
    if not able or not seating.chance.happens(CUT_SHARE):
        return {}
    low, high = contributing.cut_range(seating.rules, shoe)
    below = seating.chance.below
    return {able[below(len(able))]: low + below(high - low + 1)}


def open_seeds(seating: SimulatedTable, shoe: Shoe) -> bool:
    """One seed after the other; whether the shoe can be sealed then. If not it is void."""
    book = seating.book
    if shoe.alone:
        who = shoe.roster[0]
        cut = contributing.cut_that_counts(book, shoe, _cuts(seating, shoe, [who]))
        at, seed = seating.clock.tick(), seating.seed(shoe.id, who).hex()
        seating.log(entries.opened_entry(at, shoe.id, who, seed, cut and cut._asdict()))
        return True
    for who in contributing.openers(book, shoe):
        if not _lapses(seating, who):
            at, seed = seating.clock.tick(), seating.seeds[who].hex()
            seating.log(entries.opened_entry(at, shoe.id, who, seed))
            continue
        seating.clock.wait(book.policy.seed, wait_start(book, shoe.seed_wait_since))
        if not contributing.only_strikes(book, shoe):
            void(seating, shoe, "seed", who)
            return False
        at = seating.clock.tick()
        seating.log(entries.lapse_entry(at, shoe.id, who))
        if all_bets_returned(book, shoe):
            void(seating, shoe, "seed")
            return False
    return True


def _lapses(seating: SimulatedTable, player: str) -> bool:
    """Whether a player does not open a seed; not twice running, nor if a seed is owed or the bank would be alone."""
    if not seating.forgets():
        return False
    book = seating.book
    enough = len(book.chairs) > (2 if book.table.bank in book.chairs else 1)
    return enough and not book.debts and player not in book.lapses


def seal_shoe(seating: SimulatedTable, shoe: Shoe) -> None:
    """Fix the order."""
    sealed = contributing.order_of(shoe, seating.key, named_deck(seating.rules.deck))
    seating.draws = {name: sealed.number(name) for name in sealed.draws}
    seating.cards = ShoeCards(sealed)
    burns = seating.rules.burns and shoe.purpose is None
    burn = seating.cards.draw() if burns else None
    seating.log(entries.seal_entry(seating.clock.tick(), shoe.id, burn=burn))


def reveal(seating: SimulatedTable, shoe: Shoe, why: str) -> None:
    at = seating.clock.tick()
    seating.log(entries.reveal_entry(at, shoe.id, seating.key.hex(), seating.draws, shoe.position, why))


def void(seating: SimulatedTable, shoe: Shoe, why: str, by: str | None = None) -> None:
    book: Book = seating.book
    at = seating.clock.tick()
    number = None if book.open_round is None else book.open_round.number
    seating.log(entries.void_entry(at, shoe.id, seating.key.hex(), why, by=by, round=number))
