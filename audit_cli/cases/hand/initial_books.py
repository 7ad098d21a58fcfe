"""Books before an entry of a proof, if the entries that would have made them are not in the proof.

The `shoe` states the table at its commitment, and that is taken for granted; what a round needs to know of balances,
of the pointer and of its number it states itself. Only the books are set here: what is judged the handlers judge.
"""

from __future__ import annotations

from collections.abc import Mapping

from fairshoe.ceremony.book import Book, Chair, Debt, OpenRound, Shoe
from fairshoe.ceremony.policy import MAX_LAPSED_LIMITS
from fairshoe.engine.table import Table
from fairshoe.log.canonical import Entry
from fairshoe.log.times import microseconds, timestamp
from fairshoe.record.forms import account_of, table_of
from fairshoe.record.hand_entries import named_in, unnamed
from fairshoe.record.rounds import Betting

from ...verify.walk.audit import Audit
from .parts import LocatedEntry, ProofEntries

ASSUMED_CHIPS = 1 << 50
"""The chips of an account of which the proof does not say how many it has."""


def prime(audit: Audit, parts: ProofEntries, part: LocatedEntry, *, all_from_shoe: bool = False) -> None:
    """Set the books for an entry that is to be judged; of `chips`, which are not, only who sits where is used.

    `all_from_shoe`: no entry of the table lacks from the shoe on, and all but `late` are judged; what is not known then
    is who is absent, what is owed, and how many rounds there were before.
    """
    state = audit.tables.get(parts.table)
    if state is None:
        return
    book, entry = state.book, part.entry
    kind = entry["kind"]
    if kind == "shoe":
        _before_shoe(book, parts, entry)
    told = book.shoe
    if told is None:
        return
    if kind == "seeds":
        for chair in book.chairs.values():
            if chair.player in entry.get("unheard", ()):
                chair.lapse_count = 0  # the entry says for whom the house waited
    elif all_from_shoe:
        if kind == "open" and not told.rounds:
            book.rounds = entry["round"] - 1
        elif kind == "late":
            book.debts.pop(entry["player"], None)
    elif kind == "open":
        _before_open(book, told, parts, part)
    elif kind == "reveal" and not book.rules.one_round:
        if told.position != entry["end"]:  # later rounds moved the pointer
            audit.shoes[told.id].beyond = True
            told.position = entry["end"]
    elif kind == "lost" and book.open_round is None and entry.get("round", 0) > book.rounds:
        book.open_round = OpenRound(entry["round"], entry["at"], Betting(()))  # a later round may have been open
    elif kind == "chips":
        _left(book, told, entry)


def _before_shoe(book: Book, parts: ProofEntries, entry: Entry) -> None:
    """Set the table before a `shoe`: chairs count as taken before the first void for a seed, but for those that wait
    after one; all have let two limits pass, so that any of them may be away."""
    purse = _accounts(entry.get("chips", {}))
    bank = account_of(entry.get("bank", ""))
    if bank is None or bank not in purse:
        return  # the handler says what is wrong with it
    owes, waits = entry.get("owes", ()), entry.get("waits", ())
    players = {seat: parts.seats.get(seat, unnamed(seat)) for seat in parts.chairs}
    memory = book.rules.import_memory(entry.get("memory", {}), entry.get("paid", ()))
    book.table = Table(book.rules, players, purse, bank, memory)
    book.first_void = book.at if waits else ""
    opened = microseconds(book.at)
    turns = {player: -turn for turn, player in enumerate(parts.openers)}
    for seat, player in players.items():
        taken = timestamp(opened + 1 if seat in waits else opened + turns.get(player, -len(turns)))
        book.chairs[seat] = Chair(player, taken, taken, taken, MAX_LAPSED_LIMITS, placer=_brought(book, entry, player))
    book.debts = {players[seat]: Debt(book.at, "", {"": ""}) for seat in owes if seat in players}
    book.shoes = table_of(entry["shoe"])[1] - 1
    book.turn = _turn_before(book, entry)


def _brought(book: Book, entry: Entry, player: str) -> str:
    """Return the key of a player who places, as the `shoe` has it."""
    key: str = entry["placer"]["key"] if book.player_places and "placer" in entry else ""
    return key if key.partition("+")[0] == player else ""


def _accounts(chips: Mapping[str, int]) -> dict[int, int]:
    return {account: amount for name, amount in chips.items() if (account := account_of(name)) is not None}


def _turn_before(book: Book, entry: Entry) -> int:
    """Find the chair whose turn it was to cut before, so that the turn is now that of the `shoe`'s cutter."""
    rules, table, roster = book.rules, book.table, entry["roster"]
    if rules.cut_range() is None or not rules.waits_for_cut:
        return 0
    for last in (0, *sorted(table.players)):
        for seat in rules.cutters(table, last)[:1]:
            player = table.players[seat]
            if entry.get("cutter") == (player if player in roster else None):
                return last
    return 0


def _before_open(book: Book, told: Shoe, parts: ProofEntries, part: LocatedEntry) -> None:
    entry, rules = part.entry, book.rules
    number = entry["round"]
    book.rounds = number - 1
    logged = parts.round(number)
    for chair in book.chairs.values():
        if not rules.one_round or chair.player not in told.hashes:
            chair.lapse_count = MAX_LAPSED_LIMITS  # rounds before this one may have let it lapse
    if rules.bets_freely:
        _seats(book, told, parts, part)
    table, funded = book.table, set(named_in(entry)).difference(entry.get("unfunded", ()))
    known = {} if logged is None else _purse_before(table, logged)
    unknown = {seat: ASSUMED_CHIPS if seat in funded else 0 for seat in table.players if seat not in known}
    if table.bank not in known:
        unknown[table.bank] = ASSUMED_CHIPS
    memory = dict(table.memory)
    if not rules.bets_freely:
        joined = {str(bet["seat"]) for bet in entry["bets"]}
        memory = {name: value for name, value in memory.items() if not name.isdigit()} | dict.fromkeys(joined, 1)
    book.table = table.after({**unknown, **known}, memory=memory)
    if logged is not None and not rules.one_round and logged["pos"] >= told.position:
        told.position = logged["pos"]


def _seats(book: Book, told: Shoe, parts: ProofEntries, part: LocatedEntry) -> None:
    """The bank sits, and whom the `open` names: anybody else is taken to have left."""
    before = book.table
    players = {seat: player for seat, player in before.players.items() if seat == before.bank}
    for seat in named_in(part.entry):
        sitting = parts.sitting(seat, part.place)
        if sitting is None:
            continue
        players[seat], since = sitting
        if since:
            book.chairs[seat] = Chair(players[seat], since, since, since, MAX_LAPSED_LIMITS)
            if seat not in part.entry.get("waived", ()) and players[seat] not in told.waived:
                told.waived.append(players[seat])
        elif seat not in book.chairs:
            book.chairs[seat] = Chair(players[seat], told.at, told.at, told.at, MAX_LAPSED_LIMITS)
    book.chairs = {seat: chair for seat, chair in book.chairs.items() if players.get(seat) == chair.player}
    purse = dict.fromkeys(players, 0) | dict(before.purse)
    book.table = Table(book.rules, players, purse, before.bank, before.memory)


def _purse_before(table: Table, logged: Entry) -> dict[int, int]:
    """Return the accounts before a round: those after it, less what the round says that they won."""
    after = _accounts(logged["chips"])
    won = dict.fromkeys(after, 0)
    for hand in logged["hands"]:
        for account, sign in ((hand["seat"], 1), (table.bank, -1)):
            won[account] = won.get(account, 0) + sign * (hand["net"] + hand.get("insurance", 0))
    return {account: chips - won[account] for account, chips in after.items() if account in table.purse}


def _left(book: Book, told: Shoe, entry: Entry) -> None:
    """Somebody left: a contributor before the opening is struck."""
    seat, player = entry["seat"], entry["player"]
    if not entry.get("leaves") or book.table.players.get(seat) != player:
        return
    del book.chairs[seat]
    players = {other: name for other, name in book.table.players.items() if other != seat}
    book.table = Table(book.rules, players, book.table.purse, book.table.bank, book.table.memory)
    if not told.is_opening and player in told.roster and player not in told.struck:
        told.struck.append(player)
