"""What players contribute: hashes, the cut, seeds, waivers, and a reshuffle on request."""

from __future__ import annotations

from hashlib import sha256

from ...errors import InputError
from ...record.entries import cut_form, late_entry, opened_entry
from ..betting import may_waive
from ..book import Shoe, has_seed
from ..contributing import cut_range, cutters, is_cut, openers
from ..ending import may_ask_reshuffle
from .commands import AskReshuffle, GiveHash, GiveSeed, Refused, Waive
from .shoes import void
from .work import Work


def give_hash(work: Work, command: GiveHash) -> None:
    shoe, state = _meant(work, command.shoe), work.state
    player = work.player(command.seat)
    if player not in shoe.roster:
        raise Refused("not in this shoe's roster", where="hash", remedy="wait for the next shoe")
    given = state.hashes.get(player)
    if given is None:
        state.hashes[player] = command.hash
        work.claims.append(command.hash)
    elif given != command.hash:
        raise Refused("you have sent another hash", where="hash", expected=given, remedy="open the seed of that one")
    if command.cut is None:
        _check_uncut(work, shoe, player)
    else:
        _check_cut(work, shoe, player, command.cut)
        if state.cuts.setdefault(player, command.cut) != command.cut:
            raise Refused("you have cut", where="cut", expected=str(state.cuts[player]))


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
    if shoe is None or not shoe.opening or shoe.sealed:
        raise Refused("too early to open a seed", where="seed", remedy="wait for your turn: see `expects`")
    waited = openers(book, shoe)
    if player not in waited:
        raise Refused("no seed of yours is waited for", where="seed", remedy="contribute to the next shoe")
    cut = None
    if shoe.alone:
        work.claims.append(digest)
        if command.cut is not None:
            _check_cut(work, shoe, player, command.cut)
            cut = cut_form(command.cut, player)
    elif command.cut is not None:
        raise Refused("the cut comes with the hash", where="cut", remedy="send the seed alone")
    elif digest != shoe.hashes[player]:
        raise InputError(f"it hashes to {digest}", where="seed", expected=f"the seed of {shoe.hashes[player]}")
    if waited[0] != player:
        raise Refused(f"{waited[0]} opens first", where="seed", remedy="wait for your turn: see `expects`")
    work.log(opened_entry(work.at, shoe.id, player, command.seed, cut))


def _check_cut(work: Work, shoe: Shoe, player: str, cut: int) -> None:
    if not is_cut(shoe) or work.state.rules.cut_range() is None:
        raise Refused("these rules have no cut", where="cut", remedy="leave it out")
    if player not in cutters(work.book, shoe):
        by = shoe.cutter or "nobody"
        raise Refused(f"{by} cuts this shoe", where="cut", remedy="leave it out")
    low, high = cut_range(work.state.rules, shoe)
    if not low <= cut <= high:
        raise InputError(f"{cut}", where="cut", expected=f"{low} to {high}")


def _check_uncut(work: Work, shoe: Shoe, player: str) -> None:
    """Raise InputError where the player's hash wants the cut with it: the table would only wait for it."""
    if player != shoe.cutter or player in work.state.cuts:
        return
    low, high = cut_range(work.state.rules, shoe)
    what = "you cut this shoe, and the hash came without the cut"
    raise InputError(what, where="cut", expected=f"{low} to {high}", remedy="send it with the hash")


def _meant(work: Work, named: str | None) -> Shoe:
    """The shoe in play, if it is the one that the seat means: another may have come since it looked."""
    shoe = work.shoe()
    if named not in (None, shoe.id):
        raise Refused(f"shoe {named}", where="shoe", expected=shoe.id, remedy="look again: see `expects`")
    return shoe


def waive(work: Work, command: Waive) -> None:
    shoe = _meant(work, command.shoe)
    if has_seed(work.book, shoe, command.seat):
        raise Refused("your own seed is in this shoe", where="waiver", remedy="bet: there is nothing to waive")
    if not may_waive(work.book, shoe, command.seat):
        raise Refused("you sat here at the commitment", where="waiver", remedy="contribute to the next shoe")
    if command.seat not in work.state.waivers:
        work.state.waivers.append(command.seat)


def ask_reshuffle(work: Work, command: AskReshuffle) -> None:
    """Until the opening begins a chair may have the shoe thrown away and another one committed."""
    shoe, player = _meant(work, command.shoe), work.player(command.seat)
    if shoe.opening or shoe.sealed:
        raise Refused("the seeds are being opened, or the shoe is sealed", where="shoe", remedy="play this shoe")
    if not may_ask_reshuffle(work.book, shoe, player):
        raise Refused("this chair had a reshuffle since the last seal", where="shoe", remedy="play this shoe")
    void(work, "reshuffle", by=player)
    work.state.wanted = True
