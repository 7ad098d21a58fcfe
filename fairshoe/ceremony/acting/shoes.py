"""A shoe's life in the service: commitment, seal, end; its order rebuilt; what a restore makes of it."""

from __future__ import annotations

from ...cards import named_deck
from ...engine.round import replay_bank
from ...errors import RuleError
from ...log.canonical import Entry
from ...protocol.commitment import commitment_of
from ...protocol.shoe import Sealed
from ...record import entries
from ...record.forms import Placement, shoe_id
from .. import contributing, ending
from ..book import UNKNOWN_TREES, Book, Shoe
from ..placer_steps import PendingCard, PlacerSteps, chain_of, record_steps
from ..stages import Stage
from .beacons import take_beacon
from .commands import AskShoe, GiveBeacon, Refused
from .state import Keys, PlacerAnswers, State, Work, copy

# The commitment.


def absent_chairs(state: State) -> list[int]:
    """Return the chairs that nobody waits for: they are left out of the next roster."""
    return [seat for seat in contributing.may_be_away(state.book) if state.is_absent(seat)]


def check_ready(state: State, at: str, asking: int | None = None) -> None:
    """Raise Refused where a shoe that chair `asking` asks for at the time `at` would come to nothing."""
    book, table, rules = state.book, state.table, state.rules
    if not ending.may_begin_shoe(book, at):
        raise Refused("the table is closed", where="table", remedy="choose another table")
    if len(table.players) < rules.chairs[0]:
        raise Refused(f"{len(table.players)} chairs are taken", where="shoe", expected=f"at least {rules.chairs[0]}")
    if not set(table.players).difference(absent_chairs(state)) | {asking} & set(table.players):
        raise Refused("everybody is away", where="shoe", remedy="let a player ask for the shoe")
    if rules.needs_first_bank(table):
        if not rules.bank_candidates(table):
            raise Refused("nobody covers the lowest bet as banker", where="shoe", remedy="buy in, or leave")
        return
    between = replay_bank(table)
    banker = between.result.table
    if between.ask is None and not rules.can_bank(banker, banker.bank):
        raise Refused("no chair covers the lowest bet as banker", where="shoe", remedy="buy in, or leave")
    bets = rules.forced_bets(table, list(table.players))
    if bets is not None:
        rules.check_enough_players(table)
        rules.check_round_bets(table, bets)
    chosen = contributing.roster(book, [seat for seat in absent_chairs(state) if seat != asking])
    if between.ask is None and not any(contributing.can_bet(banker, seat) for seat in chosen):
        owing = [player for player, debt in book.debts.items() if not debt.is_paid]
        what = f"nobody could bet on it: {', '.join(owing)} must hand a seed in" if owing else "nobody could bet on it"
        raise Refused(what, where="shoe", remedy="hand it in, buy in, or leave" if owing else "buy in, or leave")


def request_shoe(work: Work, command: AskShoe) -> None:
    if work.state.shoe_requested:
        raise Refused("a shoe was asked for", where="shoe", remedy="wait until the bank is settled")
    check_ready(work.state, work.at, command.seat)
    work.state.shoe_requested = True


def begin_shoe(work: Work) -> bool:
    """Commit to a fresh key for the players who sit here now."""
    state, book = work.state, work.book
    if (
        not state.shoe_requested
        or book.shoe is not None
        or state.bank_decisions is not None
        or state.placer_commitment == ""
    ):
        return False
    try:
        check_ready(state, work.at)
    except RuleError:
        drop_request(state)
        return True
    if not state.commitment:
        state.commitment = commitment_of(work.fresh_key())
        work.claims.append(state.commitment)
        if book.placer:
            state.placer_commitment = ""
            return False
    placer = (
        {"commitment": state.placer_commitment, "key": contributing.placer_of(book)}
        if state.placer_commitment
        else None
    )
    says, name = contributing.next_shoe_fields(book, absent_chairs(state), work.at), shoe_id(state.id, book.shoes + 1)
    commitment = state.commitment
    drop_request(state)
    state.commitment = commitment
    work.log(entries.shoe_entry(work.at, name, commitment=commitment, placer=placer, **says))
    shoe = work.shoe()
    if shoe.placer is not None:
        state.origin, state.placer_answers = work.keys.origin, PlacerAnswers()
        record_steps(shoe, chain_of(work.keys.origin, shoe, shoe.placer, commitment))
    return True


def drop_request(state: State) -> None:
    """Drop the request for a shoe."""
    state.shoe_requested, state.commitment, state.placer_commitment = False, "", None


# The seeds.


def awaits_hashes(work: Work, shoe: Shoe) -> bool:
    """Whether a hash may still come; the cut comes with it."""
    state, book = work.state, work.book
    missing = (
        seat for seat, chair in book.chairs.items() if chair.player in shoe.roster and chair.player not in state.hashes
    )
    waited = any(not state.is_absent(seat) for seat in missing)
    return waited and not work.is_past(ending.wait_start(book, shoe.at), shoe.policy.hash)


def log_hashes(work: Work) -> bool:
    state, shoe = work.state, work.state.shoe
    if shoe is None or not shoe.allows("seeds") or not state.hashes or awaits_hashes(work, shoe):
        return False
    cut = contributing.cut_that_counts(work.book, shoe, state.cuts)
    silent = contributing.missing_hashes(work.book, shoe, state.hashes)
    work.log(entries.seeds_entry(work.at, shoe.id, state.hashes, cut and cut._asdict(), silent))
    return True


def miss_seed(work: Work) -> bool:
    """A seed that is not opened in time is struck, or makes the shoe void."""
    book, shoe = work.book, work.state.shoe
    if shoe is None or shoe.stage is not Stage.SEED:
        return False
    if ending.all_bets_returned(book, shoe):
        void(work, "seed")
        return True
    waited = contributing.openers(book, shoe)
    if not waited or work.moment < ending.seed_deadline(shoe, book.last_start):
        return False
    if contributing.only_strikes(book, shoe):
        work.log(entries.lapse_entry(work.at, shoe.id, waited[0]))
    else:
        void(work, "seed", by=waited[0])
    return True


def seal_when_ready(work: Work) -> bool:
    shoe = work.state.shoe
    if shoe is None or shoe.beacon_round or work.state.places_awaited or not contributing.may_seal(work.book, shoe):
        return False
    try:
        seal(work)
    except PendingCard:
        work.state.places_awaited = True
        return False
    return True


def give_beacon(work: Work, command: GiveBeacon) -> None:
    """Fix the order with the beacon that it waited for."""
    if work.state.shoe is not None and take_beacon(work.book, work.state.shoe, command, work.now):
        seal(work, command.signature)


def seal(work: Work, signature: str | None = None) -> None:
    """Fix the order, bind it by a root if a placer or later rounds need one, and burn the top card if the rules say so.
    `signature`: its beacon's. Raises PendingCard."""
    state, shoe = work.state, work.shoe()
    lasts = shoe.purpose is None and not state.rules.one_round
    burns = state.rules.burns and shoe.purpose is None
    asking = placer_request(state, shoe)
    sealed = current_order(state, shoe, work.key(), asking) if lasts or asking is not None else None
    root = None if sealed is None else sealed.cards_root
    burn = sealed.draw() if burns and sealed is not None else None
    placement = take_placement(state, shoe, asking) if burns else None
    entry = entries.seal_entry(
        work.at, shoe.id, burn=burn, beacon_signature=signature, cards_root=root, placement=placement
    )
    work.log(entry)
    state.burned = [] if burn is None else [burn]
    state.decision_since = work.moment


def placer_request(state: State, shoe: Shoe) -> PlacerSteps | None:
    """Return the placer's steps since the log's newest entry, for the shoe in play; None without a placer."""
    if shoe.placer is None or state.placer_answers is None:
        return None
    chain = chain_of(state.origin, shoe, shoe.placer, state.commitment)
    asking = PlacerSteps(chain, state.placer_answers.new_places, state.placer_answers.steps)
    asking.begin_entry(shoe, dealing=False)
    return asking


def take_placement(state: State, shoe: Shoe, asking: PlacerSteps | None) -> Placement | None:
    """Take out the placer's answers for an entry. The placer was asked for all of the entry's cards."""
    if asking is None or state.placer_answers is None:
        return None
    record_steps(shoe, asking.chain)
    placement = Placement(state.placer_answers.new_places, state.placer_answers.signature)
    state.placer_answers.new_places = ()
    return placement


def current_order(state: State, shoe: Shoe, key: bytes, asking: PlacerSteps | None = None) -> Sealed:
    """Return the shoe with its pointer after the last finished round. `asking`: needed to draw placed cards."""
    sealed = contributing.order_of(shoe, key, named_deck(state.rules.deck), placing=asking)
    sealed.go_to(shoe.position)
    return sealed


# The end.


def void(work: Work, why: str, by: str | None = None) -> None:
    """Close a shoe before its seal; the bets of an opened round go back to their owners."""
    shoe, opened = work.shoe(), work.book.open_round
    number = None if opened is None else opened.number
    work.log(entries.void_entry(work.at, shoe.id, work.key().hex(), why, by=by, round=number))


def reveal(work: Work, why: str) -> None:
    """Publish the key of a sealed shoe; no round of it is open."""
    shoe = work.shoe()
    sealed = current_order(work.state, shoe, work.key())
    draws = {name: sealed.number(name) for name in sealed.draws}
    work.log(entries.reveal_entry(work.at, shoe.id, work.key().hex(), draws, shoe.position, why))


def end_when_due(work: Work) -> bool:
    """End a shoe on which no round is open, where its time has come."""
    book, shoe = work.book, work.state.shoe
    if shoe is None:
        return False
    why, log = None, reveal
    if shoe.allows("reveal"):
        why = ending.why_ends(book, shoe, work.now, worn=False)
    elif ending.lacks_beacon(book, shoe, work.moment, book.last_start):
        why, log = "beacon", void
    elif not shoe.is_opening:
        why, log = _find_void_reason(work, book, shoe), void
    if why is None:
        return False
    work.state.bank_decisions = None
    log(work, why)
    return True


def _find_void_reason(work: Work, book: Book, shoe: Shoe) -> str | None:
    if book.closed_at and not ending.may_begin_shoe(book, work.at):
        return "close"
    if ending.bank_left(book, shoe):
        return "bank"
    if work.is_past(ending.wait_start(None, shoe.at), shoe.policy.shoe):
        return "age"
    hashing = shoe.stage is Stage.HASH
    waiting = bool(work.state.hashes) or awaits_hashes(work, shoe) if hashing else any(work.state.bets.values())
    if ending.is_deserted(book, shoe) or (not waiting and ending.is_idle(book, shoe, work.now)):
        return "idle"
    return None


def drop_unlogged(state: State, now: int) -> State:
    """Return the table as its log tells it, without hashes, bets and decisions since. Limits and receipts begin
    anew."""
    kept = copy(state)
    kept.clear_bets()
    shoe = kept.shoe
    kept.hashes = {} if shoe is None else dict(shoe.hashes)
    kept.waivers = [] if shoe is None else [i for i, chair in kept.book.chairs.items() if chair.player in shoe.waived]
    kept.cuts, kept.lapse_credits, kept.links = {}, {}, {}
    if shoe is None:
        drop_request(kept)
    kept.shoe_requested, kept.bank_decisions, kept.table_decision_times, kept.decision_since = False, None, [], now
    return kept


def may_go_on(state: State, key: bytes | None) -> bool:
    """Whether the shoe in play can go on from the log alone: its key is known, no unlogged decision, no placer."""
    if state.shoe is None:
        return True
    return (
        key is not None and commitment_of(key) == state.commitment and not (state.cards_on_table or state.shoe.placer)
    )


def lose(state: State, key: bytes | None, now: int) -> tuple[State, list[Entry]]:
    """End the shoe in play as `lost`: its key is published where it is known, the bets of an open round go back."""
    work = Work(copy(state), now, Keys(lambda: b"", b""))
    book = work.book
    if (shoe := book.shoe) is not None:
        public = key.hex() if key is not None and commitment_of(key) == work.state.commitment else None
        work.log(
            entries.lost_entry(work.at, shoe.id, public, None if book.open_round is None else book.open_round.number)
        )
        if shoe.id in book.unrevealed_placers:  # its placer may have been asked for more than is known here
            book.unrevealed_placers[shoe.id].shoe.trees = UNKNOWN_TREES
    return work.state, work.entries
