"""A game played through the machine alone, by random players; the state goes through storage at every step."""

from __future__ import annotations

import hashlib

from audit_cli.verify import verify
from fairshoe.engine.rules import rules_of
from fairshoe.engine.strategies import any_legal
from fairshoe.errors import FairshoeError, IllegalBet
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer
from fairshoe.service.ceremony import banking
from fairshoe.service.ceremony.commands import (
    AskReshuffle,
    AskShoe,
    BuyIn,
    CashOut,
    Close,
    Decide,
    GiveHash,
    GiveSeed,
    PlaceBets,
    Stake,
    TakeSeat,
    Waive,
)
from fairshoe.service.ceremony.expects import expects
from fairshoe.service.ceremony.machine import apply, create
from fairshoe.service.ceremony.playing import live
from fairshoe.service.ceremony.policy import Policy
from fairshoe.service.ceremony.state import dump, load

CHIPS = 10_000


class Walk:
    """`trouble` is how often somebody is late, leaves, or asks for a reshuffle; `greedy` players hit."""

    def __init__(self, rules, rng, trouble, *, seats=3, greedy=False):
        self.rng = rng
        self.trouble = trouble
        self.greedy = greedy
        self.now = 1_800_000_000_000
        self.seeds = {}
        self.names = 0
        made = create("t", rules_of(rules), Policy(), self.now)
        self.state, self.log = made.state, list(made.entries)
        self.now += 1
        for _ in range(max(made.state.rules.chairs[0], min(seats, made.state.rules.chairs[1]))):
            self.sit()

    def do(self, command, seconds=0.05):
        self.now += int(1000 * seconds)
        made = apply(self.state, command, self.now, self.rng.randbytes(32))
        self.now += len(made.entries)
        self.log += made.entries
        key = b"" if made.state.shoe is None else made.state.shoe.key
        self.state = load(dump(made.state), key)

    def sit(self):
        self.names += 1
        self.do(TakeSeat(f"p{self.names}", CHIPS))

    def play(self, rounds):
        for _ in range(200 * rounds):
            if self.state.rounds >= rounds and self.state.round is None:
                break
            self.turn()
        assert self.state.rounds >= rounds
        self.do(Close())
        while self.state.shoe is not None:
            self.do(None, 31)

    def turn(self):
        if self.rng.random() < self.trouble:
            return self.make_trouble()
        for seat in sorted(self.state.table.players):
            found = live(self.state)
            round = None if found is None else found[0]
            wanted = list(expects(self.state, seat, round))
            if wanted:
                return self.act(seat, self.rng.choice(wanted) if self.trouble else wanted[0], round)
        return self.do(None, 31)

    def make_trouble(self):
        seat = self.rng.choice(sorted(self.state.table.players))
        try:
            match self.rng.randrange(4):
                case 0:
                    self.do(CashOut(seat, None, leave=True))
                    self.sit()
                case 1:
                    self.do(AskReshuffle(seat))
                case _:
                    self.do(None, 31)
        except FairshoeError:
            while len(self.state.table.players) < self.state.rules.chairs[0]:
                self.do(None, 31)
                self.sit()

    def act(self, seat, wanted, round):
        seed = self.seeds.setdefault((self.state.shoe_id, self.state.table.players[seat]), self.rng.randbytes(16))
        cut = self.rng.randint(*wanted["cut"]) if "cut" in wanted else None
        match wanted["do"]:
            case "shoe":
                try:
                    self.do(AskShoe())
                except IllegalBet:  # the pool is used up
                    for chair in sorted(self.state.table.players):
                        self.do(BuyIn(chair, CHIPS))
            case "hash":
                self.do(GiveHash(seat, hashlib.sha256(seed).hexdigest(), cut))
            case "seed":
                self.do(GiveSeed(seat, seed.hex(), cut))
            case "waiver":
                self.do(Waive(seat))
            case "bets":
                self.do(PlaceBets(seat, wanted["round"], (Stake(wanted["low"]),)))
            case "decisions":
                self.decide(seat, wanted, round)

    def decide(self, seat, wanted, round):
        ask = banking.question(self.state).ask if wanted["about"] == "bank" else round.ask
        chosen = any_legal(ask, self.rng.randrange)
        hits = [move for move in ask.moves if move.name == "hit"]
        if self.greedy and hits:
            chosen = chosen._replace(move="hit", amount=0, chosen=())
        self.do(Decide(seat, wanted["step"], chosen.move, chosen.amount, chosen.chosen))

    def audit(self, directory):
        write_log(directory, map(encode, self.log), Signer("fairshoe.test/walk", b"s" * 32))
        return verify(directory)
