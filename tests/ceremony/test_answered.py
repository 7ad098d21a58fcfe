"""Every receipt of a random walk agrees with the log that came of it, and names the chair's receipt before it."""

from __future__ import annotations

import random

import pytest

from audit_cli.cases.receipts.case import Receipt, ReceiptCase
from audit_cli.cases.receipts.judge import ReceiptJudge
from audit_cli.verify.findings.report import Report
from audit_cli.verify.registry import new_audit
from fairshoe.ceremony.acting.commands import (
    AskShoe,
    BuyIn,
    CashOut,
    Command,
    Decide,
    Evict,
    GiveHash,
    GiveSeed,
    PlaceBets,
    Stake,
    TakeSeat,
    Transfer,
    Waive,
)
from fairshoe.ceremony.acting.machine import standing_receipt
from fairshoe.ceremony.fold import apply_entry, open_table
from fairshoe.ceremony.receipts import STANDS, Link, chair_view, link_of
from fairshoe.engine.rules import RULES
from fairshoe.log.canonical import Entry, encode
from fairshoe.log.times import SECOND

from .walk import CHIPS, Walk


def audited(receipts: list[Receipt], lines: list[bytes]) -> list[ReceiptCase]:
    """Each receipt with the auditor's word."""
    watcher, audit = ReceiptJudge(receipts), new_audit(Report())
    for line in lines:
        watcher(audit, line)
    audit.finish()
    assert not watcher.strange
    return watcher.judge_rest()


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
        cases = audited([Receipt(place, form) for place, form in enumerate(forms, 1)], lines)
        assert {case.word for case in cases} == {"agrees"}, [case.line for case in cases if case.word != "agrees"]
        stood += sum(form.get("state") == STANDS for form in forms)
        steps += sum(form.get("state") != STANDS for form in forms)
    assert steps == walk.said > 10
    assert stood == sum(len(part_of(entry)) for entry in walk.log if entry["kind"] == "open")


def part_of(opened: Entry) -> set[int]:
    """The chairs that are told how their bets stand."""
    bet = {form["seat"] for form in opened["bets"] + opened.get("uncovered", [])}
    return bet | {*opened.get("passed", []), *opened.get("late", [])}


def test_a_bet_over_an_outage_is_none_that_lay() -> None:
    """The limits that ran began anew with the `start`, whatever comes after it first."""
    walk = Watched("casino", random.Random("outage"), 0.0, seats=2)
    while walk.state.book.rounds < 1 or not any(form["do"] == "bets" for form in walk.expected(1)):
        walk.turn()
    walk.do(PlaceBets(1, walk.state.book.rounds + 1, (Stake(10),)))
    walk.do(TakeSeat("late", CHIPS), 600)
    walk.play(4)
    lines = [encode(entry) for entry in walk.log]
    cases = audited([Receipt(place, form) for place, form in enumerate(walk.receipts[1, "p1"], 1)], lines)
    assert {case.word for case in cases} == {"agrees"}, [case.line for case in cases if case.word != "agrees"]


def test_the_numbers_of_a_chair_do_not_go_on_where_it_was_left_and_taken_again() -> None:
    """A house that puts a player out, buys in in the same name, and goes on as if nothing had been."""
    walk = Watched("casino", random.Random("again"), 0.0, seats=2)
    links, receipts = dict(walk.state.links), {chair: list(forms) for chair, forms in walk.receipts.items()}
    walk.do(Evict(1))
    walk.do(TakeSeat("p1", CHIPS, 1))
    walk.state.links, walk.receipts = links, receipts
    walk.play(2)
    forms = walk.receipts[1, "p1"]
    lines = [encode(entry) for entry in walk.log]
    cases = audited([Receipt(place, form) for place, form in enumerate(forms, 1)], lines)
    found = [case for case in cases if case.word == "differs"]
    assert {case.field for case in found} == {"number"}
    assert len(found) >= 5


def test_a_decision_about_the_bank_stands_behind_the_end_of_a_shoe_that_wore_out() -> None:
    """A house that answers it before it logs the `reveal`, and logs another one after it."""
    walk = Watched("pontoon", random.Random(0), 0.0, seats=3)
    walk.play(25)
    log = walk.log
    told = {form["at"]: form for forms in walk.receipts.values() for form in forms if form.get("about") == "bank"}
    at = next(
        place
        for place, entry in enumerate(log)
        if entry["kind"] == "bank" and log[place - 1].get("why") == "worn" and entry.get("decisions")
        if any(log[place - 1]["at"] < moment <= entry["at"] for moment in told)
    )
    honest = next(form for moment, form in told.items() if log[at - 1]["at"] < moment <= log[at]["at"])
    assert honest["move"] in ("accept", "sell", "give")
    book, commitment = open_table(log[0]), ""
    for entry in log[1 : at - 1]:
        commitment = entry.get("commitment", commitment)
        apply_entry(book, book.shoe, entry)
    early = {"last": log[at - 2]["at"], "at": log[at - 1]["at"], "view": chair_view(book, honest["seat"], commitment)}
    lines = [encode(entry) for entry in log]
    words = [
        audited([Receipt(1, {**honest, **early, "move": move, "number": 9})], lines)[0].word
        for move in (honest["move"], "refuse")
    ]
    assert words == ["agrees", "differs"]


def test_a_shoe_that_nobody_could_be_dealt_from_needs_no_hash() -> None:
    """PO-04: the only chair that covers the bank has cashed out; the hash of the other one was sent for nothing."""
    walk = Watched("pontoon", random.Random("poor"), 0.0, seats=2)
    walk.do(CashOut(1, CHIPS - 1))
    walk.do(AskShoe(2))
    walk.act(1, next(form for form in walk.expected(1) if form["do"] == "hash"))
    walk.do(CashOut(2, CHIPS - 1))
    assert walk.log[-1]["why"] == "idle"
    lines = [encode(entry) for entry in walk.log]
    cases = audited([Receipt(place, form) for place, form in enumerate(walk.receipts[1, "p1"], 1)], lines)
    assert [case.word for case in cases] == ["agrees"] * 3


def test_what_is_said_of_standing_bets_stays_whatever_the_chair_does_next() -> None:
    walk = Walk("casino", random.Random(1), 0.0, seats=2)
    while not walk.state.cards_on_table:
        walk.turn()
    before = [standing_receipt(walk.state, seat) for seat in (1, 2)]
    links = dict(walk.state.links)
    walk.turn()
    assert walk.state.links != links, "a decision has a receipt"
    assert [standing_receipt(walk.state, seat) for seat in (1, 2)] == before
