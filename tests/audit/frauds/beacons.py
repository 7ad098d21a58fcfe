"""Shoes with a beacon: signatures, rounds and times that were chosen, and shoes that were thrown away. Whatever follows
from the change is dealt as a house would deal it that holds the keys."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from fairshoe.log.times import DAY, HOUR, SECOND
from fairshoe.record import entries
from fairshoe.record.rounds import Betting
from tests.beacons import (
    AHEAD,
    EARLY,
    LATE,
    SIGNATURES,
    BeaconGame,
    BeaconTable,
    UnhashedGame,
    UnsealedGame,
    beacon_table,
    house_before,
    out,
    played,
)
from tests.house import Prepared
from tests.told import ToldGame

from ..planting import Plant, Planted, caught, entries_in, planted

SHOE, SEEDS, SEAL, VOID = 0, 1, 4, 4
BOTH = ["ann", "bob"]
GENUINE = SIGNATURES[EARLY]


def sealed(index: int, roster: list[str] = BOTH, **crooked: Any) -> Plant:
    """A shoe of a house that exchanges what the game may exchange; found at an entry."""

    def plant() -> Planted:
        house = house_before()
        played(type("Crooked", (BeaconGame,), crooked)(house, "game", EARLY, roster))
        return caught(house, index)

    return plant


def thrown_away(
    why: str, at: int, roster: list[str] = BOTH, kind: type[UnsealedGame] = UnsealedGame, index: int = -1
) -> Plant:
    """A shoe that is void at a moment, in microseconds after its round came out."""

    def plant() -> Planted:
        house = house_before()
        game = kind(house, "game", EARLY, roster)
        house.now = max(house.now, out(EARLY) + at)
        game.void(why)
        return caught(house, index)

    return plant


class LateHashes(BeaconGame):
    def hash(self, missing: set[str], cut: dict[str, Any] | None) -> None:
        self.house.wait(0, out(EARLY))
        super().hash(missing, cut)


class LateSeeds(BeaconGame):
    """Seeds are opened, or lapse, once the round is out."""

    lapsing: frozenset[str] = frozenset()

    def open(self, lapsing: set[str]) -> None:
        self.house.wait(0, out(EARLY))
        super().open(set(self.lapsing))


class LateLapse(LateSeeds):
    lapsing = frozenset({"bob"})


class LateSeedVoid(UnsealedGame):
    """Ann's seed stays closed until the round is out."""

    def open(self, lapsing: set[str]) -> None:
        self.house.log(entries.opened_entry(self.house.at(), self.name, "bob", self.seeds["bob"].hex()))

    def void(self, why: str) -> None:
        by = "ann" if why == "seed" else None
        self.house.log(entries.void_entry(self.house.at(), self.name, self.key.hex(), why, by=by))


class OwedSeed(BeaconTable):
    """The last seed stays closed until the round is out, and the house names nobody."""

    def opened(self, shoe: Prepared, who: str) -> None:
        super().opened(shoe, who)
        self.house.wait(0, out(EARLY))
        self.void(shoe, "beacon", None, self.rounds if self.rules.one_round else None)
        raise EOFError


class LateBets(BeaconTable):
    def open(self, shoe: Prepared) -> Betting | None:
        self.house.wait(0, out(EARLY))
        return super().open(shoe)


class Unsigned(BeaconGame):
    """The beacon is left out of the order."""

    def fix_order(self, **more: Any) -> None:
        self.house.wait(0, out(EARLY))
        self.seal_as(self.sealed())


class Unheard(UnhashedGame):
    """Nobody sent a hash, and the house seals all the same."""

    def fix_order(self, **more: Any) -> None:
        self.seeds = {}
        BeaconGame.fix_order(self)


def of_kind(kind: type[BeaconGame], index: int) -> Plant:
    def plant() -> Planted:
        house = house_before()
        played(kind(house, "game", EARLY, BOTH))
        return caught(house, index)

    return plant


def without_a_beacon(edit: Callable[[ToldGame], Any], index: int) -> Plant:
    """A shoe that names no round."""

    def plant() -> Planted:
        house = house_before()
        edit(ToldGame(house, "game", BOTH))
        return caught(house, index)

    return plant


def said(index: int, **changed: Any) -> Plant:
    """An entry of an honest shoe says something else."""

    def plant() -> Planted:
        house = house_before()
        played(BeaconGame(house, "game", EARLY, BOTH))
        log = entries_in(house)
        log[index] = {name: value for name, value in (log[index] | changed).items() if value is not None}
        return caught(log, index)

    return plant


def signature_of_no_round() -> Planted:
    house = house_before()
    played(ToldGame(house, "game", BOTH))
    log = entries_in(house)
    log[SEAL] |= {"beacon_signature": GENUINE, "v": 2}
    return caught(log, SEAL)


def void_of_no_round() -> Planted:
    house = house_before()
    played(game := ToldGame(house, "game", BOTH))
    log = entries_in(house)[:SEAL]
    void = entries.void_entry(house.at(), "game", game.key.hex(), "beacon")
    return caught([*log, void])


def table(kind_of_entry: str, **crooked: Any) -> Plant:
    """A table of a house that exchanges what it may; found at the first entry of a kind."""

    def plant() -> Planted:
        log = entries_in(beacon_table(type("Crooked", (BeaconTable,), crooked)))
        return caught(log, next(i for i, entry in enumerate(log) if entry["kind"] == kind_of_entry))

    return plant


def void_of_version_1() -> Planted:
    house = house_before()
    game = UnhashedGame(house, "game", EARLY, BOTH)
    house.wait(0, out(EARLY))
    game.void("beacon")
    log = entries_in(house)
    return caught([log[0], log[1] | {"v": 1}], 1)


def owed(rules: str) -> Plant:
    def plant() -> Planted:
        house = house_before()
        with suppress(EOFError):
            table = OwedSeed(house, rules, rules, (1, 2), careless=0, **({"packs": 3} if rules == "casino" else {}))
            table.play(1)
        return caught(house, -1)

    return plant


def late_bets() -> Planted:
    log = entries_in(beacon_table(LateBets))
    return caught(log, next(i for i, entry in enumerate(log) if entry["kind"] == "open"))


forged = partial(sealed, SEAL)
planted(
    {
        "beacon-forged": {
            "the signature of another round": forged(signature=SIGNATURES[LATE]),
            "a signature that is no point": forged(signature="00" * 48),
            "the other sign of a signature": forged(signature=f"94{GENUINE[2:]}"),
            "the last bit of a signature": forged(signature=f"{GENUINE[:-2]}38"),
            "the point at infinity": forged(signature="c0" + "00" * 47),
            "the signature of another round at a table": table("seal", signature=SIGNATURES[LATE]),
            "a forged beacon of a shoe without players": sealed(1, [], signature=SIGNATURES[LATE]),
        },
        "shoe-differs": {
            "a table's shoe names no round": table(
                "shoe", named_round=lambda *_: 0, beacon=lambda _: None, signature=""
            ),
            "a table's shoe names a round before the limits of its players are over": table("shoe", ahead=AHEAD),
        },
        "beacon-known": {
            "a commitment when the round is out": sealed(SHOE, [], ahead=0),
            "a commitment an hour after its round": sealed(SHOE, [], ahead=-3600),
            "hashes when the round is out": of_kind(LateHashes, SEEDS),
            "a seed is opened when the round is out": of_kind(LateSeeds, 2),
            "a seed lapses when the round is out": of_kind(LateLapse, 2),
            "bets stand when the round is out": late_bets,
        },
        "beacon-differs": {
            "a seal without the signature": of_kind(Unsigned, SEAL),
            "a signature in a shoe that named no round": signature_of_no_round,
        },
        "limit-early": {
            "a seal before the round comes out": sealed(SEAL, waits=False),
            "a beacon is missing before an hour has passed": thrown_away("beacon", HOUR - SECOND),
            "a beacon is missing before it comes out": thrown_away("beacon", -SECOND),
            "hashes are too late before the round comes out": thrown_away("beacon", -SECOND, kind=UnhashedGame),
            "a beacon without players is missing before an hour has passed": thrown_away("beacon", HOUR // 2, []),
        },
        "void-not-allowed": {
            "a shoe with a beacon and without players is void as idle": thrown_away("idle", SECOND, []),
            "a shoe with a beacon and without players is void as too old": thrown_away("age", 2 * DAY, []),
            "a shoe whose seeds are open is void as idle": thrown_away("idle", SECOND),
            "a beacon is missing that nobody named": void_of_no_round,
            "a shoe is void for want of a beacon while a seed is owed": thrown_away("beacon", 0, kind=LateSeedVoid),
            "a shoe is void as too old while a seed is owed": thrown_away("age", 2 * DAY, kind=LateSeedVoid),
            "a seed is missing at a round that came out before the players' limits": thrown_away(
                "seed", 0, kind=LateSeedVoid
            ),
            "a table's shoe is void for want of a beacon while a seed is owed": owed("casino"),
            "a round is void for want of a beacon while a seed is owed": owed("boxes"),
        },
        "field-invalid": {"a void for want of a beacon says version 1": void_of_version_1},
        "field-invalid beacon-differs card-differs cards-root-differs": {
            "a round 0": said(SHOE, beacon_round=0),
            "half a signature": said(SEAL, beacon_signature=GENUINE[:48]),
        },
        "step-out-of-order": {"a shoe with a beacon is sealed without the players' seeds": of_kind(Unheard, 1)},
    }
)
