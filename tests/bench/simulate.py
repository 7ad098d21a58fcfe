"""Simulated one-seat casino rounds a second, beside a bare minimal blackjack loop in plain Python; and rounds of honest
logs written a second, beside rounds of the same logs audited."""

from __future__ import annotations

import cProfile
import pstats
import random
import statistics
import tempfile
from pathlib import Path

from audit_cli.verify import verify
from fairshoe.engine.rules import rules_of
from fairshoe.simulate.count import plan, simulate
from fairshoe.simulate.house import plan_house, write_house_log

from .timing import compared, seconds

ROUNDS = 20_000
LOGGED = 6_000
REPEATS = 5
LOGS = (
    ("casino", 1),
    ("casino", 7),
    ("banker", 1),
    ("boxes", 1),
    ("boxes", 7),
    ("chinese", 2),
    ("chinese", 7),
    ("lounge", 1),
    ("lounge", 7),
    ("pontoon", 2),
    ("pontoon", 7),
)
"""Games with the fewest seats and with a full table."""


def bare(rounds: int) -> int:
    """The least that plays the same strategy for a result: values from a shuffled list, no options, no record."""
    value = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10] * 24
    net = 0
    shoe: list[int] = []
    for _ in range(rounds):
        if len(shoe) < 67:
            shoe = value[:]
            random.shuffle(shoe)
        a, b, c, d = shoe.pop(), shoe.pop(), shoe.pop(), shoe.pop()
        player, soft = a + c, a == 1 or c == 1
        dealer, dealer_soft = b + d, b == 1 or d == 1
        player_natural, dealer_natural = soft and player == 11, dealer_soft and dealer == 11
        if player_natural or dealer_natural:
            net += 3 * (player_natural and not dealer_natural) - 2 * (dealer_natural and not player_natural)
            continue
        while (player + 10 if soft and player < 12 else player) < 17:
            card = shoe.pop()
            player += card
            soft = soft or card == 1
        if player > 21:
            net -= 2
            continue
        while (dealer + 10 if dealer_soft and dealer < 12 else dealer) < 17:
            card = shoe.pop()
            dealer += card
            dealer_soft = dealer_soft or card == 1
        total = player + 10 if soft and player < 12 else player
        other = dealer + 10 if dealer_soft and dealer < 12 else dealer
        net += 2 if other > 21 or total > other else -2 if total < other else 0
    return net


def run() -> None:
    work = plan("casino", "mimic", ROUNDS, bytes(32))
    a, b, ratio = compared(lambda: simulate(work), lambda: bare(ROUNDS))
    print(
        f"simulate, one-seat casino, mimic: {ROUNDS / a:9,.0f} rounds/s, a bare loop {ROUNDS / b:9,.0f}/s: "
        f"{ratio:.2f} times its time"
    )
    for name, seats in LOGS:
        logged(name, seats)


def logged(name: str, seats: int) -> None:
    """Rounds of an honest log written a second, to rounds of the same log audited; the spread is from the lowest to
    the highest ratio of the pairs."""
    rounds = LOGGED // (4 if rules_of(name).one_round else 1) // seats
    planned = plan_house([name], rounds, bytes(32), seats=seats)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        write_house_log(log, planned)
        if verify(log).failed:
            raise SystemExit("the benchmark's log does not pass the audit")
        pairs = []
        for turn in range(REPEATS):
            other = Path(folder) / str(turn)
            pairs.append((seconds(lambda other=other: write_house_log(other, planned)), seconds(lambda: verify(log))))
        ratios = sorted(audited / written for written, audited in pairs)
        written, audited = (statistics.median(pair[place] for pair in pairs) for place in (0, 1))
        print(
            f"log of {name}, {seats} seats: {rounds / written:7,.0f} rounds/s written, {rounds / audited:7,.0f}/s "
            f"audited: {statistics.median(ratios):.2f} times as fast ({ratios[0]:.2f} to {ratios[-1]:.2f})"
        )


def profile() -> None:
    """Where a simulation's time goes."""
    watch = cProfile.Profile()
    watch.runcall(simulate, plan("casino", "mimic", ROUNDS, bytes(32)))
    pstats.Stats(watch).sort_stats("tottime").print_stats(20)
