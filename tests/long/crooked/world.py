"""Tables that the real machine runs for a house: what is said to it, what goes to the log, what the house wins."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, ClassVar

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.machine import apply, create, restart
from fairshoe.ceremony.acting.phase import due
from fairshoe.ceremony.acting.placers import final_questions, question
from fairshoe.ceremony.acting.state import Keys, State, Work, copy
from fairshoe.ceremony.placer_steps import record_tree
from fairshoe.ceremony.policy import Policy
from fairshoe.engine.rules import rules_of
from fairshoe.engine.rules.lounge import BUY_IN, TO_POOL
from fairshoe.log.canonical import Entry, encode
from fairshoe.log.times import SECOND, timestamp
from fairshoe.log.tree import Tree
from fairshoe.protocol.openings import Opening
from fairshoe.record.entries import start_entry
from fairshoe.record.forms import shoe_id

from . import placer

START = 1_800_000_000 * SECOND
PURSE = 10**9
ORIGIN = "fairshoe.test/house"

Answered = tuple[str, tuple[int, ...], str]
"""A question, the places given to it, the placer's note."""
Sums = list[int]
"""What the house won of the honest seats, and what these staked."""


class World:
    """Tables with these rules, for so many rounds. `answers` are those of the placer about the present shoe,
    `unwritten` those about rounds that the house never wrote down, `openings` what the house must show of its cards, by
    the shoe. `sitting` are the players in the order in which they
    sit down: `h…` are honest, the others the house's. `sums` are kept by the number of the shoe, over all tables."""

    name: ClassVar[str] = ""
    tells: ClassVar[tuple[str, ...]] = ()
    """The counts of `choices` that tell of it."""
    rules: ClassVar[str] = "casino"
    options: ClassVar[dict[str, Any]] = {}
    sitting: ClassVar[tuple[str, ...]] = ("h1",)
    fair: ClassVar[tuple[str, ...]] = ()
    """Who sits where the honest house deals, if it is not the same."""
    purse: ClassVar[int] = PURSE
    banker: ClassVar[str] = ""
    """Who is given the bank by everybody else."""
    peeps: ClassVar[bool] = True
    """Whether it decides by cards that lie hidden on the table."""
    placed: bool = False
    """Whether its tables have a placer."""
    only_placed: ClassVar[bool] = False
    """Whether there is nothing to play at tables without a placer."""
    decides: ClassVar[bool] = False
    """Whether it changes decisions alone: then it is compared with what honest decisions would have won of the same
    cards."""
    by_player: ClassVar[bool] = False
    """Whether the honest seats are those that play the trick, against the house."""
    together: ClassVar[bool] = False
    """Whether house and placer work together: the house knows the placer's keys."""

    def __init__(self, rounds: int) -> None:
        self.goal = rounds
        self.log: list[Entry] = []
        self.now = START
        self.key = b""
        self.rounds = self.shoes = self.tables = 0
        self.sums: dict[int, Sums] = {}
        self.fair_sums: dict[int, Sums] = {}
        self.staked: dict[int, int] = {}
        self.seeds: dict[tuple[str, str], bytes] = {}
        self.last: Entry = {}
        self.seen: tuple[str, list[str]] | None = None
        self.answers: list[Answered] = []
        self.unwritten: list[Answered] = []
        self.openings: list[tuple[str, Opening]] = []
        self.placer, self.tree = placer.Placer(), Tree()
        self.state: State
        self.open_table()

    # The machine.

    def do(self, command: say.Command | say.Answer | None) -> list[Entry]:
        made = apply(self.state, command, self.now, self.keys())
        return self._made(made.state, made.entries, made.key)

    def _made(self, state: State, entries: list[Entry], key: bytes | None) -> list[Entry]:
        if key is not None:
            self.key = key
            self.shoes += 1
        before, self.state = self.state, state
        self.now += max(50_000, len(entries))
        for entry in entries:
            self.write(entry)
            if entry["kind"] == "open":
                self.staked = {bet["seat"]: bet["amount"] for bet in entry["bets"]}
            elif entry["kind"] == "round":
                self.count(entry, before)
            elif entry["kind"] == "chips" and self.rules == "lounge" and self.honest(entry["player"]):
                self.paid(-1 if entry["op"] == "refund" else 1)
        if self.placed and (answer := self.answer()) is not None:
            self.do(answer)
        return entries

    def write(self, entry: Entry) -> None:
        self.log.append(entry)
        if self.placed:
            self.tree.append(encode(entry))
            if hasattr(self, "state"):
                record_tree(self.state.book, entry, self.tree.size, self.tree.root)

    def answer(self) -> say.Answer | None:
        """What the placer answers to what is awaited of it."""
        state = self.state
        if state.placer_commitment == "":
            self.answers = []
            return say.GiveCommitment(shoe_id(state.id, state.book.shoes + 1), self.placer.commit(f"{self.shoes + 1}"))
        asked = question(state, self.key)
        if asked is not None:
            given, note, _ = self.placer.answer(asked)
            self.answers.append((asked.text, given, note))
            return say.GivePlaces(state.shoe_id, asked.chain.steps, given, note)
        for shoe, _, last in final_questions(state):
            _, note, key = self.placer.answer(last)
            return say.GiveKey(shoe, key, note)
        return None

    def forge(self, act: Callable[[Work], Any]) -> list[Entry]:
        """Do to the table, and write to its log, what the machine would refuse; then what follows from it."""
        work = Work(copy(self.state), self.now, self.keys())
        act(work)
        return self._made(work.state, work.entries, work.begun)

    def keys(self) -> Keys:
        return Keys(lambda: self.key, self.fresh_key(), ORIGIN)

    def fresh_key(self) -> bytes:
        """The same for a shoe's number, whatever is played."""
        return hashlib.sha256(f"key {self.shoes + 1}".encode()).digest()

    def wait(self) -> None:
        """Until something is due."""
        moment = due(self.state, self.now)
        self.now = self.now + SECOND if moment is None else moment
        self.do(None)

    def restart(self) -> None:
        """The service stops, and starts at `now`."""
        entry = start_entry(timestamp(self.now))
        self.write(entry)
        self.state = restart(self.state, entry, self.now)
        self.now += 1

    # What it came to.

    def honest(self, player: str | None) -> bool:
        return player is not None and player.startswith("h")

    def seats(self, honest: bool = True) -> list[int]:
        return [seat for seat, who in sorted(self.state.table.players.items()) if self.honest(who) is honest]

    def seat(self, player: str) -> int:
        found = self.state.book.seat_of(player)
        if found is None:
            raise RuntimeError(f"{self.name}: {player} does not sit here")
        return found

    def paid(self, times: int) -> None:
        """Lounge: what goes into the pool is the stake, and a gift is won back from it; a refund is a stake less."""
        sums = self.sums.setdefault(self.shoes, [0, 0])
        sums[0] += times * TO_POOL
        sums[1] += times * TO_POOL

    def count(self, entry: Entry, before: State) -> None:
        """A round: bets of honest seats, and those against an honest banker."""
        players, bank = before.table.players, before.table.bank
        sums = self.sums.setdefault(self.shoes, [0, 0])
        banked = self.honest(players.get(bank))
        played = set()
        for hand in entry["hands"]:
            seat = hand["seat"]
            mine = self.honest(players[seat])
            if mine == banked:
                continue
            net = hand["net"] + hand.get("insurance", 0)
            sums[0] += net if banked else -net
            if seat not in played and self.rules != "lounge":
                played.add(seat)
                sums[1] += self.staked[seat]
        self.rounds += 1
        self.last = entry

    @property
    def won(self) -> int:
        return sum(won for won, _ in self.sums.values())

    # Chairs.

    def open_table(self) -> None:
        """A new table at which everybody sits down."""
        self.tables += 1
        beside = str(placer.SIGNER.verifier) if self.placed else ""
        made = create(f"t{self.tables}", rules_of(self.rules, self.options), Policy(), self.now, beside)
        self.state = made.state
        for entry in made.entries:
            self.write(entry)
        self.now += SECOND
        for player in self.sitting:
            self.sit(player)

    def sit(self, player: str, seat: int = 0) -> None:
        amount = BUY_IN if self.rules == "lounge" else self.purse
        self.do(say.TakeSeat(player, amount, seat))

    def leave(self, player: str) -> None:
        self.do(say.CashOut(self.seat(player), None, leave=True))
