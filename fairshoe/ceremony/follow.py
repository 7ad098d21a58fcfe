"""The fold: what each entry of a table's log changes in its book. Nothing is judged here.

Functions that a shoe without a table goes through as well take None for the book.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..engine.moves import TABLE, Decision
from ..engine.table import Table
from ..log.times import SECOND, microseconds
from ..record.opens import Betting
from .book import Book, BuyIn, Chair, Cut, Debt, OpenRound, Shoe, one_round
from .contributing import dealt_for_bank, is_alone, openers, turn_to_cut
from .ending import since
from .policy import PATIENCE, Policy


def started(book: Book, at: str) -> None:
    """The service started: limits that run begin anew."""
    book.started = at


def closed(book: Book, at: str) -> None:
    book.closed = book.closed or at


# Chairs.


def chips(
    book: Book,
    at: str,
    op: str,
    seat: int,
    player: str,
    after: Table,
    *,
    game: int = 0,
    name: str | None = None,
    by: str | None = None,
) -> None:
    """Chips moved; who sits where follows from the table afterwards. Whom the house puts out is no newer for having
    come back: else it could have a seat of its own open last."""
    before = book.table
    if seat in after.players and seat not in before.players:
        book.chairs[seat] = Chair(player, at, book.put_out.pop(player, at), at, name=name)
    elif seat in before.players and seat not in after.players:
        if by is not None:
            book.put_out[player] = book.chairs[seat].taken
        del book.chairs[seat]
        for shoe in book.live:
            if not shoe.opening and player in shoe.roster and player not in shoe.struck:
                shoe.struck.append(player)
            if player in shoe.waived:
                shoe.waived.remove(player)
    elif seat in book.chairs and op != "refund":
        act(book, seat, at)
    if op == "buy-in" and "game" in after.memory:
        book.buy_ins.append(BuyIn(after.memory["game"], seat, player))
    elif op == "refund":
        for paid in book.buy_ins:
            paid.refunded |= (paid.game, paid.seat, paid.player) == (game, seat, player)
    book.table, book.at = after, at


def act(book: Book, seat: int, at: str) -> None:
    """The chair did something: it is waited for again."""
    chair = book.chairs[seat]
    chair.lapsed, chair.acted = 0, at


def _missed(book: Book, player: str) -> None:
    """The player let a limit pass."""
    seat = book.seat_of(player)
    if seat is not None:
        book.chairs[seat].lapsed += 1


def _acted(book: Book | None, player: str, at: str) -> None:
    seat = None if book is None else book.seat_of(player)
    if book is not None and seat is not None:
        act(book, seat, at)


# Contributions.


def committed(
    book: Book | None,
    at: str,
    shoe: str,
    *,
    cards: int,
    roster: Sequence[str],
    draws: Mapping[str, int],
    cutter: str | None,
    purpose: str | None,
    policy: Policy,
) -> Shoe:
    """The shoe that a commitment begins."""
    new = Shoe(shoe, at, list(roster), policy, cards, dict(draws), cutter, purpose, present=cards)
    if book is not None:
        new.alone = is_alone(book, roster, purpose)
        new.bank = book.table.bank
        new.turn = turn_to_cut(book)
        book.shoes += 1
        book.live.append(new)
        book.at = at
        if new.alone and len(book.live) == 1:
            new.betting = at
    return new


def hashed(book: Book | None, shoe: Shoe, at: str, hashes: Mapping[str, str], cut: Cut | None) -> None:
    """`seeds`. Who is missing among the hashes let a limit pass; a first banker is dealt for from here on."""
    shoe.hashes, shoe.hashed, shoe.cut = dict(hashes), at, cut
    for player in shoe.roster:
        if player in hashes:
            _acted(book, player, at)
        elif book is not None and player not in shoe.struck:
            _missed(book, player)
    if book is None:
        shoe.opening = shoe.asked = at
        return
    if shoe.purpose is not None:
        shoe.dealt = dealt_for_bank(book, shoe)
    book.at = at
    _may_begin(book, at)


def _may_begin(book: Book, at: str) -> None:
    """The first shoe in play has its turn: betting on it begins, or its opening."""
    if not book.live:
        return
    shoe = book.live[0]
    if shoe.sealed or shoe.opening or not (shoe.hashed or shoe.alone):
        return
    if one_round(book, shoe):
        shoe.betting = at
    elif openers(book, shoe):
        shoe.opening = shoe.asked = at


def opened(book: Book | None, shoe: Shoe, at: str, player: str, seed: str) -> None:
    shoe.opened[player] = seed
    shoe.asked = at
    _acted(book, player, at)
    if book is not None:
        book.lapses.pop(player, None)
        book.at = at


def lapsed(book: Book | None, shoe: Shoe, at: str, player: str) -> None:
    """`lapse`: struck; the second one running is owed like a seed that made a shoe void."""
    if player not in shoe.struck:
        shoe.struck.append(player)
    shoe.asked = at
    if book is None:
        return
    _missed(book, player)
    book.lapses[player] = book.lapses.get(player, 0) + 1
    if book.lapses[player] >= PATIENCE:
        _owes(book, shoe, at, player)
    book.at = at


def _owes(book: Book, shoe: Shoe, at: str, player: str) -> None:
    """The player's hashed seed is to be handed in."""
    if player in shoe.hashes:
        debt = book.debts.setdefault(player, Debt(at, shoe.id))
        debt.shoe = shoe.id
        debt.seeds[shoe.id] = shoe.hashes[player]


def handed_in(book: Book, shoe: str, at: str, player: str) -> None:
    """`late`: the seed is here; its chair is the newest now, and contributes when another shoe was sealed."""
    if player in book.debts:
        book.debts[player].seeds.pop(shoe, None)
    book.lapses.pop(player, None)
    seat = book.seat_of(player)
    if seat is not None:
        book.chairs[seat].taken = at
        act(book, seat, at)
    book.at = at


def sealed(book: Book | None, shoe: Shoe, at: str, seeds: Mapping[str, str], cut: Cut | None, *, burns: bool) -> None:
    shoe.opened.update(seeds)
    shoe.cut = shoe.cut or cut
    shoe.sealed = at
    shoe.position = int(burns)
    for player in seeds:
        _acted(book, player, at)
    if book is None:
        return
    for player in seeds:
        book.lapses.pop(player, None)
    if not book.rules.one_round and shoe.purpose is None:
        shoe.betting = at
    if shoe.purpose is None:
        book.turn = shoe.turn
    book.requests.clear()
    book.spoiled = ""
    _forgive(book, shoe)
    book.at = at


def _forgive(book: Book, shoe: Shoe) -> None:
    """Whoever has handed in what was owed, of other shoes than this one, contributes again."""
    book.debts = {who: debt for who, debt in book.debts.items() if not debt.paid or debt.shoe == shoe.id}


# Rounds.


def betted(book: Book, shoe: Shoe, at: str, number: int, betting: Betting) -> None:
    """`open`."""
    if not shoe.sealed:
        shoe.opening = shoe.asked = at
    chairs = book.chairs
    if book.rules.bets_freely:
        for seat, _, _ in betting.bets:
            chair = chairs.get(seat)
            if chair is not None:
                chair.lapsed, chair.acted = 0, at
    if any(betting[1:]):
        _others(book, shoe, at, betting)
    book.open = OpenRound(number, at, betting)
    book.rounds = max(book.rounds, number)
    book.at = at


def _others(book: Book, shoe: Shoe, at: str, betting: Betting) -> None:
    for seat in (*betting.passed, *(bet.seat for bet in betting.uncovered)):
        if seat in book.chairs:
            act(book, seat, at)
    for seat in betting.waived:
        if seat in book.chairs and book.chairs[seat].player not in shoe.waived:
            shoe.waived.append(book.chairs[seat].player)
    if betting.late and shoe.betting and microseconds(at) >= since(book, shoe.betting) + shoe.policy.bet * SECOND:
        for seat in betting.late:  # who is late by a word (BX-06) let no limit pass
            if seat in book.chairs:
                book.chairs[seat].lapsed += 1


def decided(book: Book, at: str, decisions: Iterable[Decision]) -> int:
    """Who decided and who let it pass; gives how many limits had to pass for that."""
    waited = 0
    chairs = book.chairs
    for decision in decisions:
        chair = chairs.get(decision[0])
        if chair is None:
            continue
        if decision[4] == TABLE:
            waited += chair.lapsed < PATIENCE
            chair.lapsed += 1
        else:
            chair.lapsed, chair.acted = 0, at
    return waited


def dealt(book: Book, shoe: Shoe, at: str, after: Table, position: int, present: int) -> None:
    """`round`: the table after it, and the pointer."""
    for paid in reversed(book.buy_ins):
        if paid.game != after.memory.get("game"):
            break  # older games come before
        if book.table.players.get(paid.seat) == paid.player:
            paid.gifts += after.purse[paid.seat] - book.table.purse[paid.seat]
    book.table = after
    book.open = None
    shoe.position, shoe.present = position, present
    shoe.rounds += 1
    shoe.betting = book.settled = book.at = at


# The bank.


def bank_found(book: Book, shoe: Shoe, at: str, after: Table, cards: int) -> None:
    """PO-04: the first banker's draw."""
    shoe.position = cards
    shoe.rounds += 1
    book.table = after
    book.settled = book.at = at


def bank_moved(book: Book, at: str, after: Table) -> None:
    book.table = after
    for shoe in book.live:
        shoe.moved = True
    book.settled = book.at = at


# Ends.


def ended(book: Book | None, shoe: Shoe, at: str) -> None:
    """`reveal`, or whatever else ends a shoe: the next one may have its turn."""
    if book is None:
        return
    if book.open is not None and book.live and book.live[0] is shoe:
        book.open = None
    if shoe.sealed and shoe.purpose is None:
        book.table = book.rules.ousted(book.table)
    book.live.remove(shoe)
    book.at = at
    _may_begin(book, at)


def lost(book: Book | None, shoe: Shoe, at: str) -> None:
    """`lost`: the house could not play it out."""
    if book is not None:
        book.lost = True
    ended(book, shoe, at)


def voided(book: Book | None, shoe: Shoe, at: str, why: str, by: str | None) -> None:
    """`void`: a seed that was not opened is owed; a request is used up; who sent no hash in time let a limit pass.

    Where no opening began nobody knew an order, and whoever has handed a seed in, or sat down, waits no longer.
    """
    if book is not None and why == "seed":
        book.spoiled = book.spoiled or at
    elif book is not None and why in ("idle", "age"):
        book.spoiled = ""
        _forgive(book, shoe)
    if book is not None and why == "idle" and not shoe.hashed and not shoe.alone:
        if microseconds(at) >= since(book, shoe.at) + shoe.policy.hash * SECOND:
            for player in set(shoe.roster).difference(shoe.struck):
                _missed(book, player)
    elif book is not None and by is not None:
        if why == "seed":
            _missed(book, by)
            _owes(book, shoe, at, by)
        elif why == "reshuffle":
            seat = book.seat_of(by)
            if seat is not None:
                act(book, seat, at)
                if len(book.chairs) > 1 and seat not in book.requests:
                    book.requests.append(seat)
    ended(book, shoe, at)
