"""Bets, from the first offer to the `open` entry."""

from __future__ import annotations

from ...engine.table import Bet
from ...record.rounds import open_entry
from ..betting import bettors, close_betting, forced, may_waive, taking_bets
from ..book import Shoe, has_part, one_round
from ..ending import since
from ..receipts import stood_bets
from .commands import NoMoreBets, PlaceBets, Refused
from .work import Work


def place_bets(work: Work, command: PlaceBets) -> None:
    """Take a seat's bets for the next round, or its pass; until the round opens they may be replaced."""
    state, book, seat = work.state, work.book, command.seat
    shoe, number = work.shoe(), book.rounds + 1
    if command.round != number:
        raise Refused(f"round {command.round}", where="round", expected=str(number), round=number)
    if forced(book, shoe) is not None:
        raise Refused("by these rules the table bets for everybody", where="bets", remedy="send nothing")
    if seat == state.table.bank:
        raise Refused("the bank does not bet", where="bets", remedy="send nothing")
    bets = [Bet(seat, amount, seat if box is None else box) for amount, box in command.stakes]
    if bets and seat not in state.waivers and not has_part(book, shoe, seat):
        remedy = "waive it for this shoe (POST waiver)" if may_waive(book, shoe, seat) else "wait for the next shoe"
        raise Refused("no seed of yours is in this shoe", where="bets", remedy=remedy)
    if bets:
        others = [bet for other, own in state.bets.items() if other != seat for bet in own if bet.box != seat]
        state.rules.check_offer(state.table, bets, others)
        _give_way(work, seat, bets)
    state.bets[seat] = bets
    if not any(state.bets.values()):
        state.first_bet = None
    elif state.first_bet is None:
        state.first_bet = work.moment


def _give_way(work: Work, seat: int, bets: list[Bet]) -> None:
    """The box before a chair is its own: whoever had offered a bet on it gives way, the chair's own old bet too."""
    if any(bet.box == seat for bet in bets):
        for other, own in list(work.state.bets.items()):
            rest = [bet for bet in own if bet.box != seat]
            if rest != own:
                work.state.bets[other] = rest
                if not rest:
                    del work.state.bets[other]  # that is no pass


def no_more_bets(work: Work, _: NoMoreBets) -> None:
    """BX-06: the operator closes the betting; who has not bet is late."""
    if not work.state.rules.closes_bets:
        raise Refused("these rules do not know that", where="bets", remedy="wait for the time limit")
    if not _open(work, work.shoe()):
        raise Refused("nobody has bet", where="bets", remedy="wait for a bet, or for the time limit")


def open_when_ready(work: Work) -> bool:
    """Open the round when everybody who is waited for has bet or passed, or time is up, and somebody has bet."""
    book, shoe, first = work.book, work.state.shoe, work.state.first_bet
    if shoe is None or not taking_bets(book, shoe) or work.state.banked is not None:
        return False
    if forced(book, shoe) is None and (first is None or _waiting(work, shoe, first)):
        return False
    return _open(work, shoe)


def _waiting(work: Work, shoe: Shoe, first_bet: int) -> bool:
    state, book = work.state, work.book
    began = since(book, shoe.betting)
    if not one_round(book, shoe):
        began = max(began, first_bet)
    if work.past(began, shoe.policy.bet):
        return False
    seats = {*bettors(book, shoe), *state.waivers}
    return any(seat not in state.bets and not state.absent(seat) for seat in seats)


def _open(work: Work, shoe: Shoe) -> bool:
    state, book = work.state, work.book
    betting = close_betting(book, shoe, state.bets, state.waivers)
    if betting is None:
        return False
    number = book.rounds + 1
    work.log(open_entry(work.at, shoe.id, number, betting))
    state.stood = stood_bets(book, shoe, state.commitment, state.links)
    state.clear_bets()
    state.since = work.moment
    return True
