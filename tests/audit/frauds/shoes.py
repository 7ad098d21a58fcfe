"""Shoes dropped, got rid of before their seal, dealt on, never revealed, revealed too early or for another reason."""

from __future__ import annotations

import hashlib
from typing import Any

from audit_cli.verify.walk.audit import NO_END
from fairshoe.protocol.shoe import Sealed
from tests.house import Prepared, Seating

from ..planting import (
    Entry,
    Plant,
    Planted,
    caught,
    crooked,
    entries_in,
    entries_of,
    fraud,
    inserted,
    places,
    planted,
    retimed,
)
from ..play import at, play

VOID = {
    "reshuffle": "void reshuffle 1",
    "close": "close, void close -",
    "bank": "void bank -",
    "idle": "wait bet, void idle -",
    "age": "wait shoe committed, void age -",
}
"""The shoe void, with all that this reason asks for but a beginning that has not begun."""


def void(name: str, about: str, steps: str, number: str = "", *, seed: bool = False) -> dict[str, Plant]:
    """For each reason; `number` is that of the round whose bets go back."""
    ways = VOID | ({"seed": "void seed -"} if seed else {})
    return {f"{name}: {why}": play(about, f"{steps}, {way}{number}", **said(why)) for why, way in ways.items()}


def said(why: str) -> dict[str, Any]:
    """A reason that does not hold."""
    return {"field": "why", "found": why}


PHASES = {
    "committed": "settle-bank, commit",
    "hashed": "settle-bank, prepare",
    "open": "settle-bank, prepare, open",
    "opened": "settle-bank, prepare, open, seeds",
    "sealed": "settle-bank, prepare, open, seeds, seal",
    "dealt": "settle-bank, prepare, open, seeds, seal, round",
}
MANY = "settle-bank, prepare, seeds, seal, open, round"
"""A shoe of many rounds, dealt."""
WHYS = ("worn", "bank", "age", "left")


def ahead(game: str, steps: str, index: int = -1, shoe: int = 1) -> Plant:
    """Another shoe is committed to: of the one before the end is missing."""
    about = {"shoe": f"{game}/{shoe}", "expected": NO_END, "found": f"shoe of {game}/{shoe + 1}"}
    return play(f"{game} 123", steps, index, **about)


planted(
    {
        # The house would know two orders, and choose when to end the one before.
        "step-out-of-order": {
            **{
                f"a second shoe while one is live: {phase}": ahead("boxes", f"{steps}, ahead")
                for phase, steps in PHASES.items()
            },
            # Its reveal follows, and comes too late.
            "a shoe made ahead of the reveal: casino": ahead("casino", f"{MANY}, ahead, reveal worn", -2),
            "a shoe made ahead of the reveal: chinese": ahead("chinese", f"{PHASES['dealt']}, ahead, reveal worn", -2),
            "a shoe made ahead of the reveal: pontoon": ahead(
                "pontoon", f"first-bank, {MANY}, ahead, reveal worn", -2, shoe=2
            ),
            **{
                f"a key revealed before the seal: {phase}": play("casino", f"{steps}, show-key", found="reveal")
                for phase, steps in (("committed", "commit"), ("hashed", "prepare"), ("opened", "prepare, seeds"))
            },
            # Who bet lapsed, who passed did not: there is nothing to deal.
            "a seal where no bet remains": play("boxes", "prepare, bet 2 passed=1, wait seed, lapse 2, opened 1, seal"),
            **{
                f"a void that does not say whose bets go back: {wrong}": play(
                    "boxes",
                    f"prepare, bet 1 2, opened 2, wait seed, void seed 1{number}",
                    field="round",
                    expected=1,
                    found=found,
                )
                for wrong, number, found in (("missing", "", None), ("another", " 2", 2))
            },
        },
        "shoe-not-retired": {
            "a round opened after the shoes age: ": play("casino", "sealed, wait shoe sealed, open"),
            # A start makes no shoe younger.
            "a round opened after the shoes age: start": play("casino", "sealed, wait shoe sealed, start, open"),
        },
        "shoe-retired-early": {
            **{
                f"a shoe retired since the house says it is: {why}": play(
                    "casino", f"sealed, deal, reveal {why}", **said(why)
                )
                for why in WHYS
            },
            **{
                f"a shoe retired before its first round: {why}": play("casino", f"sealed, reveal {why}", **said(why))
                for why in WHYS
            },
            "a shoe retired some seconds early: no bet": play(
                "casino", "sealed, until sealed 3598, reveal left", field="why"
            ),
            "a shoe retired some seconds early: a day": play(
                "casino", "sealed, until sealed 82800, deal, until sealed 86398, reveal age", field="why"
            ),
            "a shoe retired while somebody with a waiver sits": play(
                "casino",
                "sealed, buy-in 3 1000, bet-of 1:2 3:2 waived=3 passed=2, round, leave 1, leave 2, reveal left",
                **said("left"),
            ),
            "a closed tables shoe retired while somebody still plays": play(
                "casino", "sealed, close, later 2000, deal, later 2000, deal, reveal left", **said("left")
            ),
            "a table closed to end a shoe": play("casino", "sealed, deal, close, reveal left", **said("left")),
            # PO-04: the `bank` entry follows its seal; nothing is drawn anew by waiting.
            **{
                f"a first bankers pack thrown away: {why}": play(
                    "pontoon 123", f"commit bank, hash, seeds, seal, wait shoe sealed, reveal {why}", **said(why)
                )
                for why in ("age", "left", "bank")
            },
        },
        "end-differs": {
            "a shoe that nobody sat at called too old": play(
                "casino", "sealed, leave-all, reveal age", field="why", expected="left", found="age"
            )
        },
        "void-not-allowed": {
            **void("a void after the opening began", "casino", "prepare"),
            **void("a void after a seed was opened", "casino", "prepare, opened 2"),
            **void("a void after the bets stood", "boxes", "prepare, open", " 1"),
            # The sole contributor's seed comes with the bet: the house knows the cards by then.
            **void("a void after a sole player bet", "banker", "prepare, open", " 1"),
            **void("a void after the seal", "casino", "sealed", seed=True),
            **{
                f"a void of a dealt round: {why}": play("boxes", f"prepare, bet 1 2, seeds, seal, {way} 1", **said(why))
                for why, way in (("reshuffle", VOID["reshuffle"]), ("seed", "void seed -"))
            },
            # Nobody closed the table, no bank moved.
            "a void for what did not happen: close": play("boxes", "prepare, void close", **said("close")),
            "a void for what did not happen: bank": play("boxes", "prepare, void bank", **said("bank")),
            "a shoe void since the bank left though it sits": play(
                "chinese 123", "settle-bank, prepare, leave 2, void bank", **said("bank")
            ),
            "a reshuffle that nobody at the table asked for: boxes-p7": play(
                "boxes", "reshuffle 7", **said("reshuffle")
            ),
            "a reshuffle that nobody at the table asked for: None": play("boxes", "reshuffle -", **said("reshuffle")),
            "a reshuffle asked for by somebody who left": play(
                "boxes", "prepare, leave 2, void reshuffle 2", **said("reshuffle")
            ),
            "a second reshuffle between two seals": play(
                "boxes", "reshuffle 1, reshuffle 2, reshuffle 1", **said("reshuffle")
            ),
            # Each chair has one, whoever sits in it; else a shill only had to sit down anew.
            "a second reshuffle by the same chair under another name": play(
                "boxes", "reshuffle 2, leave 2, buy-in 2 100 player=eve, reshuffle eve", **said("reshuffle")
            ),
            # By who has opened, by who comes after another, by who sent no hash, without a name while bets stand.
            **{
                f"a shoe void for somebody whose turn it is not: {who}": play(
                    "boxes 123", f"prepare, bet 1 2 3, opened 3, wait seed, void seed {by} 1", **said("seed")
                )
                for who, by in (("opened", "3"), ("waits", "1"), ("no hash", "7"), ("nobody", "-"))
            },
            # Nobody has opened, others remain: it goes on without.
            "a shoe void where the player should be struck: casino": play(
                "casino", "prepare, wait seed, void seed 2", **said("seed")
            ),
            "a shoe void where the player should be struck: boxes": play(
                "boxes", "prepare, bet 1 2, wait seed, void seed 2 1", **said("seed")
            ),
        },
        # A house that knows the order would choose whose seed counts.
        "lapse-not-allowed": {
            f"somebody struck where the shoe is void: {when}": play(
                "boxes", f"prepare, bet 1 2, {before}, wait seed, lapse 1", expected="the shoe void", found="boxes-p1"
            )
            for when, before in (("opened", "opened 2"), ("last", "wait seed, lapse 2"))
        },
        "seed-out-of-turn": {
            "somebody struck before the turn": play(
                "boxes 123",
                "prepare, bet 1 2 3, wait seed, lapse 1",
                field="player",
                expected="boxes-p3",
                found="boxes-p1",
            )
        },
    }
)


@fraud("key-mismatch")
def another_key_for_a_void_shoe() -> Planted:
    table = at("boxes", "prepare")
    table.shoe.key = hashlib.sha256(b"another").digest()
    return table.do("void reshuffle 1").caught(field="key")


@fraud("number-gap")
def two_shoes_with_the_same_id() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "shoe")[1]
    again = entries[index] | {"commitment": "ab" * 32}
    return caught(inserted(entries, index + 1, again), index + 1, table=None, field="shoe", found="casino/2")


@fraud("number-gap")
def a_shoe_dropped_before_it_was_dealt() -> Planted:
    """A commitment that nobody is to remember: its number is missing."""

    class Crook(Seating):
        def commit(self, purpose: str | None = None) -> Prepared:
            self.shoes += self.shoes == 1
            return super().commit(purpose)

    house, _ = crooked(Crook, rounds=20)
    index = places(entries_in(house), "shoe")[1]
    return caught(house, index, field="shoe", expected=2, found=3)


@fraud("shoe-lost", each=["sealed", "unsealed"])
def a_shoe_that_is_said_to_be_lost(state: str) -> Planted:
    table = at("boxes", "prepare, open, seeds, seal" if state == "sealed" else "prepare")
    number = 1 if state == "sealed" else None
    return table.log("lost", table.shoe.key.hex(), number).caught(round=number, found="boxes/1")


@fraud("shoe-not-retired")
def the_insert_ignored() -> Planted:
    class Crook(Seating):
        def worn(self, sealed: Sealed) -> bool:
            return self.shoes == 1 and sealed.position > 110

    house, _ = crooked(Crook, rounds=3)
    return Planted(house.lines, table="casino", shoe="casino/1", expected="a new shoe after this round")


@fraud("shoe-not-retired")
def a_round_opened_after_the_bank_moved() -> Planted:
    class Crook(Seating):
        def settle_bank(self) -> bool:
            super().settle_bank()
            return False

    house, _ = crooked(Crook, "pontoon", 20, seats=(1, 2, 3), careless=0)
    entries = entries_in(house)
    moved = next(i for i in places(entries, "bank") if entries[i - 1]["kind"] == "round")
    index = next(i for i in places(entries, "open") if i > moved)
    return caught(entries[: index + 1], expected="a new shoe after the bank moved")


def ends(game: str, why: str, shoe: str | None = None, **wanted: Any) -> Planted:
    """The first shoe, or this one, ends for another reason."""
    entries = entries_of(game)
    index = places(entries, "reveal", **({"shoe": shoe} if shoe else {}))[0]
    entries[index]["why"] = why
    return caught(entries, index, **wanted)


@fraud("end-differs", each=["bank", "age", "left"])
def another_reason_for_a_worn_shoe(why: str) -> Planted:
    return ends("casino", why, field="why", expected="worn", found=why)


@fraud("end-differs", each=["bank", "left"])
def a_raffle_that_ends_as_a_table_does(why: str) -> Planted:
    return ends("everything", why, "raffle", field="why", expected="worn or age", found=why)


@fraud("limit-early")
def a_raffle_too_old_before_its_time() -> Planted:
    return ends("everything", "age", "raffle", field="at")


@fraud("step-out-of-order", "position-differs", "shoe-retired-early")
def a_key_revealed_while_a_round_is_open() -> Planted:
    entries: list[Entry] = entries_of("boxes")
    times = [e["at"] for e in entries]
    index = places(entries, "reveal")[1]
    entries[index - 1], entries[index] = entries[index], entries[index - 1]
    return caught(retimed(entries, times)[:index], round=2, found="reveal")


@fraud("step-out-of-order")
def a_key_revealed_twice() -> Planted:
    table = at("boxes", "play 1")
    again = entries_in(table.house)[-1] | {"at": table.house.at()}
    return caught([*entries_in(table.house), again], field="shoe", found="boxes/1")
