"""Bets without a part in the shoe, seats that were not heard or have no chips, cover, bets that nobody chooses."""

from __future__ import annotations

from typing import Any

from fairshoe.engine.moves import Ask, Decision
from tests.house import Seating

from ..planting import Plant, planted
from ..play import play


class Accepting(Seating):
    """Whoever may have the bank takes it."""

    def choose(self, ask: Ask) -> Decision:
        return ask.default_decision()._replace(by="seat")


def banked(steps: str, **wanted: Any) -> Plant:
    """In chinese, where seat 1 banks."""
    return play("chinese 123", f"settle-bank, {steps}", kind=Accepting, **wanted)


def lounge(steps: str, found: list[int]) -> Plant:
    return play("lounge 123 gift=3000", steps, field="bets", found=found)


SHORT = "keep 1 15, keep 2 1000, keep 3 1000, prepare"
"""The bank covers one bet of two."""
WAIVED: dict[str, Any] = {"field": "waived", "expected": []}
UNFUNDED: dict[str, Any] = {"field": "unfunded", "expected": []}
HIDDEN: dict[str, Any] = {"field": "unfunded", "expected": [2], "found": []}

planted(
    {
        "bet-without-seed": {
            # The house would drop a hash and deal all the same.
            "a waiver by somebody who sat there at the commitment": play(
                "casino", "silent 2, sealed, bet 1 2 waived=2", **WAIVED, found=[2]
            ),
            "a waiver in a shoe of one round": play(
                "boxes", "prepare, buy-in 3 100, bet 1 2 3 waived=3", **WAIVED, found=[3]
            ),
            "a waiver of a seed that is in the shoe": play("casino", "sealed, bet 1 2 waived=2", **WAIVED, found=[2]),
            "a bet without a seed or a word: late": play(
                "casino", "sealed, buy-in 3 1000, bet 1 3 passed=2", field="waived", found=[]
            ),
            "a bet without a seed or a word: struck": play(
                "casino", "lapsing 2, sealed, bet 1 2", field="waived", found=[]
            ),
            # Who left and returned is somebody new.
            "a bet of somebody who came back on the seed from before": play(
                "casino", "sealed, leave 2, buy-in 2 1000, bet 1 2", field="waived", expected=[2], found=[]
            ),
            # Without a seed, and with a waiver that a debtor may not give.
            "a debtor who bets": play(
                "casino",
                "buy-in 3 100, prepare, lapsing 1, seeds, lapsing, prepare, seeds, seal, bet 1 2 3 waived=1",
                **WAIVED,
                found=[1],
            ),
        },
        "seats-unaccounted": {
            "a seat that nobody heard: casino": play("casino", "sealed, bet 1", expected=[2], found=[]),
            "a seat that nobody heard: boxes": play("boxes", "prepare, bet 1", expected=[2], found=[]),
            **{
                f"a word of somebody who has no part: {word}": play(
                    "casino", f"sealed, buy-in 3 1000, wait bet, bet 1 2 {word}=3", expected=[], found=[3]
                )
                for word in ("passed", "late")
            },
            **{
                f"a seat that bet and is counted twice: {word}": play(
                    "casino", f"sealed, wait bet, bet 1 2 {word}=2", expected=[], found=[2]
                )
                for word in ("passed", "late")
            },
            "a banker who passed": banked("prepare, bet-of 2:1 3:1 passed=1", expected=[], found=[1]),
            # Whoever is left out in silence might have been able to bet.
            "a chair without chips left out: casino": play("casino 123", "sealed, keep 2 1, bet 1 3", **HIDDEN),
            "a chair without chips left out: boxes": play("boxes 123", "prepare, keep 2 1, bet 1 3", **HIDDEN),
            **{
                f"a chair without chips said to be silent: {word}": play(
                    "casino 123", f"sealed, keep 2 1, wait bet, bet 1 3 {word}=2", **HIDDEN
                )
                for word in ("passed", "late")
            },
            # The house would keep out whom it likes; what it takes is the lowest bet.
            **{
                f"a chair with chips said to have none: {chips}": play(
                    "casino 123", f"sealed, keep 2 {chips}, bet 1 3 unfunded=2", **UNFUNDED, found=[2]
                )
                for chips in (2, 4999)
            },
            # Each chair stands in just one of the lists.
            "a chair without chips that stands twice: bets": play(
                "casino 123", "sealed, bet 1 3 passed=2 unfunded=3", **UNFUNDED, found=[3]
            ),
            "a chair without chips that stands twice: uncovered": banked(
                f"{SHORT}, bet-of 2:5 uncovered=3:5 unfunded=3", **UNFUNDED, found=[3]
            ),
            "a chair without chips that stands twice: passed": play(
                "casino 123", "sealed, bet 1 passed=23 unfunded=3", **UNFUNDED, found=[3]
            ),
            "chairs without chips in another order": play(
                "casino 123",
                "sealed, keep 2 1, keep 3 1, bet 1 unfunded=32",
                field="unfunded",
                expected=[2, 3],
                found=[3, 2],
            ),
            # Only whoever could bet with chips is named.
            "a chair without a part said to have no chips: newcomer": play(
                "casino 123", "sealed, buy-in 4 1, bet 1 2 3 unfunded=4", **UNFUNDED, found=[4]
            ),
            "a chair without a part said to have no chips: left out": play(
                "casino 123", "silent 3, sealed, cash-out 3 5000, bet 1 2 unfunded=3", **UNFUNDED, found=[3]
            ),
            "a chair without a part said to have no chips: empty": play(
                "casino 123", "sealed, bet 1 2 3 unfunded=5", **UNFUNDED, found=[5]
            ),
            "a chair without a part said to have no chips: struck": play(
                "casino 123", "lapsing 3, sealed, cash-out 3 5000, bet 1 2 unfunded=3", **UNFUNDED, found=[3]
            ),
            "a banker said to have no chips": banked(
                "keep 1 1000, keep 2 1000, keep 3 1000, prepare, bet-of 2:5 3:5 unfunded=1", **UNFUNDED, found=[1]
            ),
            # It had a part in the shoe by its waiver, and has it still.
            "a chair with a waiver left out when its chips are gone": play(
                "casino",
                "sealed, buy-in 3 1000, bet 1 2 3 waived=3, round, keep 3 1, bet 1 2",
                field="unfunded",
                expected=[3],
                found=[],
            ),
        },
        "step-out-of-order bet-without-seed": {
            "bets before the hashes": play("boxes", "commit, bet 1 2", found="open")
        },
        "step-out-of-order": {
            "bets before the seal of a shoe of many rounds": play("casino", "prepare, seeds, bet 1 2", found="open"),
            "a second round from a shoe of one": play(
                "boxes", "prepare, bet 1 2, seeds, seal, round, bet-again", found="open"
            ),
            "bets while a round is open": play("casino", "sealed, bet 1 2, bet 1 2", found="open"),
        },
        "bet-illegal": {
            "a round without a bet": play("casino", "sealed, bet-of passed=12", field="bets"),
            "a bet: over the limit": play("casino chips=180", "sealed, bet-of 1:502 passed=2"),
            "a bet: odd": play("casino chips=180", "sealed, bet-of 1:11 passed=2"),
            "a bet: not covered": play("casino chips=180", "sealed, bet-of 1:200 passed=2"),
            "a bet: twice by one seat": play("casino chips=180", "sealed, bet-of 1:10 1:10 passed=2"),
            # CH-05, PO-38: the bank has less than all bets together may cost.
            "a bet taken that nobody covers: chinese": banked(
                "keep 1 24, keep 2 1000, keep 3 1000, prepare, bet-of 2:5 3:5"
            ),
            "a bet taken that nobody covers: pontoon": play(
                "pontoon 123 chips=18", "first-bank, settle-bank, sealed, bet-of 2:5 3:5", kind=Accepting
            ),
            "a bet that its own seat cannot cover": banked(
                "keep 1 1000, keep 2 14, keep 3 1000, prepare, bet-of 2:5 3:5"
            ),
            "bets that do not stand in their order": banked("prepare, bet-of 3:5 2:5"),
            "an uncovered bet that no limit allows": banked("prepare, bet-of 2:5 uncovered=3:101", field="amount"),
            "a bankers bet": banked("prepare, bet-of 1:5 2:5"),
        },
        "bet-illegal bet-without-seed": {
            "a bet by an empty seat": play("casino", "sealed, bet-of 1:10 5:10 waived=5 passed=2")
        },
        "cover-differs": {
            # CH-05: the house would keep those bets out that it knows to win.
            "a bet refused though it was covered": banked(
                "prepare, bet-of 2:10 uncovered=3:10", field="uncovered", expected=[], found=[3]
            ),
            "a pontoon bet refused though it was covered": play(
                "pontoon 123",
                "first-bank, settle-bank, sealed, bet-of 2:5 uncovered=3:5",
                kind=Accepting,
                field="uncovered",
                expected=[],
                found=[3],
            ),
            # It goes by the seats' order, whatever the order in which bets came.
            "cover given to a later seat first": banked(
                f"{SHORT}, bet-of 3:5 uncovered=2:5", field="uncovered", expected=[3], found=[2]
            ),
        },
        "bets-not-forced": {
            # LO-08: whoever is dealt to alone can lock the table for everybody who comes later.
            "a first deal before enough seats have joined": play(
                "lounge 12 gift=3000 fewest=3", "prepare, bet-of 1:3000 2:3000", field="bets", found=[1, 2]
            ),
            "a hand for somebody who sent no hash": lounge(
                "silent 3, prepare, bet-of 1:3000 2:3000 3:3000", found=[1, 2, 3]
            ),
            "a hand left out": lounge("prepare, bet-of 1:3000 2:3000", found=[1, 2]),
            "a lounge seat that is said to have passed": lounge("prepare, bet-of 1:3000 2:3000 passed=3", found=[1, 2]),
            "a lounge seat said to have no chips": lounge("prepare, bet-of 1:3000 2:3000 unfunded=3", found=[1, 2]),
        },
        "decision-illegal": {
            # It goes back; the cards are dealt to the others' bets.
            "the bet of a struck seat dealt": play(
                "boxes",
                "prepare, bet 1 2, wait seed, lapse 2, opened 1, seal, round",
                field="decision",
                found={"move": "stand", "seat": 2},
            )
        },
    }
)
