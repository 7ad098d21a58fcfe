"""What the machine was told, or how long it waited, where an entry stands in a log.

What nobody writes down is chosen so that it explains the entry: hashes and bets, but the last, came as soon as they
might; who is late, or let a limit pass, said nothing; a chair that two limits had made absent, and that the house
waited for all the same, had said `here`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.machine import apply, restart
from fairshoe.ceremony.acting.state import Keys, State, copy
from fairshoe.ceremony.book import Book, live_shoe
from fairshoe.ceremony.contributing import forced, may_be_away
from fairshoe.ceremony.ending import since
from fairshoe.ceremony.policy import MAX_LAPSED_LIMITS
from fairshoe.log.canonical import Entry
from fairshoe.log.times import SECOND, microseconds
from fairshoe.record.forms import bet_of

HERE = 1 << 20
"""More limits than anybody lets pass: the chair is waited for, however many there were."""

Said = say.Command | Entry | None
"""A command; None: time passes; an entry: the `start` that the service logged."""


class Input(NamedTuple):
    now: int
    said: Said = None


class Step(NamedTuple):
    """Inputs of which only the last has the machine log something; `here`: chairs that are waited for; `uncut`: hashes
    by player that are in already."""

    inputs: Sequence[Input]
    here: frozenset[int] = frozenset()
    uncut: Mapping[str, str] = {}

    def entries(self, state: State, keys: Keys, last: int) -> list[Entry]:
        """What the machine logs where the last input comes at `last`. Raises AssertionError if it logs earlier."""
        state = copy(state)
        state.hashes.update(self.uncut)
        for now, said in self.inputs[:-1]:
            if isinstance(said, dict):
                state = restart(state, said, now)
                continue
            state.here.update(dict.fromkeys(self.here, HERE))
            made = apply(state, said, now, keys)
            if made.entries:
                raise AssertionError(f"logged before its time, after {said}: {made.entries[0]}")
            state = made.state
        state.here.update(dict.fromkeys(self.here, HERE))
        said = self.inputs[-1].said
        if isinstance(said, dict):
            raise TypeError("a step ends with a start")
        return apply(state, said, last, keys).entries


class Told(NamedTuple):
    """An entry to be explained: its table before it, the `start` entries of that table, the rounds of the log."""

    state: State
    starts: Sequence[Entry]
    rounds: Mapping[tuple[str, int], Entry]

    @property
    def book(self) -> Book:
        return self.state.book

    def seat(self, player: str) -> int:
        seat = self.book.seat_of(player)
        if seat is None:
            raise LookupError(f"{player} does not sit")
        return seat


def step_of(entry: Entry, told: Told) -> Step:
    """The inputs after which the machine logs this entry."""
    return STEPS.get(entry["kind"], _time)(entry, told)


def _time(entry: Entry, told: Told) -> Step:
    return _at(entry, None)


def _at(entry: Entry, said: Said, here: Iterable[int] = ()) -> Step:
    return Step([Input(microseconds(entry["at"]), said)], frozenset(here))


def _close(entry: Entry, told: Told) -> Step:
    return _at(entry, say.Close())


def _chips(entry: Entry, told: Told) -> Step:
    op, seat, player, amount = entry["op"], entry["seat"], entry["player"], entry["amount"]
    said: Said = None  # a share
    if "by" in entry:
        said = say.Evict(seat)
    elif op == "buy-in" and seat not in told.book.chairs:
        said = say.TakeSeat(player, amount, seat, entry.get("name"))
    elif op == "buy-in":
        said = say.BuyIn(seat, amount)
    elif op == "cash-out":
        said = say.CashOut(seat, amount, entry.get("leaves", False))
    elif op == "transfer":
        said = say.Transfer(seat, amount, entry["to"])
    elif op == "refund":
        said = say.Refund(player, entry["game"], entry["why"])
    return _at(entry, said)


def _shoe(entry: Entry, told: Told) -> Step:
    return _at(entry, say.AskShoe(), set(may_be_away(told.book)) - set(entry.get("away", ())))


def _seeds(entry: Entry, told: Told) -> Step:
    """The format has hashes of who was to cut and did not: the machine takes none any more, but goes on with them."""
    cut, shoe = entry.get("cut", {}), live_shoe(told.book)
    uncut = {player: value for player, value in entry["hashes"].items() if player == shoe.cutter and not cut}
    said: list[Said] = [
        say.GiveHash(told.seat(player), value, cut["at"] if cut.get("by") == player else None)
        for player, value in entry["hashes"].items()
        if player not in uncut
    ]
    step = _one_after_the_other(entry, said, since(told.book, shoe.at), map(told.seat, entry["hashes"]))
    return step._replace(uncut=uncut)


def _one_after_the_other(entry: Entry, said: Sequence[Said], soon: int, here: Iterable[int]) -> Step:
    """All but the last as soon as they might come."""
    inputs = [Input(soon, each) for each in said]
    inputs[-1:] = [Input(microseconds(entry["at"]), said[-1] if said else None)]
    return Step(inputs, frozenset(here))


def _seed(entry: Entry, told: Told) -> Step:
    """`opened`, and `late`."""
    cut = entry["cut"]["at"] if "cut" in entry else None
    return _at(entry, say.GiveSeed(told.seat(entry["player"]), entry["seed"], cut))


def _void(entry: Entry, told: Told) -> Step:
    return _at(entry, say.AskReshuffle(told.seat(entry["by"])) if entry["why"] == "reshuffle" else None)


def _open(entry: Entry, told: Told) -> Step:
    book, shoe = told.book, live_shoe(told.book)
    if forced(book, shoe) is not None:
        return _at(entry, None)
    stakes: dict[int, list[say.Stake]] = {seat: [] for seat in entry.get("passed", ())}
    for seat, amount, box in map(bet_of, (*entry["bets"], *entry.get("uncovered", ()))):
        stakes.setdefault(seat, []).append(say.Stake(amount, box))
    said: list[Said] = [say.Waive(seat) for seat in entry.get("waived", ())]
    said += [say.PlaceBets(seat, entry["round"], tuple(own)) for seat, own in sorted(stakes.items())]
    began = since(book, shoe.betting)
    if any(not book.chairs[seat].absent for seat in entry.get("late", ())):
        over = microseconds(entry["at"]) >= began + shoe.policy.bet * SECOND
        said.append(None if over else say.NoMoreBets())
    return _one_after_the_other(entry, said, began, stakes)


def _round(entry: Entry, told: Told) -> Step:
    """A deal and its decisions."""
    book, shoe = told.book, live_shoe(told.book)
    if book.open is None:
        raise LookupError("no round is open")
    entry = told.rounds[entry["shoe"], entry["round"]]
    dealt = microseconds(max(book.open.at, shoe.sealed))
    return _decisions(entry, None, dealt, told, book.open.number)


def _bank(entry: Entry, told: Told) -> Step:
    book = told.book
    if entry["why"] == "first":
        return _at(entry, None)
    asked = say.AskShoe() if book.shoe is None else None
    return _decisions(entry, asked, microseconds(book.settled), told, book.rounds)


def _decisions(entry: Entry, first: Said, began: int, told: Told, number: int) -> Step:
    """The input by which a wait for decisions begins, and then each decision: a chair's as soon as it might be made;
    the table's by time that passes, but for a chair that nobody waits for with the input before it."""
    limit = told.book.policy.decision * SECOND
    starts = [start for start in told.starts if microseconds(start["at"]) > began]
    lapsed = {seat: chair.lapsed for seat, chair in told.book.chairs.items()}
    inputs, here = [Input(began, first)], set()
    clock = began
    for step, made in enumerate(entry.get("decisions", ())):
        seat = made["seat"]
        absent = lapsed[seat] >= MAX_LAPSED_LIMITS
        if "at" not in made:
            chosen = tuple(made.get("chosen", ()))
            inputs.append(Input(clock, say.Decide(seat, number, step, made["move"], made.get("amount", 0), chosen)))
            here |= {seat} if absent else set()
            lapsed[seat] = 0
            continue
        at = microseconds(made["at"])
        passed = [start for start in starts if microseconds(start["at"]) <= at]
        starts = starts[len(passed) :]
        clock = max([clock, *(microseconds(start["at"]) for start in passed)])
        waited = at >= clock + limit
        again = [Input(microseconds(start["at"]), start) for start in passed]
        if absent and not waited:
            inputs[-1:] = [*again, inputs[-1]._replace(now=at)]
        else:
            inputs += [*again, Input(at)]
            here |= {seat} if absent else set()
        lapsed[seat] += 1
        clock = at
    return Step(inputs, frozenset(here))


STEPS: dict[str, Callable[[Entry, Told], Step]] = {
    "close": _close,
    "chips": _chips,
    "shoe": _shoe,
    "seeds": _seeds,
    "opened": _seed,
    "late": _seed,
    "void": _void,
    "open": _open,
    "round": _round,
    "reshuffle": _round,
    "bank": _bank,
}
"""By the kind of the entry; the others come by time alone."""
