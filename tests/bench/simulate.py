"""Simulated one-seat casino rounds a second, beside a bare minimal blackjack loop in plain Python."""

from __future__ import annotations

import cProfile
import pstats
import random

from fairshoe.engine.simulate import plan, simulate

from .timing import compared

ROUNDS = 20_000


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


def profile() -> None:
    """Where a simulation's time goes."""
    watch = cProfile.Profile()
    watch.runcall(simulate, plan("casino", "mimic", ROUNDS, bytes(32)))
    pstats.Stats(watch).sort_stats("tottime").print_stats(20)
