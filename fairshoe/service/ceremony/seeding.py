"""Contributions: hashes, the cut, seeds, waivers, and a reshuffle on request."""

from __future__ import annotations

from hashlib import sha256

from ...errors import InputError
from ...record.entries import cut_form, seeds_entry
from .commands import AskReshuffle, GiveHash, GiveSeed, Waive
from .refusals import Refused
from .shoes import seal_now, void
from .state import Shoe, State
from .work import Work


def contributed(shoe: Shoe, player: str) -> bool:
    """Whether the player has a seed of their own in the shoe, opened or promised."""
    return player in shoe.seeds or (shoe.hashed is not None and player in shoe.hashes)


def hashing(shoe: Shoe) -> bool:
    """Whether hashes are being collected."""
    return len(shoe.roster) > 1 and shoe.hashed is None


def sole(shoe: Shoe) -> str | None:
    return shoe.roster[0] if len(shoe.roster) == 1 else None


def opening(state: State, shoe: Shoe) -> bool:
    """Whether hashed seeds are to be opened: at once, or when the bets of the one round stand."""
    return shoe.sealed is None and shoe.hashed is not None and (multi(state, shoe) or shoe.round is not None)


def multi(state: State, shoe: Shoe) -> bool:
    """Whether the shoe is sealed before any bets."""
    return not state.rules.one_round or shoe.purpose is not None


def unopened(shoe: Shoe) -> list[str]:
    """Contributors whose hash is in the log and whose seed is not here, in roster order."""
    return [who for who in shoe.roster if who in shoe.hashes and who not in shoe.seeds]


# What players send.


def give_hash(work: Work, command: GiveHash) -> None:
    shoe = work.unsealed()
    player = work.player(command.seat)
    if player not in shoe.roster:
        raise Refused("not in this shoe's roster", where="hash", remedy="waive your seed for this shoe: POST waiver")
    if sole(shoe) is not None:
        raise Refused("you are the sole contributor", where="hash", remedy="send seed and cut at once: POST seed")
    if shoe.hashed is not None:
        raise Refused("the hashes are in the log", where="hash", remedy="contribute to the next shoe")
    given = shoe.hashes.get(player)
    if given is None:
        if work.past(shoe.since, work.state.policy.hash):
            raise Refused("too late", where="hash", remedy="contribute to the next shoe")
        shoe.hashes[player] = command.hash
        work.claims.append(command.hash)
    elif given != command.hash:
        raise Refused("you have sent another hash", where="hash", expected=given, remedy="open the seed of that one")
    _take_cut(work, shoe, player, command.cut)


def give_seed(work: Work, command: GiveSeed) -> None:
    shoe = work.unsealed()
    player = work.player(command.seat)
    if player not in shoe.roster:
        raise Refused("not in this shoe's roster", where="seed", remedy="waive your seed for this shoe: POST waiver")
    digest = sha256(bytes.fromhex(command.seed)).hexdigest()
    if sole(shoe) is None:
        _open_seed(work, shoe, player, command, digest)
        return
    if shoe.round is not None:
        raise Refused("the bets stand", where="seed", remedy="contribute to the next shoe")
    given = shoe.seeds.setdefault(player, command.seed)
    if given != command.seed:
        raise Refused("you have sent another seed", where="seed", remedy="it counts; bet, or ask for a reshuffle")
    if digest not in shoe.hashes.values():
        shoe.hashes[player] = digest
        work.claims.append(digest)
    _take_cut(work, shoe, player, command.cut)


def _open_seed(work: Work, shoe: Shoe, player: str, command: GiveSeed, digest: str) -> None:
    if command.cut is not None:
        raise Refused("the cut comes with the hash", where="cut", remedy="send the seed alone")
    if not opening(work.state, shoe):
        later = "the hashes are in the log" if shoe.hashed is None else "the round is open"
        raise Refused("too early to open a seed", where="seed", remedy=f"wait until {later}")
    if player not in shoe.hashes:
        raise Refused("you sent no hash in time", where="seed", remedy="contribute to the next shoe")
    if digest != shoe.hashes[player]:
        raise InputError(f"it hashes to {digest}", where="seed", expected=f"the seed of {shoe.hashes[player]}")
    shoe.seeds[player] = command.seed


def _take_cut(work: Work, shoe: Shoe, player: str, cut: int | None) -> None:
    if cut is None:
        return
    span = work.state.rules.cut_range()
    if span is None:
        raise Refused("these rules have no cut", where="cut", remedy="leave it out")
    if player != shoe.cutter:
        by = shoe.cutter or "nobody"
        raise Refused(f"{by} cuts this shoe", where="cut", remedy="leave it out")
    if not span[0] <= cut <= span[1]:
        raise InputError(f"{cut}", where="cut", expected=f"{span[0]} to {span[1]}")
    if shoe.cut not in (None, cut):
        raise Refused("you have cut", where="cut", expected=str(shoe.cut))
    if hashing(shoe) and work.past(shoe.since, work.state.policy.cut):
        raise Refused("too late", where="cut", remedy="leave it out: the shoe is cut by its named draw")
    shoe.cut = cut


def waive(work: Work, command: Waive) -> None:
    shoe = work.shoe()
    if contributed(shoe, work.player(command.seat)):
        raise Refused("your own seed is in this shoe", where="waiver", remedy="bet: there is nothing to waive")
    if command.seat not in shoe.waivers:
        shoe.waivers.append(command.seat)


def ask_reshuffle(work: Work, command: AskReshuffle) -> None:
    """Until the seal any seat may have the shoe thrown away and another one committed."""
    shoe = work.unsealed()
    if shoe.round is not None:
        raise Refused("a round is open", where="shoe", remedy="it is played to its end")
    void(work, "reshuffle", by=work.player(command.seat))
    work.state.wanted = not work.state.closing


# What follows.


def awaited(work: Work, shoe: Shoe) -> bool:
    """Whether a hash, or the cut, may still come."""
    state = work.state
    seated = [who for who in shoe.roster if state.seat_of(who) is not None]
    hash_late = work.past(shoe.since, state.policy.hash)
    if not hash_late and any(who not in shoe.hashes for who in seated):
        return True
    uncut = shoe.cut is None and shoe.cutter in seated and (shoe.cutter in shoe.hashes or not hash_late)
    return uncut and not work.past(shoe.since, state.policy.cut)


def log_hashes(work: Work) -> bool:
    shoe = work.state.shoe
    if shoe is None or not hashing(shoe) or awaited(work, shoe):
        return False
    cut = None if shoe.cut is None else cut_form(shoe.cut, shoe.cutter)
    work.log(seeds_entry(work.at, work.state.shoe_id, shoe.hashes, cut))
    shoe.hashed = shoe.since = work.now
    return True


def give_up(work: Work) -> bool:
    """A hashed seed that is not opened in time voids the shoe, and its contributor is out of the next roster."""
    state, shoe = work.state, work.state.shoe
    if shoe is None or not opening(state, shoe):
        return False
    missing = unopened(shoe)
    if not missing or not work.past(shoe.since, state.policy.seed):
        return False
    void(work, "seed", by=missing[0])
    state.barred = missing[0]
    return True


def seal_when_ready(work: Work) -> bool:
    state, shoe = work.state, work.state.shoe
    if shoe is None or shoe.sealed is not None or hashing(shoe):
        return False
    if shoe.hashed is not None:
        if not opening(state, shoe) or unopened(shoe):
            return False
    elif shoe.round is None and (not multi(state, shoe) or seed_awaited(work, shoe)):
        return False
    seal_now(work)
    return True


def seed_awaited(work: Work, shoe: Shoe) -> bool:
    """Whether a sole contributor may still send a seed."""
    who = sole(shoe)
    if who is None or who in shoe.seeds or work.state.seat_of(who) is None:
        return False
    return not work.past(shoe.since, work.state.policy.seed)
