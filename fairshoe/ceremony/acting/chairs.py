"""Chairs and chips."""

from __future__ import annotations

from typing import Unpack

from ...engine.rules.lounge import BUY_IN
from ...engine.table import Table, changed_accounts, move_chips
from ...errors import IllegalBet, InputError
from ...log.note import verifier_of
from ...record.entries import ChipsOptions, chips_entry, token_entry
from ..book import Book, GameBuyIn
from ..chairs import (
    GAMES_KEPT,
    chips_hold_reason,
    deductible_gifts,
    has_lapsed_out,
    is_overdue,
    keeps_cover,
    may_refund,
    open_buy_ins,
)
from .commands import BuyIn, CashOut, ChangeToken, Evict, Refund, Refused, TakeSeat, Transfer
from .names import check_names
from .shoes import drop_request
from .state import Work

HOUSE = "house"


def take_seat(work: Work, command: TakeSeat) -> int:
    """Sit down with a buy-in; gives the chair."""
    state, book = work.state, work.book
    if book.closed_at:
        raise Refused("the table is closed", where="table", remedy="choose another table")
    if book.seat_of(command.player) is not None:
        raise Refused(f"{command.player} sits here", where="player", remedy="choose another name")
    if command.player in book.debts:
        raise Refused(
            f"{command.player} had not opened a seed",
            where="player",
            remedy="choose another name, or come back when another shoe was sealed",
        )
    if book.shoe is not None and command.player in book.shoe.roster:
        raise Refused(
            f"{command.player} had a part in the present shoe",
            where="player",
            remedy="choose another name, or come back after its reveal",
        )
    most = book.max_chairs
    taken = state.table.players
    free = [seat for seat in range(1, most + 1) if seat not in taken]
    if not free:
        raise Refused("every chair is taken", where="seat", remedy="wait until somebody leaves")
    seat = command.seat or free[0]
    if seat > most:
        raise InputError(f"chair {seat}", where="seat", expected=f"1 to {most}")
    if seat in taken:
        raise Refused(f"chair {seat} is taken", where="seat", expected=", ".join(map(str, free)), free=free)
    check_names(book, command)
    _check_placer(book, command)
    _move_chips(work, "buy-in", seat, command.player, command.amount, name=command.name, placer=command.placer)
    return seat


def _check_placer(book: Book, command: TakeSeat) -> None:
    """Raise InputError unless the player brings a verifier key just where the player places, in the player's name."""
    if (command.placer is not None) != book.player_places:
        wanted = "the verifier key of your client, which places the cards" if book.player_places else "none"
        raise InputError("missing" if book.player_places else "not at this table", where="placer", expected=wanted)
    if command.placer is not None:
        verifier = verifier_of(command.placer)
        if verifier.name != command.player or str(verifier) != command.placer:
            raise InputError("another name", where="placer", expected=f"a key with the name {command.player}")


def buy_in(work: Work, command: BuyIn) -> None:
    _move_chips(work, "buy-in", command.seat, work.player(command.seat), command.amount)


def transfer(work: Work, command: Transfer) -> None:
    _move_chips(work, "transfer", command.seat, work.player(command.seat), command.amount, to=command.to)


def cash_out(work: Work, command: CashOut) -> None:
    seat, player = command.seat, work.player(command.seat)
    if command.leave:
        purse = work.state.table.purse[seat]
        if command.amount not in (None, purse):
            raise InputError(f"{command.amount}", where="amount", expected=f"{purse}, all that the seat has")
        _leave_chair(work, seat)
    elif command.amount is None:
        raise InputError("missing", where="amount", expected="an amount, or leave: true to take everything")
    else:
        _move_chips(work, "cash-out", seat, player, command.amount)


def evict(work: Work, command: Evict) -> None:
    """Have a chair left by the house's word: at once, or when the shoe in play has ended."""
    if command.chair not in work.state.table.players:
        raise Refused(f"nobody sits in chair {command.chair}", where="seat", remedy="see `seats`")
    if command.chair not in work.state.evicted:
        work.state.evicted.append(command.chair)


def change_token(work: Work, command: ChangeToken) -> None:
    """Log that another token acts for the chair: who may know the order could take a chair over by it."""
    work.log(token_entry(work.at, work.state.id, command.chair, work.player(command.chair)))


def evict_next(work: Work) -> bool:
    """Have one chair left that was evicted or let too many limits pass; not while a bank decision is open."""
    if work.state.bank_decisions is not None:
        return False
    credits = work.state.lapse_credits
    lapsed = [seat for seat in work.book.chairs if has_lapsed_out(work.book, seat, credits.get(seat, 0))]
    for seat in (*work.state.evicted, *lapsed):
        if not chips_hold_reason(work.book, "cash-out", seat, leaves=True, by=HOUSE):
            try:
                _leave_chair(work, seat, by=HOUSE, lapsed=seat in lapsed)
            except Refused:
                continue
            return True
    return False


def _leave_chair(work: Work, seat: int, by: str | None = None, *, lapsed: bool = False) -> None:
    """Nothing remains of whoever sat there, but for what the log has."""
    state, player = work.state, work.player(seat)
    _move_chips(work, "cash-out", seat, player, state.table.purse[seat], leaves=True, by=by, lapsed=lapsed)
    state.bets.pop(seat, None)
    if not any(state.bets.values()):
        state.first_bet = None
    state.waivers = [other for other in state.waivers if other != seat]
    state.returned_bets = [each for each in state.returned_bets if each.bet.seat != seat]
    state.evicted = [other for other in state.evicted if other != seat]
    state.lapse_credits.pop(seat, None)
    state.hashes.pop(player, None)
    state.cuts.pop(player, None)
    if work.book.player_places and work.book.shoe is None:
        drop_request(state)


def refund(work: Work, command: Refund) -> None:
    """LO-07: at most once a buy-in, to whoever paid it, present or not."""
    paid = _find_buy_in(work, command)
    if not may_refund(work.book, paid.game, command.why, work.at):
        raise Refused("the game is still played", where="why", remedy="play it to its end, or see LO-04")
    gifts = deductible_gifts(paid, command.why)
    amount = BUY_IN - gifts
    _move_chips(work, "refund", paid.seat, paid.player, amount, game=paid.game, gifts=gifts, why=command.why)


def _find_buy_in(work: Work, command: Refund) -> GameBuyIn:
    paid = open_buy_ins(work.book, command.game, command.player)
    if paid:
        return paid[0]
    raise Refused(
        f"no buy-in of {command.player} into game {command.game}, one of the last {GAMES_KEPT}, that was not refunded",
        where="refund",
        remedy="see the log's `chips` entries",
    )


def share(work: Work) -> bool:
    """LO-04: when all chairs of a game are left its pool goes to the payers."""
    table = work.state.table
    due = work.state.rules.next_share_seat(table)
    if due is None or is_overdue(work.book, work.at):
        return False
    player = next(p.player for p in reversed(work.book.buy_ins) if p.seat == due and p.game == table.memory["game"])
    _, amount = work.state.rules.pay_share(table, due)
    _move_chips(work, "share", due, player, amount)
    return True


def _move_chips(
    work: Work,
    op: str,
    seat: int,
    player: str,
    amount: int,
    *,
    gifts: int = 0,
    **stated: Unpack[ChipsOptions],
) -> None:
    """Move chips, and log it; `stated` are optional fields of the entry. Raises Refused, RuleError."""
    to, leaves = stated.get("to"), stated.get("leaves", False)
    book, before = work.book, work.state.table
    reason = chips_hold_reason(book, op, seat, to=to, leaves=leaves)
    if reason:
        where = "leave" if leaves else "amount"
        raise Refused(reason, where=where, remedy="wait until that is over: see `expects`")
    after = move_chips(
        before, op, seat, player, amount, to=to, leaves=leaves, game=stated.get("game") or 0, gifts=gifts
    )
    _check_bets(work, after)
    if not keeps_cover(book, after):
        raise Refused("the banker covers the lowest bet", where="amount", remedy="leave it on the table")
    changed = changed_accounts(before, after, seat)
    entry = chips_entry(work.at, work.state.id, op, seat, player, amount, changed, **stated)
    work.log(entry, after)


def _check_bets(work: Work, after: Table) -> None:
    """Chips that cover a bet stay until the round is over; the bets of whoever leaves go too."""
    rules = after.rules
    if after.bank != work.state.table.bank:
        return  # the shoe goes with its banker
    for seat, bets in work.state.bets.items():
        if not bets or seat not in after.players:
            continue
        others = [
            bet for other, own in work.state.bets.items() if other in after.players and other != seat for bet in own
        ]
        try:
            rules.check_seat_bets(after, bets, others)
        except IllegalBet as error:
            raise Refused(
                f"bets stand on these chips: {error.what}", where="amount", remedy="pass first: POST bets with none"
            ) from None
