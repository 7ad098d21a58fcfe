"""A simulated table from its first chair to its last: shoe after shoe."""

from __future__ import annotations

from collections.abc import Iterator

from ...ceremony.book import Shoe
from ...ceremony.ending import may_ask_reshuffle, since, why_ends
from ...ceremony.policy import SILENCE
from ...log.times import SECOND
from .betting import find_bettors, open_round
from .chairs import come_and_go, fill, leave_all, top_up
from .rounds import find_first_bank, play_round, settle_bank
from .seating import Line, Seating, TablePlan
from .shoes import commit, open_seeds, reveal, seal_shoe, send_hashes, void

REQUESTS = 0.01
"""In which share of the shoes somebody asks for another one."""


def lines_of(plan: TablePlan, master: bytes, slot: int, slots: int) -> Iterator[Line]:
    """The lines of a table in order of time; every key is revealed and everybody has left at their end."""
    seating = Seating(plan, master, slot, slots)
    for _ in _shoes(seating):
        yield from seating.fetch()
    leave_all(seating)
    yield from seating.fetch()


def _shoes(seating: Seating) -> Iterator[None]:
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


def _is_thrown_away(seating: Seating, shoe: Shoe) -> bool:
    """Whether somebody asks for another shoe."""
    if not seating.chance.happens(REQUESTS):
        return False
    player = shoe.roster[seating.chance.below(len(shoe.roster))]
    if not may_ask_reshuffle(seating.book, shoe, player):
        return False
    void(seating, shoe, "reshuffle", player)
    return True


def _first_bank(seating: Seating, shoe: Shoe) -> None:
    send_hashes(seating, shoe)
    if open_seeds(seating, shoe):
        seal_shoe(seating, shoe)
        find_first_bank(seating, shoe)
        reveal(seating, shoe, "worn")


def _one_round(seating: Seating, shoe: Shoe) -> None:
    """A shoe that serves one round."""
    policy = seating.book.policy
    if not shoe.alone:
        send_hashes(seating, shoe)
    find_bettors(seating, shoe)
    opened = open_round(seating, shoe)
    if opened is None:
        seating.clock.wait(policy.bet, since(seating.book, shoe.betting))
        void(seating, shoe, "idle")
    elif open_seeds(seating, shoe):
        seal_shoe(seating, shoe)
        play_round(seating, shoe, opened)
        reveal(seating, shoe, "worn")


def _rounds(seating: Seating, shoe: Shoe) -> Iterator[None]:
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
            seating.clock.wait(SILENCE // SECOND, since(book, shoe.betting))
            seating.bettors.clear()
        else:
            play_round(seating, shoe, opened)
            yield
    reveal(seating, shoe, why)


def _why_ends(seating: Seating, shoe: Shoe) -> str | None:
    """Why a sealed shoe ends before the next `open`, if it does. No shoe lasts for the shortest age that a policy may
    set: there are not cards enough."""
    book, rules = seating.book, seating.rules
    worn = shoe.rounds > 0 and rules.worn(shoe.position, shoe.present, seating.draws)
    bankless = rules.needs_first_bank(book.table)
    if not worn and not bankless and seating.bank_moves:
        settle_bank(seating)
    if not worn and not shoe.moved and seating.played == seating.plan.rounds:
        leave_all(seating, but=book.table.bank)
        find_bettors(seating, shoe)
    if seating.bettors and not (worn or bankless or shoe.moved):
        return None
    return why_ends(book, shoe, seating.clock.now, worn=worn)
