"""A shoe's life in the service: commitment, seal, end; its cards again from what is stored; what a restore makes of
it."""

from __future__ import annotations

from ...cards import named_deck
from ...engine.round import settle_bank
from ...errors import RuleError
from ...log.canonical import Entry
from ...protocol.commitment import commitment_of
from ...protocol.shoe import Sealed
from ...record import entries
from ...record.forms import Placement, cut_form, shoe_id
from ..book import UNKNOWN_TREES, Book, Shoe
from ..contributing import (
    could_bet,
    cut_that_counts,
    may_be_away,
    may_seal,
    only_strikes,
    openers,
    order_of,
    placer_of,
    prescribed,
    roster,
    unheard,
)
from ..ending import bank_left, is_deserted, is_idle, may_begin_shoe, nothing_left, since, why_ends
from ..placer_steps import PendingCard, PlacerSteps, chain_of, keep
from ..stages import Stage
from .commands import AskShoe, Refused
from .state import Keys, PlacerAnswers, State, Work, copy

# The commitment.


def away(state: State) -> list[int]:
    """The chairs that nobody waits for: they are left out of the next roster."""
    return [seat for seat in may_be_away(state.book) if state.absent(seat)]


def check_ready(state: State, at: str, asking: int | None = None) -> None:
    """Raise Refused where a shoe that chair `asking` asks for at the time `at` would come to nothing."""
    book, table, rules = state.book, state.table, state.rules
    if not may_begin_shoe(book, at):
        raise Refused("the table is closed", where="table", remedy="choose another table")
    if len(table.players) < rules.chairs[0]:
        raise Refused(f"{len(table.players)} chairs are taken", where="shoe", expected=f"at least {rules.chairs[0]}")
    if not set(table.players).difference(away(state)) | {asking} & set(table.players):
        raise Refused("everybody is away", where="shoe", remedy="let a player ask for the shoe")
    if rules.needs_first_bank(table):
        if not rules.first_chairs(table):
            raise Refused("nobody covers the lowest bet as banker", where="shoe", remedy="buy in, or leave")
        return
    between = settle_bank(table)
    banker = between.result.table
    if between.ask is None and not rules.can_bank(banker, banker.bank):
        raise Refused("no chair covers the lowest bet as banker", where="shoe", remedy="buy in, or leave")
    bets = rules.forced_bets(table, list(table.players))
    if bets is not None:
        rules.check_enough_players(table)
        rules.check(table, bets)
    chosen = roster(book, [seat for seat in away(state) if seat != asking])
    if between.ask is None and not any(could_bet(banker, seat) for seat in chosen):
        owing = [player for player, debt in book.debts.items() if not debt.paid]
        what = f"nobody could bet on it: {', '.join(owing)} must hand a seed in" if owing else "nobody could bet on it"
        raise Refused(what, where="shoe", remedy="hand it in, buy in, or leave" if owing else "buy in, or leave")


def ask(work: Work, command: AskShoe) -> None:
    if work.state.wanted:
        raise Refused("a shoe was asked for", where="shoe", remedy="wait until the bank is settled")
    check_ready(work.state, work.at, command.seat)
    work.state.wanted = True


def begin(work: Work) -> bool:
    """Commit to a fresh key for the players who sit here now."""
    state, book = work.state, work.book
    if not state.wanted or book.shoe is not None or state.banked is not None or state.committed == "":
        return False
    try:
        check_ready(state, work.at)
    except RuleError:
        forget(state)
        return True
    if not state.commitment:
        state.commitment = commitment_of(work.fresh_key())
        work.claims.append(state.commitment)
        if book.placer:
            state.committed = ""
            return False
    placer = {"commitment": state.committed, "key": placer_of(book)} if state.committed else None
    says, name = prescribed(book, away(state)), shoe_id(state.id, book.shoes + 1)
    commitment = state.commitment
    forget(state)
    state.commitment = commitment
    work.log(entries.shoe_entry(work.at, name, commitment=commitment, placer=placer, **says))
    shoe = work.shoe()
    if shoe.placer is not None:
        state.origin, state.answer = work.origin, PlacerAnswers()
        keep(shoe, chain_of(work.origin, shoe, shoe.placer, commitment))
    return True


def forget(state: State) -> None:
    """Drop the request for a shoe."""
    state.wanted, state.commitment, state.committed = False, "", None


# The seeds.


def hashes_awaited(work: Work, shoe: Shoe) -> bool:
    """Whether a hash may still come; the cut comes with it."""
    state, book = work.state, work.book
    missing = (
        seat for seat, chair in book.chairs.items() if chair.player in shoe.roster and chair.player not in state.hashes
    )
    waited = any(not state.absent(seat) for seat in missing)
    return waited and not work.past(since(book, shoe.at), shoe.policy.hash)


def log_hashes(work: Work) -> bool:
    state, shoe = work.state, work.state.shoe
    if shoe is None or not shoe.may("seeds") or not state.hashes or hashes_awaited(work, shoe):
        return False
    cut = cut_that_counts(work.book, shoe, state.cuts)
    form = None if cut is None else cut_form(*cut)
    work.log(entries.seeds_entry(work.at, shoe.id, state.hashes, form, unheard(work.book, shoe, state.hashes)))
    return True


def miss_seed(work: Work) -> bool:
    """A seed that is not opened in time is struck, or makes the shoe void."""
    book, shoe = work.book, work.state.shoe
    if shoe is None or shoe.stage is not Stage.SEED:
        return False
    if nothing_left(book, shoe):
        void(work, "seed")
        return True
    waited = openers(book, shoe)
    if not waited or not work.past(since(book, shoe.asked), shoe.policy.seed):
        return False
    if only_strikes(book, shoe):
        work.log(entries.lapse_entry(work.at, shoe.id, waited[0]))
    else:
        void(work, "seed", by=waited[0])
    return True


def seal_when_ready(work: Work) -> bool:
    shoe = work.state.shoe
    if shoe is None or work.state.waiting or not may_seal(work.book, shoe):
        return False
    try:
        seal(work)
    except PendingCard:
        work.state.waiting = True
        return False
    return True


def seal(work: Work) -> None:
    """Fix the order. A shoe that has a placer, or outlasts its first round, gets a root that binds its cards. The top
    card is burned where the rules say so. Raises PendingCard."""
    state, shoe = work.state, work.shoe()
    lasts = shoe.purpose is None and not state.rules.one_round
    burns = state.rules.burns and shoe.purpose is None
    asking = asked(state, shoe)
    sealed = order(state, shoe, work.key(), asking) if lasts or asking is not None else None
    root = None if sealed is None else sealed.cards_root
    burn = sealed.draw() if burns and sealed is not None else None
    placement = shown(state, shoe, asking) if burns else None
    work.log(entries.seal_entry(work.at, shoe.id, burn=burn, cards_root=root, placement=placement))
    state.burned = [] if burn is None else [burn]
    state.since = work.moment


def asked(state: State, shoe: Shoe) -> PlacerSteps | None:
    """Return the steps that the placer of the shoe in play is asked for from the log's newest entry on; None if it has
    no placer."""
    if shoe.placer is None or state.answer is None:
        return None
    chain = chain_of(state.origin, shoe, shoe.placer, state.commitment)
    asking = PlacerSteps(chain, state.answer.given, state.answer.steps)
    asking.follow(shoe, dealing=False)
    return asking


def shown(state: State, shoe: Shoe, asking: PlacerSteps | None) -> Placement | None:
    """Take out the placer's answers for an entry. The placer was asked for all of the entry's cards."""
    if asking is None or state.answer is None:
        return None
    keep(shoe, asking.chain)
    placement = Placement(state.answer.given, state.answer.signature)
    state.answer.given = ()
    return placement


def order(state: State, shoe: Shoe, key: bytes, asking: PlacerSteps | None = None) -> Sealed:
    """The shoe with its pointer where the last finished round left it. `asking`: to draw cards of a shoe with a
    placer."""
    sealed = order_of(shoe, key, named_deck(state.rules.deck), placing=asking)
    sealed.go_to(shoe.position)
    return sealed


# The end.


def void(work: Work, why: str, by: str | None = None) -> None:
    """Close a shoe before its seal; the bets of an opened round go back to their owners."""
    shoe, opened = work.shoe(), work.book.open
    number = None if opened is None else opened.number
    work.log(entries.void_entry(work.at, shoe.id, work.key().hex(), why, by=by, round=number))
    work.state.clear_shoe()


def reveal(work: Work, why: str) -> None:
    """Publish the key of a sealed shoe; no round of it is open."""
    shoe = work.shoe()
    sealed = order(work.state, shoe, work.key())
    draws = {name: sealed.number(name) for name in sealed.draws}
    work.log(entries.reveal_entry(work.at, shoe.id, work.key().hex(), draws, shoe.position, why))
    work.state.clear_shoe()


def end(work: Work) -> bool:
    """End a shoe on which no round is open, where its time has come."""
    book, shoe = work.book, work.state.shoe
    if shoe is None:
        return False
    why, log = None, reveal
    if shoe.may("reveal"):
        why = why_ends(book, shoe, work.now, worn=False)
    elif not shoe.opening:
        why, log = _why_void(work, book, shoe), void
    if why is None:
        return False
    work.state.banked = None
    log(work, why)
    return True


def _why_void(work: Work, book: Book, shoe: Shoe) -> str | None:
    if book.closed and not may_begin_shoe(book, work.at):
        return "close"
    if bank_left(book, shoe):
        return "bank"
    if work.past(since(None, shoe.at), shoe.policy.shoe):
        return "age"
    hashing = shoe.stage is Stage.HASH
    waiting = bool(work.state.hashes) or hashes_awaited(work, shoe) if hashing else any(work.state.bets.values())
    if is_deserted(book, shoe) or (not waiting and is_idle(book, shoe, work.now)):
        return "idle"
    return None


def without_unlogged(state: State, now: int) -> State:
    """The table as its log tells it: hashes, bets, waivers and decisions that came in since the last entry are sent
    again by whoever sent them. The limits that run begin anew, and so do the numbers of receipts."""
    kept = copy(state)
    kept.clear_bets()
    shoe = kept.shoe
    kept.hashes = {} if shoe is None else dict(shoe.hashes)
    kept.waivers = [] if shoe is None else [i for i, chair in kept.book.chairs.items() if chair.player in shoe.waived]
    kept.cuts, kept.here, kept.links = {}, {}, {}
    if shoe is None:
        forget(kept)
    kept.wanted, kept.banked, kept.moments, kept.since = False, None, [], now
    return kept


def may_go_on(state: State, key: bytes | None) -> bool:
    """Whether the shoe in play, if any, can go on where the log is the newest: with its key, and with no round of it
    dealt whose decisions are not in the log; nor with a placer, which may have been asked since."""
    if state.shoe is None:
        return True
    return key is not None and commitment_of(key) == state.commitment and not (state.dealt or state.shoe.placer)


def lose(state: State, key: bytes | None, now: int) -> tuple[State, list[Entry]]:
    """End the shoe in play as `lost`: its key is published where it is known, the bets of an open round go back."""
    work = Work(copy(state), now, Keys(lambda: b"", b""))
    book = work.book
    if (shoe := book.shoe) is not None:
        public = key.hex() if key is not None and commitment_of(key) == work.state.commitment else None
        work.log(entries.lost_entry(work.at, shoe.id, public, None if book.open is None else book.open.number))
        work.state.clear_shoe()
        if shoe.id in book.unplaced:  # its placer may have been asked for more than is known here
            book.unplaced[shoe.id].shoe.stands = UNKNOWN_TREES
    return work.state, work.entries
