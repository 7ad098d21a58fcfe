"""Commands of players before the deal: hashes, cuts, seeds, waivers, reshuffles and bets, up to `open`."""

from __future__ import annotations

from collections.abc import Container, Sequence
from hashlib import sha256

from ...engine.table import Bet
from ...errors import InputError
from ...protocol.commitment import HASH_BYTES, is_hash_of_digits
from ...record.entries import late_entry, opened_entry
from ...record.forms import cut_form
from ...record.rounds import open_entry
from .. import contributing
from ..book import Book, Shoe, has_part, has_seed
from ..ending import may_ask_reshuffle, wait_start
from ..receipts import describe_standing_bets
from .commands import AskReshuffle, GiveHash, GiveSeed, NoMoreBets, PlaceBets, Refused, Waive
from .shoes import void
from .state import YIELDED, Work


def give_hash(work: Work, command: GiveHash) -> None:
    shoe, state = _require_shoe(work, command.shoe), work.state
    player = work.player(command.seat)
    if player not in shoe.roster:
        raise Refused("not in this shoe's roster", where="hash", remedy="wait for the next shoe")
    keep_hash(state.hashes, state.cuts, work.claims, work.book, shoe, player, command)


def keep_hash(
    hashes: dict[str, str],
    cuts: dict[str, int],
    claims: list[str],
    book: Book | None,
    shoe: Shoe,
    player: str,
    command: GiveHash,
) -> None:
    """Keep the hash of a player of the roster, and the cut with it. Raises Refused, InputError."""
    given = hashes.get(player)
    if given is None:
        hashes[player] = command.hash
        claims.append(command.hash)
    elif given != command.hash:
        raise Refused("you have sent another hash", where="hash", expected=given, remedy="open the seed of that one")
    if command.cut is None:
        _check_uncut(book, shoe, player, cuts)
    else:
        _check_cut(book, shoe, player, command.cut)
        if cuts.setdefault(player, command.cut) != command.cut:
            raise Refused("you have cut", where="cut", expected=str(cuts[player]))


def give_seed(work: Work, command: GiveSeed) -> None:
    """Open a seed of the present shoe, or hand one in that is owed."""
    book, shoe = work.book, work.state.shoe
    player = work.player(command.seat)
    digest = sha256(bytes.fromhex(command.seed)).hexdigest()
    debt = book.debts.get(player)
    for owed, promised in () if debt is None else debt.seeds.items():
        if promised == digest:
            work.log(late_entry(work.at, owed, player, command.seed))
            return
    if shoe is not None and contributing.is_beacon_out(shoe, work.moment):
        raise Refused("the beacon's round is out", where="seed", remedy="contribute to the next shoe")
    if shoe is None or not shoe.allows("opened"):
        raise Refused("too early to open a seed", where="seed", remedy="wait for your turn: see `expects`")
    waited = contributing.openers(book, shoe)
    if player not in waited:
        raise Refused("no seed of yours is waited for", where="seed", remedy="contribute to the next shoe")
    cut = None
    if shoe.alone:
        work.claims.append(digest)
        if command.cut is not None:
            _check_cut(book, shoe, player, command.cut)
            cut = cut_form(command.cut, player)
    elif command.cut is not None:
        raise Refused("the cut comes with the hash", where="cut", remedy="send the seed alone")
    else:
        check_promised(command.seed, shoe.hashes[player])
    check_first(waited, player)
    work.log(opened_entry(work.at, shoe.id, player, command.seed, cut))


def check_promised(seed: str, promised: str) -> None:
    """Raise InputError for a seed, in hex, that has another hash than was promised."""
    digest = sha256(bytes.fromhex(seed)).hexdigest()
    if digest != promised:
        remedy = HASH_BYTES if is_hash_of_digits(seed, promised) else ""
        raise InputError(f"it hashes to {digest}", where="seed", expected=f"the seed of {promised}", remedy=remedy)


def check_first(waited: Sequence[str], player: str) -> None:
    """Raise Refused for a player before whom somebody else opens a seed."""
    if waited[0] != player:
        raise Refused(f"{waited[0]} opens first", where="seed", remedy="wait for your turn: see `expects`")


def _check_cut(book: Book | None, shoe: Shoe, player: str, cut: int) -> None:
    if not contributing.is_cut(shoe) or (book is not None and book.rules.cut_range() is None):
        raise Refused("these rules have no cut", where="cut", remedy="leave it out")
    if player not in contributing.cutters(book, shoe):
        by = shoe.cutter or "nobody"
        raise Refused(f"{by} cuts this shoe", where="cut", remedy="leave it out")
    low, high = contributing.cut_range(None if book is None else book.rules, shoe)
    if not low <= cut <= high:
        raise InputError(f"{cut}", where="cut", expected=f"{low} to {high}")


def _check_uncut(book: Book | None, shoe: Shoe, player: str, cuts: Container[str]) -> None:
    """Raise InputError where the player's hash wants the cut with it: the table would only wait for it."""
    if player != shoe.cutter or player in cuts:
        return
    low, high = contributing.cut_range(None if book is None else book.rules, shoe)
    what = "you cut this shoe, and the hash came without the cut"
    raise InputError(what, where="cut", expected=f"{low} to {high}", remedy="send it with the hash")


def _require_shoe(work: Work, named: str | None) -> Shoe:
    """Return the shoe in play, if it is the one that the seat means: another may have come since it looked."""
    shoe = work.shoe()
    if named not in (None, shoe.id):
        raise Refused(f"shoe {named}", where="shoe", expected=shoe.id, remedy="look again: see `expects`")
    return shoe


def waive(work: Work, command: Waive) -> None:
    shoe = _require_shoe(work, command.shoe)
    if has_seed(work.book, shoe, command.seat):
        raise Refused("your own seed is in this shoe", where="waiver", remedy="bet: there is nothing to waive")
    if not contributing.may_waive(work.book, shoe, command.seat):
        raise Refused("you sat here at the commitment", where="waiver", remedy="contribute to the next shoe")
    if command.seat not in work.state.waivers:
        work.state.waivers.append(command.seat)


def ask_reshuffle(work: Work, command: AskReshuffle) -> None:
    """Until the opening begins a chair may have the shoe thrown away and another one committed."""
    shoe, player = _require_shoe(work, command.shoe), work.player(command.seat)
    if shoe.is_opening:
        raise Refused("the seeds are being opened, or the shoe is sealed", where="shoe", remedy="play this shoe")
    if contributing.is_beacon_out(shoe, work.moment):
        raise Refused("the beacon's round is out", where="shoe", remedy="wait for the next shoe")
    if not may_ask_reshuffle(work.book, shoe, player):
        raise Refused("this chair had a reshuffle since the last seal", where="shoe", remedy="play this shoe")
    void(work, "reshuffle", by=player)
    work.state.shoe_requested = True


# Bets.


def place_bets(work: Work, command: PlaceBets) -> None:
    """Take a seat's bets for the next round, or its pass; until the round opens they may be replaced."""
    state, book, seat = work.state, work.book, command.seat
    shoe, number = work.shoe(), book.rounds + 1
    if command.round != number:
        raise Refused(f"round {command.round}", where="round", expected=str(number), round=number)
    if contributing.forced_bets_of(book, shoe) is not None:
        raise Refused("by these rules the table bets for everybody", where="bets", remedy="send nothing")
    if seat == state.table.bank:
        raise Refused("the bank does not bet", where="bets", remedy="send nothing")
    bets = [Bet(seat, amount, seat if box is None else box) for amount, box in command.stakes]
    if bets and seat not in state.waivers and not has_part(book, shoe, seat):
        remedy = (
            "waive it for this shoe (POST waiver)"
            if contributing.may_waive(book, shoe, seat)
            else "wait for the next shoe"
        )
        raise Refused("no seed of yours is in this shoe", where="bets", remedy=remedy)
    if bets:
        others = [bet for other, own in state.bets.items() if other != seat for bet in own if bet.box != seat]
        state.rules.check_seat_bets(state.table, bets, others)
        state.drop_returned_bets(number, seat)
        _clear_own_box(work, seat, bets)
    state.bets[seat] = bets
    if not any(state.bets.values()):
        state.first_bet = None
    elif state.first_bet is None:
        state.first_bet = work.moment


def _clear_own_box(work: Work, seat: int, bets: list[Bet]) -> None:
    """The box before a chair is its own: whoever had offered a bet on it gives way, the chair's own old bet too."""
    if any(bet.box == seat for bet in bets):
        for other, own in list(work.state.bets.items()):
            rest = [bet for bet in own if bet.box != seat]
            if rest != own:
                work.state.bets[other] = rest
                if other != seat:
                    work.state.return_bets(work.book.rounds + 1, YIELDED, [bet for bet in own if bet.box == seat])
                if not rest:
                    del work.state.bets[other]  # that is no pass


def no_more_bets(work: Work, _: NoMoreBets) -> None:
    """BX-06: the operator closes the betting; who has not bet is late."""
    if not work.state.rules.closes_bets:
        raise Refused("these rules do not know that", where="bets", remedy="wait for the time limit")
    if contributing.is_beacon_out(work.shoe(), work.moment) or not _open_round(work, work.shoe()):
        raise Refused("nobody has bet", where="bets", remedy="wait for a bet, or for the time limit")


def open_when_ready(work: Work) -> bool:
    """Open the round when everybody who is waited for has bet or passed, or time is up, and somebody has bet."""
    book, shoe, first = work.book, work.state.shoe, work.state.first_bet
    if shoe is None or not shoe.allows("open") or work.state.bank_decisions is not None:
        return False
    if contributing.forced_bets_of(book, shoe) is None and (first is None or _awaits_bets(work, shoe, first)):
        return False
    return _open_round(work, shoe)


def _awaits_bets(work: Work, shoe: Shoe, first_bet: int) -> bool:
    state, book = work.state, work.book
    began = wait_start(book, shoe.betting_since)
    if shoe.sealed:
        began = max(began, first_bet)
    if work.is_past(began, shoe.policy.bet):
        return False
    seats = {*contributing.bettors(book, shoe), *state.waivers}
    return any(seat not in state.bets and not state.is_absent(seat) for seat in seats)


def _open_round(work: Work, shoe: Shoe) -> bool:
    state, book = work.state, work.book
    betting = contributing.close_betting(book, shoe, state.bets, state.waivers)
    if betting is None:
        return False
    number = book.rounds + 1
    work.log(open_entry(work.at, shoe.id, number, betting))
    state.standing_bets = describe_standing_bets(book, shoe, state.commitment, state.links)
    state.clear_bets()
    return True
