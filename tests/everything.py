"""One honest log with everything that a log may hold."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from itertools import zip_longest

from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.deck import deck_of
from fairshoe.protocol.shoe import seal
from fairshoe.protocol.transcript import Beacon
from fairshoe.record import entries
from fairshoe.record.openings import cards_root

from .house import House, Seating

TICKETS = [f"ticket {number}" for number in range(1, 31)]
CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"


def everything(seed: int = 3) -> House:
    """Every kind of entry with every field that it may have, every game, every way in which a shoe may end."""
    house = House(seed)
    casinos(house)
    banker(house)
    pontoon(house)
    chinese(house)
    boxes(house)
    lounge(house)
    raffle(house)
    return house


def casinos(house: House) -> None:
    """Two tables in turn; chips move, players come and go in the middle of a shoe, requests, late seeds."""
    one = Seating(house, "casino/a", "casino", packs=3, ahead=True)
    two = Seating(house, "casino/b", "casino", (2, 5), packs=3)
    two.asked_reshuffle("casino/b-p5")
    one.unopened_seed()
    steps = zip_longest(one.steps(22, close=True), two.steps(14))
    for number, _ in enumerate(steps):
        if number == 2:
            one.chips("buy-in", 4, 2000)
            two.chips("transfer", 2, 150, to=5)
        if number == 5:
            one.chips("cash-out", 1, 300)
            two.leave(2)
        if number == 9:
            house.now += timedelta(days=1)
    one.leave(1)


def banker(house: House) -> None:
    """One player, who does not always contribute."""
    table = Seating(house, "banker", "banker", (1,))
    table.silent = {"banker-p1"}
    table.play(1)
    table.silent = set()
    table.play(4)


def pontoon(house: House) -> None:
    Seating(house, "pontoon", "pontoon", (1, 2, 4)).play(30)


def chinese(house: House) -> None:
    options = {"free_hand": True, "five_dragon_21_triple": True, "twenty_one_double": True}
    Seating(house, "chinese", "chinese", (1, 2, 3), direction="anticlockwise", **options).play(8)


def boxes(house: House) -> None:
    """A late seed after the bets stood: they are returned, and its owner is left out once."""
    table = Seating(house, "boxes", "boxes", (1, 3))
    table.play(2)
    table.unopened_seed()
    table.play(6)


def lounge(house: House) -> None:
    """A pool that runs short, and a refund before and after the first deal."""
    table = Seating(house, "lounge", "lounge", (1, 2, 3), gift=9000)
    table.chips("refund", 3, 10_000)
    table.play(1)
    table.chips("refund", 1, 10_000)
    while not table.rules.game_over(table.table):
        table.play(1)
    table.leave(1)


def raffle(house: House) -> None:
    """A shoe without a table, over a deck of its own in two parts, with draws, a beacon and a root of cards."""
    deck = deck_of(TICKETS)
    half = len(deck) // 2
    for part, labels in enumerate((deck[:half], deck[half:]), 1):
        house.log(entries.deck_entry(house.at(), deck.hash, part, 2, labels))
    key, randbytes = house.random.randbytes(32), house.random.randbytes
    seeds = {who: randbytes(16) for who in ("ann", "bob")}
    draws = {"cut": len(deck), "bonus/0": 1_000_000, "bonus/1": 1_000_000}
    house.log(
        entries.shoe_entry(
            house.at(),
            "raffle",
            deck=deck.hash,
            cards=len(deck),
            commitment=commitment_of(key),
            roster=["ann", "bob", "cleo"],
            draws=draws,
            beacon={"chain": CHAIN, "round": 1000},
        )
    )
    hashes = {who: hashlib.sha256(value).hexdigest() for who, value in seeds.items()}
    house.log(entries.seeds_entry(house.at(), "raffle", hashes, entries.cut_form(7, "bob")))
    signature = randbytes(48)
    beacon = Beacon(CHAIN, 1000, hashlib.sha256(signature).hexdigest())
    sealed = seal(key=key, shoe="raffle", deck=deck, seeds=list(seeds.items()), beacon=beacon, cut=7, draws=draws)
    opened = {who: value.hex() for who, value in seeds.items()}
    root = cards_root(key, sealed.transcript.digest, sealed.order())
    entry = entries.seal_entry(house.at(), "raffle", opened, beacon=beacon, cards_root=root)
    entry["beacon"]["signature"] = signature.hex()
    house.log(entry)
    for _ in range(3):
        sealed.draw()
    numbers = {name: sealed.number(name) for name in sealed.draws}
    house.log(entries.reveal_entry(house.at(), "raffle", key.hex(), numbers, sealed.position, "closing"))
