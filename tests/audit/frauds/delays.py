"""Limits that were not over, and steps that never come."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fairshoe.engine.moves import Ask, Decision
from fairshoe.log.times import DAY, HOUR, SECOND
from fairshoe.record.forms import cut_form
from tests.house import POLICY, Seating

from ..planting import Entry, Plant, Planted, caught, entries_in, entries_of, fraud, places, planted
from ..play import at, play

BOTH = {"casino-p1": "ab" * 32, "casino-p2": "cd" * 32}
A_DAY = (DAY + HOUR) // SECOND
"""More than a day, though nothing is late before an hour."""
STALLED = {
    "opened": "prepare, bet 1 2",
    "seal": "prepare, bet 1 2, seeds",
    "round": "prepare, bet 1 2, seeds, seal",
    "reveal": "prepare, bet 1 2, seeds, seal, round",
}
"""A table that should do this step."""


def overdue(step: str, starts: str = "") -> Plant:
    """A round may wait for the shoe's age."""
    more = POLICY["shoe"] if step == "round" else 0
    return play("boxes", f"{STALLED[step]}, meanwhile {A_DAY + more} {starts}", 3)


def limits(change: Callable[[Entry], Any], **wanted: Any) -> Plant:
    """The limits that a table states."""

    def plant() -> Planted:
        entries = entries_of("casino")[:1]
        change(entries[0]["policy"])
        return caught(entries, **wanted)

    return plant


def stated(name: str, limit: int) -> Callable[[Entry], None]:
    return lambda policy: policy.update({name: limit})


def unstated(name: str) -> Callable[[Entry], Any]:
    return lambda policy: policy.pop(name)


planted(
    {
        "limit-early": {
            # A start makes limits that run begin anew, and ends none.
            "a seat called late to bet: ": play("casino", "sealed, bet 1 late=2", field="at"),
            "a seat called late to bet: start": play(
                "casino", "sealed, later 50, start, later 50, bet 1 late=2", field="at"
            ),
            "a cut that was not waited for": lambda: at("casino", "commit").log("seeds", BOTH, None).caught(field="at"),
            "a shoe void some seconds early: idle": play("casino", "commit, later 28, void idle", field="at"),
            "a shoe void some seconds early: age": play("casino", "commit, later 86398, void age", field="at"),
            "bets that were not waited for": play("boxes", "prepare, later 50, void idle", field="at"),
            "a seed that was not waited for: ": play(
                "boxes", "prepare, bet 1 2, later 25, log lapse boxes-p2", field="at"
            ),
            "a seed that was not waited for: start": play(
                "boxes", "prepare, bet 1 2, later 25, start, later 25, log lapse boxes-p2", field="at"
            ),
            "a last seed that was not waited for": play(
                "boxes", "prepare, bet 1 2, later 40, opened 2, later 25, void seed 1 1", field="at"
            ),
        },
        "policy-invalid": {
            **{
                f"a limit that is no limit: {name}": limits(
                    stated(name, 86_399 if name == "shoe" else 3_601), field=f"policy.{name}"
                )
                for name in POLICY
            },
            **{
                f"a limit that nobody stated: {name}": limits(unstated(name), field=f"policy.{name}") for name in POLICY
            },
            "a limit of four seconds": limits(
                stated("seed", 4), field="policy.seed", expected="5 to 3600 seconds", found=4
            ),
        },
        "step-overdue": {
            # Somewhere else the house goes on.
            **{f"a step that never comes: {step}": overdue(step) for step in STALLED},
            # A service that stops and starts owes the step all the same.
            **{f"a start instead of the step: {step}": overdue(step, "starts") for step in list(STALLED)[1:]},
        },
    }
)


@fraud("policy-invalid")
def a_raffle_without_a_limit() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "shoe", shoe="raffle")[0]
    del entries[index]["policy"]["shoe"]
    return caught(entries[: index + 1], field="policy.shoe")


@fraud("limit-early", each=["casino", "boxes"])
def hashes_that_were_not_waited_for(game: str) -> Planted:
    table = at(game, "commit, later 20")
    cut = None if game == "boxes" else cut_form(7, f"{game}-p1")
    return table.log("seeds", {table.who(1): "ab" * 32}, cut, [table.who(2)]).caught(field="at")


class Hasty(Seating):
    """Does not wait for a limit that it says was over."""

    def decided(self, decisions: Iterable[Decision], since: int) -> list[str]:
        return [self.house.at() for _ in decisions]

    def choose(self, ask: Ask) -> Decision:
        return ask.default_decision()


@fraud("limit-early")
def a_decision_made_for_a_seat_that_had_no_time() -> Planted:
    table = at("casino", "sealed", Hasty)
    while b'"by":"table"' not in table.house.lines[-1]:
        table.do("deal")
    return table.caught(field="decisions[0].at")


@fraud("limit-early")
def half_the_time_for_two_decisions() -> Planted:
    table = at("casino 123", "sealed", Hasty)
    while table.house.lines[-1].count(b'"by":"table"') < 2:
        table.do("open, wait decision, round")
        table.table.missed.clear()
    entries = entries_in(table.house)
    for entry in entries[:-1]:
        assert entry["kind"] != "round" or not entry["decisions"], "so that every seat is still waited for"
    return caught(entries, field="decisions[1].at")


@fraud("limit-early")
def a_bank_accepted_for_a_seat_that_had_no_time() -> Planted:
    """PO-37: it might have sold it."""
    return at("pontoon", "first-bank, settle-bank", Hasty).caught(shoe=None, field="decisions[0].at")


@fraud("step-overdue", each=["seal", "round", "reveal"])
def a_step_that_came_when_nobody_looked_any_more(step: str) -> Planted:
    late = f"meanwhile {A_DAY}, {step}"
    steps = "prepare, bet 1 2, seeds, seal, round, reveal worn"
    entries = entries_in(at("boxes", steps.replace(step, late)).house)
    return caught(entries, places(entries, step)[0], round=None)
