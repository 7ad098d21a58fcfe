"""What a seat is given of each step: signed, the same at each look, and nothing that the seat may not see."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import jsonschema_rs
import pytest

from audit_cli.cases.receipts.run import decide
from fairshoe.ceremony.acting import contributions, machine
from fairshoe.log.note import verifier_of
from fairshoe.receipts import WITH_RECEIPT, read_receipt, receipt_name, vouched_key

from .place import at, step


def key_of(place):
    """The receipts' key, by the house's own."""
    return vouched_key(place.public.receipt_key(), verifier_of(place.public.verifier()))


def said(place, note):
    return read_receipt(note, key_of(place))


def hold_cards(seats, seat, form):
    """What it shows is what its seat sees; of what another seat does not see, only its own hands."""
    shown, own, bank = form["view"]["round"], at(seat).state["round"], seat.state["bank"]
    if own is None or "view" not in own:
        last = seat.state["last"]
        assert last["round"] == form["round"]
        for cards in all_cards(shown):
            assert all(card is None or card in last["cards"] for card in cards)
        return
    assert shown == own["view"]
    for other in (each for each in seats if each is not seat):
        seen = at(other).state["round"]["view"]
        hands = zip(shown["hands"], seen["hands"], strict=True)
        for hand, theirs in [(shown["dealer"], seen["dealer"]), *hands]:
            if hand.get("seat", int(bank) if bank.isdigit() else 0) != seat.seat:
                assert all(card in (None, same) for card, same in zip(hand["cards"], theirs["cards"], strict=True))
                assert hand["total"] in (None, theirs["total"])


def all_cards(view) -> Iterator[list]:
    yield view["dealer"]["cards"]
    yield from (hand["cards"] for hand in view["hands"])


def test_a_receipt_shown_to_another_seat_tells_it_nothing_hidden(place, tmp_path):
    """At every step: but for the hands of whoever shows it, it tells no more than that seat sees itself. (That no
    answer shows a key or a seed any_order.py checks.)"""
    _, seats = sit(place, tmp_path, "p0", "p1", "p2", rules="pontoon", policy={"bet": 20})
    rounds = 0
    for number in range(120):
        seat = seats[number % 3]
        before = len((tmp_path / seat.player).read_text().splitlines())
        step(seat)
        notes = (tmp_path / seat.player).read_text().splitlines()[before:]
        for note in map(json.loads, notes):
            form = said(place, note)
            assert form["seat"] == seat.seat
            if "round" in form["view"]:
                hold_cards(seats, seat, form)
                rounds += 1
    assert rounds >= 5


def test_the_key_is_the_houses_own_and_stays_the_same(place):
    first = place.public.receipt_key()
    assert key_of(place).name == receipt_name(place.public.verifier().split("+")[0])
    place.restart()
    assert place.public.receipt_key() == first
    assert str(key_of(place)) not in place.public.verifier()


# Receipts of honest houses and of lying ones that are played against, as they were given.


def sit(place, folder, *players, rules="casino", **more):
    table = place.operator.create_table(rules, table="t1", **more)
    return table, [table.sit(player, 10_000, receipts=folder / player) for player in players]


def held(place, file):
    assert not place.audit().failed
    return decide(file, place.directory / "audited", key=place.public.verifier())


@contextmanager
def deaf(*steps):
    """The house does not do what is due."""
    with patch.object(machine, "STEPS", tuple(step for step in machine.STEPS if step not in steps)):
        yield


@pytest.mark.parametrize(("rules", "leaves"), [("casino", True), ("pontoon", False)])
def test_a_bet_that_the_house_signs_and_ignores_for_an_hour(place, tmp_path, rules, leaves):
    """It knows the cards, and waits until the shoe ends as if nobody had bet, or whoever bet goes."""
    _, seats = sit(place, tmp_path, "alice", "bob", "carol", rules=rules)
    place.make_shoe(seats)
    if rules == "pontoon":
        seats[0].send("shoe")  # the first one found the banker
        place.turn(seats).decide("accept")
        place.contribute(seats)
    bettor = next(seat for seat in seats if at(seat).expects("bets"))
    with deaf(contributions.open_when_ready):
        bettor.bet(4)
        for _ in range(13 if leaves else 62):
            place.clock.forward(60)
            place.public.table("t1").state()
        at(bettor).leave()
    decided = held(place, tmp_path / bettor.player)
    assert decided.outcome.word == "FAIL", decided.text
    (case,) = [case for case in decided.cases if case.word == "differs"]
    assert (case.form["do"], case.field) == ("bet", "at")
    assert "had to open" in case.line


# docs/receipts.md.

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "receipts.md").read_text(encoding="utf-8")
OF_RECEIPTS = json.loads((DOCS / "receipt.schema.json").read_text(encoding="utf-8"))
RECEIPT = jsonschema_rs.Draft202012Validator(OF_RECEIPTS)


def test_the_example_works_as_printed(place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    place.operator.create_table("casino", table="t4")
    (example,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
    exec(compile(example.replace("http://127.0.0.1:8000", place.address), "docs/receipts.md", "exec"), {})
    decided = held(place, tmp_path / "alice.receipts")
    assert decided.outcome.good, decided.text
    assert {case.word for case in decided.cases} == {"agrees"}
    assert {case.form["do"] for case in decided.cases} >= {"chips", "hash", "seed", "bet"}


def test_every_field_and_every_word_is_described(place):
    alice, bob = place.sealed()
    for seat in (alice, bob):
        at(seat).bet(10)
    for receipt in (bob.state["receipt"], at(alice).state["you"]["receipt"]):
        assert RECEIPT.is_valid(said(place, receipt))
    described = set(re.findall(r"`([a-z_.]+)`", PAGE))
    assert {"agrees", "differs", "missing", "refused"} <= described
    assert {*WITH_RECEIPT.values()} == {*OF_RECEIPTS["$defs"]["of-a-table"]["properties"]["do"]["enum"]}
