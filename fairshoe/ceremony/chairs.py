"""Rules for chairs and chips: who may leave a chair, when chips may move, and the table after they moved."""

from __future__ import annotations

from ..engine.table import Table, move_chips
from ..log.canonical import Entry
from ..log.times import microseconds
from .book import Book, GameBuyIn, Shoe, standing_bets
from .contributing import openers
from .policy import MAX_GAME_TIME
from .stages import Stage

GAMES_KEPT = 16
"""Number of games back for which a buy-in may be refunded (LO-07): older ones are forgotten."""
OWED = ("refund", "share")
"""Operations by which the house pays what it holds for players."""


def is_banker_held(book: Book) -> bool:
    """Whether a shoe holds the bank's chair: from the opening to the reveal it keeps the cover that it had."""
    return book.table.bank in book.chairs and book.shoe is not None and book.shoe.is_opening


def is_order_knowable(shoe: Shoe | None) -> bool:
    """Whether the house may know a shoe's order: from `seeds` on, or a sole player's `open`."""
    return shoe is not None and (shoe.is_opening or not (shoe.alone or shoe.stage is Stage.HASH))


def eviction_hold_reason(book: Book, seat: int) -> str:
    """Return why the house may not evict a chair now, "" if it may: not once it could know the order, nor a banker, nor
    a player with a part in a pool."""
    if is_order_knowable(book.shoe):
        return "a shoe is being opened or played: the house puts nobody out"
    if has_stake_in_game(book, seat):
        return "a game has been paid for: the house puts nobody out before its end"
    if seat == book.table.bank and not book.closed_at:
        return "the house does not put the banker out"
    return ""


def has_lapsed_out(book: Book, seat: int, credit: int = 0) -> bool:
    """Whether a chair let as many limits in a row pass as put a player out, not counting `credit` of them."""
    chair = book.chairs.get(seat)
    return chair is not None and 0 < book.lapse_limit <= chair.lapse_count - credit


def has_stake_in_game(book: Book, seat: int) -> bool:
    """Whether the chair would lose a part in a pool by leaving: it paid for an unfinished game and was not refunded.
    Else a house could leave its own seat to win that pool. An absent sole payer loses nothing (LO-04)."""
    rules, table, chair = book.rules, book.table, book.chairs.get(seat)
    if chair is None:  # a log may name a chair that nobody has
        return False
    if not (rules.has_unstarted_game(table) or rules.has_running_game(table)) or not open_buy_ins(
        book, table.memory["game"], chair.player, seat
    ):
        return False
    is_sole_payer = rules.export_memory(table)[1] == [seat]
    return not (is_sole_payer and chair.is_absent and rules.has_running_game(table))


def chips_hold_reason(
    book: Book, op: str, seat: int, *, to: int | None = None, leaves: bool = False, by: str | None = None
) -> str:
    """Return why these chips may not move now, "" if they may; `by`: who moves another's. The engine counts chips."""
    if op in OWED:
        return _payment_hold_reason(book, op)
    if by is not None:
        reason = (
            eviction_hold_reason(book, seat)
            if leaves
            else "the house moves a player's chips only to put the player out"
        )
        if reason:
            return reason
    chair = book.chairs.get(seat)
    if chair is None and book.closed_at:
        return "the table is closed: no new chair"
    if op == "buy-in" and not book.rules.bets_freely:
        if book.closed_at:
            return "the table is closed: no new game"
        if book.shoe is not None and not book.shoe.sealed:
            return "a shoe of the game is being made, in which a newcomer would have no part"
    if book.shoe is not None and book.shoe.purpose and book.shoe.is_opening:
        return "the first banker is being dealt for"
    if book.table.bank in (seat, to) and is_banker_held(book):
        return "the banker keeps its chips from the opening of a shoe to its reveal"
    if book.open_round is not None:
        if op != "cash-out":
            return "a round is open"
        if book.shoe is not None and any(bet.seat == seat for bet in standing_bets(book, book.shoe, book.open_round)):
            return "a bet of this chair stands"
    if op in ("cash-out", "transfer") and book.table.purse.get(seat, 0) < 0:
        return "the chair's chips are below zero"
    return _leave_hold_reason(book, seat) if leaves and chair is not None else ""


def _leave_hold_reason(book: Book, seat: int) -> str:
    """Why a chair may not be left now, "" if it may."""
    player = book.chairs[seat].player
    debt = book.debts.get(player)
    if debt is not None and not debt.is_paid and not book.closed_at:
        return f"its seed of shoe {next(iter(debt.seeds))} has not been handed in"
    shoe = book.shoe
    if shoe is not None and shoe.stage is Stage.SEED and player in openers(book, shoe):
        return "its seed is not opened"
    return ""


def _payment_hold_reason(book: Book, op: str) -> str:
    """Return why the house may not pay what it owes now, "" if it may. A refund may end a player's part in the game."""
    if book.open_round is not None:
        return "a round is open"
    return "a shoe is being opened or played" if op == "refund" and is_order_knowable(book.shoe) else ""


def keeps_cover(book: Book, after: Table) -> bool:
    """Whether a banking chair still covers the lowest bet after its chips moved, while a shoe of its own is live."""
    bank = book.table.bank
    if bank not in after.players or book.shoe is None:
        return True
    return not book.rules.can_bank(book.table, bank) or book.rules.can_bank(after, bank)


def may_refund(book: Book, game: int, why: str, at: str) -> bool:
    """Whether a buy-in into a game may be refunded for this reason (LO-04); only an audit tells if a round is wrong."""
    present = book.table.memory.get("game") == game
    unbegun = bool(book.closed_at) and present and book.rules.has_unstarted_game(book.table)
    return why == "round" or book.lost or unbegun or is_overdue(book, at)


def is_overdue(book: Book, at: str) -> bool:
    """Whether a closed table has had all the time that it has for a game that had begun (LO-04)."""
    return bool(book.closed_at) and microseconds(at) > microseconds(book.closed_at) + MAX_GAME_TIME


def deductible_gifts(paid: GameBuyIn, why: str) -> int:
    """The gifts that count against a refund: of a game not played out, not of a round that went wrong (LO-04)."""
    return max(0, paid.gifts) if why == "unfinished" else 0


def chips_after(book: Book, entry: Entry) -> Table:
    """Return the table after a `chips` entry. Raises RuleError; IndexError where a refunded buy-in was never paid."""
    seat, player, game = entry["seat"], entry["player"], entry.get("game", 0)
    gifts = 0
    if entry["op"] == "refund":
        gifts = deductible_gifts(open_buy_ins(book, game, player, seat)[0], entry["why"])
    to, leaves = entry.get("to"), entry.get("leaves", False)
    return move_chips(
        book.table, entry["op"], seat, player, entry["amount"], to=to, leaves=leaves, game=game, gifts=gifts
    )


def open_buy_ins(book: Book, game: int, player: str, seat: int | None = None) -> list[GameBuyIn]:
    """Return the buy-ins of a player into a game that were not refunded, in this chair or in any."""
    own = [paid for paid in book.buy_ins if (paid.game, paid.player) == (game, player) and seat in (None, paid.seat)]
    return [paid for paid in own if not paid.refunded]
