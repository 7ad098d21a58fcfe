"""Every receipt of a random walk agrees with the log that came of it, and names the chair's receipt before it."""

from __future__ import annotations

import random

import pytest

from fairshoe.ceremony.acting.commands import (
    BuyIn,
    CashOut,
    Command,
    Decide,
    GiveHash,
    GiveSeed,
    PlaceBets,
    TakeSeat,
    Transfer,
    Waive,
)
from fairshoe.ceremony.receipts import STANDS, Link, link_of
from fairshoe.engine.rules import RULES
from fairshoe.log.canonical import Entry, encode
from fairshoe.log.times import SECOND
from fairshoe.receipts.judge import held_against
from fairshoe.receipts.kept import Receipt

from .walk import Walk

TOLD = (GiveHash, GiveSeed, Waive, PlaceBets, Decide, TakeSeat, BuyIn, CashOut, Transfer)
"""The commands that a receipt answers."""


class Watched(Walk):
    """Counts what should have had a receipt. A house that stood still says so, as the service does: a bet that it has
    signed may not lie for an hour."""

    said = 0

    def apply(self, command: Command | None) -> list[Entry]:
        made = super().apply(command)
        self.said += isinstance(command, TOLD)
        return made

    def do(self, command: Command | None, seconds: float = 0.05) -> list[Entry]:
        if seconds > 5:
            self.now += int(SECOND * seconds)
            self.restart()
            seconds = 0
        return super().do(command, seconds)


@pytest.mark.parametrize("trouble", [0.0, 0.2, 0.4])
@pytest.mark.parametrize("game", sorted(RULES))
def test_every_receipt_agrees_with_the_log_and_names_the_one_before(game: str, trouble: float) -> None:
    walk = Watched(game, random.Random(f"receipts {game} {trouble}"), trouble)
    walk.play(6)
    lines = [encode(entry) for entry in walk.log]
    steps = stood = 0
    for forms in walk.receipts.values():
        link = Link()
        for form in forms:
            assert (form["number"] - (form.get("state") != STANDS), form["before"]) == link, form
            if form.get("state") != STANDS:
                link = link_of(form)
        cases = held_against([Receipt(place, form) for place, form in enumerate(forms, 1)], lines)
        assert {case.word for case in cases} == {"agrees"}, [case.line for case in cases if case.word != "agrees"]
        stood += sum(form.get("state") == STANDS for form in forms)
        steps += sum(form.get("state") != STANDS for form in forms)
    assert steps == walk.said > 10
    assert stood == sum(len(part_of(entry)) for entry in walk.log if entry["kind"] == "open")


def part_of(opened: Entry) -> set[int]:
    """The chairs that are told how their bets stand."""
    bet = {form["seat"] for form in opened["bets"] + opened.get("uncovered", [])}
    return bet | {*opened.get("passed", []), *opened.get("late", [])}
