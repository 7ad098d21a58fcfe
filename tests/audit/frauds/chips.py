"""Chips that moved, and chairs that were taken or left, when that may not be; a lounge's refunds and shares."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from fairshoe.ceremony.chairs import GAMES_KEPT
from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.rules.lounge import BUY_IN
from fairshoe.log.times import DAY, HOUR, SECOND
from fairshoe.record import entries as forms

from ..planting import Plant, Planted, caught, entries_in, fraud, planted
from ..play import Play, at, play
from .betting import Accepting

MOVES = {
    "buy-in": "buy-in {0} 10",
    "cash-out": "cash-out {0} 10",
    "transfer": "give {0} 10 {1}",
    "transfer to": "give {1} 10 {0}",
    "leave": "leave {0}",
}
"""How chips of a chair move, or to it."""


def moves(name: str, about: str, steps: str, chairs: tuple[int, int], *ways: str, **more: Any) -> dict[str, Plant]:
    """After these steps chips of the first chair move, with the second where there are two."""
    return {
        f"{name}: {way}": play(about, f"{steps}, {MOVES[way].format(*chairs)}", field="op", **more)
        for way in ways or MOVES
    }


def put_out(steps: str, *, about: str = "casino 123", seat: int = 3) -> Plant:
    return play(about, f"{steps}, leave {seat} house", field="op")


OPENED = "prepare, opened 3, opened 2, opened 1"
GAME = "lounge 12 gift=1000"
STEPS = {
    "seeds": "prepare",
    "open": "prepare, open",
    "opened": "prepare, open, seeds",
    "seal": "prepare, open, seeds, seal",
    "round": "prepare, open, seeds, seal, round",
}
"""How far a shoe of a lounge has come."""
PAID_FOR = "no cash-out: a game has been paid for: the house puts nobody out before its end"


def refund(
    steps: str, seat: int = 1, amount: int = BUY_IN, *, about: str = GAME, what: Any = None, **wanted: Any
) -> Plant:
    """After these steps a refund as the house writes it, whatever the rules say. `what` it says: player, game, why."""
    return lambda: refunded(at(about, steps), seat, amount, **(what or {})).caught(**wanted)


def refunded(table: Play, seat: int, amount: int = BUY_IN, **what: Any) -> Play:
    purse, house = table.table.table.purse, table.house
    about = {"game": 1, "why": "round", **what}
    who = about.pop("player", table.who(seat))
    chips = {seat: purse.get(seat, 0) + amount, 0: purse[0] - amount}
    house.log(forms.chips_entry(house.at(), "lounge", "refund", seat, who, amount, chips, **about))
    return table


def share(seat: int, payers: int, *, rest: bool = False, amount: int = 0, who: str = "", **wanted: Any) -> Plant:
    """Of so many payers everybody left, or the first of two; a share of the pool goes to one, with the `rest`."""

    def plant() -> Planted:
        table = at(GAME, "play 1, leave 1") if payers == 2 else at("lounge 123 gift=1000", LEFT_BY_ALL)
        house, pool = table.house, table.table.table.purse[-1]
        part = amount or pool // payers + rest * (pool % payers)
        chips = {seat: 0, -1: pool - part}
        house.log(forms.chips_entry(house.at(), "lounge", "share", seat, who or table.who(seat), part, chips))
        return table.caught(**wanted)

    return plant


LEFT_BY_ALL = "play 1, leave 1, leave 2, leave 3"
TO_PUT_OUT = "no cash-out: the house moves a player's chips only to put the player out"
ONE_DAY = f"meanwhile {23 * HOUR // SECOND}"

planted(
    {
        "chips-not-allowed": {
            # The cover is what it was when the bets were taken.
            **moves(
                "a bankers chips move from the opening on",
                "pontoon 123",
                "first-bank, settle-bank, sealed",
                (1, 2),
                kind=Accepting,
            ),
            **{
                f"a chinese bankers chips move before the reveal: {when}": play(
                    "chinese 123",
                    f"settle-bank, prepare, bet-of 2:5 3:5, seeds, seal, {dealt}cash-out 1 10",
                    kind=Accepting,
                    field="op",
                )
                for when, dealt in (("opening", ""), ("dealt", "round, "))
            },
            **{
                f"a banker who takes the cover away after the commitment: {way}": play(
                    "chinese 123",
                    f"settle-bank, keep 1 15, keep 2 1000, keep 3 1000, prepare, {step}",
                    kind=Accepting,
                    shoe=None,
                    field="amount",
                )
                for way, step in (("cash-out", "cash-out 1 13"), ("transfer", "give 1 13 2"))
            },
            **moves(
                "chips that move while the first banker is dealt for",
                "pontoon 123",
                "commit bank, hash",
                (2, 3),
                *("buy-in", "cash-out", "transfer", "leave"),
            ),
            "chips that move while the first banker is dealt for: sit down": play(
                "pontoon 123", "commit bank, hash, buy-in 4 100", field="op"
            ),
            # From `open` to `round` a chair with a bet keeps its chips.
            **moves("a bet taken back", "casino", "sealed, bet 1 2", (2, 1), "cash-out", "leave"),
            **moves(
                "chips that come while a round is open",
                "casino",
                "sealed, bet 1 passed=2",
                (2, 1),
                "buy-in",
                "transfer",
            ),
            "chips that come while a round is open: sit down": play(
                "casino", "sealed, bet 1 passed=2, buy-in 3 10", field="op"
            ),
            # The last to open knows the order when it is the others' turn no more.
            "a contributor who leaves before the own seed is opened": play(
                "casino", "prepare, opened 2, leave 1", field="op"
            ),
            "a sole contributor who leaves before the seal": play("banker", "prepare, open, leave 1", field="op"),
            # From `seeds` on the house, with seats of its own, may know what the others' going would change.
            "somebody put out while the house could know the order: seeds": put_out("prepare", about="boxes 123"),
            "somebody put out while the house could know the order: opening": put_out("prepare, opened 3"),
            "somebody put out while the house could know the order: seal": put_out(f"{OPENED}, seal"),
            "somebody put out while the house could know the order: round": put_out(f"{OPENED}, seal, open, round"),
            # The bank is worth something.
            **{
                f"a banker put out: {rules}": play(
                    f"{rules} 123",
                    f"play 1, leave {bank} house",
                    field="op",
                    expected="no cash-out: the house does not put the banker out",
                )
                for rules, bank in (("chinese", 1), ("pontoon", 3))
            },
            "chips that the house takes from a chair": play(
                "casino", "cash-out 2 10 by=house", field="op", expected=TO_PUT_OUT
            ),
            "a new chair after the closing": play("casino", "close, buy-in 3 10", field="op"),
            # Who is refunded may be out of the game by it, and that is nothing to choose with the cards in sight.
            **{
                f"a refund once the house could know the order: {step}": refund(
                    f"play 1, {steps}", field="op", found="refund"
                )
                for step, steps in STEPS.items()
            },
            **{
                f"a refund once the house could know a sole players order: {step}": refund(
                    f"play 1, {steps}", about="lounge 1 gift=1000", field="op", found="refund"
                )
                for step, steps in STEPS.items()
                if step != "seeds"
            },
            # The pool is played for: a seat of the house would be left to win it alone.
            **{
                f"somebody put out of a game that has been paid for: {when}": play(
                    about, f"{steps}leave 1 house", field="op", expected=PAID_FOR
                )
                for when, about, steps in (
                    ("paid", "lounge 12", ""),
                    ("begun", GAME, "play 1, "),
                    ("closed", GAME, "play 1, close, "),
                    ("another one was refunded", GAME, "play 1, refund 2, "),
                    ("alone, and not away", "lounge 1 gift=1000", "play 1, "),
                )
            },
        },
        "field-invalid chips-not-allowed": {
            "chips that the house pays in for a player": play("casino", "buy-in 3 10 by=house", field="by")
        },
        "refund-not-owed": {"a refund given twice": refund("play 1, refund 1", field="game", found=1)},
        "refund-not-owed chips-differ": {
            "a refund of a game that never was": refund("play 1", what={"game": 2}, field="game", found=2),
            "a refund to somebody who never paid": refund("play 1", what={"player": "eve"}, field="game", found=1),
            "a refund for a chair that nobody paid for": refund("play 1", 3, field="game", found=1),
        },
        "chips-differ": {
            **{
                f"a refund of another amount: {amount}": refund(
                    "play 1", 1, amount, field="amount", expected="10000", found=str(amount)
                )
                for amount in (9_000, 10_001)
            },
            "a share of the pool that is too small": share(1, 3, amount=10, field="amount", found="10"),
            "the pools remainder given to somebody else": share(2, 3, field="share"),
            "a pool shared while somebody plays for it": share(1, 2, field="share"),
        },
        "seat-differs": {
            "a share paid to somebody who did not pay": share(
                1, 3, rest=True, who="eve", field="player", expected="lounge-p1", found="eve"
            )
        },
        "table-closed": {
            "a closed lounge that plays on for more than 30 days": play(
                GAME, f"play 1, close, later {31 * DAY // SECOND}, commit", found="lounge/2"
            ),
            "a closed lounge that begins a game": play("lounge 12", "close, commit", found="lounge/1"),
        },
        # What else is logged at the table puts the share off by nothing.
        "step-overdue": {
            "a pool withheld behind refunds of its own seats": play(
                "lounge 123 gift=1000",
                f"{LEFT_BY_ALL}, {ONE_DAY}, refund 3, {ONE_DAY}, refund 2, {ONE_DAY}",
                table="lounge",
                shoe=None,
            )
        },
    }
)


class Broke(Accepting):
    """Everybody splits and hits on, and nobody buys in who lost more than there was."""

    def choose(self, ask: Ask) -> Decision:
        names = {move.name for move in ask.moves}
        move = "split" if "split" in names else "hit" if "hit" in names and ask.hand >= 0 else ""
        return Decision(ask.actor, move) if move else super().choose(ask)

    def top_up(self, *, but: int = 0) -> None:
        if min(self.table.purse[seat] for seat in self.table.players) < 0:
            raise BrokenPipeError
        super().top_up(but=but)


@fraud("chips-not-allowed", "chips-differ", each=["cash-out", "transfer", "leave"])
def chips_from_a_chair_that_has_less_than_none(what: str) -> Planted:
    """PO-38: what a banker could not cover is owed before anything leaves the chair."""
    table = at("pontoon 123 chips=2 seed=2", kind=Broke)
    with suppress(BrokenPipeError):
        table.do("play 500")
    seat = next(seat for seat in (1, 2, 3) if table.table.table.purse[seat] < 0)
    ways: dict[str, dict[str, Any]] = {"transfer": {"to": seat % 3 + 1}, "leave": {"leaves": True}}
    op, house = "cash-out" if what == "leave" else what, table.house
    house.log(forms.chips_entry(house.at(), "pontoon", op, seat, table.who(seat), 1, {seat: -9}, **ways.get(what, {})))
    return caught(house, field="op", expected=f"no {op}: the chair's chips are below zero")


@fraud("seat-differs", each=["another's chair", "a second chair"])
def a_chair_taken_by_somebody_who_may_not(wrong: str) -> Planted:
    house = at().house
    seat, who, chips = (2, "eve", 5010) if wrong == "another's chair" else (3, "casino-p2", 10)
    house.log(forms.chips_entry(house.at(), "casino", "buy-in", seat, who, 10, {seat: chips}))
    return caught(house, field="seat")


@fraud("chips-not-allowed", each=["too early", "where no limit puts out"])
def a_player_put_out_for_limits_that_did_not_lapse(wrong: str) -> Planted:
    table = at()
    purse, leaving = table.table.table.purse[2], {"leaves": True, "by": "house", "lapsed": True}
    house = table.house
    house.log(forms.chips_entry(house.at(), "casino", "cash-out", 2, table.who(2), purse, {2: 0}, **leaving))
    entries = entries_in(house)
    if wrong == "too early":
        entries[0] |= {"lapses": 2, "v": 2}
    return caught(entries, field="lapsed", found=0)


@fraud("seat-differs")
def a_token_given_for_somebody_who_does_not_sit_there() -> Planted:
    house = at().house
    house.log(forms.token_entry(house.at(), "casino", 2, "eve"))
    return caught(house, field="player", expected="casino-p2", found="eve")


@fraud("refund-not-owed")
def a_refund_of_a_game_of_long_ago() -> Planted:
    """The buy-ins of the last games are remembered, and no others."""
    table = at("lounge 12 gift=9000")
    while table.table.table.memory.get("game", 0) <= GAMES_KEPT:
        table.do("play 1")
    return refunded(table, 1).caught(field="game", found=1)


def seat_with(table: Play, *, chips: bool) -> int:
    """The first chair that has won a gift, or none."""
    return next(seat for seat in (1, 2) if bool(table.table.table.purse[seat]) == chips)


@fraud("chips-differ")
def a_refund_of_a_game_not_played_out_with_the_gifts() -> Planted:
    """LO-04: gifts won count against it."""
    table = at(GAME, f"play 3, close, later {31 * DAY // SECOND}")
    return refunded(table, seat_with(table, chips=True), why="unfinished").caught(field="amount")


@fraud("refund-not-owed")
def a_refund_of_a_game_that_could_still_be_played_out() -> Planted:
    table = at(GAME, "play 1")
    return refunded(table, seat_with(table, chips=False), why="unfinished").caught(field="why", found="unfinished")


@fraud("field-invalid", each=["why"])
@fraud("field-invalid", "refund-not-owed", "chips-differ", each=["game"])
def a_refund_that_does_not_say_what_for(field: str) -> Planted:
    return refunded(at(GAME, "play 1"), 1).changed(lambda entry: entry.pop(field), field=field)


@fraud("chips-differ")
def a_second_buy_in_while_the_game_runs() -> Planted:
    table = at(GAME, "play 1")
    purse, house = table.table.table.purse, table.house
    chips = {1: purse[1], -1: purse[-1] + 9000, 0: purse[0] + 1000}
    house.log(forms.chips_entry(house.at(), "lounge", "buy-in", 1, "lounge-p1", BUY_IN, chips))
    return caught(house)
