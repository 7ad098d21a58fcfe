"""How shoes end: why a sealed one must, why an unsealed one may; what is due by when."""

from __future__ import annotations

from ..log.times import SECOND, microseconds
from .book import Book, Shoe, has_part, standing_bets
from .chairs import is_overdue
from .contributing import (
    awaits_beacon,
    beacon_time,
    first_bank_chairs,
    is_beacon_out,
    may_seal,
    openers,
    owes_seed,
)
from .policy import BEACON_LIMIT, IDLE_LIMIT, min_beacon_delay
from .stages import BET, DRAW, HASH, ONE, OVER, ROUND, SEED

# Sealed.


def why_ends(book: Book, shoe: Shoe, now: int, *, worn: bool) -> str | None:
    """Why a sealed shoe on which no round is open must end now; None while it is played. The first reason counts."""
    if shoe.stage is DRAW:
        return None
    if worn or shoe.stage is OVER:
        return "worn"
    if shoe.bank_moved or book.rules.needs_first_bank(book.table):
        return "bank"
    if now >= microseconds(shoe.sealed) + shoe.policy.shoe * SECOND:
        return "age"
    return "left" if is_left(book, shoe, now) else None


def is_left(book: Book, shoe: Shoe, now: int) -> bool:
    """Whether nobody plays on the shoe any more: the chairs are empty, silent after the closing, or never bet."""
    seats = [seat for seat in book.chairs if seat != book.table.bank and has_part(book, shoe, seat)]
    if book.closed_at:
        seats = [
            seat
            for seat in seats
            if now < wait_start(book, max(book.chairs[seat].last_act, book.closed_at)) + IDLE_LIMIT
        ]
    return not seats or (shoe.stage is BET and now >= wait_start(book, shoe.betting_since) + IDLE_LIMIT)


# Unsealed.


def may_void(book: Book, shoe: Shoe, why: str, by: str | None, now: int) -> bool:
    """Whether an unsealed shoe may be void for this reason at this moment (microseconds)."""
    if why == "seed":
        return all_bets_returned(book, shoe) if by is None else _is_seed_missing(book, shoe, by, now, book.last_start)
    if why == "beacon":
        return by is None and lacks_beacon(book, shoe, now, book.last_start)
    if is_beacon_out(shoe, now):
        return False
    if shoe.is_opening or (why != "reshuffle" and by is not None):
        return False
    match why:
        case "reshuffle":
            return may_ask_reshuffle(book, shoe, by)
        case "close":
            return bool(book.closed_at)
        case "bank":
            return bank_left(book, shoe)
        case "idle":
            return is_idle(book, shoe, now)
        case "age":
            return now >= microseconds(shoe.at) + shoe.policy.shoe * SECOND
    return False


def beacon_deadline(book: Book | None, shoe: Shoe, started: str) -> int | None:
    """Return when (microseconds) an unsealed shoe is void for want of its beacon, None if it has none.
    With a seed to come that is when the round comes out: a house could then choose. `started`: the last start."""
    if not shoe.beacon_round or shoe.sealed:
        return None
    out = beacon_time(shoe)
    return max(out, microseconds(started) if started else 0) + BEACON_LIMIT if awaits_beacon(book, shoe) else out


def lacks_beacon(book: Book | None, shoe: Shoe, now: int, started: str) -> bool:
    """Whether an unsealed shoe of which nobody owes a seed gets no beacon any more at this moment (microseconds)."""
    deadline = beacon_deadline(book, shoe, started)
    return deadline is not None and now >= deadline and not owes_seed(book, shoe)


def may_ask_reshuffle(book: Book, shoe: Shoe, player: str | None) -> bool:
    """A chair may have one shoe thrown away between two seals, a player who sits alone as many as wanted (BK-09)."""
    seat = None if player is None else book.seat_of(player)
    if seat is None or shoe.is_opening:
        return False
    return seat not in book.reshuffle_requests or len(book.chairs) == 1


def bank_left(book: Book, shoe: Shoe) -> bool:
    """Whether whoever banked at the commitment does so no more: another chair banks, or somebody else in the same."""
    bank = book.table.bank
    return shoe.bank != bank or (bank in book.chairs and book.chairs[bank].seated_at > shoe.at)


def is_idle(book: Book, shoe: Shoe, now: int) -> bool:
    """Whether nothing comes of the shoe: nobody of the roster is left, no hash or no bet came in time."""
    if is_deserted(book, shoe):
        return True
    if shoe.stage is HASH:
        here = (chair for chair in book.chairs.values() if chair.player in shoe.roster)
        waited = any(not chair.is_absent for chair in here if chair.player not in shoe.struck)
        return not waited or now >= wait_start(book, shoe.at) + shoe.policy.hash * SECOND
    return now >= wait_start(book, shoe.betting_since) + shoe.policy.bet * SECOND


def is_deserted(book: Book, shoe: Shoe) -> bool:
    """Whether nobody is left to play on the shoe for: of the roster, of those who sent a hash, as first banker."""
    playing = [who for who in book.filter_seated(shoe.roster) if who not in shoe.struck]
    if not playing or (shoe.stage is BET and not shoe.alone and not openers(book, shoe)):
        return True
    return shoe.purpose is not None and not first_bank_chairs(book, shoe)


def seed_deadline(shoe: Shoe, started: str) -> int:
    """Return when (microseconds) the next seed comes too late: by the limit, or since the beacon's round is out."""
    limit = microseconds(max(shoe.seed_wait_since, started)) + shoe.policy.seed * SECOND
    return min(limit, beacon_time(shoe)) if shoe.beacon_round else limit


def _is_seed_missing(book: Book | None, shoe: Shoe, by: str | None, now: int, started: str) -> bool:
    """Whether a player did not open the seed in time that the order needs. Nobody is named for a round that comes out
    before the players' limits are over: else a house could name one too early, and have shoes void by choice."""
    if not owes_seed(book, shoe) or openers(book, shoe)[0] != by:
        return False
    if is_beacon_out(shoe, now):
        least = min_beacon_delay(shoe.policy, len(shoe.roster), one_round=shoe.course is ONE)
        return beacon_time(shoe) >= microseconds(shoe.at) + least * SECOND
    return now >= seed_deadline(shoe, started)


def all_bets_returned(book: Book, shoe: Shoe) -> bool:
    """Whether every bet of a round went back since its owner let the seed lapse."""
    return shoe.stage is SEED and book.open_round is not None and not standing_bets(book, shoe, book.open_round)


# Time.


def wait_start(book: Book | None, at: str) -> int:
    """Return when a wait began, in microseconds: with the entry at `at`, or anew with the service's last start."""
    return microseconds(at if book is None else max(at, book.last_start))


def due_time(book: Book | None, shoe: Shoe) -> int:
    """Return by when the log should have the shoe's next step (microseconds); a start excuses no delay."""
    policy, stage = shoe.policy, shoe.stage
    if awaits_beacon(book, shoe):
        return beacon_time(shoe) + BEACON_LIMIT
    if stage is HASH:
        return _add_seconds(shoe.at, policy.shoe if book is None else max(policy.hash, policy.cut))
    if stage is SEED:
        return _add_seconds(shoe.seed_wait_since, policy.seed if book is None or openers(book, shoe) else 0)
    if not shoe.sealed:
        return _add_seconds(shoe.betting_since or shoe.at, policy.bet)
    over = _add_seconds(shoe.sealed, policy.shoe)
    if book is None or stage is ROUND:
        return over
    if stage is BET and not shoe.bank_moved:
        return min(over, _add_seconds(shoe.betting_since, policy.bet) + IDLE_LIMIT)
    return min(over, microseconds(max(book.bank_settled_at, shoe.sealed)))


def waits_for_places(book: Book | None, shoe: Shoe) -> bool:
    """Whether the shoe's next step may wait for its placer."""
    if shoe.placer is None:
        return False
    return shoe.stage in (ROUND, DRAW) or (book is not None and may_seal(book, shoe))


def _add_seconds(at: str, seconds: int) -> int:
    return microseconds(at) + seconds * SECOND


def may_begin_shoe(book: Book, at: str) -> bool:
    """A closed table begins no shoe, but for a game that has begun (LO-04)."""
    if not book.closed_at:
        return True
    return book.rules.has_running_game(book.table) and not is_overdue(book, at)


def may_void_alone(shoe: Shoe, started: str, why: str, by: str | None, now: int) -> bool:
    """Whether an unsealed shoe may be void: a seed was not opened, no hash came, or the shoe is too old."""
    if why == "seed":
        return _is_seed_missing(None, shoe, by, now, started)
    if why == "beacon":
        return by is None and lacks_beacon(None, shoe, now, started)
    known = is_beacon_out(shoe, now) or awaits_beacon(None, shoe)
    if known or shoe.is_opening or by is not None:
        return False
    if why == "idle":
        return now >= microseconds(max(shoe.at, started)) + shoe.policy.hash * SECOND
    return why == "age" and now >= microseconds(shoe.at) + shoe.policy.shoe * SECOND
