"""A shoe of the honest house from its commitment to its end: hashes, cut, seeds opened in turn, seal, reveal."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from fairshoe.cards import named_deck
from fairshoe.engine.table import HOUSE, Bet
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.shoe import Sealed, seal
from fairshoe.protocol.transcript import Beacon
from fairshoe.record import entries
from fairshoe.record.forms import cut_form, shoe_id

from .house_table import POLICY, Chairs, House, Prepared


class Shoes(Chairs):
    """A table's shoes. `careless`: how often somebody lets a limit pass, by chance.

    Always: players in `silent` send no hash, those in `lapsing` open no seed. `binds`: shoes of many rounds
    have a root.
    """

    binds = False
    signature = ""

    def __init__(
        self,
        house: House,
        name: str,
        rules: str,
        seats: Sequence[int],
        chips: int,
        careless: float,
        options: dict[str, Any],
    ) -> None:
        super().__init__(house, name, rules, seats, chips, options)
        self.careless = careless
        self.shoes = self.rounds = 0
        self.turn = self.ended = self.betting_since = 0
        self.silent: set[str] = set()
        self.lapsing: set[str] = set()

    def forgets(self) -> bool:
        return self.random.random() < self.careless

    # Commitment and hashes.

    def prepare(self) -> Prepared:
        """A shoe with its hashes."""
        shoe = self.commit()
        self.hash(shoe)
        return shoe

    def commit(self, purpose: str | None = None) -> Prepared:
        self.hand_in_all()
        rules, table, house = self.rules, self.table, self.house
        self.shoes += 1
        away = self.away()
        roster = self.roster(away)
        cutters = rules.cutters(table, self.turn) if rules.cut_range() else []
        cutter = table.players[cutters[0]] if cutters and rules.waits_for_cut else None
        shoe = Prepared(
            shoe_id(self.name, self.shoes),
            self.new_key(),
            roster,
            {who: self.new_seed() for who in roster},
            0,
            purpose,
            alone=rules.one_round and len(roster) == len(table.players) == 1,
            cutter=cutter if cutter in roster else None,
            turn=cutters[0] if cutters else 0,
        )
        house.log(
            entries.shoe_entry(
                at := house.at(),
                shoe.id,
                deck=rules.deck,
                cards=rules.cards,
                commitment=commitment_of(shoe.key),
                roster=roster,
                draws=rules.draws(),
                table=table,
                cutter=shoe.cutter,
                purpose=purpose,
                beacon_round=self.named_round(at),
                **self.left_out(roster),
            )
        )
        shoe.committed = house.now
        return shoe

    def named_round(self, at: str) -> int:
        """The round of the next shoe's beacon, 0 without one."""
        return 0

    def beacon(self) -> Beacon | None:
        """The beacon of the shoe in play, once its round is out."""
        return None

    def new_key(self) -> bytes:
        return self.random.randbytes(32)

    def new_seed(self) -> bytes:
        return self.random.randbytes(self.random.choice((8, 16, 32)))

    def away(self) -> list[int]:
        """Chairs left out of the roster: half of those that let two limits pass in a row, never all that could bet."""
        players = self.table.players
        silent = [seat for seat in sorted(players) if self.missed[players[seat]] > 1 and seat != self.table.bank]
        gone = [seat for seat in silent if self.random.random() < 0.5]
        return gone if {*players} - {*gone, self.table.bank} else []

    def hash(self, shoe: Prepared) -> None:
        """The hashes, and a cut that came with one. At least one player sends one."""
        if shoe.alone:
            return
        missing = [who for who in shoe.seeds if who in self.silent or self.forgets()]
        if len(missing) == len(shoe.seeds):
            missing.pop(0)
        for who in missing:
            del shoe.seeds[who]
        unheard = [who for who in shoe.roster if who in missing and self.missed[who] < 2]
        if missing:
            self.house.wait(POLICY["hash"], shoe.committed)
        shoe.cut = self.chosen_cut(shoe)
        if shoe.cut is None and shoe.cutter is not None:
            self.house.wait(POLICY["cut"], shoe.committed)
        hashes = {who: hashlib.sha256(value).hexdigest() for who, value in shoe.seeds.items()}
        self.house.log(entries.seeds_entry(self.house.at(), shoe.id, hashes, shoe.cut, unheard))
        shoe.hashed = self.house.now
        for who in shoe.roster:
            (self.acted if who in shoe.seeds else self.missed_limit)(who)

    def chosen_cut(self, shoe: Prepared) -> dict[str, Any] | None:
        """A cut by somebody who may and who sent a hash, if one came."""
        span = self.rules.cut_range()
        if span is None or shoe.purpose is not None:
            return None
        players = self.table.players
        able = [players[seat] for seat in self.rules.cutters(self.table, self.turn) if players[seat] in shoe.seeds]
        if not able or self.random.random() < 0.2:
            return None
        return cut_form(self.random.randint(*span), self.random.choice(able))

    # The opening.

    def ready(self, shoe: Prepared) -> bool:
        """Strike who left before the opening; whether anybody is left. If not the shoe is void."""
        self.strike_leavers(shoe)
        if not shoe.seeds:
            self.void(shoe, "idle")
        return bool(shoe.seeds)

    def open_seeds(self, shoe: Prepared, bets: list[Bet]) -> list[Bet] | None:
        """One seed after the other. The bets that remain; None if the shoe became void instead."""
        since = shoe.opening = max(shoe.hashed, self.ended, self.betting_since if self.rules.one_round else 0)
        number = self.rounds if bets else None
        order = self.opening_order(shoe.seeds)
        anybody = False
        for turn, who in enumerate(order):
            if not self.lapses(who):
                self.opened(shoe, who)
                anybody, since = True, self.house.now
                continue
            self.house.wait(POLICY["seed"], since)
            if anybody or turn == len(order) - 1:
                self.void(shoe, "seed", who, number)
                if not shoe.alone:
                    self.owe(shoe, who)
                return None
            self.lapse(shoe, who)
            since = self.house.now
            before, bets = bets, [bet for bet in bets if self.table.players[bet.seat] != who]
            if before and not bets:
                self.void(shoe, "seed", round=number)
                return None
        return bets

    def lapses(self, who: str) -> bool:
        """Whether somebody does not open a seed. By chance nobody lapses twice, nor while a seed is owed, nor where
        one player less leaves the banker alone."""
        if who in self.lapsing:
            return True
        many = len(self.table.players) > (2 if self.table.bank in self.table.players else 0)
        return many and not self.owing and who not in self.lapsed and self.random.random() < self.careless / 2

    def opened(self, shoe: Prepared, who: str) -> None:
        """A sole player may cut now."""
        if shoe.alone:
            shoe.cut = self.chosen_cut(shoe)
        cut = shoe.cut if shoe.alone else None
        self.house.log(entries.opened_entry(self.house.at(), shoe.id, who, shoe.seeds[who].hex(), cut))
        self.lapsed.discard(who)
        self.acted(who)

    def lapse(self, shoe: Prepared, who: str) -> None:
        """Two lapses running count as a seed that is owed."""
        self.house.log(entries.lapse_entry(self.house.at(), shoe.id, who))
        self.missed_limit(who)
        if who in self.lapsed:
            self.owe(shoe, who)
        self.lapsed.add(who)
        del shoe.seeds[who]

    # Seal and end.

    def order(self, shoe: Prepared) -> Sealed:
        """All cards of a shoe whose seeds are open."""
        rules = self.rules
        common: dict[str, Any] = {
            "key": shoe.key,
            "shoe": shoe.id,
            "deck": named_deck(rules.deck),
            "seeds": [(who, shoe.seeds[who]) for who in shoe.roster if who in shoe.seeds],
            "draws": rules.draws(),
            "beacon": self.beacon(),
        }
        return seal(**common, cut=self.cut_of(shoe, common))

    def seal(self, shoe: Prepared) -> Sealed:
        rules, sealed = self.rules, self.order(shoe)
        burn = sealed.draw() if rules.burns and shoe.purpose is None else None
        binds = self.binds and shoe.purpose is None and not rules.one_round
        root = sealed.cards_root if binds else None
        signature = self.signature or None
        at = self.house.at()
        self.house.log(entries.seal_entry(at, shoe.id, burn=burn, beacon_signature=signature, cards_root=root))
        shoe.sealed = self.betting_since = self.house.now
        self.turn = shoe.turn
        self.spoiled = None
        self.forgive(shoe)
        return sealed

    def cut_of(self, shoe: Prepared, common: dict[str, Any]) -> int:
        """Where the deck is cut: where a player chose, or else, where it is cut at all, at the named draw."""
        if shoe.cut is not None:
            return int(shoe.cut["at"])
        return seal(**common).number("cut") if "cut" in common["draws"] else 0

    def reveal(self, shoe: Prepared, sealed: Sealed, why: str) -> None:
        draws = {name: sealed.number(name) for name in sealed.draws}
        self.house.log(entries.reveal_entry(self.house.at(), shoe.id, shoe.key.hex(), draws, sealed.position, why))
        self.ended = self.house.now
        banker, table = self.table.bank, self.table
        thin = banker in table.players and table.purse[banker] < 2 * self.rules.minimum
        if self.rules.burns and thin and "entitled" not in table.memory:
            self.table = table.after({}, bank=HOUSE)  # PO-38

    def void(self, shoe: Prepared, why: str, by: str | None = None, round: int | None = None) -> None:
        self.house.log(entries.void_entry(self.house.at(), shoe.id, shoe.key.hex(), why, by, round))
        self.ended = self.house.now
        if why == "seed" and self.spoiled is None:
            self.spoiled = self.house.now
        if why in ("idle", "age"):
            self.spoiled = None
            self.forgive(shoe)

    def asked_reshuffle(self, by: str) -> None:
        """A shoe that is void before its opening, since somebody asked for another."""
        shoe = self.prepare() if self.rules.one_round else self.commit()
        self.void(shoe, "reshuffle", by)
