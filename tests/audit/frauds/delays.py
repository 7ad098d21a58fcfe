"""Limits that were not over, and steps that never come."""

from __future__ import annotations

from collections.abc import Iterable

from fairshoe.engine.moves import Ask, Decision
from fairshoe.log.times import DAY, HOUR, SECOND
from fairshoe.record import entries as forms
from tests.house import POLICY, Seating

from ..planting import (
    Planted,
    at_table,
    bets_at,
    caught,
    dealt_at,
    entries_in,
    entries_of,
    fraud,
    log_open,
    meanwhile,
    places,
    sealed_table,
)

# Too early.


class Hasty(Seating):
    """Does not wait for a limit that it says was over."""

    hasty = True

    def decided(self, decisions: Iterable[Decision], since: int) -> list[str]:
        return [self.house.at() for _ in decisions] if self.hasty else super().decided(decisions, since)

    def choose(self, ask: Ask) -> Decision:
        return ask.by_default()


@fraud("limit-early")
def a_decision_made_for_a_seat_that_had_no_time() -> Planted:
    table, shoe, sealed = sealed_table(kind=Hasty)
    while b'"by":"table"' not in table.house.lines[-1]:
        dealt_at(table, shoe, sealed)
    return caught(table.house, field="decisions[0].at")


@fraud("limit-early")
def half_the_time_for_two_decisions() -> Planted:
    table, shoe, sealed = sealed_table(kind=Hasty, seats=(1, 2, 3))
    while table.house.lines[-1].count(b'"by":"table"') < 2:
        betting = table.open(shoe)
        assert betting is not None
        table.house.wait(POLICY["decision"], table.house.now)
        table.round(shoe, sealed, list(betting.bets))
        table.missed.clear()
    entries = entries_in(table.house)
    for entry in entries[:-1]:
        assert entry["kind"] != "round" or not entry["decisions"], "so that every seat is still waited for"
    return caught(entries, field="decisions[1].at")


@fraud("limit-early")
def a_bank_accepted_for_a_seat_that_had_no_time() -> Planted:
    """PO-37: it might have sold it."""
    table = at_table("pontoon", kind=Hasty)
    table.first_bank()
    table.settle_bank()
    return caught(table.house, shoe=None, field="decisions[0].at")


@fraud("limit-early", each=["", "start"])
def a_seat_called_late_to_bet(excuse: str) -> Planted:
    """A start makes limits that run begin anew, and ends none."""
    table, shoe, _ = sealed_table()
    if excuse:
        table.house.now += 50 * SECOND
        table.house.start()
        table.house.now += 50 * SECOND
    log_open(table, shoe, table.offers([1]), late=(2,))
    return caught(table.house, field="at")


@fraud("limit-early", each=["casino", "boxes"])
def hashes_that_were_not_waited_for(game: str) -> Planted:
    table = at_table(game)
    shoe = table.commit()
    hashes = {f"{game}-p1": "ab" * 32}
    table.house.now += 20 * SECOND
    cut = None if game == "boxes" else forms.cut_form(7, f"{game}-p1")
    table.house.log(forms.seeds_entry(table.house.at(), shoe.id, hashes, cut, [f"{game}-p2"]))
    return caught(table.house, field="at")


@fraud("limit-early")
def a_cut_that_was_not_waited_for() -> Planted:
    table = at_table()
    shoe = table.commit()
    hashes = {"casino-p1": "ab" * 32, "casino-p2": "cd" * 32}
    table.house.log(forms.seeds_entry(table.house.at(), shoe.id, hashes, None))
    return caught(table.house, field="at")


@fraud("limit-early", each=["idle", "age"])
def a_shoe_void_some_seconds_early(why: str) -> Planted:
    table = at_table()
    shoe = table.commit()
    table.house.now += (POLICY["hash" if why == "idle" else "shoe"] - 2) * SECOND
    table.void(shoe, why)
    return caught(table.house, field="at")


@fraud("limit-early")
def bets_that_were_not_waited_for() -> Planted:
    table = at_table("boxes")
    shoe = table.prepare()
    table.house.now += 50 * SECOND
    table.void(shoe, "idle")
    return caught(table.house, field="at")


@fraud("limit-early", each=["", "start"])
def a_seed_that_was_not_waited_for(excuse: str) -> Planted:
    table, shoe, _ = bets_at()
    table.house.now += 25 * SECOND
    if excuse:
        table.house.start()
        table.house.now += 25 * SECOND
    table.house.log(forms.lapse_entry(table.house.at(), shoe.id, "boxes-p2"))
    return caught(table.house, field="at")


@fraud("limit-early")
def a_last_seed_that_was_not_waited_for() -> Planted:
    table, shoe, _ = bets_at()
    table.house.now += 40 * SECOND
    table.opened(shoe, "boxes-p2")
    table.house.now += 25 * SECOND
    table.void(shoe, "seed", "boxes-p1", 1)
    return caught(table.house, field="at")


# Policies.


@fraud("policy-invalid", each=["hash", "seed", "cut", "bet", "decision", "shoe"])
def a_limit_that_is_no_limit(name: str) -> Planted:
    entries = entries_of("casino")[:1]
    entries[0]["policy"][name] = 86_399 if name == "shoe" else 3_601
    return caught(entries, field=f"policy.{name}")


@fraud("policy-invalid", each=["hash", "seed", "cut", "bet", "decision", "shoe"])
def a_limit_that_nobody_stated(name: str) -> Planted:
    entries = entries_of("casino")[:1]
    del entries[0]["policy"][name]
    return caught(entries, field=f"policy.{name}")


@fraud("policy-invalid")
def a_limit_of_four_seconds() -> Planted:
    entries = entries_of("casino")[:1]
    entries[0]["policy"]["seed"] = 4
    return caught(entries, field="policy.seed", expected="5 to 3600 seconds", found=4)


@fraud("policy-invalid")
def a_raffle_without_a_limit() -> Planted:
    entries = entries_of("everything")
    index = places(entries, "shoe", shoe="raffle")[0]
    del entries[index]["policy"]["shoe"]
    return caught(entries[: index + 1], field="policy.shoe")


# Too late.

A_DAY = (DAY + HOUR) // SECOND
"""More than a day, though nothing is late before an hour."""


def stalled(step: str) -> Seating:
    """A table that should do this step."""
    table, shoe, bets = bets_at()
    if step == "opened":
        return table
    table.open_seeds(shoe, bets)
    if step == "seal":
        return table
    sealed = table.seal(shoe)
    if step == "reveal":
        table.round(shoe, sealed, bets)
    return table


@fraud("step-overdue", each=["opened", "seal", "round", "reveal"])
def a_step_that_never_comes(step: str) -> Planted:
    """Somewhere else the house goes on."""
    table = stalled(step)
    meanwhile(table.house, A_DAY + (step == "round") * POLICY["shoe"])
    return caught(table.house, 3)


@fraud("step-overdue", each=["seal", "round", "reveal"])
def a_start_instead_of_the_step(step: str) -> Planted:
    """A service that stops and starts owes the step all the same."""
    table = stalled(step)
    meanwhile(table.house, A_DAY + (step == "round") * POLICY["shoe"], starts=True)
    return caught(table.house, 3)


@fraud("step-overdue", each=["seal", "round", "reveal"])
def a_step_that_came_when_nobody_looked_any_more(step: str) -> Planted:
    table, shoe, bets = bets_at()
    table.open_seeds(shoe, bets)

    def delayed(now: str) -> None:
        if step == now:
            meanwhile(table.house, A_DAY)

    delayed("seal")
    sealed = table.seal(shoe)
    delayed("round")
    table.round(shoe, sealed, bets)
    delayed("reveal")
    table.reveal(shoe, sealed, "worn")
    entries = entries_in(table.house)
    return caught(entries, places(entries, step)[0], round=None)
