"""Players of a simulated table with their chips: what they bet, and the bets that stand."""

from __future__ import annotations

from ..ceremony.book import OpenRound, Shoe, has_seed
from ..ceremony.chairs import chips_hold_reason
from ..ceremony.contributing import close_betting, may_waive
from ..ceremony.ending import wait_start
from ..ceremony.fold import record_bets
from ..engine.rules.lounge import GAME
from ..engine.table import Bet, changed_accounts, move_chips
from ..errors import IllegalBet
from ..record.entries import chips_entry, late_entry
from ..record.rounds import Betting, open_text
from .simulated_table import SimulatedTable

COMING_AND_GOING = 0.02
"""In which share of the shoes somebody leaves."""
PASS_SHARE = 0.02
"""In which share of the cases who could bet passes."""
SECOND_BOX = 0.1
"""In which share of the rounds somebody bets on another box too, where the rules take that."""


def move(seating: SimulatedTable, op: str, seat: int, player: str, amount: int, *, leaves: bool = False) -> None:
    """Move chips of a chair, and log it."""
    book = seating.book
    before = book.table
    after = move_chips(before, op, seat, player, amount, leaves=leaves)
    at = seating.clock.tick()
    changed = changed_accounts(before, after, seat)
    seating.log(chips_entry(at, book.id, op, seat, player, amount, changed, leaves=leaves), after)


def buy_in(seating: SimulatedTable, seat: int) -> None:
    """Buy in with as much as the game takes, and what is missing to nothing."""
    table = seating.book.table
    move(seating, "buy-in", seat, table.players[seat], seating.stack + max(0, -table.purse[seat]))


def fill(seating: SimulatedTable) -> None:
    """Seat a new player in every chair that is to be taken, if that is possible now."""
    players = seating.book.table.players
    if len(players) == seating.plan.seats:
        return
    for seat in range(1, seating.plan.seats + 1):
        if seat not in players and not chips_hold_reason(seating.book, "buy-in", seat):
            seating.seen += 1
            move(seating, "buy-in", seat, f"{seating.book.id}-p{seating.seen}", seating.stack)


def top_up(seating: SimulatedTable) -> None:
    """Buy in for each player who cannot play on, but not for the bank; for fixed bets everybody does, for a new
    game."""
    rules, table = seating.rules, seating.book.table
    if not rules.bets_freely:
        for seat in [] if rules.acting_order(table) else sorted(table.players):
            buy_in(seating, seat)
        return
    for seat in table.players:
        if 2 * table.purse[seat] < seating.stack and seat != table.bank and not can_cover(seating, seat):
            buy_in(seating, seat)


def can_cover(seating: SimulatedTable, seat: int) -> bool:
    """Whether a chair can pay whatever a lowest bet may cost it, as player or as bank."""
    rules, table = seating.rules, seating.book.table
    return rules.can_bank(table, seat) and table.purse[seat] >= (seating.lowest if rules.takes_stakes else 0)


def come_and_go(seating: SimulatedTable) -> None:
    """Between two shoes: seeds that are owed are handed in, free chairs are taken, now and then somebody leaves."""
    book = seating.book
    if book.debts:
        hand_in(seating)
    fill(seating)
    top_up(seating)
    if book.rules.bets_freely and seating.chance.happens(COMING_AND_GOING):
        seats = sorted(book.chairs)
        leave(seating, seats[seating.chance.below(len(seats))])
        if len(book.chairs) < book.rules.chairs[0]:
            fill(seating)


def hand_in(seating: SimulatedTable) -> None:
    """Hand in every seed that is owed."""
    book = seating.book
    for player, debt in list(book.debts.items()):
        for shoe in list(debt.seeds):
            at = seating.clock.tick()
            seating.log(late_entry(at, shoe, player, seating.seed(shoe, player).hex()))


def leave(seating: SimulatedTable, seat: int) -> None:
    """Have a player leave with all chips; a player below zero pays that first."""
    table = seating.book.table
    player = table.players[seat]
    if table.purse[seat] < 0:
        move(seating, "buy-in", seat, player, -table.purse[seat])
    move(seating, "cash-out", seat, player, seating.book.table.purse[seat], leaves=True)


def leave_all(seating: SimulatedTable, *, but: int | None = None) -> None:
    """Have everybody leave but the chair `but`; a pool that nobody plays for goes to its payers (LO-04)."""
    book = seating.book
    hand_in(seating)
    for seat in sorted(book.chairs):
        if seat != but:
            leave(seating, seat)
    while (due := book.rules.next_share_seat(book.table)) is not None:
        game = book.table.memory[GAME]
        payer = next(paid.player for paid in reversed(book.buy_ins) if (paid.seat, paid.game) == (due, game))
        move(seating, "share", due, payer, book.rules.pay_share(book.table, due)[1])


def find_bettors(seating: SimulatedTable, shoe: Shoe) -> None:
    """Find the players who may bet on the shoe, by their own seed or by a waiver in each `open`."""
    book = seating.book
    seats = [seat for seat in sorted(book.chairs) if seat != book.table.bank]
    seating.bettors = [seat for seat in seats if has_seed(book, shoe, seat)]
    seating.newcomers = [seat for seat in seats if may_waive(book, shoe, seat)]


def open_round(seating: SimulatedTable, shoe: Shoe) -> OpenRound | None:
    """Bets stand; None where there are none."""
    book = seating.book
    betting = _betting(seating, shoe)
    if betting is None:
        return None
    if betting.late:
        seating.clock.wait(book.policy.bet, wait_start(book, shoe.betting_since))
    at = seating.clock.tick()
    number = book.rounds + 1
    seating.lines.append((seating.clock.now, 0, open_text(at, shoe.id, number, betting).encode()))
    record_bets(book, shoe, at, number, betting)
    return book.open_round


def _betting(seating: SimulatedTable, shoe: Shoe) -> Betting | None:
    book = seating.book
    offered: dict[int, list[Bet]] = {}
    if book.rules.bets_freely:
        chance = seating.chance
        seats = [*seating.bettors, *seating.newcomers]
        for seat in seats:
            if not seating.forgets():
                offered[seat] = [] if chance.happens(PASS_SHARE) else [_bet(seating, seat)]
        if seats and not any(offered.values()):
            offered[seats[0]] = [_bet(seating, seats[0])]
        if seating.several and seats and chance.happens(SECOND_BOX):
            _bet_on_another(seating, offered)
    return close_betting(book, shoe, offered, seating.newcomers)


def _bet(seating: SimulatedTable, seat: int) -> Bet:
    """Something from the lowest bet on, as far as it is covered."""
    rules, table = seating.rules, seating.book.table
    amount = seating.lowest + rules.bet_unit * seating.chance.below(seating.raises)
    bet = Bet(seat, amount, seat)
    if table.bank in table.players:
        covered = _is_allowed(seating, [bet], [])
    else:
        covered = table.purse[seat] >= (amount if rules.takes_stakes else 0)
    return bet if covered else Bet(seat, seating.lowest, seat)


def _bet_on_another(seating: SimulatedTable, offered: dict[int, list[Bet]]) -> None:
    """Somebody who bets does so on a free box as well."""
    bets = [bet for own in offered.values() for bet in own]
    first = bets[seating.chance.below(len(bets))]
    free = [box for box in range(1, seating.rules.chairs[1] + 1) if box not in seating.book.chairs]
    if free:
        own = [first, first._replace(box=free[seating.chance.below(len(free))])]
        if _is_allowed(seating, own, [bet for bet in bets if bet is not first]):
            offered[first.seat] = own


def _is_allowed(seating: SimulatedTable, bets: list[Bet], others: list[Bet]) -> bool:
    try:
        seating.rules.check_seat_bets(seating.book.table, bets, others)
    except IllegalBet:
        return False
    return True
