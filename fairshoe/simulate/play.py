"""A simulated table from its first chair to its last: shoe after shoe, round after round."""

from __future__ import annotations

from collections.abc import Iterator

from ..ceremony.book import OpenRound, Shoe, standing_bets
from ..ceremony.ending import may_ask_reshuffle, wait_start, why_ends
from ..ceremony.fold import record_decisions, record_round
from ..ceremony.policy import IDLE_LIMIT
from ..engine.cards import ShoeCards
from ..engine.round import BankSettlement, Round, run_round
from ..log.times import SECOND
from ..record.entries import bank_entry, bank_move_entry, reshuffle_entry
from ..record.rounds import round_text
from .chairs import come_and_go, fill, find_bettors, leave_all, open_round, top_up
from .shoes import commit, open_seeds, reveal, seal_shoe, send_hashes, void
from .simulated_table import Line, SimulatedTable, TablePlan

RESHUFFLE_SHARE = 0.01
"""In which share of the shoes somebody asks for another one."""


def lines_of(plan: TablePlan, master: bytes, slot: int, slots: int) -> Iterator[Line]:
    """Yield the lines of a table in order of time; every key is revealed and everybody has left at their end."""
    seating = SimulatedTable(plan, master, slot, slots)
    for _ in _shoes(seating):
        yield from seating.fetch()
    leave_all(seating)
    yield from seating.fetch()


def _shoes(seating: SimulatedTable) -> Iterator[None]:
    """Shoe after shoe; now and then a rest, so that the lines may be fetched."""
    book, rules = seating.book, seating.rules
    while seating.played < seating.plan.rounds:
        yield
        come_and_go(seating)
        if not rules.needs_first_bank(book.table):
            settle_bank(seating)
        shoe = commit(seating)
        if not _is_thrown_away(seating, shoe):
            if shoe.purpose is not None:
                _first_bank(seating, shoe)
            elif rules.one_round:
                _one_round(seating, shoe)
            else:
                yield from _rounds(seating, shoe)


def _is_thrown_away(seating: SimulatedTable, shoe: Shoe) -> bool:
    """Whether somebody asks for another shoe."""
    if not seating.chance.happens(RESHUFFLE_SHARE):
        return False
    player = shoe.roster[seating.chance.below(len(shoe.roster))]
    if not may_ask_reshuffle(seating.book, shoe, player):
        return False
    void(seating, shoe, "reshuffle", player)
    return True


def _first_bank(seating: SimulatedTable, shoe: Shoe) -> None:
    """PO-04: deal from the shoe of its own until somebody has the bank."""
    send_hashes(seating, shoe)
    if open_seeds(seating, shoe):
        seal_shoe(seating, shoe)
        book, rules = seating.book, seating.rules
        seat, cards = rules.draw_first_bank(book.table, seating.cards, shoe.draw_chairs)
        entry = bank_entry(seating.clock.tick(), book.id, "first", seat, shoe=shoe.id, cards=cards)
        seating.log(entry, rules.set_first_bank(book.table, seat))
        reveal(seating, shoe, "worn")


def _one_round(seating: SimulatedTable, shoe: Shoe) -> None:
    """A shoe that serves one round."""
    policy = seating.book.policy
    if not shoe.alone:
        send_hashes(seating, shoe)
    find_bettors(seating, shoe)
    opened = open_round(seating, shoe)
    if opened is None:
        seating.clock.wait(policy.bet, wait_start(seating.book, shoe.betting_since))
        void(seating, shoe, "idle")
    elif open_seeds(seating, shoe):
        seal_shoe(seating, shoe)
        play_round(seating, shoe, opened)
        reveal(seating, shoe, "worn")


def _rounds(seating: SimulatedTable, shoe: Shoe) -> Iterator[None]:
    """A shoe of many rounds. After the table's last round everybody but the banker leaves, and that ends it."""
    book = seating.book
    send_hashes(seating, shoe)
    if not open_seeds(seating, shoe):
        return
    seal_shoe(seating, shoe)
    fill(seating)
    find_bettors(seating, shoe)
    while (why := _why_ends(seating, shoe)) is None:
        top_up(seating)
        opened = open_round(seating, shoe)
        if opened is None:
            seating.clock.wait(IDLE_LIMIT // SECOND, wait_start(book, shoe.betting_since))
            seating.bettors.clear()
        else:
            play_round(seating, shoe, opened)
            yield
    reveal(seating, shoe, why)


def _why_ends(seating: SimulatedTable, shoe: Shoe) -> str | None:
    """Return why a sealed shoe ends before the next `open`, or None; its cards end before its age."""
    book, rules = seating.book, seating.rules
    worn = shoe.rounds > 0 and rules.is_worn_out(shoe.position, shoe.deck_size, seating.draws)
    bankless = rules.needs_first_bank(book.table)
    if not worn and not bankless and seating.bank_moves:
        settle_bank(seating)
    if not worn and not shoe.bank_moved and seating.played == seating.plan.rounds:
        leave_all(seating, but=book.table.bank)
        find_bettors(seating, shoe)
    if seating.bettors and not (worn or bankless or shoe.bank_moved):
        return None
    return why_ends(book, shoe, seating.clock.now, worn=worn)


def play_round(seating: SimulatedTable, shoe: Shoe, opened: OpenRound) -> None:
    """Deal the open round and play it to its end."""
    book = seating.book
    cards = seating.cards = ShoeCards(seating.cards.shoe)
    bets = standing_bets(book, shoe, opened) if shoe.struck else opened.betting.bets
    played = run_round(book.table, cards, bets, seating.decide, trusted=True)
    moments = seating.wait_for_decisions()
    if played.reshuffled:
        _log_reshuffles(seating, shoe, played)
    at = seating.clock.tick()
    number = opened.number
    seating.lines.append((seating.clock.now, 1, round_text(at, shoe.id, number, played, moments).encode()))
    record_decisions(book, at, played.decisions)
    record_round(book, shoe, at, played.close(), cards.position, cards.present)
    seating.played += 1


def _log_reshuffles(seating: SimulatedTable, shoe: Shoe, played: Round) -> None:
    """The reshuffles in the middle of this round."""
    sealed, burned = seating.cards.shoe, iter(seating.cards.burned)
    lines = sealed.transcript.reshuffles[-len(played.reshuffled) :]
    for after, (k, size, digest) in zip(played.reshuffled, lines, strict=True):
        at = seating.clock.tick()
        entry = reshuffle_entry(
            at,
            shoe.id,
            seating.book.rounds,
            k=k,
            after=after,
            cards=size,
            deck=digest,
            cut=sealed.reshuffles[k - 1].cut,
            burn=next(burned, None),
        )
        seating.log(entry)


def settle_bank(seating: SimulatedTable) -> None:
    """Make every choice about the bank."""
    book = seating.book
    between = BankSettlement(book.table)
    while between.ask is not None:
        between.decide(seating.decide_bank(between.ask))
    if between.result.why:
        moments = seating.wait_for_decisions()
        at = seating.clock.tick()
        seating.log(bank_move_entry(at, book.id, between, moments), between.result.table)
