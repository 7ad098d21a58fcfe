"""One honest log with everything that a log may hold, but for what fails: `lost`, and a beacon at a table."""

from __future__ import annotations

import hashlib
from itertools import zip_longest
from typing import Any

from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.rules.lounge import BUY_IN
from fairshoe.log.times import DAY, SECOND
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.deck import Deck, deck_of
from fairshoe.protocol.shoe import Sealed, seal
from fairshoe.protocol.transcript import Beacon
from fairshoe.record import entries
from fairshoe.record.forms import cut_form
from fairshoe.record.rounds import Betting

from .house import POLICY, House, Prepared, Seating

MINUTE = 60 * SECOND

TICKETS = [f"ticket {number}" for number in range(1, 31)]
CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"


def everything(seed: int = 1) -> House:
    """Every kind of entry with every field and reason that it may have, every game, every way that a shoe may end."""
    house = House(seed)
    casinos(house)
    quiet_casino(house)
    banker(house)
    pontoon(house)
    chinese(house)
    boxes(house)
    lounge(house)
    unfinished_lounge(house)
    raffles(house)
    newcomers(house)
    return house


def logged(house: House, *texts: str) -> bool:
    """Whether an entry with all these in it stands in the log."""
    return any(all(text.encode() in line for text in texts) for line in house.lines)


def casinos(house: House) -> None:
    """Two tables in turn; chips move, players come and go in the middle of a shoe; requests, lapses, a start."""
    one = Seating(house, "casino/a", "casino", packs=3)
    two = Seating(house, "casino/b", "casino", (2, 5), packs=3)
    two.asked_reshuffle("casino/b-p5")
    one.unopened_seed()
    steps = zip_longest(one.steps(22, close=True), two.steps(14, close=True))
    for number, _ in enumerate(steps):
        if number == 2:
            one.chips("buy-in", 4, 2000, name="Zoë  the 4th")
            two.chips("transfer", 2, 150, to=5)
        if number == 4:
            house.start()
        if number == 5:
            one.chips("cash-out", 1, 300)
            one.lapsing = {"casino/a-p4"}
            two.leave(2)
        if number == 8:
            two.chips("buy-in", 3, 500, player="casino/b-p2")
        if number > 5 and logged(house, '"kind":"lapse"'):
            one.lapsing = set()


class Overnight(Seating):
    """A player who bets once in an hour, at last just before the shoe is too old."""

    slow = True

    def open(self, shoe: Prepared) -> Betting | None:
        if self.slow:
            self.house.now = min(self.house.now + 55 * MINUTE, shoe.sealed + DAY - 2 * SECOND)
        return super().open(shoe)


def quiet_casino(house: House) -> None:
    """Shoes that end without being worn: by their age, after an hour without a bet, after an hour since the closing.

    And one that nobody sent a hash for, and one for which nobody did until it was too old.
    """
    table = Overnight(house, "casino/c", "casino", (1,), packs=8, careless=0)
    table.play(1)
    table.slow = False
    for number, _ in enumerate(table.steps(2)):
        table.resting = number == 1
    shoe = table.commit()
    house.wait(POLICY["hash"], shoe.committed)
    table.void(shoe, "idle")
    shoe = table.commit()
    house.wait(POLICY["shoe"], shoe.committed)
    table.void(shoe, "age")
    for number, _ in enumerate(table.steps(2)):
        if number == 1:
            table.close()
            table.resting = True
    table.leave(1, by="house")


def banker(house: House) -> None:
    """One player, alone at the table: asks for shoes without end, and once does not send the seed."""
    table = Seating(house, "banker", "banker", (1,))
    for _ in range(3):
        table.asked_reshuffle("banker-p1")
    table.play(2)
    table.unopened_seed()
    table.play(2, close=True)


class Bargaining(Seating):
    """Whoever may deal sells the bank for little, the next one gives it away, the next one keeps it."""

    def choose(self, ask: Ask) -> Decision:
        moves = {move.name: move for move in ask.moves}
        if "accept" not in moves:
            return Decision(ask.actor, "agree", moves["agree"].low) if "agree" in moves else super().choose(ask)
        for name, why in (("sell", "sale"), ("give", "gift")):
            if name in moves and not logged(self.house, self.name, f'"why":"{why}"'):
                return Decision(ask.actor, name, 40 if name == "sell" else 0, moves[name].among[:1])
        return Decision(ask.actor, "accept")


def pontoon(house: House) -> None:
    """Until the bank has moved in every way, a shoe has ended by it, and one was reshuffled in the middle of a deal."""
    table = Bargaining(house, "pontoon", "pontoon", (1, 2, 4))
    for text in ('"why":"change"', '"why":"gift"', '"why":"sale"', '"why":"bank"', '"kind":"reshuffle"'):
        while not logged(house, "pontoon", text):
            table.play(5)
    table.play(1, close=True)


def chinese(house: House) -> None:
    """Dealers who cannot cover every bet; one who leaves a shoe that was committed to."""
    options = {"free_hand": True, "five_dragon_21_triple": True, "twenty_one_double": True}
    table = Seating(house, "chinese", "chinese", (1, 2, 3), chips=300, direction="anticlockwise", **options)
    while not logged(house, "chinese/", "uncovered"):
        table.play(4)
    table.settle_bank()
    shoe = table.prepare()
    table.leave(table.table.bank)
    table.void(shoe, "bank")
    table.play(4, close=True)


def boxes(house: House) -> None:
    """Seeds that are not opened: by the last, by the only one who bet, twice running; a seat that is left out."""
    table = Seating(house, "boxes", "boxes", (1, 3, 5), careless=0)
    table.play(2)
    table.unopened_seed()
    table.play(2)
    newest = table.opening_order(table.table.players.values())[0]
    table.lapsing = {newest}
    table.passing = {seat for seat, who in table.table.players.items() if who != newest}
    table.one_round()
    table.passing = set()
    table.play(1)
    table.lapsing = set()
    table.play(2)
    table.no_more_bets, table.tardy = True, {1}
    table.play(1)
    table.tardy, table.silent = set(), {"boxes-p3"}
    while not logged(house, '"away":[3]'):
        table.play(1)
    table.silent, table.careless = set(), 0.05
    table.play(4)
    shoe = table.prepare()
    table.close()
    table.void(shoe, "close")
    table.leave_all()


def lounge(house: House) -> None:
    """A game whose pool runs short, refunds before and after its first deal; another one that everybody leaves."""
    table = Seating(house, "lounge", "lounge", (1, 2, 3), gift=7000)
    table.chips("refund", 3, BUY_IN, game=1, why="round")
    table.play(1)
    table.chips("refund", 1, BUY_IN, game=1, why="round")
    while not table.rules.game_over(table.table):  # type: ignore[attr-defined]
        table.play(1)
    table.leave(2)
    table.chips("refund", 2, BUY_IN, game=1, why="round")
    table.top_up()
    table.play(1, close=True)


def unfinished_lounge(house: House) -> None:
    """A game that is not played out, thirty days after the table was closed."""
    table = Seating(house, "lounge/b", "lounge", (1, 2))
    table.play(1)
    table.close()
    house.wait(30 * DAY // SECOND, house.now)
    for seat, won in ((1, table.table.purse[1]), (2, table.table.purse[2])):
        table.chips("refund", seat, BUY_IN - won, game=1, gifts=won, why="unfinished")
    for seat in (1, 2):
        table.chips("cash-out", seat, table.table.purse[seat])


def raffles(house: House) -> None:
    """Shoes without a table: with all that a seal may hold; with a lapse and a drawn cut; without a contributor."""
    deck = deck_of(TICKETS)
    half = len(deck) // 2
    for part, labels in enumerate((deck[:half], deck[half:]), 1):
        house.log(entries.entry("deck", house.at(), deck=deck.hash, part=part, parts=2, labels=list(labels)))
    draws = {"cut": len(deck), "bonus/0": 1_000_000, "bonus/1": 1_000_000}

    signature = house.random.randbytes(48)
    beacon = Beacon(CHAIN, 1000, hashlib.sha256(signature).hexdigest())
    announced = {"chain": CHAIN, "round": 1000}
    first = Raffle(house, "raffle", deck, ["ann", "bob", "cleo"], draws, cutter="bob", beacon=announced)
    first.hash({"cleo"}, cut_form(7, "bob"))
    first.open(set())
    sealed = first.sealed(beacon=beacon, cut=7)
    entry = entries.entry("seal", house.at(), shoe="raffle", beacon=beacon._asdict(), cards_root=sealed.cards_root)
    entry["beacon"]["signature"] = signature.hex()
    house.log(entry)
    first.reveal(sealed, "worn")

    second = Raffle(house, "raffle-2", deck, ["dora", "emil"], {"cut": len(deck)})
    second.hash(set(), None)
    second.open({"emil"})
    sealed = second.seal_with_drawn_cut()
    house.wait(POLICY["shoe"], house.now)
    second.reveal(sealed, "age")

    nobody = Raffle(house, "raffle-3", deck, [], {"cut": len(deck)})
    nobody.reveal(nobody.seal_with_drawn_cut(), "worn")


def newcomers(house: House) -> None:
    """Who sits down after an unopened seed waits; who has no chips left is named; one table's limits begin anew."""
    table = Seating(house, "boxes/b", "boxes", (1, 2, 3), careless=0)
    table.unopened_seed()
    table.chips("buy-in", 4, 2000)
    table.play(2)
    shoe = table.prepare()
    table.chips("cash-out", 2, table.table.purse[2] - 1)
    house.start("boxes/b")
    betting = table.open(shoe)
    if betting is None:
        raise LookupError("nobody can bet")
    bets = list(betting.bets)
    table.open_seeds(shoe, bets)
    sealed = table.seal(shoe)
    table.round(shoe, sealed, bets)
    table.reveal(shoe, sealed, "worn")
    table.play(1, close=True)


class Raffle:
    """A shoe without a table, from its commitment on."""

    def __init__(
        self, house: House, name: str, deck: Deck, roster: list[str], draws: dict[str, int], **more: Any
    ) -> None:
        self.house, self.name, self.deck, self.roster, self.draws = house, name, deck, roster, draws
        self.key = house.random.randbytes(32)
        self.seeds = {who: house.random.randbytes(16) for who in roster}
        house.log(
            entries.shoe_entry(
                house.at(),
                name,
                deck=more.pop("named", deck.hash),
                cards=len(deck),
                commitment=commitment_of(self.key),
                roster=roster,
                draws=draws,
                policy=POLICY,
                **more,
            )
        )
        self.committed = house.now

    def hash(self, missing: set[str], cut: dict[str, Any] | None) -> None:
        self.seeds = {who: value for who, value in self.seeds.items() if who not in missing}
        if missing or cut is None:
            self.house.wait(POLICY["hash"], self.committed)
        hashes = {who: hashlib.sha256(value).hexdigest() for who, value in self.seeds.items()}
        self.house.log(entries.seeds_entry(self.house.at(), self.name, hashes, cut, sorted(missing)))

    def open(self, lapsing: set[str]) -> None:
        """The roster's last first."""
        for who in reversed(list(self.seeds)):
            if who in lapsing:
                self.house.wait(POLICY["seed"], self.house.now)
                self.house.log(entries.lapse_entry(self.house.at(), self.name, who))
                del self.seeds[who]
            else:
                seed = self.seeds[who].hex()
                self.house.log(entries.opened_entry(self.house.at(), self.name, who, seed))

    def sealed(self, **more: Any) -> Sealed:
        seeds = list(self.seeds.items())
        return seal(key=self.key, shoe=self.name, deck=self.deck, seeds=seeds, draws=self.draws, **more)

    def seal_with_drawn_cut(self) -> Sealed:
        self.house.log(entries.seal_entry(self.house.at(), self.name))
        return self.sealed(cut=self.sealed().number("cut"))

    def reveal(self, sealed: Sealed, why: str) -> None:
        for _ in range(3):
            sealed.draw()
        numbers = {name: sealed.number(name) for name in sealed.draws}
        key = self.key.hex()
        self.house.log(entries.reveal_entry(self.house.at(), self.name, key, numbers, sealed.position, why))
