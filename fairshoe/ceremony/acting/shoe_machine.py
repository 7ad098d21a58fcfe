"""The machine of a shoe without a table: commitment, contributions, and cards drawn in public or hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ...cards import named_deck
from ...errors import InputError
from ...log.canonical import Entry
from ...log.times import timestamp
from ...protocol.commitment import commitment_of
from ...protocol.deck import Deck, deck_of
from ...protocol.word_stream import check_draws
from ...record import entries
from .. import contributing
from ..book import CardRun
from ..drawing import DrawFault, faults_of_drawn, faults_of_gathered, faults_of_shown
from ..ending import may_void_alone
from ..policy import Policy
from ..stages import Stage
from .beacons import BeaconChoice, take_beacon
from .commands import (
    Answer,
    DrawCards,
    GiveBeacon,
    GiveCommitment,
    GiveHash,
    GiveKey,
    GivePlaces,
    GiveSeed,
    Refused,
    check_lengths,
)
from .contributions import check_first, check_promised, keep_hash
from .lone_shoe import LoneShoe, deadlines_of_shoe, follow_shoe
from .placed_draws import MAX_PLACED, check_awaited_draw, entry_of, finish_draw, give_commitment, give_key, give_places
from .state import CommandResult, Keys, Step, copy

MAX_PART = 48_000
"""Bytes of labels in one `deck` entry."""


class NewShoe(NamedTuple):
    """A shoe to be made: `labels` of a deck of its own, () for a named one; `known`: the log has that deck."""

    name: str
    deck: str
    labels: tuple[str, ...]
    roster: tuple[str, ...]
    draws: Mapping[str, int]
    policy: Policy
    cutter: str | None = None
    rules_hash: str | None = None
    placer: str = ""  # verifier key of its placer
    beacon: BeaconChoice | None = None


class ShowCards(NamedTuple):
    """Show hidden cards: a player (`seat`) the own ones, the operator (None) those of nobody."""

    seat: int | None
    positions: tuple[int, ...]


class GatherCards(NamedTuple):
    """The operator shuffles anew all cards but the drawn ones at positions `out`; the next card has position `pos`."""

    pos: int
    out: tuple[int, ...] = ()


class RevealShoe(NamedTuple):
    """The operator ends a sealed shoe."""


class VoidShoe(NamedTuple):
    """The operator ends a shoe to which nobody has sent a hash in time."""


ShoeCommand = GiveHash | GiveSeed | DrawCards | ShowCards | GatherCards | RevealShoe | VoidShoe | Answer


def statement_of(command: ShoeCommand) -> tuple[str, dict[str, Any]] | None:
    """Return what the receipt of a command says was sent; None for a command without one."""
    match command:
        case GiveHash():
            return "hash", {"hash": command.hash} | ({} if command.cut is None else {"cut": command.cut})
        case GiveSeed():
            return "seed", {"seed": command.seed}
        case ShowCards():
            return "show", {"pos": list(command.positions)}
    return None


def create_shoe(new: NewShoe, now: int, key: bytes, origin: str, *, deck_logged: bool) -> CommandResult[LoneShoe]:
    """Commit to a fresh key; a placer commits first. `origin`: the log's. `deck_logged`: the log has the labels of a
    deck of its own. Raises InputError."""
    deck = deck_of(new.labels) if new.labels else named_deck(new.deck)
    draws, roster = check_draws(new.draws, len(deck)), new.roster
    if len(set(roster)) != len(roster):
        raise InputError("a player stands there twice", where="roster", expected="each player once")
    if new.cutter is not None and (new.cutter not in roster or "cut" not in draws):
        expected = "a player of the roster, and a draw `cut`"
        raise InputError(f"{new.cutter} cannot cut", where="cutter", expected=expected)
    commitment, name = commitment_of(key), deck.hash if new.labels else new.deck
    found: list[Entry] = []
    for part, labels in enumerate(parts := [] if deck_logged or not new.labels else _split_deck(deck), 1):
        at = timestamp(now + len(found))
        found.append(entries.entry("deck", at, deck=deck.hash, part=part, parts=len(parts), labels=labels))
    at = timestamp(now + len(found))
    entry = entries.shoe_entry(
        at,
        new.name,
        deck=name,
        cards=len(deck),
        commitment=commitment,
        roster=roster,
        draws=draws,
        policy=new.policy._asdict(),
        cutter=new.cutter,
        told=True,
        rules_hash=new.rules_hash,
        placer={"commitment": "", "key": new.placer} if new.placer else None,
        beacon_round=0 if new.beacon is None else new.beacon.number_at(at, new.policy, len(roster)),
    )
    state = follow_shoe(None, entry, new.labels)
    work = ShoeWork(state, now, Keys(lambda: key, key))
    work.entries = check_lengths([*found, entry])
    if new.placer:
        check_lengths([entry | {"placer": {"commitment": commitment, "key": new.placer}}])  # as it will be logged
        state.origin, state.uncommitted, work.entries = origin, entry, found
    work.claims = [commitment]
    _take_due_steps(work)
    return CommandResult(state, work.entries, work.claims, key)


def _split_deck(deck: Deck) -> list[list[str]]:
    """Return the labels in parts that fit in an entry each."""
    parts: list[list[str]] = [[]]
    size = 0
    for label in deck:
        size += 2 * len(label.encode()) + 3  # every byte may have to be escaped
        if size > MAX_PART and parts[-1]:
            parts.append([])
            size = 2 * len(label.encode()) + 3
        parts[-1].append(label)
    return parts


class ShoeWork(Step):
    """A step at a shoe without a table, and the state that it changes."""

    def __init__(self, state: LoneShoe, now: int, keys: Keys) -> None:
        super().__init__(now, keys)
        self.state = state
        self.key = keys.current

    def log(self, entry: Entry) -> None:
        self.entries.append(entry)
        follow_shoe(self.state, entry)

    def is_past(self, limit: str) -> bool:
        """Whether a time limit that runs, by its name, is over."""
        deadline = deadlines_of_shoe(self.state).get(limit)
        return deadline is not None and self.moment >= deadline


def apply_to_shoe(state: LoneShoe, command: ShoeCommand | None, now: int, keys: Keys) -> CommandResult[LoneShoe]:
    """Apply a command to a copy of a shoe without a table; None: only what is due. Raises FairshoeError."""
    work = ShoeWork(copy(state), now, keys)
    if command is not None:
        if work.state.uncommitted is not None and not isinstance(command, GiveCommitment):
            raise Refused("the placer has not committed to a key yet", where="shoe", remedy="wait for it")
        if work.state.ended is not None and not isinstance(command, DrawCards | ShowCards | GiveKey):
            raise Refused("the shoe is over", where="shoe", remedy="begin another one")
        COMMAND_HANDLERS[type(command)](work, command)
    _take_due_steps(work)
    return CommandResult(work.state, check_lengths(work.entries), work.claims)


# What happens by itself.


def _take_due_steps(work: ShoeWork) -> None:
    while work.state.ended is None and work.state.uncommitted is None and any(step(work) for step in STEPS):
        pass


def _log_hashes(work: ShoeWork) -> bool:
    """`seeds`, once everybody has sent a hash, or somebody has and time is up."""
    state, shoe = work.state, work.state.shoe
    silent = contributing.missing_hashes(None, shoe, state.hashes)
    if not shoe.allows("seeds") or not state.hashes or (silent and not work.is_past("hash")):
        return False
    cut = contributing.cut_that_counts(None, shoe, state.cuts)
    work.log(entries.seeds_entry(work.at, shoe.id, state.hashes, cut and cut._asdict(), silent))
    return True


def _miss_seed(work: ShoeWork) -> bool:
    """A seed that is not opened in time is struck, or makes the shoe void."""
    shoe = work.state.shoe
    waited = contributing.openers(None, shoe) if shoe.stage is Stage.SEED else []
    if not waited or not work.is_past("seed"):
        return False
    if contributing.only_strikes(None, shoe):
        work.log(entries.lapse_entry(work.at, shoe.id, waited[0]))
    else:
        work.log(entries.void_entry(work.at, shoe.id, work.key().hex(), "seed", by=waited[0]))
    return True


def _seal(work: ShoeWork) -> bool:
    """Fix the order when every seed is open; without a roster at once. With a beacon its signature does that."""
    shoe = work.state.shoe
    if shoe.beacon_round or not contributing.may_seal(None, shoe) or (shoe.stage is Stage.HASH and shoe.roster):
        return False
    work.log(entries.seal_entry(work.at, shoe.id, cards_root=work.state.order(work.key()).cards_root))
    return True


def _miss_beacon(work: ShoeWork) -> bool:
    """End a shoe that gets no beacon any more."""
    if not work.is_past("beacon") or contributing.owes_seed(None, work.state.shoe):
        return False
    work.log(entries.void_entry(work.at, work.state.shoe.id, work.key().hex(), "beacon"))
    return True


def _grow_old(work: ShoeWork) -> bool:
    """End a shoe at its age."""
    shoe = work.state.shoe
    if not work.is_past("shoe"):
        return False
    if shoe.sealed:
        _log_reveal(work, "age")
    else:
        work.log(entries.void_entry(work.at, shoe.id, work.key().hex(), "age"))
    return True


def _log_reveal(work: ShoeWork, why: str) -> None:
    state, key = work.state, work.key()
    sealed = state.order(key)
    draws = {name: sealed.number(name) for name in sealed.draws}
    work.log(entries.reveal_entry(work.at, state.shoe.id, key.hex(), draws, state.shoe.position, why))


STEPS: tuple[Callable[[ShoeWork], bool], ...] = (finish_draw, _miss_beacon, _grow_old, _log_hashes, _miss_seed, _seal)


# What somebody asks for.


def _give_hash(work: ShoeWork, command: GiveHash) -> None:
    state, shoe, player = work.state, work.state.shoe, work.state.player(command.seat)
    new = player not in state.hashes or command.cut not in (None, state.cuts.get(player))
    if new and not shoe.allows("seeds"):
        raise Refused("the hashes stand in the log", where="hash", remedy="play without a seed of your own")
    keep_hash(state.hashes, state.cuts, work.claims, None, shoe, player, command)


def _give_seed(work: ShoeWork, command: GiveSeed) -> None:
    shoe, player = work.state.shoe, work.state.player(command.seat)
    if shoe.opened.get(player) == command.seed:
        return
    waited = contributing.openers(None, shoe)
    if not shoe.allows("opened") or player not in waited:
        raise Refused("no seed of yours is waited for", where="seed", remedy="see `expects`")
    if contributing.is_beacon_out(shoe, work.now):
        raise Refused("the beacon's round is out", where="seed", remedy="contribute to the next shoe")
    check_promised(command.seed, shoe.hashes[player])
    check_first(waited, player)
    work.log(entries.opened_entry(work.at, shoe.id, player, command.seed))


def _give_beacon(work: ShoeWork, command: GiveBeacon) -> None:
    """Fix the order with the beacon that it waited for."""
    state, shoe = work.state, work.state.shoe
    if not take_beacon(None, shoe, command, work.now):
        return
    root = state.order(work.key()).cards_root
    work.log(entries.seal_entry(work.at, shoe.id, beacon_signature=command.signature, cards_root=root))


def find_run(state: LoneShoe, command: DrawCards) -> CardRun | None:
    """Return the cards that a command drew when it came before, None if it did not."""
    told = state.told
    if not told.numbers.keys() >= set(command.draws):
        return None
    if not command.size:
        return CardRun(command.pos, 0) if command.draws else None
    hidden = command.hidden or bool(command.to)
    wanted = (command.pos, command.size, command.to, hidden)
    return next((run for run in told.runs if (run.pos, run.size, run.to, run.hidden) == wanted), None)


def _draw(work: ShoeWork, command: DrawCards) -> None:
    """Draw once, however often it is asked for: a position is drawn once."""
    state, shoe = work.state, work.state.shoe
    _check_sealed(state)
    if find_run(state, command) is not None:
        return
    if state.ended is not None:
        raise Refused("the shoe is over", where="shoe", remedy="begin another one")
    if not command.size and not command.draws:
        raise InputError("neither a card nor a number", where="count", expected="a card or a draw")
    if state.waiting_draw not in (None, command):
        expected = f"a draw once the one from position {state.waiting_draw.pos} on has its places"
        raise Refused("the placer is asked for other cards", where="pos", expected=expected, remedy="wait for them")
    if command.size > state.left:
        raise Refused(f"{command.size} cards", where="count", expected=f"at most {state.left}")
    sealed = state.order(work.key())
    numbers = {name: sealed.number(name) for name in command.draws}
    if command.size and shoe.placer is not None:
        if command.size > MAX_PLACED:
            raise Refused(f"{command.size} cards", where="count", expected=f"at most {MAX_PLACED} with a placer")
        _refuse_fault(faults_of_drawn(shoe, entry_of(work.at, state, command, [""] * command.size, numbers)))
        check_awaited_draw(state, command, numbers)
        state.waiting_draw = command
        return
    sealed.go_to(shoe.position - state.told.start)
    entry = entry_of(work.at, state, command, [sealed.draw() for _ in range(command.size)], numbers)
    _refuse_fault(faults_of_drawn(shoe, entry))
    work.log(entry)


def _show(work: ShoeWork, command: ShowCards) -> None:
    """A player shows cards of the own hand, the operator cards of nobody; a card that is shown stays so."""
    state, told = work.state, work.state.told
    _check_sealed(state)
    player = "" if command.seat is None else state.player(command.seat)
    for pos in command.positions:
        run = told.hidden_at(pos)
        if run is None or run.to != player or not (pos in told.shown or told.lies_out(pos)):
            whose = "a hidden card of yours" if player else "a hidden card of nobody"
            raise Refused(f"position {pos}", where="pos", expected=f"the position of {whose}")
    left = [pos for pos in dict.fromkeys(command.positions) if pos not in told.shown]
    if not left:
        return
    if state.ended is not None:
        raise Refused("the shoe is over", where="shoe", remedy="the revealed key shows every card")
    _check_no_draw_waits(state)
    labels = state.labels_at(work.key())
    entry = entries.shown_entry(work.at, state.shoe.id, {pos: labels[pos] for pos in left})
    _refuse_fault(faults_of_shown(state.shoe, entry))
    work.log(entry)


def _gather(work: ShoeWork, command: GatherCards) -> None:
    """Shuffle anew once, however often it is asked for: at a position at which cards were drawn since."""
    state, out = work.state, sorted(set(command.out))
    _check_sealed(state)
    if any((each.pos, list(each.out)) == (command.pos, out) for each in state.told.gathers):
        return
    _check_no_draw_waits(state)
    entry = entries.gathered_entry(work.at, state.shoe.id, command.pos, out, "")
    _refuse_fault(faults_of_gathered(state.shoe, entry))
    follow_shoe(after := copy(state), entry)
    work.log(entry | {"cards_root": after.order(work.key()).bound[-1].root().hex()})


def _check_sealed(state: LoneShoe) -> None:
    if not state.shoe.sealed:
        raise Refused("the shoe is not sealed yet", where="shoe", remedy="wait for the seeds: see `expects`")


def _check_no_draw_waits(state: LoneShoe) -> None:
    """Raise Refused while a draw waits for its places: the placer was told that nothing stands between."""
    if state.waiting_draw is not None:
        raise Refused("a draw waits for the placer", where="shoe", remedy="send it again once that is drawn")


def _refuse_fault(faults: Iterator[DrawFault]) -> None:
    """Raise Refused for the first fault. Where the position is another one, the answer has the right one."""
    fault = next(faults, None)
    if fault is not None:
        field = fault.field.partition(".")[0] or "shoe"
        raise Refused(f"{fault.found}", where=field, expected=str(fault.expected), remedy="see the shoe's state")


def _reveal(work: ShoeWork, _: RevealShoe) -> None:
    _check_sealed(work.state)
    _check_no_draw_waits(work.state)
    _log_reveal(work, "worn")


def _void(work: ShoeWork, _: VoidShoe) -> None:
    state, shoe = work.state, work.state.shoe
    if state.hashes or not may_void_alone(shoe, state.started, "idle", None, work.now):
        expected = "no hash after the time limit `hash`"
        raise Refused("the shoe cannot be void now", where="shoe", expected=expected, remedy="wait for the players")
    work.log(entries.void_entry(work.at, shoe.id, work.key().hex(), "idle"))


COMMAND_HANDLERS: dict[type[ShoeCommand], Callable[[ShoeWork, Any], None]] = {
    GiveHash: _give_hash,
    GiveSeed: _give_seed,
    GiveBeacon: _give_beacon,
    DrawCards: _draw,
    ShowCards: _show,
    GatherCards: _gather,
    RevealShoe: _reveal,
    VoidShoe: _void,
    GiveCommitment: give_commitment,
    GivePlaces: give_places,
    GiveKey: give_key,
}
