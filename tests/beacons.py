"""Shoes without a table that have a beacon: of drand's quicknet two rounds, as they were published."""

from __future__ import annotations

from typing import Any

from fairshoe.log.times import HOUR, SECOND, microseconds
from fairshoe.protocol.beacons import drand_quicknet, randomness_of
from fairshoe.protocol.transcript import Beacon
from fairshoe.record import entries
from tests.second.vectors import load

from .house import POLICY, House, Prepared, Seating
from .told import ToldGame

EARLY, LATE = (int(each["round"]) for each in load("beacons"))
SIGNATURES = {int(each["round"]): str(each["signature"]) for each in load("beacons")}
AHEAD = 60
"""Seconds between the commitments and their rounds."""


def out(number: int) -> int:
    """When a round comes out, in microseconds."""
    return drand_quicknet(number).time * SECOND


class BeaconGame(ToldGame):
    """A shoe that waits for its round, and for its signature. What a crooked house may exchange: `signature`, `ahead`
    (seconds from the commitment to the round), `wait` (until the round is out)."""

    signature, ahead, waits = "", AHEAD, True

    def __init__(self, house: House, name: str, number: int, roster: list[str], **more: Any) -> None:
        self.number = number
        self.signature = self.signature or SIGNATURES.get(number, "")
        house.now = max(house.now, out(number) - self.ahead * SECOND)
        super().__init__(house, name, roster, beacon_round=number, **more)

    def fix_order(self, **more: Any) -> None:
        if self.waits:
            self.house.wait(0, out(self.number))
        beacon = randomness_of(drand_quicknet(self.number), self.signature)
        self.seal_as(self.sealed(beacon=beacon, **more), beacon_signature=self.signature)

    def void(self, why: str) -> None:
        self.house.log(entries.void_entry(self.house.at(), self.name, self.key.hex(), why))


class UnsealedGame(BeaconGame):
    """A shoe that never gets its beacon; `hashed`: its players contribute."""

    hashed = True

    def contribute(self, cut: dict[str, Any] | None) -> None:
        if self.hashed:
            super().contribute(cut)

    def fix_order(self, **more: Any) -> None:
        """The house says that it has no signature."""


class UnhashedGame(UnsealedGame):
    hashed = False


class BeaconTable(Seating):
    """A table whose first shoe has the round EARLY. A crooked one exchanges `signature`, or what it names."""

    beacon_delay, signature = AHEAD, SIGNATURES[EARLY]

    def commit(self, purpose: str | None = None) -> Prepared:
        self.house.now = out(EARLY) - (self.ahead + 2) * SECOND  # and up to a second later
        return super().commit(purpose)

    @property
    def ahead(self) -> int:
        """Seconds from a commitment to its round: of hash, of each seed, and of bets before one round."""
        limits = [POLICY["hash"], POLICY["bet"] * self.rules.one_round, POLICY["seed"] * len(self.roster())]
        return max(self.beacon_delay, sum(limits) + 5)

    def named_round(self, at: str) -> int:
        first = -(-microseconds(at) // SECOND) + self.ahead
        return -(-(first - drand_quicknet(1).time) // 3) + 1

    def beacon(self) -> Beacon:
        self.house.wait(0, out(EARLY))
        return randomness_of(drand_quicknet(EARLY), self.signature)


def beacon_table(kind: type[BeaconTable] = BeaconTable, rules: str = "boxes") -> House:
    """A table with one shoe."""
    house = house_before()
    kind(house, rules, rules, (1, 2), careless=0, **({"packs": 3} if rules == "casino" else {})).play(1)
    return house


def house_before(number: int = EARLY, seed: int = 7) -> House:
    """A house four minutes before a round."""
    house = House(seed)
    house.now = house.started = out(number) - 240 * SECOND
    return house


def played(game: ToldGame, why: str = "worn") -> None:
    """A hidden hand, cards in public, and the end."""
    game.hide(2, game.roster[0] if game.roster else "")
    game.draw(3)
    game.show(0)
    game.end(why)


def beacon_shoes(seed: int = 7) -> House:
    """Two players and a round; two shoes that got none; later nobody and another round."""
    house = house_before(seed=seed)
    played(BeaconGame(house, "game", EARLY, ["ann", "bob"]))
    late = UnhashedGame(house, "unheard", EARLY + 100, ["ann"])
    house.wait(0, out(late.number))
    late.void("beacon")
    never = UnsealedGame(house, "never", EARLY + 2000, ["ann", "bob"])
    house.wait(HOUR // SECOND, out(never.number))
    never.void("beacon")
    house.now = out(LATE) - POLICY["shoe"] * SECOND
    crowd = BeaconGame(house, "crowd", LATE, [], draws={"die": 6})
    crowd.draw(0, "die")
    played(crowd)
    return house
