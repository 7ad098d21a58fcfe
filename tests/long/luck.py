"""The luck tests against houses and players, honest and not, without a ceremony around them: python -m tests.long.luck

`keys`: a house that grinds keys; `steering`: a seat that knows the order; `honest`: how often honest logs are flagged,
looked at once and every day. Houses that stop shoes, do not hear bets or let seeds fail, through a log and its report:
`python -m tests.long.reports`. A line that does not show what it should ends with FAULT, and the command with 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from math import sqrt
from typing import NamedTuple

from audit_cli.counting.seen import ShoeSeen
from audit_cli.luck.busts import BustReading, Busts
from audit_cli.luck.house import Luck
from audit_cli.luck.readings import LOG, Reading
from fairshoe.engine.round import Round
from tests.luck.worlds import (
    Choice,
    Players,
    doubled_after_losses,
    doubled_after_wins,
    leaves_after_losses,
    many_rounds,
    net_of,
    one_round,
    steered,
)

LEVEL = 0.001
LEVELS = (0.05, 0.01, LEVEL)


class Line(NamedTuple):
    """What is printed, and whether it shows what it should."""

    text: str
    holds: bool = True

    def __str__(self) -> str:
        return self.text + ("" if self.holds else "  FAULT")


def played(shoes: Iterable[ShoeSeen]) -> Luck:
    luck = Luck()
    for shoe in shoes:
        luck.shoe(shoe)
    return luck


def of_log(luck: Luck) -> dict[str, Reading]:
    """The log's readings. Where nothing was left of any shoe, whole shoes are what was dealt: to leave these logs out
    would leave those in which players had lost, and left."""
    found = {reading.test: reading for reading in luck.result() if reading.scope == LOG}
    return {"shoes": found["dealt"], "avoided": found["dealt"], **found}


def shown(reading: Reading) -> str:
    rate = reading.excess / reading.hands
    return (
        f"{reading.test} {reading.rounds} rounds, {rate:+.3f} a hand, z {reading.z:+.1f}, "
        f"p {reading.p:.1g}, at every look {reading.always:.1g}"
    )


# Houses that choose.


def keys(logs: int) -> Iterator[Line]:
    """300 shoes of one round, the worst of 50 keys for players who play in three ways; the same in one shoe of seven,
    which takes the return to some 70 %; the worst of two."""
    for name, seats in (("banker", 1), ("boxes", 1), ("boxes", 3)):
        for strategy in ("bicycle", "mimic", "never-bust"):
            reading = of_log(played(one_round(name, Players(seats, strategy), 300, "keys", 50)))["dealt"]
            holds = max(reading.p, reading.always) < LEVEL
            yield Line(f"{name}, {seats} seats, {strategy}, worst of 50 keys: {shown(reading)}", holds)
    for name, seats in (("banker", 1), ("boxes", 3)):
        for count, share in ((50, 1 / 7), (2, 1.0)):
            readings = [
                of_log(played(one_round(name, Players(seats), 300, f"keys {log}", count, share)))["dealt"]
                for log in range(logs)
            ]
            rate = sum(each.excess / each.hands for each in readings) / logs
            once = sum(each.p < LEVEL for each in readings) / logs
            always = sum(each.always < LEVEL for each in readings) / logs
            yield Line(
                f"{name}, {seats} seats, worst of {count} keys in {share:.0%} of 300 shoes: {rate:+.3f} a hand, "
                f"{once:.0%} of {logs} logs flagged at {LEVEL}, {always:.0%} at every look",
                once > 0.5,
            )


# Who is honest.

HONEST = {
    "flat bets": Players(1),
    "three seats": Players(3, "mimic"),
    "double after losses": Players(1, "mimic", doubled_after_losses),
    "double after wins": Players(2, "never-bust", doubled_after_wins),
    "leave after losses": Players(1, "mimic", stays=leaves_after_losses),
    "count cards": Players(2, counts=True),
}
SHOES, ROUNDS = 4, 100
"""Of a log, of many rounds and of one."""
DAYS = 30


def honest_log(players: Players, seed: str) -> Iterator[ShoeSeen]:
    yield from many_rounds(players, SHOES, seed)
    yield from one_round("boxes", players, ROUNDS, seed)


def excused(flagged: int, logs: int, level: float) -> bool:
    """Whether chance allows so many, at three standard errors."""
    return flagged <= logs * level + 3 * sqrt(logs * level) + 1


def honest(logs: int) -> Iterator[Line]:
    """How often honest logs have a p value below a level: looked at once."""
    for name, players in HONEST.items():
        found: dict[str, list[Reading]] = {}
        for log in range(logs):
            for test, reading in of_log(played(honest_log(players, f"{name} {log}"))).items():
                found.setdefault(test, []).append(reading)
        for test, readings in found.items():
            if all(each.test != test for each in readings):
                continue
            below = [sum(each.p < level for each in readings) for level in LEVELS]
            low = sum(each.z < 0 for each in readings) / len(readings)
            holds = all(excused(count, len(readings), level) for count, level in zip(below, LEVELS, strict=True))
            shares = ", ".join(f"{count} below {level:g}" for count, level in zip(below, LEVELS, strict=True))
            yield Line(f"honest, {name}, {test}: of {len(readings)} logs {shares}; z below 0 in {low:.0%}", holds)
    yield from looks(logs)


def looks(logs: int) -> Iterator[Line]:
    """The same where somebody looks every day, and the lowest of all days counts."""
    lowest: dict[str, list[tuple[float, float]]] = {}
    for log in range(logs):
        luck = Luck()
        least: dict[str, tuple[float, float]] = {}
        for day in range(DAYS):
            players = list(HONEST.values())[(log + day) % len(HONEST)]
            for shoe in one_round("banker" if day % 2 else "boxes", players._replace(seats=1), 20, f"look {log} {day}"):
                luck.shoe(shoe)
            for test, reading in of_log(luck).items():
                if reading.test != test:
                    continue
                once, always = least.get(test, (1.0, 1.0))
                least[test] = min(once, reading.p), min(always, reading.always)
        for test, found in least.items():
            lowest.setdefault(test, []).append(found)
    for test, found in lowest.items():
        for column, what in ((1, "at every look"), (0, "p of one look, misused")):
            below = [sum(each[column] < level for each in found) for level in LEVELS]
            holds = column == 0 or all(excused(n, len(found), level) for n, level in zip(below, LEVELS, strict=True))
            shares = ", ".join(f"{count} below {level:g}" for count, level in zip(below, LEVELS, strict=True))
            yield Line(f"honest, {DAYS} looks, {test}, {what}: of {len(found)} logs {shares}", holds)


# Who steers.


def against(seat: int) -> Choice:
    return lambda round: -net_of(seat)(round)


def everybody(round: Round) -> int:
    return sum(hand.net for hand in round.hands)


def steering(logs: int) -> Iterator[Line]:
    """1,500 rounds of boxes in which box 1 knows the order; of other numbers of rounds the change that shows."""
    aims: list[tuple[str, int, Choice | None]] = [
        ("honest", 3, None),
        ("for itself", 1, net_of(1)),
        ("for itself", 3, net_of(1)),
        ("against box 2", 2, against(2)),
        ("for all boxes", 3, everybody),
    ]
    for what, seats, aim in aims:
        busts, gain, rounds = Busts(), 0, 1_500
        for shoe, round in steered("boxes", seats, rounds, "steering", 1, aim):
            busts.shoe(shoe)
            gain += everybody(round)
        found = {(each.scope[1], each.test): each for each in busts.result() if each.scope[0] == "player"}
        tests = [told(each) for each in found.values()]
        shill = [found["p1", "own"], found["p1", "dealer"]]
        holds = min(each.p_holm for each in shill) < LEVEL if aim else min(each.p_holm for each in shill) >= LEVEL
        text = f"steers {what}, {seats} boxes, {rounds} rounds, together {gain / 2 / rounds:+.3f} a round: "
        yield Line(text + "; ".join(tests), holds)
    power = ", ".join(f"{rounds:,}: {change:.3f}" for rounds, change in shill[0].power)
    yield Line(f"power of `own`, change of the chance a hit by rounds: {power}")


def told(reading: BustReading) -> str:
    who, test = reading.scope[1], reading.test
    return f"{who} {test} {reading.busts} of {reading.draws}, expected {reading.expected:.0f}, z {reading.z:+.1f}"


SHOWN = {"keys": keys, "honest": honest, "steering": steering}


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.long.luck", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", metavar="WHAT", help=", ".join(SHOWN))
    parser.add_argument("--logs", type=int, default=1_000, metavar="N", help="of honest; keys: a tenth")
    args = parser.parse_args(words)
    if unknown := set(args.what) - SHOWN.keys():
        parser.error(f"nothing called {', '.join(sorted(unknown))}")
    faults = 0
    for what in args.what or SHOWN:
        for line in SHOWN[what](max(args.logs // 10, 1) if what == "keys" else args.logs):
            faults += not line.holds
            print(line, flush=True)
    print(f"{faults} lines do not show what they should")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
