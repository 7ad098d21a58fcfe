"""The fold: what each entry of a log changes in its table's book. Nothing is judged here.

A caller that has played the round already uses `record_bets`, `record_decisions` and `record_round`. A shoe without a
table has no book: None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..engine.cards import LoggedCards
from ..engine.moves import TABLE, Decision
from ..engine.round import replay, replay_bank
from ..engine.rules import rules_of
from ..engine.table import Table, fresh_table
from ..log.canonical import Entry
from ..log.times import SECOND, microseconds
from ..protocol.beacons import drand_quicknet, randomness_of
from ..protocol.transcript import Beacon
from ..record.forms import FIRST as FIRST_VERSION
from ..record.forms import decisions_of
from ..record.rounds import EVERYBODY, Betting, betting_of
from .book import (
    Book,
    CardRun,
    Chair,
    Cut,
    Debt,
    FinishedShoe,
    GameBuyIn,
    Gather,
    LoggedPlacer,
    OpenRound,
    Shoe,
    ToldCards,
    standing_bets,
)
from .chairs import GAMES_KEPT, chips_after, open_buy_ins
from .contributing import first_bank_chairs, is_alone, turn_to_cut
from .ending import wait_start
from .policy import MAX_DEBTS, MAX_LAPSED_LIMITS, MAX_UNPLACED, Policy
from .stages import BET, FIRST, FIRST_BANK, HASH, IDLE, MANY, NEXT, ONE, ROUND, SEED, SOLE_SHOE


def open_table(entry: Entry) -> Book:
    """Return the book that a `table` entry begins. InputError where rules or options do not exist."""
    rules, at = rules_of(entry["rules"], entry["options"]), entry["at"]
    book = Book(entry["table"], Policy(**entry["policy"]), fresh_table(rules), at=at, bank_settled_at=at)
    book.placer, book.lapse_limit = entry.get("placer", ""), entry.get("lapses", 0)
    book.beacon_delay = entry.get("beacon_delay", 0)
    return book


def apply_entry(book: Book | None, shoe: Shoe | None, entry: Entry, after: Table | None = None) -> Shoe | None:
    """Follow an entry; return the shoe in play afterwards. `shoe`: the live one that the entry is about, or None.
    `after`: the table afterwards, if known. Raises FairshoeError, LookupError, ValueError."""
    kind = entry["kind"]
    if kind == "shoe":
        return _begin_shoe(book, entry)
    if kind in OF_SHOES:
        if shoe is None:
            raise KeyError(f"{kind} of no shoe in play")
        OF_SHOES[kind](book, shoe, entry, after)
    elif kind not in OF_TABLES:
        raise KeyError(kind)
    elif book is not None:
        OF_TABLES[kind](book, entry, after)
    if book is not None and kind not in WITHOUT_TIME:
        book.at = entry["at"]
    return None if kind in ENDS else shoe


# Tables and chairs.


def _apply_start(book: Book, entry: Entry, _: Table | None) -> None:
    """Limits that run begin anew, at the tables that it names, or at all."""
    if book.id in entry.get("tables", (book.id,)):
        book.last_start = entry["at"]


def _apply_close(book: Book, entry: Entry, _: Table | None) -> None:
    book.closed_at = book.closed_at or entry["at"]


def _apply_chips(book: Book, entry: Entry, after: Table | None) -> None:
    """Chips moved; who sits where follows from the table afterwards. Whom the house puts out is no newer for having
    come back: else it could have a seat of its own open last."""
    at, op, seat, player = entry["at"], entry["op"], entry["seat"], entry["player"]
    before, after = book.table, chips_after(book, entry) if after is None else after
    if seat in after.players and seat not in before.players:
        taken, name, placer = book.eviction_times.pop(player, at), entry.get("name"), entry.get("placer", "")
        book.chairs[seat] = Chair(player, at, taken, at, name=name, placer=placer)
    elif seat in before.players and seat not in after.players:
        if "by" in entry:
            book.eviction_times[player] = book.chairs[seat].order_time
        del book.chairs[seat]
        _strike_leaver(book.shoe, player)
    elif seat in book.chairs and op != "refund":
        record_act(book, seat, at)
    if op == "buy-in" and "game" in after.memory:
        game = after.memory["game"]
        if game != before.memory.get("game"):
            book.buy_ins = [paid for paid in book.buy_ins if paid.game > game - GAMES_KEPT and not paid.refunded]
        book.buy_ins.append(GameBuyIn(game, seat, player))
    elif op == "refund":
        for paid in open_buy_ins(book, entry["game"], player, seat):
            paid.refunded = True
        if not book.rules.has_running_game(after):  # else the payer plays on, and has a part in the pool (LO-04, LO-07)
            book.buy_ins = [paid for paid in book.buy_ins if not paid.refunded]
    book.table = after


def _strike_leaver(shoe: Shoe | None, player: str) -> None:
    """Somebody left: until the opening that strikes the player from the shoe, and a waiver is gone in any case."""
    if shoe is None:
        return
    if not shoe.is_opening and player in shoe.roster and player not in shoe.struck:
        shoe.struck.append(player)
    if player in shoe.waived:
        shoe.waived.remove(player)


def record_act(book: Book, seat: int, at: str) -> None:
    """The chair did something: it is waited for again."""
    chair = book.chairs[seat]
    chair.lapse_count, chair.last_act = 0, at


def _count_lapse(book: Book, player: str) -> None:
    """The player let a limit pass."""
    seat = book.seat_of(player)
    if seat is not None:
        book.chairs[seat].lapse_count += 1


def _record_player_act(book: Book | None, player: str, at: str) -> None:
    seat = None if book is None else book.seat_of(player)
    if book is not None and seat is not None:
        record_act(book, seat, at)


# Contributions.


def _begin_shoe(book: Book | None, entry: Entry) -> Shoe:
    """Return the shoe that a commitment begins; of a shoe without a table the entry has the limits."""
    at, roster, purpose = entry["at"], list(entry["roster"]), entry.get("purpose")
    policy = Policy(**entry["policy"]) if book is None else book.policy
    cards = entry["cards"]
    new = Shoe(
        entry["shoe"], at, roster, policy, cards, dict(entry["draws"]), entry.get("cutter"), purpose, deck_size=cards
    )
    new.beacon_round = entry.get("beacon_round", 0)
    if (placer := entry.get("placer")) is not None:
        new.placer = LoggedPlacer(placer["key"].partition("+")[0], placer["commitment"], placer["key"])
    if book is None and entry["v"] > FIRST_VERSION:
        new.told_cards = ToldCards()
    if book is not None:
        new.alone = is_alone(book, roster, purpose)
        new.bank = book.table.bank
        new.turn = turn_to_cut(book)
        new.player_places = book.player_places
        new.course = FIRST if purpose else ONE if book.rules.one_round else MANY
        new.stage = NEXT[new.course, IDLE, SOLE_SHOE if new.alone else "shoe"]
        if new.stage is BET:
            new.betting_since = at
        elif new.stage is SEED:
            new.seed_wait_since = at
        book.shoes += 1
        book.shoe = new
        book.at = at
    return new


def cut_of(entry: Entry) -> Cut | None:
    """Return the cut that stands in an entry."""
    return Cut(entry["cut"]["at"], entry["cut"]["by"]) if "cut" in entry else None


def _apply_seeds(book: Book | None, shoe: Shoe, entry: Entry, _: Table | None) -> None:
    """Take the hashes and the cut: the opening or the betting begins, and a player without a hash let a limit pass."""
    at, hashes = entry["at"], entry["hashes"]
    shoe.hashes, shoe.cut = dict(hashes), cut_of(entry)
    shoe.advance("seeds")
    if shoe.stage is BET:
        shoe.betting_since = at
    else:
        shoe.seed_wait_since = at
    for player in shoe.roster:
        if player in hashes:
            _record_player_act(book, player, at)
        elif book is not None and player not in shoe.struck:
            _count_lapse(book, player)
    if book is not None and shoe.purpose is not None:
        shoe.draw_chairs = first_bank_chairs(book, shoe)


def _apply_opened(book: Book | None, shoe: Shoe, entry: Entry, _: Table | None) -> None:
    at, player = entry["at"], entry["player"]
    shoe.opened[player] = entry["seed"]
    shoe.cut = shoe.cut or cut_of(entry)
    shoe.seed_wait_since = at
    _record_player_act(book, player, at)
    if book is not None:
        book.lapses.pop(player, None)


def _apply_lapse(book: Book | None, shoe: Shoe, entry: Entry, _: Table | None) -> None:
    """Struck; the second one running is owed like a seed that made a shoe void."""
    at, player = entry["at"], entry["player"]
    if player not in shoe.struck:
        shoe.struck.append(player)
    shoe.seed_wait_since = at
    if book is None:
        return
    _count_lapse(book, player)
    book.lapses[player] = book.lapses.get(player, 0) + 1
    if book.lapses[player] >= MAX_LAPSED_LIMITS:
        _add_debt(book, shoe, at, player)


def _add_debt(book: Book, shoe: Shoe, at: str, player: str) -> None:
    """The player's hashed seed is to be handed in."""
    if player in shoe.hashes:
        debt = book.debts.setdefault(player, Debt(at, shoe.id))
        debt.shoe = shoe.id
        debt.seeds[shoe.id] = shoe.hashes[player]
        if len(book.debts) > MAX_DEBTS:
            del book.debts[next(iter(book.debts))]


def _apply_late(book: Book, entry: Entry, _: Table | None) -> None:
    """The seed is handed in; its chair is the newest now.

    During a round the chair's lapses stay: the table may have made decisions for it that are logged later."""
    at, player = entry["at"], entry["player"]
    if player in book.debts:
        book.debts[player].seeds.pop(entry["shoe"], None)
    book.lapses.pop(player, None)
    seat = book.seat_of(player)
    if seat is not None:
        chair, shoe = book.chairs[seat], book.shoe
        chair.order_time = chair.last_act = at
        if shoe is None or shoe.stage is not ROUND:
            chair.lapse_count = 0


def _apply_seal(book: Book | None, shoe: Shoe, entry: Entry, _: Table | None) -> None:
    at = shoe.sealed = entry["at"]
    shoe.position = int("burn" in entry)
    shoe.root = entry.get("cards_root", "")
    shoe.beacon = beacon_of(shoe, entry)
    shoe.advance("seal")
    if book is None:
        return
    if shoe.purpose is None:
        book.turn = shoe.turn
    if shoe.stage is BET:
        shoe.betting_since = at
    book.reshuffle_requests.clear()
    book.first_void = ""
    _drop_paid_debts(book, shoe)


def beacon_of(shoe: Shoe, seal: Entry) -> Beacon | None:
    """Return the beacon's round in a `seal`; nothing of it is checked. InputError."""
    if "beacon" in seal:
        return Beacon(*(seal["beacon"][name] for name in Beacon._fields))
    if "beacon_signature" in seal and shoe.beacon_round:
        return randomness_of(drand_quicknet(shoe.beacon_round), seal["beacon_signature"])
    return None


def _drop_paid_debts(book: Book, shoe: Shoe) -> None:
    """Drop the debts of players who handed in every seed owed for other shoes than this one: they contribute again."""
    book.debts = {who: debt for who, debt in book.debts.items() if not debt.is_paid or debt.shoe == shoe.id}


# Cards of a shoe without a table.


def run_of(entry: Entry) -> CardRun:
    """Return the cards that a `drawn` entry tells."""
    cards = entry.get("cards", ())
    return CardRun(entry["pos"], entry.get("hidden", len(cards)), cards, entry.get("to", ""))


def _apply_drawn(_: Book | None, shoe: Shoe, entry: Entry, __: Table | None) -> None:
    if shoe.told_cards is None:
        raise KeyError("a shoe whose cards are told")
    run = run_of(entry)
    if run.size:
        shoe.told_cards.runs.append(run)
    shoe.told_cards.numbers |= entry.get("draws", {})
    shoe.position = run.pos + run.size


def _apply_shown(_: Book | None, shoe: Shoe, entry: Entry, __: Table | None) -> None:
    if shoe.told_cards is None:
        raise KeyError("a shoe whose cards are told")
    shoe.told_cards.shown |= {int(pos): label for pos, label in entry["cards"].items()}


def _apply_gathered(_: Book | None, shoe: Shoe, entry: Entry, __: Table | None) -> None:
    if shoe.told_cards is None:
        raise KeyError("a shoe whose cards are told")
    out = tuple(entry.get("out", ()))
    shoe.told_cards.gathers.append(Gather(entry["pos"], out, entry["cards_root"]))
    shoe.position, shoe.deck_size = entry["pos"], shoe.cards - len(out)


# Rounds.


def _apply_open(book: Book | None, shoe: Shoe, entry: Entry, _: Table | None) -> None:
    betting = betting_of(entry)
    if book is None or betting is None:
        raise KeyError("bets")
    record_bets(book, shoe, entry["at"], entry["round"], betting)


def record_bets(book: Book, shoe: Shoe, at: str, number: int, betting: Betting) -> None:
    """`open`."""
    shoe.advance("open")
    if not shoe.sealed:
        shoe.seed_wait_since = at
    chairs = book.chairs
    if book.rules.bets_freely:
        for seat, _, _ in betting.bets:
            chair = chairs.get(seat)
            if chair is not None:
                chair.lapse_count, chair.last_act = 0, at
    if betting[1:] != EVERYBODY:
        _record_other_seats(book, shoe, at, betting)
    book.open_round = OpenRound(number, at, betting)
    book.rounds = max(book.rounds, number)
    book.at = at


def _record_other_seats(book: Book, shoe: Shoe, at: str, betting: Betting) -> None:
    for seat in (*betting.passed, *(bet.seat for bet in betting.uncovered)):
        if seat in book.chairs:
            record_act(book, seat, at)
    for seat in betting.waived:
        if seat in book.chairs and book.chairs[seat].player not in shoe.waived:
            shoe.waived.append(book.chairs[seat].player)
    since = shoe.betting_since
    passed = since and microseconds(at) >= wait_start(book, since) + shoe.policy.bet * SECOND
    for seat in betting.late:  # who is late by a word (BX-06) let no limit pass
        chair = book.chairs.get(seat)
        unawaited = book.lapse_limit and chair is not None and chair.is_absent  # for whom no limit runs
        if chair is not None and (passed or unawaited):
            chair.lapse_count += 1


def _apply_round(book: Book | None, shoe: Shoe, entry: Entry, _: Table | None) -> None:
    """The round is played again."""
    if book is None or book.open_round is None:
        raise KeyError("an open round")
    decisions, _moments = decisions_of(entry["decisions"])
    source = LoggedCards(entry["cards"], position=shoe.position, present=shoe.deck_size, size=shoe.cards)
    played = replay(book.table, source, standing_bets(book, shoe, book.open_round), decisions)
    record_decisions(book, entry["at"], decisions)
    record_round(book, shoe, entry["at"], played.close(), source.position, source.present)


def record_decisions(book: Book, at: str, decisions: Iterable[Decision]) -> None:
    """Record who decided and who let the limit pass, in a `round` or a `bank`."""
    chairs = book.chairs
    for decision in decisions:
        chair = chairs.get(decision[0])
        if chair is None:
            continue
        if decision[4] == TABLE:
            chair.lapse_count += 1
        else:
            chair.lapse_count, chair.last_act = 0, at


def record_round(book: Book, shoe: Shoe, at: str, after: Table, position: int, present: int) -> None:
    """`round`: the table after it, and the pointer."""
    for paid in reversed(book.buy_ins):
        if paid.game != after.memory.get("game"):
            break  # older games come before
        if book.table.players.get(paid.seat) == paid.player:
            paid.gifts += after.purse[paid.seat] - book.table.purse[paid.seat]
    book.table = after
    book.open_round = None
    shoe.position, shoe.deck_size = position, present
    shoe.rounds += 1
    shoe.advance("round")
    shoe.betting_since = book.bank_settled_at = book.at = at


# The bank.


def _apply_bank(book: Book, entry: Entry, after: Table | None) -> None:
    """The bank moved; but for the first banker's draw (PO-04) that ends the shoe in play."""
    at, shoe = entry["at"], book.shoe
    if entry["why"] == "first":
        if shoe is None:
            raise KeyError("a first banker's shoe")
        cards = entry["cards"]
        if after is None:
            source = LoggedCards(cards, position=0, present=shoe.cards, size=shoe.cards)
            seat, _ = book.rules.draw_first_bank(book.table, source, shoe.draw_chairs)
            after = book.rules.set_first_bank(book.table, seat)
        shoe.position = len(cards)
        shoe.rounds += 1
        shoe.advance(FIRST_BANK)
    else:
        decisions, _moments = decisions_of(entry.get("decisions", ()))
        after = replay_bank(book.table, decisions).result.table if after is None else after
        record_decisions(book, at, decisions)
        if shoe is not None:
            shoe.bank_moved = True
    book.table = after
    book.bank_settled_at = at


# Ends.


def end_shoe(book: Book | None, shoe: Shoe, at: str) -> None:
    """A shoe is over, by whatever entry, or by none."""
    if book is None:
        return
    book.open_round = None
    if shoe.sealed and shoe.purpose is None:
        book.table = book.rules.oust_bank(book.table)
    if shoe.placer is not None:
        book.unrevealed_placers[shoe.id] = FinishedShoe(at, shoe)
        if shoe.player_places and len(book.unrevealed_placers) > MAX_UNPLACED:
            del book.unrevealed_placers[next(iter(book.unrevealed_placers))]
    book.shoe = None
    book.at = at


def _apply_placed(book: Book, entry: Entry, _: Table | None) -> None:
    """A placer's key is out."""
    book.unrevealed_placers.pop(entry["shoe"], None)


def _apply_lost(book: Book | None, shoe: Shoe, entry: Entry, _: Table | None) -> None:
    """The house could not play it out."""
    if book is not None:
        book.lost = True
    end_shoe(book, shoe, entry["at"])


def _apply_void(book: Book | None, shoe: Shoe, entry: Entry, _: Table | None) -> None:
    """An unopened seed is owed, a reshuffle request used up, a missing hash a lapse. If no opening began, nobody
    waits."""
    at, why, by = entry["at"], entry["why"], entry.get("by")
    if book is None:
        return
    if why == "seed":
        book.first_void = book.first_void or at
        if by is not None:
            _count_lapse(book, by)
            _add_debt(book, shoe, at, by)
    elif why in ("idle", "age"):
        book.first_void = ""
        _drop_paid_debts(book, shoe)
        unheard = why == "idle" and shoe.stage is HASH
        if unheard and microseconds(at) >= wait_start(book, shoe.at) + shoe.policy.hash * SECOND:
            for player in set(shoe.roster).difference(shoe.struck):
                _count_lapse(book, player)
    elif why == "reshuffle" and by is not None:
        seat = book.seat_of(by)
        if seat is not None:
            record_act(book, seat, at)
            if len(book.chairs) > 1 and seat not in book.reshuffle_requests:
                book.reshuffle_requests.append(seat)
    end_shoe(book, shoe, at)


OF_TABLES: dict[str, Callable[[Book, Entry, Table | None], None]] = {
    "start": _apply_start,
    "close": _apply_close,
    "token": lambda *_: None,  # a seat has another token: its player has done nothing by that
    "chips": _apply_chips,
    "bank": _apply_bank,
    "late": _apply_late,
    "placed": _apply_placed,
}
OF_SHOES: dict[str, Callable[[Book | None, Shoe, Entry, Table | None], None]] = {
    "seeds": _apply_seeds,
    "opened": _apply_opened,
    "lapse": _apply_lapse,
    "seal": _apply_seal,
    "drawn": _apply_drawn,
    "shown": _apply_shown,
    "gathered": _apply_gathered,
    "open": _apply_open,
    "round": _apply_round,
    "reshuffle": lambda *_: None,  # its round, which follows, says what became of it
    "reveal": lambda book, shoe, entry, _: end_shoe(book, shoe, entry["at"]),
    "void": _apply_void,
    "lost": _apply_lost,
}
ENDS = ("reveal", "void", "lost")
WITHOUT_TIME = ("start", "reshuffle")
"""Entries that are no act at the table by themselves."""
