"""Looks on while a log is audited, and feeds the luck tests with every shoe whose order is known."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple

from fairshoe.ceremony.book import bets_that_stand
from fairshoe.engine.moves import SEAT
from fairshoe.engine.table import HOUSE, Bet, Table
from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.shoe import CUT

from ..kinds.reveal import sealed_of
from ..walk.audit import Audit
from ..walk.state import DealtRound, Shoe
from ..walk.watching import Watcher
from .seen import HandSeen, RoundSeen, ShoeSeen, Stake

MOST_AWAITED = 10_000
"""Of so many void shoes a seed that is handed in later is waited for."""
NO_CARD = ("insure", "decline")
"""Moves that lead to no card, whichever is made."""
UNPLAYED = ("age", "left", "bank", None)
"""Why a shoe ends before it is worn; a lost one says nothing."""


class Open(NamedTuple):
    """Bets that stand on a shoe, at this table; `late` are the seats that were."""

    table: Table
    bets: Sequence[Bet]
    late: Sequence[int]

    def stakes(self) -> list[Stake]:
        players = self.table.players
        return [Stake(bet.seat, players.get(bet.seat, ""), bet.amount) for bet in self.bets]

    @property
    def banker(self) -> str:
        bank = self.table.bank
        return self.table.players.get(bank, "") if bank > HOUSE else ""


class Awaited(NamedTuple):
    """A void shoe whose order is known with one more seed: `player`'s."""

    shoe: Shoe
    key: bytes
    player: str
    seen: Open | None


class LuckWatcher(Watcher):
    """Calls each of `feeds` with a shoe once its order is known.

    `unknown`: void shoes that had begun to be opened, and whose order stays unknown for want of a seed. `rounds` are
    those of shoes in play, and `awaited` void shoes that wait for a seed: whoever goes on with the log elsewhere needs
    them.
    """

    def __init__(self, *feeds: Callable[[ShoeSeen], None]) -> None:
        super().__init__()
        self.feeds = feeds
        self.unknown = 0
        self.rounds: dict[str, list[RoundSeen]] = {}
        self.awaited: dict[str, Awaited] = {}
        self._open: Open | None = None

    def before(self, audit: Audit, shoe: Shoe | None) -> None:
        """Note whose bets stand, as long as the round is open."""
        book = None if shoe is None else shoe.book
        self._open = None
        if shoe is None or book is None or book.open is None:
            return
        told, betting = shoe.told, book.open.betting
        bets = bets_that_stand(book, told, book.open) if told.struck else betting.bets
        self._open = Open(book.table, bets, betting.late if not book.rules.one_round else ())

    def after(self, audit: Audit, shoe: Shoe | None, line: bytes) -> None:
        """Take a round that was dealt, a shoe that has ended, a seed that came late."""
        if shoe is None:
            entry = audit.entry
            if self.awaited and audit.followed and entry is not None and entry["kind"] == "late":
                self._handed_in(entry)
            return
        if shoe.table is None or shoe.told.purpose is not None:
            return
        if self._open is not None and shoe.rounds and shoe.rounds[-1].line == audit.index:
            self.rounds.setdefault(shoe.id, []).append(_dealt(self._open, shoe.rounds[-1], audit.entry, line))
        if shoe.id not in audit.shoes:
            self._ended(audit, shoe)

    def _ended(self, audit: Audit, shoe: Shoe) -> None:
        told, entry = shoe.told, audit.entry
        rounds = self.rounds.pop(shoe.id, [])
        key = None if entry is None or not audit.followed else entry.get("key")
        if entry is None or key is None or commitment_of(bytes.fromhex(key)) != shoe.commitment:
            return
        if told.sealed:
            self._feed(_seen(shoe, bytes.fromhex(key), rounds, self._open, entry.get("why")))
            return
        if not told.opening or told.alone:
            self.unknown += told.alone and bool(told.opening)
            return
        missing = [who for who in told.roster if who in told.hashes and who not in {*told.opened, *told.struck}]
        if not missing:
            self._feed(_seen(shoe, bytes.fromhex(key), [], self._open, None))
        elif len(missing) == 1 and len(self.awaited) < MOST_AWAITED:
            self.awaited[shoe.id] = Awaited(shoe, bytes.fromhex(key), missing[0], self._open)
            self.unknown += 1
        else:
            self.unknown += 1

    def _handed_in(self, entry: Entry) -> None:
        awaited = self.awaited.get(entry["shoe"])
        if awaited is None or awaited.player != entry["player"]:
            return
        shoe, player = awaited.shoe, awaited.player
        if sha256(bytes.fromhex(entry["seed"])).hexdigest() != shoe.told.hashes[player]:
            return
        del self.awaited[shoe.id]
        self.unknown -= 1
        opened = {**shoe.told.opened, player: entry["seed"]}
        self._feed(_seen(replace(shoe, told=replace(shoe.told, opened=opened)), awaited.key, [], awaited.seen, None))

    def _feed(self, seen: ShoeSeen | None) -> None:
        for feed in self.feeds if seen is not None else ():
            feed(seen)  # type: ignore[arg-type]


def _dealt(seen: Open, dealt: DealtRound, entry: Entry | None, line: bytes) -> RoundSeen:
    """A round in the log; its hands only where it is as the rules have it."""
    table, stakes = seen.table, seen.stakes()
    late = [Stake(seat, table.players.get(seat, ""), 0) for seat in seen.late if seat in table.players]
    found: Mapping[str, Any] = json.loads(line) if entry is None else entry
    if not dealt.sound:
        return RoundSeen(dealt.position, stakes, late, banker=seen.banker)
    cards = dealt.cards if not dealt.gatherings else dealt.cards[: dealt.gatherings[0].after]
    hands = [_hand(hand["seat"], hand["cards"], dealt.cards) for hand in found["hands"]]
    dealer = _hand(table.bank, found["dealer"]["cards"], dealt.cards)
    decided = frozenset(made["seat"] for made in found["decisions"] if _chooses(made))
    return RoundSeen(dealt.position, stakes, late, cards, hands, dealer, decided, seen.banker)


def _hand(seat: int, offsets: Sequence[int], cards: Sequence[str]) -> HandSeen:
    return HandSeen(seat, [cards[offset] for offset in offsets], offsets)


def _chooses(made: Mapping[str, Any]) -> bool:
    """Whether a decision is a seat's own, and more or fewer cards follow from it."""
    return made.get("by", SEAT) == SEAT and made["move"] not in NO_CARD


def _seen(shoe: Shoe, key: bytes, rounds: Sequence[RoundSeen], seen: Open | None, why: str | None) -> ShoeSeen | None:
    """A shoe of a table with its whole order; None where what is logged gives none."""
    told, state = shoe.told, shoe.table
    if state is None:
        return None
    try:
        sealed = sealed_of(shoe, key)
    except InputError:
        return None
    rules = state.book.rules
    rest, banker = _rest(shoe, rounds, seen) if why in UNPLAYED else ((), "")
    draws = tuple((name, sealed.number(name)) for name in told.draws if name != CUT)
    start = told.position or int(rules.burns)
    players = list(told.opened)
    dealt = bool(told.sealed)
    return ShoeSeen(state.id, rules, sealed.order(), players, rounds, dealt, rest, start, draws, banker)


def _rest(shoe: Shoe, rounds: Sequence[RoundSeen], seen: Open | None) -> tuple[Sequence[Stake], str]:
    """With which bets what was not dealt is played, and who banks: those that stood, else the last ones, else one for
    every seed."""
    told = shoe.told
    if seen is not None:
        return seen.stakes(), seen.banker
    if rounds:
        return rounds[-1].stakes, rounds[-1].banker
    if told.bank > HOUSE:
        return (), ""
    return _each(told.opened), ""


def _each(players: Iterable[str]) -> list[Stake]:
    return [Stake(seat, player, 0) for seat, player in enumerate(players, 1)]
