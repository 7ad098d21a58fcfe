"""Bets, from the first offer to the `open` entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...engine.table import Bet, Table
from ...errors import IllegalBet
from ...record.entries import open_entry
from .commands import PlaceBets
from .refusals import Refused
from .seeding import contributed, hashing, multi, seed_awaited, sole
from .state import OpenRound, Shoe, State
from .work import Work


def lowest_bet(state: State) -> int:
    """The lowest bet that pays in whole units."""
    rules = state.rules
    return -(-rules.minimum // rules.bet_unit) * rules.bet_unit


def standing(table: Table, offered: Mapping[int, Sequence[Bet]]) -> list[Bet]:
    """The bets in acting order: of the seats, or of the boxes where a seat may hold several."""
    bets = [bet for own in offered.values() for bet in own]
    if any(bet.box != bet.seat for bet in bets):
        return sorted(bets, key=lambda bet: bet.box)
    order = table.rules.acting_order(table)
    return sorted(bets, key=lambda bet: order.index(bet.seat) if bet.seat in order else len(order))


def taking_bets(state: State) -> bool:
    """Whether bets for the next round are taken now."""
    shoe = state.shoe
    if shoe is None or shoe.purpose is not None or shoe.round is not None or state.banking or state.closing:
        return False
    return not hashing(shoe) if state.rules.one_round else shoe.sealed is not None


def may_bet(state: State, shoe: Shoe, seat: int) -> bool:
    """Whether a lowest bet of this seat would be taken."""
    if seat not in shoe.waivers and not contributed(shoe, state.table.players[seat]):
        return False
    return could_bet(state, seat)


def could_bet(state: State, seat: int) -> bool:
    """The same, once its waiver or seed is here."""
    try:
        state.rules.check(state.table, [Bet(seat, lowest_bet(state), seat)])
    except IllegalBet:
        return False
    return True


def place_bets(work: Work, command: PlaceBets) -> None:
    """Take a seat's bets for the next round, or its pass; until the round opens they may be replaced."""
    state, seat = work.state, command.seat
    shoe = work.shoe()
    if command.round != state.rounds + 1:
        raise Refused(f"round {command.round}", where="round", expected=str(state.rounds + 1), round=state.rounds + 1)
    if not taking_bets(state):
        raise Refused("bets are not taken now", where="bets", remedy="see `phase`: first the shoe, then the bets")
    if state.rules.forced_bets(state.table) is not None:
        raise Refused("by these rules the table bets for everybody", where="bets", remedy="send nothing")
    if seat == state.table.bank:
        raise Refused("the bank does not bet", where="bets", remedy="send nothing")
    bets = [Bet(seat, amount, seat if box is None else box) for amount, box in command.stakes]
    if bets and seat not in shoe.waivers and not contributed(shoe, work.player(seat)):
        own = "send it first (POST seed), or " if sole(shoe) == work.player(seat) and shoe.sealed is None else ""
        remedy = f"{own}waive it for this shoe (POST waiver)"
        raise Refused("no seed of yours is in this shoe", where="bets", remedy=remedy)
    offered = {**shoe.bets, seat: bets}
    if bets:
        state.rules.check(state.table, standing(state.table, offered))
    shoe.bets = offered
    if not any(offered.values()):
        shoe.first_bet = None
    elif shoe.first_bet is None:
        shoe.first_bet = work.now


def open_when_ready(work: Work) -> bool:
    """Open the round when everybody who may bet has bet or passed, or time is up and somebody has bet."""
    state, shoe = work.state, work.state.shoe
    if shoe is None or not taking_bets(state):
        return False
    bets = state.rules.forced_bets(state.table)
    if bets is None:
        bets = standing(state.table, shoe.bets)
        if shoe.first_bet is None or _betting(work, shoe, shoe.first_bet):
            return False
    elif not bets or (not multi(state, shoe) and seed_awaited(work, shoe)):
        return False
    state.rounds += 1
    waived = sorted({bet.seat for bet in bets if not contributed(shoe, work.player(bet.seat))})
    work.log(open_entry(work.at, state.shoe_id, state.rounds, bets, waived))
    shoe.round = OpenRound(state.rounds, bets, work.now)
    shoe.bets, shoe.first_bet, shoe.since = {}, None, work.now
    return True


def _betting(work: Work, shoe: Shoe, first_bet: int) -> bool:
    state = work.state
    if work.past(first_bet, state.policy.bet):
        return False
    return any(seat not in shoe.bets and may_bet(state, shoe, seat) for seat in state.table.players)
