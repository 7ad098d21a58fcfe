"""What simulated players bet, and the bets that stand."""

from __future__ import annotations

from ...ceremony.betting import close_betting, may_waive
from ...ceremony.book import OpenRound, Shoe, has_seed
from ...ceremony.ending import since
from ...ceremony.fold import betted
from ...engine.table import Bet
from ...errors import IllegalBet
from ...record.opens import Betting, open_text
from .seating import Seating

PASSES = 0.02
"""In which share of the cases who could bet passes."""
SECOND_BOX = 0.1
"""In which share of the rounds somebody bets on another box too, where the rules take that."""


def find_bettors(seating: Seating, shoe: Shoe) -> None:
    """Who may bet on the shoe: by a seed of their own, and by a waiver, which stands in each `open` anew."""
    book = seating.book
    seats = [seat for seat in sorted(book.chairs) if seat != book.table.bank]
    seating.bettors = [seat for seat in seats if has_seed(book, shoe, seat)]
    seating.newcomers = [seat for seat in seats if may_waive(book, shoe, seat)]


def open_round(seating: Seating, shoe: Shoe) -> OpenRound | None:
    """Bets stand; None where there are none."""
    book = seating.book
    betting = _betting(seating, shoe)
    if betting is None:
        return None
    if betting.late:
        seating.clock.wait(book.policy.bet, since(book, shoe.betting))
    at = seating.clock.tick()
    number = book.rounds + 1
    seating.lines.append((seating.clock.now, 0, open_text(at, shoe.id, number, betting).encode()))
    betted(book, shoe, at, number, betting)
    return book.open


def _betting(seating: Seating, shoe: Shoe) -> Betting | None:
    book = seating.book
    offered: dict[int, list[Bet]] = {}
    if book.rules.bets_freely:
        chance = seating.chance
        seats = [*seating.bettors, *seating.newcomers]
        for seat in seats:
            if not seating.forgets():
                offered[seat] = [] if chance.happens(PASSES) else [_bet(seating, seat)]
        if seats and not any(offered.values()):
            offered[seats[0]] = [_bet(seating, seats[0])]
        if seating.several and seats and chance.happens(SECOND_BOX):
            _bet_on_another(seating, offered)
    return close_betting(book, shoe, offered, seating.newcomers)


def _bet(seating: Seating, seat: int) -> Bet:
    """Something from the lowest bet on, as far as it is covered."""
    rules, table = seating.rules, seating.book.table
    amount = seating.lowest + rules.bet_unit * seating.chance.below(seating.raises)
    bet = Bet(seat, amount, seat)
    if table.bank in table.players:
        covered = _is_allowed(seating, [bet], [])
    else:
        covered = table.purse[seat] >= rules.stake(amount)
    return bet if covered else Bet(seat, seating.lowest, seat)


def _bet_on_another(seating: Seating, offered: dict[int, list[Bet]]) -> None:
    """Somebody who bets does so on a free box as well."""
    bets = [bet for own in offered.values() for bet in own]
    first = bets[seating.chance.below(len(bets))]
    free = [box for box in range(1, seating.rules.chairs[1] + 1) if box not in seating.book.chairs]
    if free:
        own = [first, first._replace(box=free[seating.chance.below(len(free))])]
        if _is_allowed(seating, own, [bet for bet in bets if bet is not first]):
            offered[first.seat] = own


def _is_allowed(seating: Seating, bets: list[Bet], others: list[Bet]) -> bool:
    try:
        seating.rules.check_offer(seating.book.table, bets, others)
    except IllegalBet:
        return False
    return True
