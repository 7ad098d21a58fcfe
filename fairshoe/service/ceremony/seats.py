"""Chairs and chips, between rounds."""

from __future__ import annotations

from ...engine.chips import changed_accounts, move_chips
from ...engine.table import Table
from ...errors import IllegalBet, InputError
from ...record.entries import chips_entry
from .betting import standing
from .commands import BuyIn, CashOut, Refund, TakeSeat, Transfer
from .refusals import Refused
from .seeding import unopened
from .shoes import void
from .work import Work

MOST_CHIPS = 10**14
"""No account may hold more: integers in a log stay exact in every language."""


def take_seat(work: Work, command: TakeSeat) -> int:
    """Sit down with a buy-in; gives the chair."""
    state = work.state
    work.quiet()
    if state.closing:
        raise Refused("the table is closing", where="table", remedy="choose another table")
    if state.seat_of(command.player) is not None:
        raise Refused(f"{command.player} sits here", where="player", remedy="choose another name")
    if state.shoe is not None and command.player in state.shoe.roster:
        raise Refused(
            f"{command.player} had a part in the present shoe",
            where="player",
            remedy="choose another name, or come back after its reveal",
        )
    most = state.rules.chairs[1]
    taken = state.table.players
    free = [seat for seat in range(1, most + 1) if seat not in taken]
    if not free:
        raise Refused("every chair is taken", where="seat", remedy="wait until somebody leaves")
    seat = command.seat or free[0]
    if seat > most:
        raise InputError(f"chair {seat}", where="seat", expected=f"1 to {most}")
    if seat in taken:
        raise Refused(f"chair {seat} is taken", where="seat", expected=", ".join(map(str, free)), free=free)
    _move(work, "buy-in", seat, command.player, command.amount)
    return seat


def buy_in(work: Work, command: BuyIn) -> None:
    work.quiet()
    if work.state.closing:
        raise Refused("the table is closing", where="table", remedy="cash out")
    _move(work, "buy-in", command.seat, work.player(command.seat), command.amount)


def transfer(work: Work, command: Transfer) -> None:
    work.quiet()
    _move(work, "transfer", command.seat, work.player(command.seat), command.amount, to=command.to)


def refund(work: Work, command: Refund) -> None:
    work.quiet()
    table = work.state.table
    if command.seat not in table.players:
        raise Refused(f"nobody sits in chair {command.seat}", where="seat")
    amount = table.rules.refund(table, command.seat).purse[command.seat] - table.purse[command.seat]
    _move(work, "refund", command.seat, work.player(command.seat), amount)


def cash_out(work: Work, command: CashOut) -> None:
    work.quiet()
    seat, player = command.seat, work.player(command.seat)
    if command.leave:
        _leave(work, command)
    elif command.amount is None:
        raise InputError("missing", where="amount", expected="an amount, or leave: true to take everything")
    else:
        _move(work, "cash-out", seat, player, command.amount)


def _leave(work: Work, command: CashOut) -> None:
    """Give up the chair. A dealer who leaves before the seal takes the shoe along: void at the dealer's request."""
    state, seat = work.state, command.seat
    shoe, player = state.shoe, work.player(seat)
    if shoe is not None and shoe.sealed is None and player in unopened(shoe):
        raise Refused(
            "your hashed seed is not opened", where="leave", remedy="open it, or ask for a reshuffle (POST reshuffle)"
        )
    if not state.rules.may_leave(state.table, seat):
        raise Refused("the rules keep you at the table", where="leave", remedy="leave when the game is over")
    purse = state.table.purse[seat]
    if command.amount not in (None, purse):
        raise InputError(f"{command.amount}", where="amount", expected=f"{purse}, all that the seat has")
    if shoe is not None:
        shoe.bets.pop(seat, None)
        if not any(shoe.bets.values()):
            shoe.first_bet = None
        if seat in shoe.waivers:
            shoe.waivers.remove(seat)
        if seat == state.table.bank and shoe.sealed is None:
            void(work, "reshuffle", by=player)
    _move(work, "cash-out", seat, player, purse, leaves=True)


def _move(
    work: Work, op: str, seat: int, player: str, amount: int, *, to: int | None = None, leaves: bool = False
) -> None:
    before = work.state.table
    after = move_chips(before, op, seat, player, amount, to=to, leaves=leaves)
    _check_bets(work, after)
    changed = changed_accounts(before, after, seat)
    if any(abs(chips) > MOST_CHIPS for chips in changed.values()):
        raise InputError(f"{amount}", where="amount", expected=f"at most {MOST_CHIPS} chips in an account")
    work.log(chips_entry(work.at, work.state.id, op, seat, player, amount, changed, to=to, leaves=leaves))
    work.state.table = after


def _check_bets(work: Work, after: Table) -> None:
    """Chips that cover a bet stay until the round is over."""
    shoe = work.state.shoe
    if shoe is None or not any(shoe.bets.values()):
        return
    try:
        after.rules.check(after, standing(after, shoe.bets))
    except IllegalBet as error:
        raise Refused(
            f"bets stand on these chips: {error.what}", where="amount", remedy="pass first: POST bets with none"
        ) from None
