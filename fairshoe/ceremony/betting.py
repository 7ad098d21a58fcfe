"""Who may bet on a round, who is waited for, which bets count."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..engine.table import Bet, Table
from ..errors import IllegalBet
from ..record.rounds import Betting
from .book import Book, Shoe, has_part, has_seed, one_round


def taking_bets(book: Book, shoe: Shoe) -> bool:
    """Whether bets on the shoe's next round may be taken."""
    if shoe.purpose is not None or book.open is not None:
        return False
    return not shoe.opening and (shoe.alone or bool(shoe.hashed)) if one_round(book, shoe) else bool(shoe.sealed)


def could_bet(table: Table, seat: int) -> bool:
    """Whether a lowest bet of the chair by itself would be taken."""
    if seat == table.bank:
        return False
    try:
        table.rules.check(table, [Bet(seat, table.rules.lowest_bet, seat)])
    except IllegalBet:
        return False
    return True


def may_waive(book: Book, shoe: Shoe, seat: int) -> bool:
    """A waiver is for a shoe of many rounds, by a chair taken after its commitment that has no seed in it."""
    chair = book.chairs[seat]
    late = chair.sat > shoe.at and seat != book.table.bank and chair.player not in book.debts
    return late and not book.rules.one_round


def bettors(book: Book, shoe: Shoe, but: Collection[int] = ()) -> list[int]:
    """The chairs that are asked for a bet, without those of `but`: they have a part in the shoe and could bet."""
    return [seat for seat in players_of(book, shoe, but) if could_bet(book.table, seat)]


def players_of(book: Book, shoe: Shoe, but: Collection[int] = ()) -> list[int]:
    """The chairs that an `open` must name, without those of `but`: they have a part in the shoe and do not bank."""
    seats = [seat for seat in sorted(book.chairs) if seat != book.table.bank and seat not in but]
    return [seat for seat in seats if has_part(book, shoe, seat)]


def forced(book: Book, shoe: Shoe) -> list[Bet] | None:
    """The bets where the rules leave nobody a choice (LO-05, LO-09); else None."""
    if book.rules.bets_freely:
        return None
    return book.rules.forced_bets(book.table, [seat for seat in book.chairs if has_seed(book, shoe, seat)])


def close_betting(
    book: Book, shoe: Shoe, offered: Mapping[int, Sequence[Bet]], waivers: Sequence[int] = ()
) -> Betting | None:
    """How the betting ends with these bets by chair (none: a pass); None where no bet counts."""
    bets = forced(book, shoe)
    if bets is not None:
        return Betting(tuple(bets)) if bets else None
    taken, uncovered = book.rules.covered(book.table, [bet for own in offered.values() for bet in own])
    if not taken:
        return None
    others = players_of(book, shoe, [seat for seat, own in offered.items() if own])
    silent = [seat for seat in others if could_bet(book.table, seat)]
    waived = sorted({bet.seat for bet in (*taken, *uncovered)} & set(waivers)) if waivers else ()
    return Betting(
        tuple(taken),
        waived=tuple(waived),
        passed=tuple([seat for seat in silent if seat in offered]),
        late=tuple([seat for seat in silent if seat not in offered]),
        uncovered=tuple(uncovered),
        unfunded=tuple([seat for seat in others if seat not in silent]),
    )
