"""Looks on while a log is audited, and tells every count what there is to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple, Self

from fairshoe.ceremony.policy import CARDS_AN_ENTRY, FREE_CARDS
from fairshoe.ceremony.state_codec import read
from fairshoe.engine.moves import SEAT
from fairshoe.engine.table import HOUSE
from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.shoe import CUT, Sealed
from fairshoe.protocol.word_stream import dealt

from ...verify.kinds.reveal import rebuild_order
from ...verify.resume import read_shoe, shoe_form
from ...verify.sharing import NotShareable
from ...verify.walk.audit import Audit
from ...verify.walk.state import AuditedShoe, DealtRound, StandingBets
from ...verify.walk.watcher import SharedWatcher
from .choices import ShoeChoices
from .observations import Count, EndedShoe, ObservedHand, ObservedRound, ObservedShoe, SeatStake, SettledRound

MAX_AWAITED = 10_000
"""Of so many void shoes a seed that is handed in later is waited for."""
NO_CARD = ("insure", "decline")
"""Moves that lead to no card, whichever is made."""
UNPLAYED = ("age", "left", "bank", None)
"""Why a shoe ends before it is worn; a lost one says nothing."""
SAVED: Mapping[str, Any] = {
    "unknown": int,
    "is_bounded": bool,
    "_rounds": dict[str, list[ObservedRound]],
    "_ordered": int,
}
"""Attributes of a `CountWatcher` that are stored as they are."""


class BankedStakes(NamedTuple):
    """Bets that stand, and the player who banks them, "" for the house."""

    stakes: list[SeatStake]
    banker: str


class OrderedShoe(NamedTuple):
    """A shoe's order from its key: `indexes` of its deck before any cut."""

    sealed: Sealed
    indexes: Sequence[int]

    def labels(self) -> list[str]:
        """Return the dealt order."""
        deck, cut = self.sealed.deck, self.sealed.first_cut  # whatever was reshuffled since
        return [*map(deck.__getitem__, (*self.indexes[cut:], *self.indexes[:cut]))]


class PendingVoidShoe(NamedTuple):
    """A void shoe whose order is known with one more seed: `player`'s. `key`: in hex."""

    shoe: AuditedShoe
    key: str
    player: str
    seen: BankedStakes | None


class CountWatcher(SharedWatcher):
    """Given to `verify` as its `watch`. `unknown`: void shoes that had begun to be opened, and whose order stays
    unknown for want of a seed. `is_bounded`: whether the log asked for more cards than an audit puts in order."""

    def __init__(self, *counts: Count) -> None:
        super().__init__()
        self.choices = ShoeChoices()
        self.counts = (*counts, self.choices)
        self.unknown = 0
        self.is_bounded = False
        self._rounds: dict[str, list[ObservedRound]] = {}
        self._awaited: dict[str, PendingVoidShoe] = {}
        self._ordered = 0

    def add_shares(self, shares: Sequence[Self]) -> None:
        """Add what shares of the log's tables counted. Raises NotShareable, with nothing added."""
        if any(each.is_bounded for each in shares):
            raise NotShareable
        for each in shares:
            self.unknown += each.unknown
            for mine, other in zip(self.counts, each.counts, strict=True):
                mine.merge(other)

    def __getstate__(self) -> dict[str, Any]:
        """Return what was counted: the audit and what is in play stay where it was counted."""
        return {**self.__dict__, "_rounds": {}, "_awaited": {}}

    def as_form(self) -> dict[str, Any]:
        """Return all that it judges the rest of a log by, for `know`."""
        awaited = [[shoe_form(each.shoe), *each[1:]] for each in self._awaited.values()]
        return {"counts": self.counts, "awaited": awaited, **{name: getattr(self, name) for name in SAVED}}

    def know(self, audit: Audit, form: Mapping[str, Any]) -> None:
        """Know what an earlier one counted, as `audit` knows what that audit knew. Raises UNREADABLE."""
        for mine, saved in zip(self.counts, form["counts"], strict=True):
            mine.merge(read(saved, type(mine)))
        for name, hint in SAVED.items():
            setattr(self, name, read(form[name], hint))
        for saved, *rest in form["awaited"]:
            shoe = read_shoe(audit, saved)
            self._awaited[shoe.id] = PendingVoidShoe(shoe, *read(rest, tuple[str, str, BankedStakes | None]))

    def __call__(self, audit: Audit, line: bytes) -> None:
        """Take a round that was dealt, a shoe that has ended, a seed that came late."""
        chosen = audit.report.choices
        if chosen.recent is None:
            chosen.recent = []
        audit.take(line)
        if chosen.recent:
            self.choices.add(chosen.recent)
            chosen.recent.clear()
        if audit.dealt_shoe is not None and audit.standing is not None:
            self._dealt(audit, audit.standing, audit.dealt_shoe)
        if audit.ended_shoe is not None:
            self._ended(audit, audit.ended_shoe)
        if self._awaited and audit.followed and (entry := audit.entry) is not None and entry["kind"] == "late":
            self._handed_in(audit, entry)

    def _dealt(self, audit: Audit, seen: StandingBets, shoe: AuditedShoe) -> None:
        dealt, at = shoe.rounds[-1], audit.last_at
        if shoe.book_shoe.purpose is None:
            self._rounds.setdefault(shoe.id, []).append(_round(seen, dealt, at))
        if audit.followed and seen.played is not None:
            placed = audit.entry is not None and "placed" in audit.entry
            settled = SettledRound(at, shoe.place.table or "", seen.played, len(shoe.rounds) == 1, placed)
            for count in self.counts:
                count.round(settled)

    def _ended(self, audit: Audit, shoe: AuditedShoe) -> None:
        told = shoe.book_shoe
        entry = audit.entry if audit.followed else None
        key = bytes.fromhex(entry["key"]) if entry is not None and "key" in entry else None
        revealed = entry is not None and entry["kind"] == "reveal" and bool(told.sealed)
        ordered = self._order(audit, shoe, key) if key is not None and told.sealed else None
        ended = EndedShoe(
            "" if shoe.table is None else shoe.table.id,
            entry,
            len(shoe.rounds),
            shoe.deck,
            revealed,
            None if ordered is None or not revealed else ordered.indexes,
            _row(shoe) if revealed else (),
        )
        for count in self.counts:
            count.add_shoe(ended)
        self.choices.end(ended.table or shoe.id)
        rounds = self._rounds.pop(shoe.id, [])
        if shoe.table is None or told.purpose is not None or entry is None or key is None:
            return
        seen = None if audit.standing is None else _banked(audit.standing)
        if ordered is not None:
            self._tell(_shoe(shoe, ordered, rounds, seen, entry.get("why")))
        elif not told.sealed and commitment_of(key) == shoe.commitment:
            self._void(audit, shoe, key, seen)

    def _void(self, audit: Audit, shoe: AuditedShoe, key: bytes, seen: BankedStakes | None) -> None:
        """A shoe that was never sealed: its order is known with all its seeds, if it needs no beacon."""
        told = shoe.book_shoe
        if not told.is_opening or told.alone or told.beacon_round:
            self.unknown += told.is_opening
            return
        missing = [who for who in told.roster if who in told.hashes and who not in {*told.opened, *told.struck}]
        if not missing:
            self._tell_void(audit, shoe, key, seen)
            return
        if len(missing) == 1 and len(self._awaited) < MAX_AWAITED:
            self._awaited[shoe.id] = PendingVoidShoe(shoe, key.hex(), missing[0], seen)
        self.unknown += 1

    def _handed_in(self, audit: Audit, entry: Entry) -> None:
        awaited = self._awaited.get(entry["shoe"])
        if awaited is None or awaited.player != entry["player"]:
            return
        shoe, player = awaited.shoe, awaited.player
        if sha256(bytes.fromhex(entry["seed"])).hexdigest() != shoe.book_shoe.hashes[player]:
            return
        del self._awaited[shoe.id]
        self.unknown -= 1
        opened = {**shoe.book_shoe.opened, player: entry["seed"]}
        whole = replace(shoe, book_shoe=replace(shoe.book_shoe, opened=opened))
        self._tell_void(audit, whole, bytes.fromhex(awaited.key), awaited.seen)

    def _tell_void(self, audit: Audit, shoe: AuditedShoe, key: bytes, seen: BankedStakes | None) -> None:
        ordered = self._order(audit, shoe, key)
        if ordered is not None:
            self._tell(_shoe(shoe, ordered, [], seen, None))

    def _tell(self, seen: ObservedShoe) -> None:
        for count in self.counts:
            count.shoe(seen)

    def _order(self, audit: Audit, shoe: AuditedShoe, key: bytes) -> OrderedShoe | None:
        """The shoe's order; None where key or cut do not fit, or the log asks for more cards than an audit puts in
        order."""
        size = len(shoe.deck)
        self._ordered += size
        if self._ordered * audit.shares > FREE_CARDS + CARDS_AN_ENTRY * audit.index:
            self.is_bounded = True
            return None
        if commitment_of(key) != shoe.commitment or shoe.book_shoe.placer is not None:
            return None
        try:
            sealed = (
                audit.rebuilt if audit.ended_shoe is shoe and audit.rebuilt is not None else rebuild_order(shoe, key)
            )
        except InputError:
            return None
        return OrderedShoe(sealed, dealt(key, sealed.first_transcript.digest, _indexes(size), 0, size))


@lru_cache(maxsize=16)
def _indexes(size: int) -> list[int]:
    """A deck's indexes, as the list that is shuffled fastest."""
    return list(range(size))


def _banked(seen: StandingBets) -> BankedStakes:
    players, bank = seen.table.players, seen.table.bank
    stakes = [SeatStake(seat, players.get(seat, ""), amount) for seat, amount, _ in seen.bets]
    return BankedStakes(stakes, players.get(bank, "") if bank > HOUSE else "")


def _round(seen: StandingBets, dealt: DealtRound, at: str) -> ObservedRound:
    """A round in the log; its hands only where it is as the rules have it."""
    table, played, (stakes, banker) = seen.table, seen.played, _banked(seen)
    lates = () if table.rules.one_round else seen.round.betting.late
    late = [SeatStake(seat, table.players.get(seat, ""), 0) for seat in lates if seat in table.players]
    if played is None:
        return ObservedRound(dealt.position, stakes, late, banker=banker)
    cards = dealt.cards if not dealt.gatherings else dealt.cards[: dealt.gatherings[0].after]
    hands = [ObservedHand(hand.seat, hand.cards, hand.offsets) for hand in played.hands]
    dealer = ObservedHand(table.bank, played.dealer.cards, played.dealer.offsets)
    decided = frozenset([made.actor for made in played.decisions if made.by == SEAT and made.move not in NO_CARD])
    net = sum([hand.net + hand.insurance for hand in played.hands])
    return ObservedRound(dealt.position, stakes, late, cards, hands, dealer, decided, banker, at, net)


def _shoe(
    shoe: AuditedShoe, ordered: OrderedShoe, rounds: Sequence[ObservedRound], seen: BankedStakes | None, why: str | None
) -> ObservedShoe:
    """A shoe of a table with its whole order."""
    told, state = shoe.book_shoe, shoe.table
    if state is None:
        raise InputError("a shoe without a table has no rounds", where="shoe", expected="one of a table")
    rules = state.book.rules
    rest, banker = _rest(shoe, rounds, seen) if why in UNPLAYED else ((), "")
    draws = tuple((name, ordered.sealed.number(name)) for name in told.draws if name != CUT)
    start = told.position or int(rules.burns)
    dealt = bool(told.sealed)
    return ObservedShoe(state.id, rules, ordered.labels(), list(told.opened), rounds, dealt, rest, start, draws, banker)


def _rest(
    shoe: AuditedShoe, rounds: Sequence[ObservedRound], seen: BankedStakes | None
) -> tuple[Sequence[SeatStake], str]:
    """With which bets what was not dealt is played, and who banks: those that stood, else the last ones, else one for
    every seed."""
    told = shoe.book_shoe
    if seen is not None:
        return seen
    if rounds:
        return rounds[-1].stakes, rounds[-1].banker
    if told.bank > HOUSE:
        return (), ""
    return [SeatStake(seat, player, 0) for seat, player in enumerate(told.opened, 1)], ""


def _row(shoe: AuditedShoe) -> list[str]:
    """The cards that were dealt in rounds without a gap, up to a reshuffle in the middle of a deal; none, where the
    first of the shoe, but for a burned one, are missing, or found the first banker."""
    row: list[str] = []
    start = 0 if shoe.burn is None else 1
    for each in shoe.rounds:
        if each.position != start + len(row) or each.gatherings or not each.number:
            break
        row += each.cards
    return row
