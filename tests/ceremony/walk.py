"""A table played through the machine alone, by random players; the state goes through storage at every step.

Players come and go, fall silent, let seeds lapse (first, in the middle, last), ask for reshuffles; the
clock stands still or jumps, the service restarts, the operator closes. Whatever is tried, the log must be
one that an auditor finds clean.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.machine import apply, create, receipt_of, restart, standing_receipt
from fairshoe.ceremony.acting.phase import due, phase
from fairshoe.ceremony.acting.playing import rebuild_round
from fairshoe.ceremony.acting.state import Keys, State
from fairshoe.ceremony.acting.view import expects
from fairshoe.ceremony.policy import Policy
from fairshoe.ceremony.state_codec import dump, load
from fairshoe.engine.moves import Ask
from fairshoe.engine.round import Round
from fairshoe.engine.rules import rules_of
from fairshoe.engine.strategies import choose_legal
from fairshoe.errors import FairshoeError
from fairshoe.log.canonical import Entry, encode
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer
from fairshoe.log.times import SECOND, timestamp
from fairshoe.record.entries import start_entry

CHIPS = 10_000
START = 1_800_000_000 * SECOND
SIGNER = Signer("fairshoe.test/walk", b"s" * 32)
Form = dict[str, Any]


class Walk:
    """`trouble` is how often something else happens than what is due; `greedy` players hit."""

    placer: str = ""

    def __init__(
        self, rules: str, rng: random.Random, trouble: float, *, seats: int = 3, greedy: bool = False, **options: Any
    ) -> None:
        self.rng = rng
        self.trouble = trouble
        self.greedy = greedy
        self.now = START
        self.key = b""
        self.seeds: dict[tuple[str, str], bytes] = {}
        self.used: set[str] = set()
        self.silent: set[str] = set()
        self.names = 0
        self.receipts: dict[tuple[int, str], list[Form]] = {}
        made = create("t", rules_of(rules, options), Policy(), self.now, self.placer)
        self.state, self.log = made.state, list(made.entries)
        self.now += 1
        fewest, most = made.state.rules.chairs
        for _ in range(max(fewest, min(seats, most))):
            self.sit()

    # One step.

    def apply(self, command: say.Command | None) -> list[Entry]:
        keys = Keys(lambda: self.key, self.rng.randbytes(32), SIGNER.verifier.name)
        made = apply(self.state, command, self.now, keys)
        for claim in made.claims:
            assert claim not in self.used
            self.used.add(claim)
        if command is not None:
            self.keep(receipt_of(self.state, command, made, self.now))
        self.key = made.key or self.key
        self.now += len(made.entries)
        self.log += made.entries
        self.state = load(dump(made.state), State)
        if any(entry["kind"] == "open" for entry in made.entries):
            for seat in self.state.table.players:
                self.keep(standing_receipt(self.state, seat))
        return made.entries

    def keep(self, form: Form | None) -> None:
        """A receipt, with those of the player's stay in the chair: whoever sits down begins anew."""
        if form is not None:
            kept = self.receipts.setdefault((form["seat"], form["player"]), [])
            kept.append(form)

    def do(self, command: say.Command | None, seconds: float = 0.05) -> list[Entry]:
        """After some time: what became due, then the command."""
        self.now += int(SECOND * seconds)
        self.apply(None)
        return self.apply(command) if command is not None else []

    def wait(self) -> None:
        """Until something is due, and no further."""
        moment = due(self.state, self.now)
        self.now = self.now + SECOND if moment is None else moment
        self.apply(None)

    def sit(self) -> None:
        self.names += 1
        self.do(say.TakeSeat(f"p{self.names}", CHIPS))

    def round(self) -> Round | None:
        found = rebuild_round(self.state, self.key)
        return None if found is None else found[0]

    def expected(self, seat: int) -> list[Form]:
        return list(expects(self.state, seat, self.round(), self.now))

    # Players.

    def play(self, rounds: int, most: int = 400) -> None:
        """So many rounds, in at most so many steps a round; then everybody leaves, and the table is closed."""
        for _ in range(most * rounds):
            if self.state.book.rounds >= rounds and self.state.book.open_round is None:
                break
            self.turn()
        assert self.state.book.rounds >= rounds, phase(self.state)
        self.empty()

    def empty(self) -> None:
        """Everybody gets out with their chips, whatever is going on; who owes a seed, when the table is closed."""
        for step in range(800):
            self.apply(None)
            for seat in sorted(self.state.table.players):
                self.leave(seat)
            if not self.state.table.players and self.state.shoe is None:
                break
            if step == 400:
                self.close()
            self.help_out()
            self.wait()
        assert all(chips < 0 for seat, chips in self.state.table.purse.items() if seat > 0), self.state.table.purse
        self.close()
        for _ in range(50):
            if self.state.shoe is None:
                return
            self.wait()
        raise AssertionError(f"{phase(self.state)}: the shoe does not end")

    def close(self) -> None:
        if not self.state.book.closed_at:
            self.do(say.Close())

    def leave(self, seat: int) -> bool:
        try:
            self.apply(say.CashOut(seat, None, leave=True))
        except FairshoeError:
            return False
        return True

    def help_out(self) -> None:
        """Seeds that are owed or waited for, while others wait to get out."""
        for seat in sorted(self.state.table.players):
            for form in self.expected(seat):
                if form["do"] == "seed" and self.state.table.players[seat] not in self.silent:
                    self.act(seat, form)
                    break

    def turn(self) -> None:
        if self.rng.random() < self.trouble:
            self.make_trouble()
            return
        for seat, form in self.waiting():
            self.act(seat, form)
            return
        if self.state.shoe is None and not self.state.rules.bets_freely:
            self.buy_in_again()
        self.wait()

    def buy_in_again(self) -> None:
        """The pool is used up: everybody pays for another game."""
        for seat in sorted(self.state.table.players):
            with suppress(FairshoeError):
                self.do(say.BuyIn(seat, CHIPS))

    def waiting(self) -> Iterator[tuple[int, Form]]:
        """What is waited for of players who are there."""
        seats = sorted(self.state.table.players)
        self.rng.shuffle(seats)
        for seat in seats:
            if self.state.table.players[seat] in self.silent:
                continue
            forms = [form for form in self.expected(seat) if not form.get("may") or form["do"] == "waiver"]
            if forms:
                yield seat, self.rng.choice(forms) if self.trouble else forms[0]

    def make_trouble(self) -> None:
        seats = sorted(self.state.table.players)
        seat = self.rng.choice(seats) if seats else 0
        try:
            match self.rng.randrange(12):
                case 0 | 1:
                    self.do(say.CashOut(seat, None, leave=True))
                    self.sit()
                case 2:
                    self.sit()
                case 3:
                    self.do(say.AskReshuffle(seat))
                case 4 | 5:
                    self.silent ^= {self.state.table.players[seat]}
                case 6:
                    self.restart()
                case 7:
                    self.do(say.Transfer(seat, self.rng.randint(1, 500), self.rng.choice(seats)))
                case 8:
                    self.do(say.BuyIn(seat, CHIPS))
                case 9:
                    self.do(None, self.rng.choice([31, 61, 3_700, 90_000]))
                case 10:
                    self.do(say.NoMoreBets() if self.rng.random() < 0.5 else say.AskShoe())
                case _:
                    self.wait()
        except FairshoeError:
            pass
        while len(self.state.table.players) < self.state.rules.chairs[0]:
            try:
                self.sit()
            except FairshoeError:
                self.wait()

    def restart(self) -> None:
        """The service starts anew."""
        entry = start_entry(timestamp(self.now))
        self.log.append(entry)
        self.state = restart(self.state, entry, self.now)
        self.now += 1

    def act(self, seat: int, wanted: Form) -> list[Entry]:
        player = self.state.table.players[seat]
        shoe = wanted.get("shoe", "")
        seed = self.seeds.setdefault((shoe, player), self.rng.randbytes(16))
        must = wanted["do"] == "hash" and self.state.rules.waits_for_cut
        cut = self.rng.randint(*wanted["cut"]) if "cut" in wanted and (self.rng.random() < 0.8 or must) else None
        match wanted["do"]:
            case "shoe":
                return self.do(say.AskShoe(seat))
            case "hash":
                return self.do(say.GiveHash(seat, hashlib.sha256(seed).hexdigest(), cut))
            case "seed":
                return self.do(say.GiveSeed(seat, seed.hex(), cut))
            case "waiver":
                return self.do(say.Waive(seat))
            case "bets":
                box = seat if self.state.rules.name == "boxes" else None
                stakes = (say.Stake(wanted["low"], box),) if self.rng.random() < 0.9 else ()
                return self.do(say.PlaceBets(seat, wanted["round"], stakes))
            case "decisions":
                return self.decide(seat, wanted)
            case "reshuffle":
                return self.do(say.AskReshuffle(seat))
        raise AssertionError(wanted)

    def decide(self, seat: int, wanted: Form) -> list[Entry]:
        from fairshoe.ceremony.acting.playing import bank_question

        round = self.round()
        ask: Ask | None = bank_question(self.state).ask if wanted["about"] == "bank" else round.ask if round else None
        assert ask is not None
        chosen = choose_legal(ask, self.rng.randrange)
        hits = [move for move in ask.moves if move.name == "hit"]
        if self.greedy and hits:
            chosen = chosen._replace(move="hit", amount=0, chosen=())
        return self.do(say.Decide(seat, wanted["round"], wanted["step"], chosen.move, chosen.amount, chosen.chosen))

    def audit(self, directory: Path):
        from audit_cli.verify.run import verify

        write_log(directory, map(encode, self.log), SIGNER)
        return verify(directory)
