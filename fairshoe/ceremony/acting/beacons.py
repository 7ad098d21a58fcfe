"""Beacons of shoes: which round a commitment names, and whose signature a shoe waits for."""

from __future__ import annotations

from typing import NamedTuple

from ...errors import InputError
from ...log.times import SECOND, microseconds, timestamp
from ...protocol.beacons import BeaconRound, drand_quicknet, randomness_of
from ..book import Book, Shoe
from ..contributing import awaits_beacon, beacon_time, delayed_round
from ..policy import Policy, min_beacon_delay
from .commands import GiveBeacon
from .forms import BeaconForm
from .lone_shoe import LoneShoe
from .state import State


class BeaconChoice(NamedTuple):
    """The beacon of a shoe without a table: the number of a round of drand's quicknet, or 0 for the first round that
    comes out at least `delay` seconds after the commitment, and after the limits of its players."""

    round: int = 0
    delay: int = 0

    def number_at(self, at: str, policy: Policy, players: int) -> int:
        """Return the round that a commitment at the time `at` names. `players`: how many contribute. InputError if it
        comes out before their limits are over, or after the shoe's age."""
        low = min_beacon_delay(policy, players, one_round=False)
        number = self.round or delayed_round(at, max(self.delay, low))
        ahead = drand_quicknet(number).time * SECOND - microseconds(at)
        if not low * SECOND <= ahead <= policy.shoe * SECOND:
            first, last = delayed_round(at, low), delayed_round(at, policy.shoe) - 1
            seconds = abs(ahead) // SECOND
            when = f"comes out {seconds} seconds after" if ahead >= 0 else f"came out {seconds} seconds before"
            what = f"round {number} {when} the commitment"
            expected = f"{low} to {policy.shoe} seconds after it: round {first} to {last}"
            raise InputError(what, where="beacon", expected=expected, remedy="name another round, or shorter limits")
        return number


def take_beacon(book: Book | None, shoe: Shoe, command: GiveBeacon, now: int) -> bool:
    """Give a shoe the signature that it waits for, and return whether it did; any other changes nothing."""
    if command.shoe != shoe.id or not awaits_beacon(book, shoe) or now < beacon_time(shoe):
        return False
    shoe.beacon = randomness_of(drand_quicknet(shoe.beacon_round), command.signature)
    return True


def beacon_form(shoe: Shoe) -> BeaconForm | None:
    """Describe a shoe's beacon; None if it has none."""
    if not shoe.beacon_round:
        return None
    named = drand_quicknet(shoe.beacon_round)
    randomness = None if shoe.beacon is None else shoe.beacon.randomness
    at = timestamp(named.time * SECOND)
    return {"round": named.number, "at": at, "address": named.address, "randomness": randomness}


def wanted_beacon(state: State | LoneShoe) -> BeaconRound | None:
    """Return the round whose signature is all that a table's shoe, or one without a table, waits for."""
    shoe = state.shoe
    if shoe is None or (isinstance(state, LoneShoe) and state.ended is not None):
        return None
    book = state.book if isinstance(state, State) else None
    return drand_quicknet(shoe.beacon_round) if awaits_beacon(book, shoe) else None
